// An analysis is its owner's: shown to others by a link, printed, taken back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { check } from "./lib/check.mjs";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { file, histories } from "./lib/pdf.mjs";

let service;
before(async () => { service = await start(); });
after(() => service.close());

/** Makes a link on the analysis' page that is open, and gives its address. */
async function share(page, life = "in 30 days") {
  await page.getByLabel("Expires").selectOption(life);
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.locator("#link").textContent();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  return link;
}

test("a link opens the report in a fresh profile, which prints as a document that the service reads", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { name: "Zebedee Quill", email: "zebedee@example.com" });
  const contract = histories().find(({ name }) => name.startsWith("Contract (altered)"));
  await drop(page, [contract]);
  await (await uploaded(page, contract.name)).getByRole("link").click();
  await page.getByRole("link", { name: "Share", exact: true }).click();
  const analysis = page.url().replace(/#.*/, "");
  const link = await share(page);
  await check(page, "the link to a report");
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByText("active since").waitFor();
  assert.ok(!(await page.content()).includes(link.split("/").pop()));
  await check(page, "an analysis that is shared");

  const papers = [];
  for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
    const other = await service.visit({ colorScheme, viewport: { width, height: 900 } });
    const answer = await other.page.goto(link);
    const headers = answer.headers();
    assert.deepEqual(
      [answer.status(), headers["x-robots-tag"], headers["referrer-policy"], headers["cache-control"]],
      [200, "noindex", "no-referrer", "no-store"],
    );
    await other.page.getByRole("heading", { name: "Changed since signing", level: 2 }).waitFor();
    assert.equal(await other.page.getByRole("navigation").count(), 0);
    assert.equal(await other.page.getByRole("button", { name: "Print" }).count(), 1);
    assert.ok(!/zebedee|quill/i.test(await other.page.content()));
    assert.deepEqual(await other.context.cookies(), []);
    await check(other.page, `a shared report, ${colorScheme}, ${width} px`);
    const download = other.page.waitForEvent("download");
    await other.page.getByRole("link", { name: "JSON" }).click();
    assert.match((await download).suggestedFilename(), /^analysis-[0-9a-f-]{36}\.json$/);
    await other.page.emulateMedia({ media: "print" });
    for (const hidden of ["JSON", "Print", "Skip to content", "Documentation"]) {
      assert.equal(await other.page.getByText(hidden, { exact: true }).isVisible(), false, hidden);
    }
    for (const format of ["A4", "Letter"]) {
      papers.push({ name: `${colorScheme} ${format}.pdf`, mimeType: "application/pdf", buffer: await other.page.pdf({ format }) });
    }
    assert.deepEqual(other.faults, []);
    await other.context.close();
  }

  await page.goto("/dashboard");
  await drop(page, papers);
  for (const { name } of papers) {
    const row = await uploaded(page, name);
    const report = await (await row.getByRole("link").getAttribute("href"));
    const json = await (await context.request.get(`${report}/json`)).json();
    const [, format] = name.match(/ (\w+)\.pdf$/);
    assert.equal(json.metadata.page.format, format);
    assert.match(json.metadata.document.title, /Contract \(altered\)\.pdf/);
    assert.ok(json.metadata.basic.pages >= 1 && json.metadata.basic.pages <= 12, `${json.metadata.basic.pages} pages`);
    assert.equal(json.metadata.integrity.verdict, "no_signs");
  }

  await page.goto(analysis);
  await page.getByRole("button", { name: "End sharing" }).click();
  await page.getByRole("button", { name: "Make a link" }).waitFor();
  const late = await service.visit();
  assert.equal((await late.page.goto(link)).status(), 404);
  await late.page.getByRole("heading", { name: "No report here" }).waitFor();
  await late.context.close();
  assert.deepEqual(faults, []);
  await context.close();
});

test("an analysis is deleted after a question, and several by a selection, with a script and without", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, faults, context } = await service.visit({ javaScriptEnabled });
    await register(page, { email: `deleting-${javaScriptEnabled}@example.com` });
    for (const name of ["one", "two", "three", "four"]) {
      if (javaScriptEnabled) {
        await drop(page, [file(`${name}.pdf`, name)]);
        await uploaded(page, `${name}.pdf`);
      } else {
        await page.goto("/dashboard");
        await page.locator("#file").setInputFiles([file(`${name}.pdf`, name)]);
        await page.getByRole("button", { name: "Analyze" }).click();
        await page.getByRole("heading", { name: `${name}.pdf` }).waitFor();
      }
    }
    if (!javaScriptEnabled) await page.goto("/dashboard");
    // rows that a script added can be selected, too
    await page.getByLabel("Select one.pdf").check();
    await page.getByLabel("Select three.pdf").check();
    await page.locator("summary", { hasText: "Delete selected" }).click();
    await page.getByText("Delete the selected analyses permanently?").waitFor();
    if (javaScriptEnabled) await check(page, "the dashboard, deleting");
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.waitForURL("**/dashboard");
    assert.deepEqual(await page.locator("#analyses a").allTextContents(), ["four.pdf", "two.pdf"]);
    assert.equal(await page.locator("#total").textContent(), "2");
    await page.getByRole("link", { name: "two.pdf" }).click();
    await page.locator("summary", { hasText: "Delete" }).click();
    await page.getByText("Delete this analysis permanently?").waitFor();
    if (javaScriptEnabled) await check(page, "an analysis, deleting");
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.waitForURL("**/dashboard");
    assert.deepEqual(await page.locator("#analyses a").allTextContents(), ["four.pdf"]);
    assert.deepEqual(faults, []);
    await context.close();
  }
});
