// The dashboard's script: uploads with progress, which end as rows of the list.
(() => {
  "use strict";
  const form = document.getElementById("drop");
  if (!form) return;
  const input = document.getElementById("file");
  const announce = (text) => { document.getElementById("announcer").textContent = text; };
  const csrf = form.elements.csrf.value;
  const MOST = 104857600;
  const AT_ONCE = 3;
  const waiting = [];
  let running = 0;
  input.multiple = true;

  class Refused extends Error {
    constructor(status, error) {
      super((error && error.message) || "The console did not answer. Try again.");
      this.status = status;
      this.reason = error && error.details && error.details.reason;
    }
  }

  const understood = (status, json) => {
    if (status === 401) location.assign("/login");
    if (status >= 300) throw new Refused(status, json && json.error);
    return json;
  };

  const post = async (path, body) => {
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return understood(answer.status, await answer.json().catch(() => ({})));
  };

  // Sends what takes a while, and says how far it is; gives status and, if it is JSON, the answer.
  const send = (method, url, headers, body, progressed) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    // the browser sets these two itself
    const ours = Object.entries(headers).filter(([name]) => !["content-length", "host"].includes(name.toLowerCase()));
    for (const [name, value] of ours) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = (event) => progressed(event.loaded, event.total);
    request.onload = () => resolve([request.status, request.response]);
    request.onerror = () => reject(new Refused(0, { message: "The upload broke off. Check the connection and try again." }));
    request.send(body);
  });

  const put = async (ticket, file, progressed) => {
    const [status] = await send(ticket.method, ticket.url, ticket.headers, file, progressed);
    if (status >= 300) throw new Refused(status);
  };

  const size = (bytes) => (bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);

  // One file's row, on top of the list that it will stand in: its name, its state, how much of it is sent.
  const show = (file) => {
    const row = document.getElementById("upload-row").content.firstElementChild.cloneNode(true);
    const state = row.querySelector(".state");
    const bar = row.querySelector("progress");
    row.querySelector(".name").textContent = file.name;
    bar.setAttribute("aria-label", `Upload of ${file.name}`);
    document.getElementById("analyses").prepend(row);
    return {
      row,
      say: (text) => { state.textContent = text; },
      sent: (loaded, total) => {
        bar.max = total;
        bar.value = loaded;
        state.textContent = loaded < total ? `${size(loaded)} of ${size(total)}` : "Analysing…";
      },
      fail: (text) => {
        row.classList.add("failed");
        state.textContent = text;
        announce(`${file.name}: ${text}`);
      },
      done: (analysis) => {
        const listed = rowOf(analysis);
        row.replaceWith(listed);
        announce(`${file.name}: ${listed.querySelector(".verdict-of").textContent}`);
      },
    };
  };

  // The row of an analysis, as the list has it.
  const rowOf = (analysis) => {
    const empty = document.getElementById("empty");
    if (empty) empty.hidden = true;
    document.getElementById("selecting").hidden = false;
    const total = document.getElementById("total");
    total.textContent = Number(total.textContent) + 1;
    const row = document.getElementById("analysis-row").content.firstElementChild.cloneNode(true);
    const [pick, link, time, place] = ["input", "a", "time", ".verdict-of"].map((selector) => row.querySelector(selector));
    pick.name = analysis.id;
    pick.setAttribute("aria-label", `Select ${analysis.filename}`);
    link.href = `/analyses/${analysis.id}`;
    link.textContent = analysis.filename;
    row.querySelector(".reference").textContent = analysis.reference || "";
    const { verdict, reason } = analysis.metadata.integrity || {};
    const marks = document.getElementById("verdict-marks").content;
    const mark = [...marks.children].find((mark) => mark.dataset.verdict === verdict);
    if (mark) place.append(mark.cloneNode(true));
    if (reason) {
      const phrase = document.createElement("span");
      phrase.className = "reason";
      phrase.textContent = reason.phrase;
      place.append(phrase);
    }
    time.dateTime = analysis.analyzed_at;
    time.after(` · ${analysis.file_size_formatted}`);
    queueMicrotask(() => time.dispatchEvent(new Event("instant", { bubbles: true })));
    return row;
  };

  const left = (remaining) => {
    const shown = document.getElementById("left");
    // answers may overtake each other; what is left only shrinks
    const fewest = Math.min(Number(shown.textContent), remaining);
    shown.textContent = fewest;
    document.getElementById("used").value = Number(document.getElementById("limit").textContent) - fewest;
  };

  // `analyze` asks for the analysis, if need be with a password.
  const finish = async (view, analyze, password) => {
    try {
      view.say("Analysing…");
      const answer = await analyze(password);
      left(answer.remaining_checks);
      view.done(answer.data);
    } catch (error) {
      view.fail(error.message);
      if (["password_required", "wrong_password"].includes(error.reason)) unlock(view, analyze);
    }
  };

  // A locked file stays where it is for another try.
  const unlock = (view, analyze) => {
    const ask = document.createElement("form");
    const word = document.createElement("input");
    const button = document.createElement("button");
    word.type = "password";
    word.required = true;
    word.autocomplete = "off";
    word.setAttribute("aria-label", "Password of the PDF");
    word.placeholder = "Password of the PDF";
    button.className = "button slim";
    button.textContent = "Unlock";
    ask.append(word, button);
    ask.addEventListener("submit", (event) => {
      event.preventDefault();
      ask.remove();
      view.row.classList.remove("failed");
      finish(view, analyze, word.value);
    });
    view.row.append(ask);
    word.focus();
  };

  const carry = async (file, view, reference) => {
    if (file.size > MOST) return view.fail("Larger than 100 MB.");
    if (file.size === 0) return view.fail("The file is empty.");
    try {
      view.say("Preparing…");
      // the bucket compares it with what arrives; a file that cannot be hashed goes without
      const sha256 = await import(form.dataset.hasher).then((hasher) => hasher.sha256(file)).catch(() => null);
      const ticket = (await post("/dashboard/uploads", { filename: file.name, file_size: file.size, sha256 })).data;
      await put(ticket, file, view.sent);
      await finish(view, (password) => post("/dashboard/analyses", { upload_id: ticket.upload_id, reference, password }));
    } catch (error) {
      view.fail(error.message);
    }
  };

  const next = () => {
    while (running < AT_ONCE && waiting.length > 0) {
      const [file, view, reference] = waiting.shift();
      running += 1;
      carry(file, view, reference).finally(() => { running -= 1; next(); });
    }
  };

  const take = (files) => {
    const reference = form.elements.reference.value.trim() || undefined;
    for (const file of files) {
      const view = show(file);
      view.say("Waiting…");
      waiting.push([file, view, reference]);
    }
    next();
  };

  // The PDFs among what was dropped, also those in folders.
  const within = async (entry) => {
    if (entry.isFile) return [await new Promise((resolve, reject) => { entry.file(resolve, reject); })];
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
      if (some.length === 0) return found;
      for (const entry of some) found.push(...(await within(entry)).filter((file) => /\.pdf$/i.test(file.name)));
    }
  };
  const dropped = async (transfer) => {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    if (!entries.some((entry) => entry && entry.isDirectory)) return take([...transfer.files]);
    const files = (await Promise.all(entries.filter(Boolean).map(within))).flat();
    if (files.length === 0) show(entries[0]).fail("There is no PDF in this folder.");
    take(files);
  };

  input.addEventListener("change", () => { take([...input.files]); input.value = ""; });
  form.addEventListener("submit", (event) => event.preventDefault());
  let depth = 0;
  const over = (change) => {
    depth = Math.max(0, depth + change);
    form.classList.toggle("over", depth > 0);
  };
  form.addEventListener("dragenter", (event) => { event.preventDefault(); over(1); });
  form.addEventListener("dragleave", () => over(-1));
  // dropped beside the place, a file would replace the page
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(0);
    dropped(event.dataTransfer);
  });
})();
