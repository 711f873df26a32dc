// What is true of every page, however it is dressed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Nothing sticks out at the side, and axe-core finds nothing against WCAG 2.2 A and AA. */
export async function check(page, name) {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wider, 0, `${name}: wider than the window`);
  // axe goes in through the debugger, past the page's policy
  await page.evaluate(AXE);
  const found = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules }), RULES);
  const violations = found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(" | ")}`);
  assert.deepEqual(violations, [], name);
}
