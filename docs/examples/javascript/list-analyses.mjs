// All analyses, newest first: API=… TOKEN=… node list-analyses.mjs

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

let page = 1;
let last = 1;
while (page <= last) {
  const answer = await fetch(`${API}/pdf?page=${page}&per_page=100`, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  const { data, meta } = await answer.json();
  for (const analysis of data) console.log(analysis.id, analysis.analyzed_at, analysis.filename);
  page += 1;
  last = meta.last_page;
}
