// Ends the link to an analysis' report: API=… TOKEN=… node end-sharing.mjs 00000000-0001-8614-bd98-f44607e6fa02

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/pdf/${process.argv[2]}/share`, { method: "DELETE", headers });
if (!answer.ok) throw new Error(await answer.text());
console.log("ended the link to", process.argv[2]);
