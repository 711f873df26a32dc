// Which file it was: a file at hand is compared with an analysis, in the browser and nowhere else.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { reported, zipped } from "../../functions/web/src/assets/package.mjs";
import { Sha256, sha256 } from "../../functions/web/src/assets/sha256.mjs";
import { check } from "./lib/check.mjs";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { file, pdf } from "./lib/pdf.mjs";

let service;
const folder = mkdtempSync(path.join(tmpdir(), "evidence-"));
before(async () => { service = await start(); });
after(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex");

test("a package holds no other page in the place of the report, and no more than its archive can count", async () => {
  const { fetch } = globalThis;
  const answers = (body, init, redirected = false) => {
    globalThis.fetch = async () => Object.defineProperty(new Response(body, init), "redirected", { value: redirected });
  };
  const json = { headers: { "content-type": "application/json" } };
  try {
    answers("{}", json);
    assert.equal(await (await reported("/analyses/1/json")).text(), "{}");
    for (const [body, init, redirected] of [
      ["<form>", { headers: { "content-type": "text/html; charset=utf-8" } }],
      ["{}", { ...json, status: 404 }],
      ["{}", json, true],
    ]) {
      answers(body, init, redirected);
      await assert.rejects(reported("/analyses/1/json"), /could not be read/);
    }
  } finally {
    globalThis.fetch = fetch;
  }
  await assert.rejects(zipped([["original.pdf", { size: 2 ** 31 }], ["version-1.pdf", { size: 2 ** 31 }]]), /4 GiB/);
  assert.ok((await zipped([["a", new Blob(["b"])]])).size > 100);
});

test("the console's SHA-256 is everybody's, whatever the length and the pieces", async () => {
  for (let length = 0; length < 400; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 167 + length) & 255);
    const hash = new Sha256();
    for (let at = 0, size = 1; at < length; at += size, size = (size * 31 + length) % 131) hash.update(bytes.subarray(at, at + size));
    assert.equal(hash.digest(), hashed(bytes), `${length} bytes`);
  }
  // FIPS 180-4's own example, and lengths that need more than 32 bits are counted in bits
  const abc = new Sha256();
  abc.update(new TextEncoder().encode("abc"));
  assert.equal(abc.digest(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const piece = new Uint8Array(1 << 20).fill(0x61);
  const [long, theirs] = [new Sha256(), createHash("sha256")];
  for (let megabytes = 0; megabytes < 513; megabytes += 1) {
    long.update(piece);
    theirs.update(piece);
  }
  assert.equal(long.digest(), theirs.digest("hex"));
  const told = [];
  assert.equal(await sha256(new Blob([piece]), (read) => told.push(read)), hashed(piece));
  assert.equal(told.at(-1), piece.length);
});

test("a file at hand is this one byte for byte, or it is not, and is sent nowhere", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { name: "Zebedee Quill", email: "zebedee@example.com" });
  // the most that there may be
  const most = Buffer.concat([pdf("Large", { size: 104_850_000 }), Buffer.alloc(104_857_600, "\n")]).subarray(0, 104_857_600);
  const large = path.join(folder, "large.pdf");
  writeFileSync(large, most);
  await page.locator("#file").setInputFiles(large);
  await (await uploaded(page, "large.pdf")).getByRole("link").click();
  await page.getByRole("heading", { name: "Check it yourself" }).waitFor();
  assert.equal(await page.locator(".facts code").first().textContent(), hashed(most));
  await page.getByText("the store took these bytes and no others").waitFor();

  await page.getByLabel("Expires").selectOption("in 30 days");
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.locator("#link").textContent();
  const other = await service.visit({ viewport: { width: 360, height: 800 } });
  for (const { page: shown, url } of [{ page, url: undefined }, { page: other.page, url: link }]) {
    if (url) await shown.goto(url);
    else await shown.getByRole("link", { name: "Done" }).click();
    await shown.locator("#copy").waitFor();
    const sent = [];
    shown.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const began = Date.now();
    await shown.locator("#candidate").setInputFiles(large);
    await shown.getByText("Yes, byte for byte: large.pdf").waitFor();
    console.log(`100 MB compared in ${Date.now() - began} ms`);
    const wrong = file("large.pdf", "Large");
    await drop(shown, [wrong], "#copy");
    await shown.getByText(`No: large.pdf is another file. Its SHA-256 is ${hashed(wrong.buffer)}.`).waitFor();
    await check(shown, "another file");
    writeFileSync(path.join(folder, "last.pdf"), Buffer.concat([most.subarray(0, -1), Buffer.from(" ")]));
    await shown.locator("#candidate").setInputFiles(path.join(folder, "last.pdf"));
    await shown.getByText("No: last.pdf is another file").waitFor();
    // a browser looks for the page's icon when it likes
    assert.ok(sent.every((request) => /^GET \/assets\/(sha256|icon)-[0-9a-f]+\.(mjs|svg)$/.test(request)), sent.join());
    await shown.emulateMedia({ media: "print" });
    assert.equal(await shown.locator("#candidate").isVisible(), false);
    assert.ok(await shown.locator(".facts code", { hasText: hashed(most) }).isVisible());
    await shown.emulateMedia({ media: "screen" });
  }
  assert.deepEqual([faults, other.faults], [[], []]);
  await other.context.close();
  await context.close();
});

test("the same file and another version of a document are said to have been seen", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "seen@example.com" });
  const addresses = [];
  for (const title of ["First", "First", "Second"]) {
    await page.goto("/dashboard");
    await drop(page, [file("offer.pdf", title)]);
    addresses.push(await (await uploaded(page, "offer.pdf")).getByRole("link").getAttribute("href"));
  }
  const [first, second, third] = addresses;
  // also those that came later
  await page.goto(first);
  assert.equal(await page.locator("p", { hasText: "the same file on" }).getByRole("link").first().getAttribute("href"), second);
  await page.goto(second);
  const same = page.locator("p", { hasText: "You analyzed the same file on" });
  assert.equal(await same.getByRole("link").first().getAttribute("href"), first);
  await page.goto(third);
  const version = page.locator("p", { hasText: "You analyzed another version of this document on" });
  assert.deepEqual(await version.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), [second, first]);
  await check(page, "another version");
  await page.goto("/dashboard");
  await drop(page, [file("offer.pdf", "First")]);
  await (await uploaded(page, "offer.pdf")).getByRole("link").click();
  await page.getByRole("link", { name: "all of them" }).click();
  await page.waitForURL("**/dashboard?sha256=*");
  assert.equal(await page.locator("#analyses a").count(), 3);
  assert.deepEqual(faults, []);
  await context.close();
});
