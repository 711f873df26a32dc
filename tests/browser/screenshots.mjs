// Pictures of the console: that of the README, or with `all FOLDER` every page in every dress.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { drop, register, start, uploaded } from "./lib/console.mjs";
import { file, histories } from "./lib/pdf.mjs";

/** A file of each, and what its picture is called. */
const VERDICTS = {
  "changed-since-signing": "Contract (altered)",
  "permitted-changes-since-signing": "Contract (commented)",
  "unchanged-since-signing": "Lease (signed twice)",
  "signs-of-change": "Statement (balance retyped)",
  changed: "Quotation (total changed)",
};
const [mode, folder] = process.argv.slice(2);
const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const console_ = await start();

/** The start page, for the README. */
const picture = async () => {
  const { page } = await console_.visit({ viewport: { width: 1200, height: 1100 } });
  await page.goto("/");
  await page.screenshot({ path: path.join(images, "start.png") });
};

/** Every page, in both dresses and widths. */
const everything = async () => {
  const { page, context } = await console_.visit({ viewport: { width: 1200, height: 800 } });
  await register(page, { email: "ada@example.com" });
  await drop(page, [
    file("Offer 2026-114.pdf", "Offer 2026-114", { size: 1_300_000 }),
    file("Quarterly report Q3.pdf", "Quarterly report", { size: 350_000 }),
    file("Lease agreement (signed).pdf", "Lease agreement", { size: 82_000 }),
  ]);
  await uploaded(page, "Offer");
  await uploaded(page, "Quarterly");
  await uploaded(page, "Lease");
  const known = histories();
  const reports = [];
  for (const [verdict, name] of Object.entries(VERDICTS)) {
    await drop(page, known.filter((history) => history.name === `${name}.pdf`));
    await uploaded(page, name);
    reports.push([verdict, await page.locator("#analyses a", { hasText: name }).getAttribute("href")]);
  }
  const state = await context.storageState();
  const token = async (page) => {
    await page.goto("/tokens");
    await page.getByLabel("Name").fill("Invoice archive");
    await page.getByRole("button", { name: "Create token" }).click();
  };
  mkdirSync(folder, { recursive: true });
  await token(page);
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1440]) {
      const options = { viewport: { width, height: width === 360 ? 740 : 900 }, colorScheme };
      const visitor = await console_.visit(options);
      const owner = await console_.visit({ ...options, storageState: state });
      const shoot = (page, name) => page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      for (const [name, address] of [["home", "/"], ["register", "/register"], ["login", "/login"], ["docs", "/docs"], ["docs-call", "/docs/analyze-pdf"], ["docs-guide", "/docs/api"], ["docs-fields", "/docs/fields"], ["docs-client", "/docs/client"], ["missing", "/nowhere"]]) {
        await visitor.page.goto(address);
        await shoot(visitor.page, name);
      }
      for (const [name, address] of [["dashboard", "/dashboard"], ...reports, ["tokens", "/tokens"], ["account", "/account"], ["logout", "/logout"]]) {
        await owner.page.goto(address);
        await shoot(owner.page, name);
      }
      await owner.page.goto("/dashboard");
      await drop(owner.page, [file("brief.pdf", "Brief"), { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no PDF") }]);
      await uploaded(owner.page, "brief");
      await uploaded(owner.page, "notes", /PDF/);
      await shoot(owner.page, "uploading");
      await owner.page.goto("/tokens");
      await owner.page.locator("summary").first().click();
      await shoot(owner.page, "revoking");
      await token(owner.page);
      await shoot(owner.page, "token");
      await visitor.page.goto("/register");
      await visitor.page.evaluate(() => { document.querySelector("main form").noValidate = true; });
      await visitor.page.getByRole("button", { name: "Create account" }).click();
      await shoot(visitor.page, "invalid");
      await visitor.context.close();
      await owner.context.close();
    }
  }
};

try {
  await (mode === "all" ? everything() : picture());
} finally {
  await console_.close();
}
