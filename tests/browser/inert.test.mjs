// What others wrote is shown as text: names of files, accounts and tokens, titles of PDFs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drop, register, start } from "./lib/console.mjs";
import { file } from "./lib/pdf.mjs";

const PAYLOADS = [
  "<script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  "<svg onload=window.hit=1>",
  "\"><script>window.hit=1</script>",
  "'><img src=x onerror=window.hit=1>",
  "\" autofocus onfocus=window.hit=1 x=\"",
  "' onmouseover='window.hit=1",
  "javascript:window.hit=1",
  "</title><script>window.hit=1</script>",
  "</textarea><script>window.hit=1</script>",
  "</script><script>window.hit=1</script>",
  "</template><img src=x onerror=window.hit=1>",
  "<iframe srcdoc='<script>parent.hit=1</script>'>",
  "<details open ontoggle=window.hit=1>",
  "<body onload=window.hit=1>",
  "<base href=https://evil.example>",
  "<meta http-equiv=refresh content=0;url=https://evil.example>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<form action=https://evil.example><button>x",
  "<object data=javascript:window.hit=1>",
  "<math><mtext><script>window.hit=1</script>",
  "{{constructor.constructor('window.hit=1')()}}",
  "${window.hit=1}",
  "<%= window.hit=1 %>",
  "&lt;script&gt;window.hit=1&lt;/script&gt;",
  "&#60;img src=x onerror=window.hit=1&#62;",
  "\\u003cscript\\u003ewindow.hit=1",
  "<!--<img src=--><img src=x onerror=window.hit=1>",
  "<a href=\"javascript:window.hit=1\">x</a>",
  "<input type=hidden name=csrf value=x>",
];

let service;
before(async () => { service = await start(); });
after(() => service.close());

/** What a file may be called: the last segment of a path. */
const asName = (payload) => `${payload.replaceAll("/", "\u2215").replaceAll("\\", "\u2216")}.pdf`;

async function calm(page, what) {
  const state = await page.evaluate(() => ({
    hit: window.hit,
    base: document.querySelectorAll("base, iframe, object, math, main link, main meta, main script, main textarea, body[onload]").length,
    images: [...document.querySelectorAll("img")].filter((image) => !image.src.includes("/assets/")).length,
    handlers: [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some(({ name }) => name.startsWith("on"))).length,
    links: [...document.querySelectorAll("a")].filter((link) => new URL(link.href).origin !== location.origin).length,
  }));
  assert.deepEqual(state, { hit: undefined, base: 0, images: 0, handlers: 0, links: 0 }, what);
}

test("file names and PDF titles", async () => {
  const { page, context, faults } = await service.visit();
  await register(page, { email: "files@example.com" });
  await drop(page, PAYLOADS.map((payload) => file(asName(payload), payload, { author: payload })));
  await page.waitForFunction((count) => document.querySelectorAll("#analyses .marked").length === count, PAYLOADS.length);
  await calm(page, "uploads");
  const names = await page.locator("#analyses a").allTextContents();
  assert.deepEqual(names.sort(), PAYLOADS.map(asName).sort());
  const links = [];
  for (const address of ["/dashboard", "/dashboard?page=2"]) {
    await page.goto(address);
    await calm(page, address);
    for (const link of await page.locator("#analyses a").all()) links.push([await link.textContent(), await link.getAttribute("href")]);
  }
  assert.equal(links.length, PAYLOADS.length);
  for (const [name, href] of links) {
    await page.goto(href);
    await calm(page, name);
    const payload = PAYLOADS.find((payload) => asName(payload) === name);
    assert.equal(await page.locator("h1").textContent(), name);
    assert.ok((await page.title()).startsWith(name));
    assert.equal(await page.locator('dt:text-is("Title") + dd').textContent(), payload);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("token names", async () => {
  const { page, context, faults } = await service.visit();
  await register(page, { email: "tokens@example.com" });
  for (const payload of PAYLOADS) {
    await page.goto("/tokens");
    await page.getByLabel("Name").fill(payload);
    await page.getByRole("button", { name: "Create token" }).click();
    await page.locator("#token").waitFor();
    await calm(page, payload);
  }
  await page.goto("/tokens");
  await calm(page, "list");
  assert.deepEqual((await page.locator(".tokens .name").allTextContents()).sort(), [...PAYLOADS].sort());
  assert.deepEqual(faults, []);
  await context.close();
});

test("what a refused form gives back", async () => {
  const { page, context, faults } = await service.visit();
  for (const payload of PAYLOADS) {
    await page.goto("/register");
    await page.evaluate(() => { document.querySelector("main form").noValidate = true; });
    await page.getByLabel("Name").fill(payload);
    await page.getByLabel("E-mail").fill(payload);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Password is required").waitFor();
    await calm(page, payload);
    assert.equal(await page.getByLabel("Name").inputValue(), payload);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("account names", async () => {
  const { page, context, faults } = await service.visit();
  for (const [index, payload] of PAYLOADS.entries()) {
    await context.clearCookies();
    await register(page, { name: payload, email: `u${index}@example.com` });
    await calm(page, payload);
    assert.equal(await page.locator(".lead").textContent(), `Hello, ${payload}.`);
    await page.goto("/account");
    await calm(page, payload);
  }
  assert.deepEqual(faults, []);
  await context.close();
});
