// What people do, from the first page to the last.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { drop, PASSWORD, register, start, uploaded } from "./lib/console.mjs";
import { file, locked, pdf } from "./lib/pdf.mjs";

let service;
before(async () => { service = await start(); });
after(() => service.close());

test("from the start page to the first analysis, and out again", async () => {
  const { page, faults, context } = await service.visit();
  await page.goto("/");
  await page.getByRole("link", { name: "Create a free account" }).click();
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");

  await page.getByRole("link", { name: "Tokens" }).click();
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.locator("#token").textContent();
  await page.getByRole("button", { name: "Copy token" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
  const user = () => context.request.get("/api/v1/user", { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await user()).status(), 200);
  await page.getByRole("link", { name: "Done" }).click();
  assert.ok(!(await page.content()).includes(token));

  await page.getByRole("link", { name: "Dashboard" }).click();
  // slow enough that the progress can be seen
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 });
  await page.evaluate(() => {
    window.seen = [];
    const look = () => { for (const bar of document.querySelectorAll("#analyses progress")) window.seen.push(bar.value / bar.max); };
    new MutationObserver(look).observe(document.getElementById("analyses"), { subtree: true, attributes: true, childList: true });
  });
  await drop(page, [file("offer.pdf", "Offer", { size: 3_000_000 })]);
  const row = await uploaded(page, "offer.pdf");
  const steps = new Set(await page.evaluate(() => window.seen));
  assert.ok([...steps].filter((step) => step > 0 && step < 1).length >= 2, `progress: ${[...steps]}`);
  assert.equal(await page.locator("#left").textContent(), "49");
  assert.equal(await page.locator("#analyses a").count(), 1);
  assert.match(await page.locator("#announcer").textContent(), /^offer\.pdf\. Saved again\./);

  await row.getByRole("link").click();
  await page.getByRole("heading", { name: "offer.pdf" }).waitFor();
  await page.getByText("Metadata of the file").click();
  for (const text of ["Offer", "Ada Lovelace", "2 days later", "Print in high quality"]) {
    assert.ok((await page.locator("main").innerText()).includes(text), text);
  }
  const created = page.locator(".groups dd time").first();
  assert.match(await created.textContent(), /^15 Jan 2025, 09:30 UTC/);
  assert.equal(await created.getAttribute("title"), "In the file: D:20250115103000+01'00'");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "JSON" }).click();
  assert.match((await download).suggestedFilename(), /^analysis-[0-9a-f-]{36}\.json$/);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.ok(page.url().endsWith(await page.evaluate(() => navigator.clipboard.readText())));

  await page.getByRole("link", { name: "All analyses" }).click();
  await page.getByRole("link", { name: "offer.pdf" }).waitFor();
  await page.getByRole("link", { name: "Tokens" }).click();
  await page.locator("summary", { hasText: "Revoke" }).click();
  await page.getByRole("button", { name: /Revoke for good/ }).click();
  await page.getByText("None yet").waitFor();
  assert.equal((await user()).status(), 401);

  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("link", { name: "Log in" }).waitFor();
  await page.goto("/dashboard");
  assert.ok(/\/login(\?|$)/.test(page.url()));
  assert.deepEqual(faults, []);
  await context.close();
});

