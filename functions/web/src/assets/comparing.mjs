// Two files for comparison: staged like all uploads, then compared. Reports load it when their form is sent.

const post = async (form, path, body) => {
  const headers = { "content-type": "application/json", "x-csrf-token": form.elements.csrf.value };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer) throw new Error("The connection broke. Check it and try again.");
  const json = await answer.json().catch(() => ({}));
  if (answer.status === 401) location.assign("/login");
  if (!answer.ok) throw new Error((json.error && json.error.message) || "The service did not answer. Try again.");
  return json.data;
};

const stage = async (form, file) => {
  if (file.size > 104857600) throw new Error(`${file.name} is larger than 100 MB.`);
  if (file.size === 0) throw new Error(`${file.name} is empty.`);
  const sha256 = await import(form.dataset.hasher).then((hasher) => hasher.sha256(file)).catch(() => null);
  const ticket = await post(form, "/dashboard/uploads", { filename: file.name, file_size: file.size, sha256 });
  const own = ["content-length", "host"];
  const headers = Object.fromEntries(Object.entries(ticket.headers).filter(([name]) => !own.includes(name.toLowerCase())));
  const put = await fetch(ticket.url, { method: ticket.method, headers, body: file }).catch(() => null);
  if (!put || !put.ok) throw new Error("The connection broke. Check it and try again.");
  return ticket.upload_id;
};

// Compares the files of a form, and goes to the report.
export const compare = async (form) => {
  const state = document.getElementById("comparing-state");
  const button = form.querySelector("button");
  const { before, after, before_password, after_password, reference } = form.elements;
  button.disabled = true;
  try {
    state.textContent = "Uploading…";
    const uploads = [];
    for (const field of [before, after]) uploads.push(await stage(form, field.files[0]));
    state.textContent = "Comparing…";
    const compared = await post(form, "/dashboard/comparisons", {
      before: uploads[0],
      after: uploads[1],
      before_password: before_password.value || undefined,
      after_password: after_password.value || undefined,
      reference: reference && reference.value,
    });
    location.assign(`/analyses/${compared.id}`);
  } catch (error) {
    state.textContent = error.message;
    button.disabled = false;
  }
};
