// Makes a link to an analysis' report, good for 30 days: API=… TOKEN=… node share-analysis.mjs 00000000-0001-8614-bd98-f44607e6fa02

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };

const body = JSON.stringify({ expires_in_days: 30 });
const answer = await fetch(`${API}/pdf/${process.argv[2]}/share`, { method: "POST", headers, body });
if (!answer.ok) throw new Error(await answer.text());
const { data: link } = await answer.json();
console.log(link.url, "until", link.expires_at);
