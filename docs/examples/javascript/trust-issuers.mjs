// Trusts the issuers of a PEM file: API=… TOKEN=… node trust-issuers.mjs issuers.pem

import { readFile } from "node:fs/promises";

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/trust`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ pem: await readFile(process.argv[2], "utf8") }),
});
if (!answer.ok) throw new Error(await answer.text());
const { data: issuers } = await answer.json();
for (const issuer of issuers) console.log(issuer.id, issuer.name);
