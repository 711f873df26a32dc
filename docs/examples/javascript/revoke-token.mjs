// Revokes a token by its id: API=… TOKEN=… node revoke-token.mjs 019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/tokens/${process.argv[2]}`, { method: "DELETE", headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: revoked } = await answer.json();
console.log("revoked", revoked.id);
