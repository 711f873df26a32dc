// Trusts an issuer no more: API=… TOKEN=… node distrust-issuer.mjs 0f8a1a5d0b62f2a0…

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/trust/${process.argv[2]}`, { method: "DELETE", headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: removed } = await answer.json();
console.log("removed", removed.id);
