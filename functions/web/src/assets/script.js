// The console's script: instants in the reader's zone, copy buttons, uploads with progress.
// Pages work without it; whatever it shows of others' making goes in as text.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  const format = new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "short" });
  const localize = (time) => {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) return;
    time.title = time.title || time.dateTime;
    time.textContent = format.format(instant);
  };
  document.querySelectorAll("time[datetime]").forEach(localize);

  const announce = (text) => {
    const place = document.getElementById("announcer");
    if (place) place.textContent = text;
  };

  document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-copy-from]");
    if (!button) return;
    const source = button.dataset.copyFrom && document.getElementById(button.dataset.copyFrom);
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    try {
      await navigator.clipboard.writeText(source ? source.textContent : button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      if (source) getSelection().selectAllChildren(source);
      button.textContent = source ? "Selected: press Ctrl+C" : "Copying is not allowed here";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });

  // The hash of a file, in hexadecimal digits; `progressed` is told now and then how many bytes were read.
  const hashed = async (place, file, progressed) => (await import(place.dataset.hasher)).sha256(file, progressed);

  // Whether a file at hand is the one that was analysed.
  const check = document.getElementById("check");
  if (check) {
    const input = document.getElementById("candidate");
    const answer = document.getElementById("same");
    let newest;
    const compare = async (file) => {
      newest = file;
      const say = (tone, text) => {
        if (newest !== file) return;
        answer.className = `answer ${tone}`;
        answer.textContent = text;
      };
      say("", `Reading ${file.name}…`);
      try {
        const hash = await hashed(check, file);
        if (hash === check.dataset.sha256) say("notice", `Yes, byte for byte: ${file.name} is the file that was analysed.`);
        else say("notice bad", `No: ${file.name} is another file. Its SHA-256 is ${hash}.`);
      } catch {
        say("notice bad", `${file.name} could not be read.`);
      }
    };
    input.addEventListener("change", () => { if (input.files.length > 0) compare(input.files[0]); });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length > 0) compare(event.dataTransfer.files[0]);
    });
  }

  // Earlier versions are cut out of the person's own copy, which stays on their disk.
  const versions = document.getElementById("versions");
  if (versions) {
    const original = document.getElementById("original");
    const say = (text) => { document.getElementById("version-state").textContent = text; };
    let wanted;
    const numberOf = (row) => row.firstElementChild.textContent.replace(/\D/g, "");
    const save = (file) => {
      const { size } = versions.dataset;
      if (file.size !== Number(size)) {
        original.value = "";
        return say(`${file.name} has ${file.size} bytes, and the file that was analysed ${size}: choose that one.`);
      }
      const version = numberOf(wanted);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file.slice(0, Number(wanted.dataset.end), "application/pdf"));
      link.download = `${file.name.replace(/\.pdf$/i, "")} (version ${version}).pdf`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      say(`Version ${version} of ${file.name} is saved.`);
    };
    for (const row of document.querySelectorAll("[data-end]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "cut";
      button.textContent = `Save version ${numberOf(row)}`;
      button.addEventListener("click", () => {
        wanted = row;
        if (original.files.length > 0) return save(original.files[0]);
        say("Choose the file that was analysed, on your disk. It is not sent anywhere.");
        original.click();
      });
      row.append(button);
    }
    original.addEventListener("change", () => { if (original.files.length > 0) save(original.files[0]); });
  }

  const form = document.getElementById("drop");
  if (!form) return;
  const input = document.getElementById("file");
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

  const post = async (path, body) => {
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const json = await answer.json().catch(() => ({}));
    if (answer.status === 401) location.assign("/login");
    if (!answer.ok) throw new Refused(answer.status, json.error);
    return json;
  };

  const put = (ticket, file, progressed) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(ticket.method, ticket.url);
    for (const [name, value] of Object.entries(ticket.headers)) {
      // the browser sets these two itself
      if (!["content-length", "host"].includes(name.toLowerCase())) request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => progressed(event.loaded, event.total);
    request.onload = () => (request.status < 300 ? resolve() : reject(new Refused(request.status)));
    request.onerror = () => reject(new Refused(0, { message: "The upload broke off. Check the connection and try again." }));
    request.send(file);
  });

  const size = (bytes) => (bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);

  // One file's row: its name, its state, how much of it is sent.
  const show = (file) => {
    const row = document.getElementById("upload-row").content.firstElementChild.cloneNode(true);
    const state = row.querySelector(".state");
    const bar = row.querySelector("progress");
    row.querySelector(".name").textContent = file.name;
    bar.setAttribute("aria-label", `Upload of ${file.name}`);
    document.getElementById("uploads").prepend(row);
    return {
      row,
      say: (text) => { state.textContent = text; },
      sent: (loaded, total) => {
        bar.max = total;
        bar.value = loaded;
        state.textContent = loaded < total ? `${size(loaded)} of ${size(total)}` : "Analysing…";
      },
      fail: (text) => {
        row.className = "failed";
        state.textContent = text;
        announce(`${file.name}: ${text}`);
      },
      done: (path) => {
        row.className = "done";
        const link = document.createElement("a");
        link.href = path;
        link.textContent = "Open";
        state.replaceChildren("Analysed · ", link);
        announce(`${file.name} is analysed.`);
      },
    };
  };

  const list = (analysis) => {
    document.getElementById("empty").hidden = true;
    document.getElementById("selecting").hidden = false;
    const total = document.getElementById("total");
    total.textContent = Number(total.textContent) + 1;
    const rows = document.getElementById("analyses");
    if (!("firstPage" in rows.dataset)) return;
    const row = document.getElementById("analysis-row").content.firstElementChild.cloneNode(true);
    const [pick, link, time] = [row.querySelector("input"), row.querySelector("a"), row.querySelector("time")];
    pick.name = analysis.id;
    pick.setAttribute("aria-label", `Select ${analysis.filename}`);
    link.href = `/analyses/${analysis.id}`;
    link.textContent = analysis.filename;
    const verdict = analysis.metadata.integrity && analysis.metadata.integrity.verdict;
    const marks = document.getElementById("verdict-marks").content;
    const mark = [...marks.children].find((mark) => mark.dataset.verdict === verdict);
    if (mark) row.querySelector(".verdict-of").append(mark.cloneNode(true));
    row.querySelector(".size").textContent = analysis.file_size_formatted;
    time.dateTime = analysis.analyzed_at;
    time.title = analysis.analyzed_at;
    localize(time);
    row.className = "fresh";
    rows.prepend(row);
  };

  const left = (remaining) => {
    const shown = document.getElementById("left");
    // answers may overtake each other; what is left only shrinks
    const fewest = Math.min(Number(shown.textContent), remaining);
    shown.textContent = fewest;
    document.getElementById("used").value = Number(document.getElementById("limit").textContent) - fewest;
  };

  const finish = async (view, upload, password) => {
    try {
      view.say("Analysing…");
      const body = password === undefined ? { upload_id: upload } : { upload_id: upload, password };
      const answer = await post("/dashboard/analyses", body);
      left(answer.remaining_checks);
      list(answer.data);
      view.done(`/analyses/${answer.data.id}`);
    } catch (error) {
      view.fail(error.message);
      if (["password_required", "wrong_password"].includes(error.reason)) unlock(view, upload);
    }
  };

  // A locked file stays uploaded for another try.
  const unlock = (view, upload) => {
    const ask = document.createElement("form");
    const word = document.createElement("input");
    const button = document.createElement("button");
    word.type = "password";
    word.required = true;
    word.autocomplete = "off";
    word.setAttribute("aria-label", "Password of the PDF");
    word.placeholder = "Password of the PDF";
    button.className = "button";
    button.textContent = "Unlock";
    ask.append(word, button);
    ask.addEventListener("submit", (event) => {
      event.preventDefault();
      ask.remove();
      view.row.className = "";
      finish(view, upload, word.value);
    });
    view.row.append(ask);
    word.focus();
  };

  const carry = async (file, view) => {
    if (file.size > MOST) return view.fail("Larger than 100 MB.");
    if (file.size === 0) return view.fail("The file is empty.");
    try {
      view.say("Preparing…");
      // the bucket compares it with what arrives; a file that cannot be hashed goes without
      const sha256 = await hashed(form, file).catch(() => null);
      const ticket = (await post("/dashboard/uploads", { filename: file.name, file_size: file.size, sha256 })).data;
      await put(ticket, file, view.sent);
      await finish(view, ticket.upload_id);
    } catch (error) {
      view.fail(error.message);
    }
  };

  const next = () => {
    while (running < AT_ONCE && waiting.length > 0) {
      const [file, view] = waiting.shift();
      running += 1;
      carry(file, view).finally(() => { running -= 1; next(); });
    }
  };

  const take = (files) => {
    for (const file of files) {
      const view = show(file);
      view.say("Waiting…");
      waiting.push([file, view]);
    }
    next();
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
    take([...event.dataTransfer.files]);
  });
})();
