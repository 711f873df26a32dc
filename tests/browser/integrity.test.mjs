// What the page of an analysis says of a file's history, to eyes, to screen readers and on paper.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { check } from "./lib/check.mjs";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { histories } from "./lib/pdf.mjs";

const VERDICTS = {
  "Quotation (total changed)": "Changed",
  "Certificate of origin": "Saved again",
  "Statement (balance retyped)": "Signs of change",
  Quotation: "No signs of change",
  "Lease (signed twice)": "Unchanged since signing",
  "Contract (commented)": "Permitted changes since signing",
  "Contract (altered)": "Changed since signing",
  "Statement (cut off)": "Inconclusive",
  "Minutes (fifty saves)": "Changed since signing",
  "Hostile names": "Changed since signing",
  "invoice-forged": "Changed since signing",
  "invoice-genuine": "Unchanged since signing",
  "invoice-rewritten": "Signs of change",
};
// with stylesheet, script and icon
const MOST = 60_000;
const MOST_OF_FIFTY_SAVES = 110_000;
let service, state, paths;

before(async () => {
  service = await start();
  const { page, context } = await service.visit();
  await register(page, { email: "ada@example.com" });
  for (const history of histories()) {
    await drop(page, [history]);
    await uploaded(page, history.name);
  }
  paths = {};
  for (const link of await page.locator("#analyses a").all()) {
    paths[(await link.textContent()).replace(".pdf", "")] = await link.getAttribute("href");
  }
  state = await context.storageState();
  await context.close();
});
after(() => service.close());

