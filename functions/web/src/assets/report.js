// A report's script: printing, and what the reader's own copy of the file shows. The copy is read here and sent nowhere.
(() => {
  "use strict";
  const examiner = document.getElementById("examiner");
  const folded = [...document.querySelectorAll("details[data-examiner]")];
  let opened = [];
  addEventListener("beforeprint", () => {
    if (!examiner || !examiner.checked) return;
    opened = folded.filter((details) => !details.open);
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });
  // The foot of every printed page; where a browser has no boxes in margins, it stands at the foot of the page itself.
  const foot = document.querySelector(".running-foot");
  const sheet = document.styleSheets[0];
  try {
    const text = JSON.stringify(foot.dataset.foot).replace(/\\n/g, "\\a ");
    sheet.insertRule(`@page { @bottom-left { content: ${text}; } }`, sheet.cssRules.length);
    if (sheet.cssRules[sheet.cssRules.length - 1].cssText.includes("bottom-left")) foot.remove();
  } catch {
    // it stays where it is
  }

  // Two files for comparison go the way of all uploads, which takes 100 MB each; without a script the form takes 4 MB together.
  const comparing = document.getElementById("comparing");
  if (comparing) comparing.addEventListener("submit", (event) => {
    event.preventDefault();
    import(comparing.dataset.module).then(({ compare }) => compare(comparing), () => comparing.submit());
  });

  const copy = document.getElementById("copy");
  if (!copy) return;
  const input = document.getElementById("candidate");
  const answer = document.getElementById("same");
  const { sha256: known, size, json, hasher, packer } = copy.dataset;
  const saves = [...document.querySelectorAll("[data-end]")];
  let newest;
  const hashed = async (blob) => (await import(hasher)).sha256(blob);
  const version = (file, save) => file.slice(0, Number(save.dataset.end), "application/pdf");
  const named = (file, save) => `${file.name.replace(/\.pdf$/i, "")} (version ${save.dataset.version}).pdf`;

  const download = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  // Each earlier version: its hash, and a button that saves it.
  const showVersions = async (file) => {
    for (const save of saves) {
      const line = save.querySelector(".version") || document.createElement("p");
      const button = document.createElement("button");
      line.className = "version";
      button.type = "button";
      button.className = "cut";
      button.textContent = `Save version ${save.dataset.version}`;
      button.addEventListener("click", () => download(version(file, save), named(file, save)));
      const hash = document.createElement("code");
      hash.textContent = await hashed(version(file, save));
      if (newest !== file) return;
      line.replaceChildren("SHA-256 of this version ", hash, " ", button);
      save.append(line);
    }
  };

  const take = async (file) => {
    newest = file;
    const say = (tone, text) => {
      if (newest !== file) return;
      answer.className = `answer ${tone}`;
      answer.textContent = text;
    };
    document.getElementById("copies").hidden = true;
    for (const line of document.querySelectorAll(".version")) line.remove();
    say("", `Reading ${file.name}…`);
    try {
      const hash = await hashed(file);
      if (known && hash !== known) return say("notice bad", `No: ${file.name} is another file. Its SHA-256 is ${hash}.`);
      if (file.size !== Number(size)) {
        return say("notice bad", `No: ${file.name} has ${file.size} bytes, and the file that was analyzed ${size}.`);
      }
      say("notice", known ? `Yes, byte for byte: ${file.name} is the file that was analyzed.` : `${file.name} has as many bytes as the file that was analyzed. Its SHA-256 is ${hash}.`);
      await showVersions(file);
      document.getElementById("copies").hidden = !json || newest !== file;
    } catch {
      say("notice bad", `${file.name} could not be read.`);
    }
  };

  document.getElementById("package").addEventListener("click", async (event) => {
    const [button, file] = [event.currentTarget, newest];
    button.disabled = true;
    try {
      const { zipped, page, readme, reported } = await import(packer);
      const parts = [[file.name, file], ...saves.map((save) => [named(file, save), version(file, save)])];
      parts.push(["report.html", await page(document)], ["report.json", await reported(json)]);
      parts.push(["README.txt", new Blob([readme(file)])]);
      const sums = [];
      for (const [name, blob] of parts) sums.push(`${await hashed(blob)}  ${name}\n`);
      parts.push(["SHA256SUMS", new Blob(sums)]);
      download(await zipped(parts, new Date(copy.dataset.analyzed || Date.now())), `${file.name.replace(/\.pdf$/i, "")} (evidence).zip`);
    } catch (error) {
      answer.className = "answer notice bad";
      answer.textContent = `The package could not be made. ${error.message}`;
    }
    button.disabled = false;
  });

  input.addEventListener("change", () => { if (input.files.length > 0) take(input.files[0]); });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files[0]);
  });
})();
