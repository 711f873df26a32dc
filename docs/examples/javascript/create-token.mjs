// A new token; its value is in this answer only: API=… TOKEN=… node create-token.mjs 'my laptop'

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/tokens`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ name: process.argv[2] }),
});
if (!answer.ok) throw new Error(await answer.text());
const { data: token } = await answer.json();
console.log(token.id, token.token);
