// What begins with a mail: registering, a forgotten password, another address. The mails are read from a mail server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { check } from "./lib/check.mjs";
import { PASSWORD, start } from "./lib/console.mjs";
import { startMail } from "./lib/smtp.mjs";

const NEW = "staple of batteries";
let service, mail;
before(async () => {
  mail = await startMail();
  service = await start([`--mail-url=${mail.url}`, "--mail-from=PDF Analysis <pdf@example.com>", "--registration=confirmed"]);
});
after(async () => { await service.close(); mail.close(); });

/** Opens a page and looks at it as everybody may see it. */
async function look(page, name) {
  for (const colorScheme of ["dark", "light"]) {
    for (const width of [360, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await check(page, `${name}, ${colorScheme}, ${width} px`);
    }
  }
}

async function logIn(page, email, password) {
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test(`from the registration to a new password and a new address, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const email = javaScriptEnabled ? "ada@example.com" : "plain@example.com";
    const looked = (page, name) => (javaScriptEnabled ? look(page, name) : undefined);
    const { page, faults, context } = await service.visit({ javaScriptEnabled });
    await page.goto("/register");
    await looked(page, "register");
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
    await looked(page, "registered");
    const confirm = mail.link(await mail.letter(email, "Confirm your e-mail address"));

    await logIn(page, email, PASSWORD);
    await page.getByText("until your address is confirmed, your account has no analyses").waitFor();
    await looked(page, "dashboard, waiting");
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByText("your account can have no token").waitFor();
    await looked(page, "tokens, waiting");
    await page.goto("/account");
    await page.getByRole("heading", { name: "Confirm your address" }).waitFor();
    await looked(page, "account, waiting");
    await page.goto(confirm);
    await looked(page, "confirm");
    await page.getByRole("button", { name: "Yes, it is mine" }).click();
    await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
    await looked(page, "confirmed");
    await page.getByRole("link", { name: "Go on" }).click();
    // whoever registered may have been somebody else
    await page.waitForURL("**/login");
    await logIn(page, email, PASSWORD);
    await page.getByText("50 of 50 analyses left").waitFor();

    // somebody else's browser, where the password is forgotten
    const other = await service.visit({ javaScriptEnabled });
    await other.page.goto("/login");
    await other.page.getByRole("link", { name: "Forgot your password?" }).click();
    await looked(other.page, "forgot");
    await other.page.getByLabel("E-mail").fill(email);
    await other.page.getByRole("button", { name: "Send the mail" }).click();
    await other.page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
    await looked(other.page, "forgot, sent");
    const reset = mail.link(await mail.letter(email, "Set a new password"));
    await other.page.goto(reset);
    await looked(other.page, "reset");
    await other.page.getByLabel("New password").fill("short");
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByText("must have at least 8 characters").waitFor();
    await looked(other.page, "reset, refused");
    await other.page.getByLabel("New password").fill(NEW);
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByText("API tokens are good as before").waitFor();
    await looked(other.page, "reset, done");
    await mail.letter(email, "Your password is changed");
    await other.page.goto(reset);
    await other.page.getByRole("heading", { name: "This link has expired or has been used" }).waitFor();
    await looked(other.page, "expired");
    await page.reload();
    assert.ok(/\/login(\?|$)/.test(page.url()), "every session is ended");
    await logIn(other.page, email, NEW);
    await other.page.waitForURL("**/dashboard");

    await other.page.getByRole("link", { name: "Account", exact: true }).click();
    const next = `next.${email}`;
    await other.page.getByLabel("New e-mail").fill(next);
    await other.page.getByLabel("Your password", { exact: true }).fill(NEW);
    await other.page.getByRole("button", { name: "Change e-mail" }).click();
    await other.page.getByText("A mail to the new address is on its way").waitFor();
    await looked(other.page, "account, asked");
    assert.ok((await mail.letter(email, "Your account is to have another e-mail address")).includes(next));
    await other.page.goto(mail.link(await mail.letter(next, "Confirm your new e-mail address")));
    await looked(other.page, "address");
    await other.page.getByRole("button", { name: "Use it" }).click();
    await other.page.getByRole("heading", { name: "Your address is changed" }).waitFor();
    for (const to of [email, next]) await mail.letter(to, "Your e-mail address is changed");
    await other.page.getByRole("link", { name: "Go on" }).click();
    await other.page.goto("/account");
    await other.page.getByText(next).first().waitFor();
    assert.deepEqual([...faults, ...other.faults], []);
    await context.close();
    await other.context.close();
  });
}
