// The console's script: instants in the reader's zone, copy buttons, search in lists of links. Pages work without it;
// whatever it shows of others' making goes in as text.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  const format = new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(navigator.language, { timeStyle: "short" });
  // In a report all instants are in UTC, with the reader's time beside them; elsewhere they are in the reader's.
  const localize = (time) => {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) return;
    time.title = time.title || time.dateTime;
    if (!time.closest(".report")) {
      time.textContent = format.format(instant);
    } else if (instant.getTimezoneOffset() !== 0) {
      const local = document.createElement("span");
      local.className = "local muted";
      local.textContent = ` (${clock.format(instant)} your time)`;
      time.append(local);
    }
  };
  document.querySelectorAll("time[datetime]").forEach(localize);
  document.addEventListener("instant", (event) => localize(event.target));

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

  // Code of the documentation: of what stands behind a prompt, the commands alone.
  for (const code of document.querySelectorAll(".prose pre")) {
    const commands = code.textContent.match(/^\$ .*/gm);
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
    button.dataset.copy = commands ? commands.map((line) => line.slice(2)).join("\n") : code.textContent;
    code.append(button);
  }

  // Links whose text, or whose page's headings, have all words that are typed.
  const find = document.getElementById("find");
  if (find) {
    const rows = [...document.querySelectorAll("[data-find]")];
    const none = document.getElementById("found-none");
    find.closest("details").open = matchMedia("(min-width: 64rem)").matches;
    find.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (row) => words.every((word) => `${row.textContent} ${row.dataset.find}`.toLowerCase().includes(word));
      for (const row of rows) row.hidden = !fits(row);
      none.hidden = rows.some((row) => !row.hidden);
    });
  }
})();
