// Analyses a PDF: API=… TOKEN=… node analyze-pdf.mjs document.pdf

import { openAsBlob } from "node:fs";
import { basename } from "node:path";

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const path = process.argv[2];
const form = new FormData();
form.append("file", await openAsBlob(path, { type: "application/pdf" }), basename(path));
const answer = await fetch(`${API}/pdf/analyze`, { method: "POST", headers, body: form });
if (!answer.ok) throw new Error(await answer.text());
const { data: analysis } = await answer.json();
const { verdict, summary } = analysis.metadata.integrity;
console.log(`${analysis.id} ${verdict}\n${summary}`);
