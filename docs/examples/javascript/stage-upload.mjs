// Analyses a PDF of up to 100 MB in three steps: API=… TOKEN=… node stage-upload.mjs big.pdf

import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { basename } from "node:path";

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

async function post(path, body) {
  const answer = await fetch(API + path, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).data;
}

// 1. a ticket for a file of exactly this size and these bytes
const path = process.argv[2];
const pdf = await openAsBlob(path);
const hash = createHash("sha256");
for await (const piece of pdf.stream()) hash.update(piece);
const announcement = { filename: basename(path), file_size: pdf.size, sha256: hash.digest("hex") };
const ticket = await post("/pdf/uploads", announcement);

// 2. the bytes, with every header of the ticket; fetch sets Content-Length itself
const { "content-length": _, ...signed } = ticket.headers;
const put = await fetch(ticket.url, { method: ticket.method, headers: signed, body: pdf });
if (!put.ok) throw new Error(await put.text());

// 3. the analysis
const analysis = await post("/pdf/analyze", { upload_id: ticket.upload_id });
console.log(analysis.id, analysis.metadata.integrity.verdict);
