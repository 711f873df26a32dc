// Analyzes PDFs, sent directly or staged by their size, and retries where that helps:
// API=… TOKEN=… node client.mjs document.pdf big.pdf

import { createHash, randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const DIRECT = 4_000_000; // bytes; larger files are staged, because API gateways refuse large bodies

const BUSY = [429, 502, 503, 504]; // worth another try also without Retry-After, as gateways answer

/** What the API refused, in its own words; `http_502` and so on if something in front of it answered. */
class ApiError extends Error {
  constructor({ status, statusText }, error) {
    const { code, message, request_id, details = {} } = error ?? { code: `http_${status}`, message: statusText, request_id: "unknown" };
    super(`${code}: ${message} (request ${request_id})`);
    Object.assign(this, { status, code, details });
  }
}

/** The error of an answer of the API. */
const errorIn = (text) => {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
};

class Client {
  constructor(base, token) {
    this.base = base;
    this.headers = { Authorization: `Bearer ${token}` };
  }

  /** Sends a request that may be repeated. Waits as Retry-After says, if that is a minute at most. */
  async send(path, { headers, ...request } = {}, tries = 5) {
    for (let attempt = 1; ; attempt += 1) {
      let answer, text;
      try {
        answer = await fetch(this.base + path, { ...request, headers: { ...this.headers, ...headers } });
        text = await answer.text();
      } catch (error) {
        if (attempt === tries) throw error;
        await sleep(1000 * attempt);
        continue;
      }
      if (answer.ok) return JSON.parse(text);
      const wait = Number(answer.headers.get("Retry-After") ?? (BUSY.includes(answer.status) ? 1 : 61));
      if (attempt === tries || wait > 60) throw new ApiError(answer, errorIn(text));
      await sleep(1000 * wait);
    }
  }

  post(path, value) {
    return this.send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
  }

  /** Analyses a file: the answer holds the analysis as `data`, and `remaining_checks`. */
  async analyze(path, password) {
    const secret = password ? { password } : {};
    const pdf = await openAsBlob(path, { type: "application/pdf" });
    if (pdf.size > DIRECT) {
      const hash = createHash("sha256");
      for await (const piece of pdf.stream()) hash.update(piece);
      const announcement = { filename: basename(path), file_size: pdf.size, sha256: hash.digest("hex") };
      const { data: ticket } = await this.post("/pdf/uploads", announcement);
      const { "content-length": _, ...headers } = ticket.headers;
      const put = await fetch(ticket.url, { method: ticket.method, headers, body: pdf });
      if (!put.ok) throw new Error(`The upload failed: ${put.status}`);
      // the upload id makes this safe to repeat
      return this.post("/pdf/analyze", { upload_id: ticket.upload_id, ...secret });
    }
    const form = new FormData();
    form.append("file", pdf, basename(path));
    if (password) form.append("password", password);
    return this.send("/pdf/analyze", { method: "POST", headers: { "Idempotency-Key": randomUUID() }, body: form });
  }
}

const client = new Client(process.env.API, process.env.TOKEN);
const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: API=… TOKEN=… node client.mjs FILE…");
  process.exitCode = 2;
}
for (const path of paths) {
  try {
    const { data, remaining_checks: left } = await client.analyze(path);
    const { verdict, summary } = data.metadata.integrity;
    console.log(`${path}: ${verdict} (${data.id}, ${left} analyses left today)\n${summary}`);
  } catch (error) {
    // refused, not readable, not sent: the other files may be fine
    console.error(`${path}: ${error.message}`);
    process.exitCode = 1;
  }
}
