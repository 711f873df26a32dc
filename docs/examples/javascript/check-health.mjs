// Whether the service answers: API=… node check-health.mjs

const answer = await fetch(process.env.API.replace(/\/api\/v1$/, "/health"));
if (!answer.ok) throw new Error(await answer.text());
const { data: health } = await answer.json();
console.log(health.status);
