// A mail server (RFC 5321) that takes every mail and delivers none.

import { createServer } from "node:net";

/** Starts one on a free port. `letter` waits for the next mail to an address with a subject, as its text. */
export async function startMail() {
  const mails = [];
  const server = createServer((socket) => {
    let buffer = "", data = null;
    const say = (line) => socket.write(`${line}\r\n`);
    const command = (line) => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO") say("250-mail.test\r\n250 8BITMIME");
      else if (verb === "DATA") { data = []; say("354 go on"); }
      else if (verb === "QUIT") { say("221 bye"); socket.end(); }
      else say("250 ok");
    };
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      buffer += chunk.toString("latin1");
      for (let end; (end = buffer.indexOf("\r\n")) >= 0;) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (data === null) command(line);
        else if (line === ".") { mails.push(data.join("\n")); data = null; say("250 taken"); }
        else data.push(line.replace(/^\./, ""));
      }
    });
    say("220 mail.test ESMTP");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${server.address().port}`,
    async letter(to, subject) {
      for (let tries = 0; tries < 600; tries += 1) {
        const at = mails.findIndex((mail) => mail.includes(`\nTo: ${to}\n`) && mail.includes(`\nSubject: ${subject}\n`));
        if (at >= 0) return mails.splice(at, 1)[0];
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`no mail to ${to} about ${subject} among ${mails.length}`);
    },
    /** The link in a mail's text, which is in quoted-printable (RFC 2045, section 6.7). */
    link: (mail) => mail.replaceAll("=\n", "").match(/^https?:\/\/\S+$/m)[0].replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    close: () => server.close(),
  };
}