test("several files at once, chosen or dropped, and one that is no PDF", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "several@example.com" });
  await drop(page, [file("one.pdf", "One"), file("two.pdf", "Two"), { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no PDF at all") }]);
  await uploaded(page, "one.pdf");
  await uploaded(page, "two.pdf");
  await uploaded(page, "notes.txt", "This file isn't a PDF.");
  await page.locator("#file").setInputFiles([file("three.pdf", "Three"), file("four.pdf", "Four"), { name: "empty.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) }]);
  await uploaded(page, "three.pdf");
  await uploaded(page, "four.pdf");
  await uploaded(page, "empty.pdf", /empty/);
  assert.equal(await page.locator("#left").textContent(), "46");
  assert.equal(await page.locator("#total").textContent(), "4");
  await page.reload();
  assert.deepEqual((await page.locator("#analyses a").allTextContents()).sort(), ["four.pdf", "one.pdf", "three.pdf", "two.pdf"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("of a folder that is dropped the PDFs are taken, those in folders within it too", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "folder@example.com" });
  const folder = mkdtempSync(path.join(tmpdir(), "claims-"));
  try {
    mkdirSync(path.join(folder, "2025"));
    for (const name of ["first.pdf", "2025/SECOND.PDF"]) writeFileSync(path.join(folder, name), pdf(name));
    writeFileSync(path.join(folder, "notes.txt"), "no PDF");
    const { x, y, width, height } = await page.locator("#drop").boundingBox();
    const mouse = await context.newCDPSession(page);
    const dropped = async () => {
      for (const type of ["dragEnter", "dragOver", "drop"]) {
        await mouse.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data: { items: [], files: [folder], dragOperationsMask: 1 } });
      }
    };
    await dropped();
    await uploaded(page, "first.pdf");
    await uploaded(page, "SECOND.PDF");
    assert.equal(await page.locator("#analyses li").count(), 2);
    rmSync(path.join(folder, "first.pdf"));
    rmSync(path.join(folder, "2025"), { recursive: true });
    await dropped();
    await uploaded(page, path.basename(folder), "There is no PDF in this folder.");
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("a locked file asks for its password, and once more if it is wrong", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "locked@example.com" });
  await drop(page, [{ name: "locked.pdf", mimeType: "application/pdf", buffer: locked("Secret plan", "sesame") }]);
  const row = await uploaded(page, "locked.pdf", /password/);
  for (const [password, state] of [["barley", /password/], ["sesame", undefined]]) {
    await row.getByLabel("Password of the PDF").fill(password);
    await row.getByRole("button", { name: "Unlock" }).click();
    await uploaded(page, "locked.pdf", state);
  }
  await row.getByRole("link").click();
  await page.getByText("Metadata of the file").click();
  await page.getByText("Secret plan").waitFor();
  assert.ok((await page.locator("main").innerText()).includes("RC4"));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a comparison asks for the password of a locked copy, and sends no file twice", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "copies@example.com" });
  await drop(page, [file("offer.pdf", "Offer")]);
  await (await uploaded(page, "offer.pdf")).getByRole("link").click();
  let tickets = 0;
  page.on("request", (request) => { if (request.url().endsWith("/dashboard/uploads")) tickets += 1; });
  await page.getByLabel("The earlier copy", { exact: true }).setInputFiles(file("offer.pdf", "Offer"));
  await page.getByLabel("The later copy", { exact: true }).setInputFiles({ name: "locked.pdf", mimeType: "application/pdf", buffer: locked("Offer", "sesame") });
  const press = () => page.getByRole("button", { name: "Compare", exact: true }).click();
  const password = page.getByLabel("Password of the later copy");
  await press();
  await page.locator("#comparing-state.error", { hasText: "This PDF is locked" }).waitFor();
  for (let wrong = 0; wrong < 3; wrong += 1) {
    await page.waitForFunction(() => document.activeElement.id === "after_password");
    await password.fill(`barley ${wrong}`);
    await press();
    await page.locator("#comparing-state.error", { hasText: "does not open this PDF" }).waitFor();
  }
  await password.fill("sesame");
  await press();
  await page.getByText("How are the two files related?").waitFor();
  assert.equal(tickets, 2);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a locked file does not take the focus from what a person types", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "typist@example.com" });
  const sent = { name: "locked.pdf", mimeType: "application/pdf", buffer: locked("Secret plan", "sesame") };
  await page.locator("#reference").focus();
  await drop(page, [sent]);
  await uploaded(page, "locked.pdf", /password/);
  await page.keyboard.type("CLM-7");
  assert.equal(await page.locator("#reference").inputValue(), "CLM-7");
  await page.evaluate(() => document.activeElement.blur());
  await drop(page, [{ ...sent, name: "second.pdf" }]);
  const row = await uploaded(page, "second.pdf", /password/);
  await page.keyboard.type("sesame");
  assert.equal(await row.getByLabel("Password of the PDF").inputValue(), "sesame");
  assert.deepEqual(faults, []);
  await context.close();
});

test("when the day's analyses are used up, the page says so", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "busy@example.com" });
  await drop(page, Array.from({ length: 52 }, (_, index) => file(`file-${index}.pdf`, `File ${index}`)));
  // before anything is sent
  await page.getByText("52 not started: 50 analyses are left today").waitFor();
  assert.equal(await page.locator("#left").textContent(), "50");
  await page.getByRole("button", { name: "Analyze the first 50" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#analyses .marked").length === 50, undefined, { timeout: 300_000 });
  await page.getByText(/50 of 52 analyzed · 2 not started: You've used today's analyses\. More from /).waitFor();
  await page.getByRole("button", { name: "Remove those that are waiting" }).click();
  assert.equal(await page.locator("#analyses li").count(), 50);
  assert.equal(await page.locator("#all").textContent(), "50");
  assert.equal(await page.locator("[data-outcome=no_findings]").textContent(), "50");
  assert.equal(await page.locator("#left").textContent(), "0");
  assert.equal(await page.locator("#total").textContent(), "50");
  await page.reload();
  await page.getByText("You've used today's analyses.").waitFor();
  assert.equal(await page.locator("#analyses li").count(), 20);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByText("Page 2 of 3").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("uploads survive a connection that breaks, and nobody leaves by mistake", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "broken@example.com" });
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const speed = (offline, uploadThroughput) => network.send("Network.emulateNetworkConditions", { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  await speed(false, 500_000);
  await drop(page, [file("one.pdf", "One", { size: 3_000_000 }), file("two.pdf", "Two", { size: 3_000_000 }), { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") }]);
  await uploaded(page, "notes.pdf", "This file isn't a PDF.").catch(() => {});
  await page.waitForFunction(() => [...document.querySelectorAll("#analyses progress")].some((bar) => bar.value > 0.1 * bar.max));
  // leaving is asked about while something runs
  const asked = new Promise((resolve) => page.once("dialog", (dialog) => resolve(dialog.type())));
  page.evaluate(() => { location.href = "/account"; }).catch(() => {});
  assert.equal(await asked, "beforeunload");
  faults.length = 0;
  // every upload is cut off once, with the browser online all the while
  await context.route("**/uploads/**", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await drop(page, [file("three.pdf", "Three"), file("four.pdf", "Four")]);
  for (const name of ["three.pdf", "four.pdf"]) await uploaded(page, name, "The connection broke. Check it and try again.");
  await context.unroute("**/uploads/**");
  await speed(false, -1);
  await page.getByRole("button", { name: "Try again: three.pdf" }).click();
  await uploaded(page, "three.pdf");
  await page.getByRole("button", { name: "Try again: four.pdf" }).click();
  await uploaded(page, "four.pdf");
  for (const name of ["one.pdf", "two.pdf"]) await uploaded(page, name);
  assert.equal(await page.locator("#left").textContent(), "46");
  assert.deepEqual(faults, []);
  await context.close();
});

test("an agent's file is dropped on its page and goes to the agent", async () => {
  const { page, faults, context } = await service.visit();
  await register(page, { email: "agent@example.com" });
  await page.goto("/tokens");
  await page.getByLabel("Name").fill("agent");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.locator("#token").textContent();
  const call = async (name, args) => {
    const headers = { authorization: `Bearer ${token}` };
    const data = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    return (await (await context.request.post("/mcp", { headers, data })).json()).result.structuredContent;
  };
  const { upload_id, page: address } = await call("request_upload", {});
  await page.goto(address);
  await page.getByText("An agent of yours asks for a PDF.").waitFor();
  await drop(page, [file("asked.pdf", "Asked")]);
  await uploaded(page, "asked.pdf", "Uploaded. Your agent can analyze it now.");
  assert.equal(await page.locator("#left").textContent(), "50");
  const told = await call("analyze", { upload_id });
  assert.equal(told.untrusted.texts.filename, "asked.pdf");
  assert.deepEqual([told.verdict, told.outcome], ["saved_again", "no_findings"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("without JavaScript everything works but the progress", async () => {
  const { page, context } = await service.visit({ javaScriptEnabled: false });
  await register(page, { email: "plain@example.com" });
  await page.locator("#file").setInputFiles(file("plain.pdf", "Plain"));
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByRole("heading", { name: "plain.pdf" }).waitFor();
  await page.getByText("Metadata of the file").click();
  assert.ok((await page.locator("main").innerText()).includes("15 Jan 2025, 09:30 UTC"));
  await page.goto("/dashboard");
  await page.locator("#file").setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") });
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByRole("alert").waitFor();
  const secret = { name: "locked.pdf", mimeType: "application/pdf", buffer: locked("Secret plan", "sesame") };
  for (const password of [undefined, "barley", "sesame"]) {
    await page.locator("#file").setInputFiles(secret);
    if (password) await page.getByLabel("Password of the PDF").fill(password);
    await page.getByRole("button", { name: "Analyze" }).click();
    if (password !== "sesame") await page.getByRole("alert").filter({ hasText: password ? "does not open" : "locked" }).waitFor();
  }
  await page.getByRole("heading", { name: "locked.pdf" }).waitFor();
  await page.goto("/tokens");
  await page.getByLabel("Name").fill("plain");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await page.locator("summary", { hasText: "Revoke" }).click();
  await page.getByRole("button", { name: /Revoke for good/ }).click();
  await page.getByText("None yet").waitFor();
  await page.goto("/account");
  await page.getByLabel("Your password, to confirm").fill(PASSWORD);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
  await page.goto("/dashboard");
  assert.ok(/\/login(\?|$)/.test(page.url()));
  await context.close();
});

test("the documentation is searched by its headings, and its commands are copied without prompt and output", async () => {
  const { page, faults, context } = await service.visit();
  await page.goto("/docs");
  const listed = page.locator(".shelves li a:visible");
  assert.ok(await listed.count() > 20);
  await page.getByLabel("Search pages").fill("PAGES hide");
  assert.deepEqual(await listed.allTextContents(), ["Verdicts for engineers"]);
  await page.getByLabel("Search pages").fill("no such words");
  await page.getByText("No page has these words.").waitFor();
  await page.getByLabel("Search pages").fill("quick");
  await listed.click();
  await page.waitForURL("**/docs/quick-start");
  const answers = page.locator("pre", { hasText: "changed_since_signing" }).first();
  await answers.getByRole("button", { name: "Copy" }).click();
  await answers.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl [^$]+"Authorization: Bearer \$TOKEN" [^\n]+\njq [^\n]+$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("with the keyboard alone", async () => {
  const { page, context } = await service.visit();
  await register(page, { email: "keys@example.com" });
  // asked for well before it opens: the browser takes a moment to hand over choosers instead of showing them
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "file");
  await page.keyboard.press("Space");
  await (await chooser).setFiles(file("keys.pdf", "Keys"));
  await uploaded(page, "keys.pdf");
  await context.close();
});
