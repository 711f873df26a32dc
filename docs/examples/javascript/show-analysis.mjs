// One analysis: API=… TOKEN=… node show-analysis.mjs 00000000-0001-8614-bd98-f44607e6fa02

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/pdf/${process.argv[2]}`, { headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: analysis } = await answer.json();
console.log(analysis.filename, analysis.metadata.document.title);
