// A whole service and a browser for it, on free ports, gone when the test file ends.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const SERVER = process.env.SERVER ?? path.join(ROOT, "target/debug/pdf-analysis");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const PASSWORD = "correct horse battery";

/** Starts the service, with more `options`, and the browser. `close` ends both. */
export async function start(options = []) {
  // a day (UTC) that ended now would give back in the middle what the tests use up
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left < 180_000) await sleep(left);
  const server = spawn(SERVER, ["--fresh", "--listen=127.0.0.1:0", "--dynamodb-listen=127.0.0.1:0", "--s3-listen=127.0.0.1:0", "--registrations-per-network=1000", "--registrations-per-hour=1000", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const addresses = {};
  for await (const line of createInterface({ input: server.stdout })) {
    const [, name, address] = line.match(/^ {2}(Console|S3) +(\S+)$/) ?? [];
    if (name) addresses[name] = address.replace(/\/$/, "");
    if (addresses.Console && addresses.S3) break;
  }
  const profile = mkdtempSync(path.join(tmpdir(), "console-"));
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGUMENTS, env: { ...process.env, HOME: profile } });
  const origin = addresses.Console;
  const allowed = [origin, addresses.S3];
  return {
    origin,
    /** A fresh browser profile: its page, and the faults that appeared on it. */
    async visit(options = {}) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "UTC", ...options });
      // against a hang, not a slow machine
      context.setDefaultTimeout(60_000);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
      const page = await context.newPage();
      const faults = [];
      page.on("pageerror", (error) => faults.push(`error: ${error}`));
      page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
      page.on("console", (message) => { if (/Content Security Policy/.test(message.text())) faults.push(message.text()); });
      page.on("request", (request) => {
        if (!allowed.includes(new URL(request.url()).origin)) faults.push(`request to ${request.url()}`);
      });
      return { context, page, faults };
    },
    async close() {
      await browser.close();
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Fills the form of /register in and sends it. */
export async function register(page, { name = "Ada Lovelace", email }) {
  await page.goto("/register");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/dashboard");
}

/** Drops files on the dashboard, or on another place, as a person's mouse does. */
export async function drop(page, files, place = "#drop") {
  const contents = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString("base64") }));
  const transfer = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, base64 } of contents) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  }, contents);
  for (const event of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent(place, event, { dataTransfer: transfer });
  }
}

/** Waits until a file's row is one of the list, or says so if there is a `state`. */
export async function uploaded(page, name, state) {
  const row = page.locator("#analyses li", { hasText: name }).first();
  await (state ? row.locator(".state", { hasText: state }) : row.locator(".marked")).waitFor();
  return row;
}