test("every verdict is a heading, with a mark that is seen", async () => {
  const { page, faults, context } = await service.visit({ storageState: state });
  assert.deepEqual(Object.keys(paths).sort(), Object.keys(VERDICTS).sort());
  const marks = new Map();
  for (const [name, verdict] of Object.entries(VERDICTS)) {
    await page.goto(paths[name]);
    await page.getByRole("heading", { name: verdict, level: 2 }).waitFor();
    const mark = page.locator(".outcome > .mark");
    const { width, height } = await mark.boundingBox();
    assert.ok(width >= 40 && height >= 40, `${name}: ${width} by ${height}`);
    marks.set(verdict, await mark.innerHTML());
  }
  // each by its shape, not by its colour alone
  assert.equal(new Set(marks.values()).size, marks.size);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`every verdict's page is accessible and light of weight, ${colorScheme}`, async () => {
    const { page, faults, context } = await service.visit({ storageState: state, colorScheme, viewport: { width: 1440, height: 900 } });
    await page.goto(paths.Quotation);
    const assets = await page.locator("link[href], script[src]").evaluateAll((parts) => [...new Set(parts.map((part) => part.href || part.src))]);
    const bodies = await Promise.all(assets.map(async (asset) => (await context.request.get(asset)).body()));
    const shared = bodies.reduce((sum, body) => sum + body.length, 0);
    assert.ok(assets.length === 5 && shared > 20_000, `${assets}`);
    for (const [name, path] of Object.entries(paths)) {
      const weight = shared + (await (await page.goto(path)).body()).length;
      assert.ok(weight < (/fifty/.test(name) ? MOST_OF_FIFTY_SAVES : MOST), `${name} weighs ${weight}`);
      await check(page, `${name}, ${colorScheme}`);
    }
    for (const name of ["Contract (altered)", "Minutes (fifty saves)"]) {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(paths[name]);
      for (const summary of await page.locator(".report summary").all()) await summary.click();
      await check(page, `${name}, ${colorScheme}, 360 px`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the texts of a report can be twice as large without anything lost", async () => {
  const { page, context } = await service.visit({ viewport: { width: 640, height: 900 }, storageState: state });
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    await page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wider, 0, name);
  }
  await context.close();
});

test("the picture has a name, a description and a list that tells the same", async () => {
  const { page, context } = await service.visit({ storageState: state });
  for (const [name, saves, signatures] of [["Quotation (total changed)", 3, 0], ["Contract (altered)", 3, 1], ["Minutes (fifty saves)", 50, 5]]) {
    await page.goto(paths[name]);
    const picture = page.getByRole("img", { name: /^File history/ });
    await picture.waitFor();
    const told = await picture.ariaSnapshot();
    assert.ok(told.includes(`${saves} save`) && told.includes(`${signatures} signature`), told);
    assert.equal(await picture.locator(".node").count(), saves);
    assert.equal(await picture.locator(".cover").count(), signatures);
    for (const summary of await page.locator(".report summary").all()) await summary.click();
    const list = page.getByRole("listitem").filter({ hasText: /^Revision \d+/ });
    assert.equal(await list.count(), saves);
    assert.ok(await list.last().isVisible());
  }
  await page.goto(paths["Contract (altered)"]);
  const last = page.getByRole("listitem").filter({ hasText: /^Revision 3/ });
  assert.match(await last.innerText(), /23 Jan 2025, 15:42 UTC · Pocket Editor 3\.1\s+Changed page content on page 1, which an earlier signature does not permit\./);
  await context.close();
});

test("no text of the picture runs out of it or into its neighbour", async () => {
  const { page, context } = await service.visit({ storageState: state });
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    if ((await page.locator(".life").count()) === 0) continue;
    const clashes = await page.evaluate(() => {
      const frame = document.querySelector(".life").getBoundingClientRect();
      const texts = [...document.querySelectorAll(".life text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
      const out = texts.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
      const into = texts.flatMap(([text, box], index) => texts.slice(index + 1)
        .filter(([, other]) => box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 4 && other.top < box.bottom - 4)
        .map(([other]) => `${text} / ${other}`));
      return [...out.map(([text]) => text), ...into];
    });
    assert.deepEqual(clashes, [], name);
  }
  await context.close();
});

test("on a phone the life is told by its list", async () => {
  const { page, context } = await service.visit({ storageState: state, viewport: { width: 360, height: 740 } });
  await page.goto(paths["Contract (altered)"]);
  assert.equal(await page.locator(".picture").isVisible(), false);
  assert.equal(await page.locator(".saves li").last().isVisible(), true);
  await context.close();
});

test("before and now stand side by side where there is room", async () => {
  for (const [width, beside] of [[1200, true], [360, false]]) {
    const { page, context } = await service.visit({ storageState: state, viewport: { width, height: 800 } });
    await page.goto(paths["Quotation (total changed)"]);
    const [before, now] = await page.locator(".compared td").all();
    const [left, right] = [await before.boundingBox(), await now.boundingBox()];
    assert.equal(right.x > left.x && Math.abs(right.y - left.y) < 1, beside, `${width}`);
    await context.close();
  }
});

test("an evidence package is made of the person's own copy, and nothing is sent", async () => {
  const { page, faults, context } = await service.visit({ storageState: state });
  const name = "Quotation (total changed)";
  const original = histories().find((history) => history.name === `${name}.pdf`);
  await page.goto(paths[name]);
  const sent = [];
  page.on("request", (request) => { if (!request.url().startsWith("blob:")) sent.push(`${request.method()} ${new URL(request.url()).pathname}`); });
  await page.locator("#candidate").setInputFiles({ ...original, buffer: original.buffer.subarray(1) });
  await page.getByText("is another file").waitFor();
  assert.equal(await page.locator("#package").isVisible(), false);
  await page.locator("#candidate").setInputFiles(original);
  await page.locator("#package").waitFor();
  const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex");
  for (const line of await page.locator("[data-end]").all()) {
    const version = original.buffer.subarray(0, Number(await line.getAttribute("data-end")));
    await line.getByText(hashed(version)).waitFor();
    const download = page.waitForEvent("download");
    await line.getByRole("button").click();
    assert.ok(readFileSync(await (await download).path()).equals(version));
  }
  const download = page.waitForEvent("download");
  await page.locator("#package").click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), `${name} (evidence).zip`);
  const folder = mkdtempSync(path.join(tmpdir(), "evidence-"));
  try {
    execFileSync("python3", ["-m", "zipfile", "-e", await saved.path(), folder]);
    const checked = execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
    assert.deepEqual(checked.trim().split("\n"), [`${name}.pdf`, `${name} (version 1).pdf`, `${name} (version 2).pdf`, "report.html", "report.json", "README.txt"].map((part) => `${part}: OK`));
    assert.ok(readFileSync(path.join(folder, `${name}.pdf`)).equals(original.buffer));
    assert.equal(JSON.parse(readFileSync(path.join(folder, "report.json"))).metadata.file.sha256, hashed(original.buffer));
    const alone = await service.visit({ javaScriptEnabled: false, offline: true });
    await alone.page.setContent(readFileSync(path.join(folder, "report.html"), "utf8"));
    await alone.page.getByRole("heading", { name: "Before and now" }).waitFor();
    assert.equal(await alone.page.locator("form, input, button, script, .local").count(), 0);
    await alone.context.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.ok(sent.every((request) => /^GET \/(assets|analyses)\//.test(request)), sent.join());
  assert.deepEqual(faults.filter((fault) => !fault.includes("blob:")), []);
  await check(page, "a package that was saved");
  await context.close();

  const plain = await service.visit({ storageState: state, javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  await plain.page.goto(paths["Quotation (total changed)"]);
  const commands = await plain.page.locator(".commands").innerText();
  for (const version of [1, 2]) assert.match(commands, new RegExp(`head -c [0-9]+ file\\.pdf > version-${version}\\.pdf`));
  const wider = await plain.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wider, 0);
  await plain.context.close();
});

test("on paper it is a report: no navigation, nothing to click, every save", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, context } = await service.visit({ storageState: state, colorScheme });
    await page.goto(paths["Minutes (fifty saves)"]);
    await page.getByLabel("with technical evidence").check();
    await page.emulateMedia({ media: "print", colorScheme });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const selector of [".top", ".bottom", ".crumb", ".actions", "#candidate"]) {
      assert.equal(await page.locator(selector).first().isVisible(), false, selector);
    }
    for (const selector of ["h1", ".outcome", ".facts", ".life", ".signature"]) {
      assert.equal(await page.locator(selector).first().isVisible(), true, selector);
    }
    // folded away on the screen
    assert.ok((await page.locator(".saves li").last().boundingBox()).height > 5);
    const ground = await page.evaluate(() => getComputedStyle(document.querySelector(".facts")).backgroundColor);
    assert.equal(ground, "rgb(255, 255, 255)", colorScheme);
    for (const format of ["A4", "Letter"]) assert.ok((await page.pdf({ format })).length > 10_000);
    await context.close();
  }
});

