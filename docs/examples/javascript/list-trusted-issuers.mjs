// The issuers that the account trusts: API=… TOKEN=… node list-trusted-issuers.mjs

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/trust`, { headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: issuers } = await answer.json();
for (const issuer of issuers) console.log(issuer.id, issuer.name);
