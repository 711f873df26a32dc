// The account's tokens: API=… TOKEN=… node list-tokens.mjs

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/tokens`, { headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: tokens } = await answer.json();
for (const token of tokens) console.log(token.id, token.hint, token.name);
