// Every page: accessible (WCAG 2.2 A and AA by axe-core), light and dark, narrow and wide, light
// in weight, and nothing from another host.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { check } from "./lib/check.mjs";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { file } from "./lib/pdf.mjs";

const MOST = 60_000;
/** The guide that is long tables. */
const LONG = ["/docs/fields"];
const MOST_OF_LONG = 80_000;
let service, state, analysis;

before(async () => {
  service = await start();
  const { page, context } = await service.visit();
  await register(page, { email: "ada@example.com" });
  await drop(page, [file(`${"a-very-long-file-name-".repeat(8)}.pdf`, "Long ".repeat(60)), file("b.pdf", "B")]);
  await uploaded(page, "a-very-long");
  await uploaded(page, "b.pdf");
  analysis = await page.locator("#analyses a", { hasText: "a-very-long" }).getAttribute("href");
  await page.goto("/tokens");
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  state = await context.storageState();
  await context.close();
});
after(() => service.close());

/** The pages by name: where they are, or how to come there, and whether somebody is logged in. */
const pages = () => ({
  home: ["/"],
  register: ["/register"],
  "register, refused": [async (page) => {
    await page.goto("/register");
    await page.evaluate(() => { document.querySelector("main form").noValidate = true; });
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Name is required").waitFor();
  }],
  login: ["/login"],
  "login, refused": [async (page) => {
    await page.goto("/login");
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").waitFor();
  }],
  docs: ["/docs"],
  "docs, a call": ["/docs/analyze-pdf"],
  "docs, a list": ["/docs/list-analyses"],
  "docs, tokens": ["/docs/create-token"],
  "docs, client": ["/docs/client"],
  "docs, a guide": ["/docs/api"],
  "docs, quick start": ["/docs/quick-start"],
  "docs, fields": ["/docs/fields"],
  "docs, integrity": ["/docs/integrity"],
  "not found": ["/nowhere"],
  "home, logged in": ["/", true],
  dashboard: ["/dashboard", true],
  "dashboard, uploading": [async (page) => {
    await page.goto("/dashboard");
    await drop(page, [file("c.pdf", "C"), { name: "bad.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") }]);
    await uploaded(page, "c.pdf");
    await uploaded(page, "bad.pdf", /PDF/);
  }, true],
  analysis: [analysis, true],
  tokens: ["/tokens", true],
  "tokens, revoking": [async (page) => {
    await page.goto("/tokens");
    await page.locator("summary").first().click();
  }, true],
  "new token": [async (page) => {
    await page.goto("/tokens");
    await page.getByLabel("Name").fill("another");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.locator("#token").waitFor();
  }, true],
  account: ["/account", true],
  logout: ["/logout", true],
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1440]) {
    test(`${colorScheme}, ${width} px`, async () => {
      for (const [name, [way, owner]] of Object.entries(pages())) {
        const { page, context, faults } = await service.visit({
          colorScheme,
          viewport: { width, height: 900 },
          storageState: owner ? state : undefined,
        });
        const bodies = [];
        page.on("response", (response) => {
          if (response.request().method() === "GET") bodies.push(response.body().catch(() => ""));
        });
        if (typeof way === "string") await page.goto(way, { waitUntil: "networkidle" });
        else await way(page);
        const weight = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
        if (typeof way === "string") assert.ok(weight > 1_000 && weight < (LONG.includes(way) ? MOST_OF_LONG : MOST), `${name} weighs ${weight}`);
        if (process.env.WEIGHTS && typeof way === "string") console.log(`${name}: ${weight} bytes`);
        assert.deepEqual(faults, [], name);
        await check(page, `${name}, ${width} px`);
        await context.close();
      }
    });
  }
}

test("text can be twice as large and spaced out without anything lost", async () => {
  const { page, context } = await service.visit({ viewport: { width: 640, height: 900 }, storageState: state });
  for (const path of ["/", "/docs", ...LONG, "/dashboard", analysis, "/tokens", "/account"]) {
    await page.goto(path);
    await page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wider, 0, path);
  }
  await context.close();
});
