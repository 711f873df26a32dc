// Uploads behind a proxy: the script uploads to the origin that its page came from, whatever the service is called there.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { file, locked } from "./lib/pdf.mjs";

let service;
before(async () => { service = await start(["--behind-proxy"]); });
after(() => service.close());

test("behind a proxy files go to the page's own origin, a locked one again with its password", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "ada@example.com" });
  const elsewhere = [];
  page.on("request", (request) => { if (!request.url().startsWith(new URL(page.url()).origin)) elsewhere.push(request.url()); });
  await drop(page, [
    file("offer.pdf", "Offer", { size: 12_000_000 }),
    { name: "locked.pdf", mimeType: "application/pdf", buffer: locked("Secret plan", "sesame") },
    { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") },
  ]);
  await uploaded(page, "offer.pdf");
  await uploaded(page, "notes.pdf", "This file isn't a PDF.");
  const row = await uploaded(page, "locked.pdf", /password/);
  for (const [password, state] of [["barley", /password/], ["sesame", undefined]]) {
    await row.getByLabel("Password of the PDF").fill(password);
    await row.getByRole("button", { name: "Unlock" }).click();
    await uploaded(page, "locked.pdf", state);
  }
  assert.equal(await page.locator("#left").textContent(), "48");
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(faults, []);
  await context.close();
});
