// The API's description, for programs: API=… node show-reference.mjs

const answer = await fetch(`${process.env.API}/openapi.json`);
if (!answer.ok) throw new Error(await answer.text());
const { paths } = await answer.json();
for (const [path, calls] of Object.entries(paths)) {
  for (const [method, call] of Object.entries(calls)) console.log(method.toUpperCase(), path, "-", call.summary);
}
