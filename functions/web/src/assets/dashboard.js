// The dashboard's script: uploads with progress, which end as rows of the list and can be tried again.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const form = byId("drop");
  if (!form) return;
  const input = byId("file");
  const announce = (text) => { byId("announcer").textContent = text; };
  const csrf = form.elements.csrf.value;
  const MOST = 104857600;
  const AT_ONCE = 3;
  // a ticket that ends sooner is not begun with
  const SPARE = 60000;
  // what no other try changes
  const FINAL = ["not_a_pdf", "corrupt", "no_pages", "unsupported_encryption", "too_complex"];
  const LOCKED = ["password_required", "wrong_password"];
  const BROKEN = "The connection broke. Check it and try again.";
  const clock = new Intl.DateTimeFormat(navigator.language, { timeStyle: "short" });
  const resets = clock.format(new Date(form.dataset.resets));
  const USED = `You've used today's analyses. More from ${resets}.`;
  const waiting = [];
  let jobs = [];
  let running = 0;
  input.multiple = true;

  class Refused extends Error {
    constructor(status, error) {
      super(status === 429 && error && error.code === "daily_limit_exceeded" ? USED : (error && error.message) || "The service did not answer. Try again.");
      this.status = status;
      this.code = error && error.code;
      this.reason = error && error.details && error.details.reason;
    }
  }

  const post = async (path, body) => {
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => {
      throw new Refused(0, { message: BROKEN });
    });
    const json = await answer.json().catch(() => ({}));
    if (answer.status === 401) location.assign("/login");
    if (answer.status >= 300) throw new Refused(answer.status, json.error);
    return json;
  };

  // The second step of an upload. What is there already is not sent again.
  const put = (ticket, file, progressed) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(ticket.method, ticket.url);
    // the browser sets these two itself
    const ours = Object.entries(ticket.headers).filter(([name]) => !["content-length", "host"].includes(name.toLowerCase()));
    for (const [name, value] of ours) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => progressed(event.loaded, event.total);
    request.onload = () => (request.status < 300 || request.status === 412 ? resolve() : reject(new Refused(request.status)));
    request.onerror = () => reject(new Refused(0, { message: BROKEN }));
    request.send(file);
  });

  const size = (bytes) => (bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);

  // One file's row, in the list that it will be a part of: its name, its state, how much of it is sent.
  const show = (file) => {
    const row = byId("upload-row").content.firstElementChild.cloneNode(true);
    const [state, bar, again] = [".state", "progress", ".again"].map((selector) => row.querySelector(selector));
    row.querySelector(".name").textContent = file.name;
    bar.setAttribute("aria-label", `Upload of ${file.name}`);
    again.setAttribute("aria-label", `Try again: ${file.name}`);
    return {
      row,
      again,
      say: (text) => {
        row.classList.remove("failed");
        again.hidden = true;
        state.textContent = text;
      },
      sent: (loaded, total) => {
        bar.max = total;
        bar.value = loaded;
        state.textContent = loaded < total ? `${size(loaded)} of ${size(total)}` : "Analyzing…";
      },
      fail: (text, may) => {
        row.classList.add("failed");
        again.hidden = !may;
        state.textContent = text;
        announce(`${file.name}: ${text}`);
      },
      done: (analysis) => {
        const listed = rowOf(analysis);
        row.replaceWith(listed);
        announce([file.name, ...[...listed.querySelector(".verdict-of").children].map((part) => part.textContent)].join(". "));
      },
    };
  };

  const more = (counter) => { if (counter) counter.textContent = Number(counter.textContent) + 1; };

  // The row of an analysis, as the list has it.
  const rowOf = (analysis) => {
    for (const gone of document.querySelectorAll(".empty")) gone.hidden = true;
    for (const id of ["selecting", "tools"]) byId(id).hidden = false;
    const { verdict, outcome, reason } = analysis.metadata.integrity || {};
    for (const counter of [byId("total"), byId("all"), document.querySelector(`[data-outcome="${outcome}"]`)]) more(counter);
    const row = byId("analysis-row").content.firstElementChild.cloneNode(true);
    const [pick, link, time, place] = ["input", "a", "time", ".verdict-of"].map((selector) => row.querySelector(selector));
    pick.name = analysis.id;
    pick.setAttribute("aria-label", `Select ${analysis.filename}`);
    link.href = `/analyses/${analysis.id}`;
    link.textContent = analysis.filename;
    row.querySelector(".reference").textContent = analysis.reference || "";
    const shown = outcome === "inconclusive" ? "undetermined" : verdict;
    const mark = [...byId("verdict-marks").content.children].find((mark) => mark.dataset.verdict === shown);
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

  const quota = () => Number(byId("left").textContent);
  // what is left for files that have not been begun with
  const free = () => Math.max(0, quota() - waiting.length - running);
  const left = (remaining) => {
    // answers may overtake each other; what is left only shrinks
    const fewest = Math.min(quota(), remaining);
    byId("left").textContent = fewest;
    byId("used").value = Number(byId("limit").textContent) - fewest;
  };

  // How far the files that were chosen are, as soon as there are several.
  const batch = () => {
    const count = (state) => jobs.filter((job) => job.state === state).length;
    const [done, failed, again, held] = ["done", "failed", "again", "held"].map(count);
    byId("batch").hidden = jobs.length < 2 && held === 0;
    const parts = [`${done} of ${jobs.length} analyzed`];
    if (failed + again > 0) parts.push(`${failed + again} failed`);
    if (held > 0) parts.push(`${held} not started: ${free() > 0 ? `${free()} analyses are left today` : USED}`);
    byId("batch-text").textContent = parts.join(" · ");
    byId("batch-bar").max = jobs.length || 1;
    byId("batch-bar").value = done + failed + again;
    byId("try-all").hidden = again < 2;
    byId("drop-rest").hidden = held === 0;
    byId("go-on").hidden = held === 0 || free() === 0;
    byId("go-on").textContent = `Analyze the first ${Math.min(held, free())}`;
  };

  const close = (job, state) => { job.state = state; batch(); };

  const failed = (job, error) => {
    const may = !FINAL.includes(error.reason);
    if (LOCKED.includes(error.reason)) unlock(job);
    // an upload that is not there (any more) is sent again
    if (error.status === 404) job.ticket = undefined;
    job.view.fail(error.message, may && !LOCKED.includes(error.reason));
    job.isOffline = error.status === 0;
    close(job, may ? "again" : "failed");
  };

  // A locked file waits for another try.
  const unlock = (job) => {
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
      job.password = word.value;
      queue([job]);
    });
    job.view.row.append(ask);
    // not while a person types elsewhere
    if ([document.body, input].includes(document.activeElement)) word.focus();
  };

  // All steps that a file still needs; what an earlier try has reached is kept.
  const carry = async (job) => {
    const { file, view, reference, password } = job;
    if (file.size > MOST || file.size === 0) {
      view.fail(file.size === 0 ? "The file is empty." : "Larger than 100 MB.", false);
      return close(job, "failed");
    }
    try {
      const isGood = job.ticket && (job.isSent || new Date(job.ticket.expires_at) - Date.now() > SPARE);
      if (!isGood) {
        view.say("Preparing…");
        // the bucket compares it with what arrives; a file that cannot be hashed goes without
        const sha256 = await import(form.dataset.hasher).then((hasher) => hasher.sha256(file)).catch(() => null);
        job.ticket = (await post("/dashboard/uploads", { filename: file.name, file_size: file.size, sha256, upload_id: job.asked })).data;
        job.isSent = false;
      }
      if (!job.isSent) {
        await put(job.ticket, file, view.sent);
        job.isSent = true;
      }
      if (job.asked) {
        view.say("Uploaded. Your agent can analyze it now.");
        view.row.classList.add("given");
        byId("asked").textContent = `${file.name} is uploaded. Your agent can analyze it now.`;
        announce(byId("asked").textContent);
        return close(job, "done");
      }
      view.say("Analyzing…");
      const answer = await post("/dashboard/analyses", { upload_id: job.ticket.upload_id, reference, password });
      left(answer.remaining_checks);
      view.done(answer.data);
      close(job, "done");
    } catch (error) {
      failed(job, error instanceof Refused ? error : new Refused(0, { message: "The file could not be read. Choose it again." }));
    }
  };

  const next = () => {
    while (running < AT_ONCE && waiting.length > 0 && navigator.onLine) {
      const job = waiting.shift();
      running += 1;
      job.state = "running";
      carry(job).finally(() => { running -= 1; next(); });
    }
    if (!navigator.onLine) for (const job of waiting) job.view.say("Waiting for the connection…");
  };

  const queue = (some) => {
    for (const job of some) {
      job.state = "waiting";
      job.view.say("Waiting…");
      waiting.push(job);
    }
    batch();
    next();
  };

  const take = (files) => {
    const reference = form.elements.reference.value.trim() || undefined;
    const chosen = [...files].map((file) => ({ file, view: show(file), reference }));
    for (const job of chosen) job.view.again.addEventListener("click", () => queue([job]));
    byId("analyses").prepend(...chosen.map((job) => job.view.row));
    if (running === 0 && waiting.length === 0) jobs = jobs.filter((job) => job.state === "again" || job.state === "held");
    jobs.push(...chosen);
    if (form.dataset.upload && chosen.length > 0) {
      chosen[0].asked = form.dataset.upload;
      delete form.dataset.upload;
    }
    // the next claim is another one
    form.elements.reference.value = "";
    if (chosen.length <= free()) return queue(chosen);
    // said before anything is sent
    for (const job of chosen) {
      job.state = "held";
      job.view.say("Not started.");
    }
    announce(`You chose ${chosen.length} PDFs, and ${quota()} analyses are left today.`);
    batch();
  };

  const held = () => jobs.filter((job) => job.state === "held");
  byId("go-on").addEventListener("click", () => queue(held().slice(0, free())));
  byId("drop-rest").addEventListener("click", () => {
    for (const job of held()) job.view.row.remove();
    jobs = jobs.filter((job) => job.state !== "held");
    batch();
  });
  byId("try-all").addEventListener("click", () => queue(jobs.filter((job) => job.state === "again" && !job.view.again.hidden)));
  addEventListener("online", () => {
    queue(jobs.filter((job) => job.state === "again" && job.isOffline));
  });
  addEventListener("beforeunload", (event) => {
    if (running > 0 || waiting.length > 0) event.preventDefault();
  });

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
    if (files.length === 0) {
      const view = show(entries[0]);
      byId("analyses").prepend(view.row);
      return view.fail("There is no PDF in this folder.", false);
    }
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