test("names that break out stay text, in pictures too", async () => {
  const { page, faults, context } = await service.visit({ storageState: state });
  await page.goto(paths["Hostile names"]);
  const found = await page.evaluate(() => ({
    hit: window.hit,
    scripts: document.querySelectorAll("main script").length,
    handlers: [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some(({ name }) => name.startsWith("on"))).length,
  }));
  assert.deepEqual(found, { hit: undefined, scripts: 0, handlers: 0 });
  assert.match(await page.locator(".life").textContent(), /<script>/);
  assert.match(await page.locator(".signature dd").first().textContent(), /<svg onload=window\.hit=1>/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("what pages hide is told with its places, and printed for its owner", async () => {
  const { page, faults, context } = await service.visit({ storageState: state });
  await page.goto(paths["Statement (balance retyped)"]);
  const found = page.locator(".findings");
  for (const media of ["screen", "print"]) {
    await page.emulateMedia({ media });
    for (const text of ["Balance 412.07", "Balance 4,412.07"]) await found.getByText(text, { exact: true }).first().waitFor();
    assert.ok((await found.locator(".paper .spot").count()) > 0);
  }
  await page.emulateMedia({ media: "screen" });
  await check(page, "what pages hide");
  assert.deepEqual(faults, []);
  await context.close();
});
