// A file of certificates goes into the field as text, to be looked at before it is sent.
(() => {
  "use strict";
  const picker = document.getElementById("file");
  if (!picker) return;
  picker.hidden = false;
  picker.addEventListener("change", async () => {
    const text = await picker.files[0]?.text();
    if (text) document.getElementById("pem").value = text;
  });
})();
