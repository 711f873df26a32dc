// The account, and what is left of today's quota: API=… TOKEN=… node show-user.mjs

const { API, TOKEN } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };

const answer = await fetch(`${API}/user`, { headers });
if (!answer.ok) throw new Error(await answer.text());
const { data: user } = await answer.json();
console.log(`${user.name}: ${user.remaining_checks} of ${user.daily_limit} analyses left today`);
