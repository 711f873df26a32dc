// Two files for comparison: staged like all uploads, then compared. Reports load it when their form is sent.

const LOCKED = ["password_required", "wrong_password"];

// The uploads of files that were sent: a second try, such as with a password, sends them no more.
const uploads = new WeakMap();

const post = async (form, path, body) => {
  const headers = { "content-type": "application/json", "x-csrf-token": form.elements.csrf.value };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer) throw new Error("The connection broke. Check it and try again.");
  const json = await answer.json().catch(() => ({}));
  if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
  if (answer.ok) return json.data;
  const { message, details = {} } = json.error || {};
  const error = new Error(message || "The service did not answer. Try again.");
  throw Object.assign(error, { status: answer.status, reason: details.reason, file: details.file });
};

const stage = async (form, file) => {
  if (file.size > 104857600) throw new Error(`${file.name} is larger than 100 MB.`);
  if (file.size === 0) throw new Error(`${file.name} is empty.`);
  if (uploads.has(file)) return uploads.get(file);
  const sha256 = await import(form.dataset.hasher).then((hasher) => hasher.sha256(file)).catch(() => null);
  const ticket = await post(form, "/dashboard/uploads", { filename: file.name, file_size: file.size, sha256 });
  const own = ["content-length", "host"];
  const headers = Object.fromEntries(Object.entries(ticket.headers).filter(([name]) => !own.includes(name.toLowerCase())));
  const put = await fetch(ticket.url, { method: ticket.method, headers, body: file }).catch(() => null);
  if (!put || !put.ok) throw new Error("The connection broke. Check it and try again.");
  uploads.set(file, ticket.upload_id);
  return ticket.upload_id;
};

const submit = async (form, state) => {
  const { before, after, before_password, after_password, reference } = form.elements;
  const files = [before.files[0], after.files[0]];
  const send = async () => {
    state.textContent = "Uploading…";
    const staged = [];
    for (const file of files) staged.push(await stage(form, file));
    state.textContent = "Comparing…";
    return post(form, "/dashboard/comparisons", {
      before: staged[0],
      after: staged[1],
      before_password: before_password.value || undefined,
      after_password: after_password.value || undefined,
      reference: reference && reference.value,
    });
  };
  const isKnown = files.some((file) => uploads.has(file));
  return send().catch((error) => {
    // a file that was sent before is kept for a while only
    if (error.status === 404 || error.reason) forget(files, error);
    if (error.status !== 404 || !isKnown) throw error;
    return send();
  });
};

// Forgets what the service has deleted: a file that cannot be read, or whichever is not there any more.
const forget = ([before, after], { status, reason, file }) => {
  if (LOCKED.includes(reason)) return;
  if (status === 404 || file === "before") uploads.delete(before);
  if (status === 404 || file === "after") uploads.delete(after);
};

// Compares the files of a form, and goes to the report.
export const compare = async (form) => {
  const state = document.getElementById("comparing-state");
  const button = form.querySelector("button");
  button.disabled = true;
  state.classList.remove("error");
  try {
    const compared = await submit(form, state);
    location.assign(`/analyses/${compared.id}`);
  } catch (error) {
    state.classList.add("error");
    state.textContent = error.message;
    button.disabled = false;
    if (!LOCKED.includes(error.reason)) return;
    const field = form.elements[`${error.file}_password`];
    field.closest("details").open = true;
    field.focus();
    field.select();
  }
};
