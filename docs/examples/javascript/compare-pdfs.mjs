// Compares two PDFs: API=… TOKEN=… node compare-pdfs.mjs earlier.pdf later.pdf

import { openAsBlob } from "node:fs";
import { basename } from "node:path";

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const form = new FormData();
for (const [name, path] of Object.entries({ before: process.argv[2], after: process.argv[3] })) {
  form.append(name, await openAsBlob(path, { type: "application/pdf" }), basename(path));
}
const answer = await fetch(`${API}/pdf/compare`, { method: "POST", headers, body: form });
if (!answer.ok) throw new Error(await answer.text());
const { comparison } = (await answer.json()).data;
console.log(comparison.relation);
for (const { before, after } of comparison.words) console.log(`${before?.text} -> ${after?.text}`);
