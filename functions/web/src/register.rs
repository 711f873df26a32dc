//! `/register`: a new account, and at once a session of it.

use maud::html;
use shared::error::{Error, FieldErrors};
use shared::filename::is_visible;
use shared::http::{Call, Fields, Reply};
use shared::store::Deadline;
use shared::store::accounts::{EmailTaken, NewAccount};

use crate::App;
use crate::entry::{Entry, email};
use crate::forms::{Input, text};
use crate::passwords::Passwords;
use crate::session::Session;

/// Most characters of a name.
const LONGEST_NAME: usize = 100;
/// Most bytes of an e-mail address (RFC 5321, section 4.5.3.1.3, less the brackets).
const LONGEST_EMAIL: usize = 254;

/// What a new account's owner says of themselves.
struct Registration<'f> {
    name: &'f str,
    email: &'f str,
    password: &'f str,
}

impl App {
    pub(crate) async fn register_page(&self, call: &mut Call) -> Result<Reply, Error> {
        match self.visitor(call).await? {
            Some(_) => Ok(Reply::see_other("/dashboard")),
            None => Ok(page(None, "", "", &FieldErrors::default())),
        }
    }

    pub(crate) async fn register(&self, call: &mut Call) -> Result<Reply, Error> {
        let (session, fields) = self.posted_by_anybody(call).await?;
        let new = Registration::read(&fields);
        let again = |errors: &FieldErrors| page(session.as_ref(), new.name, new.email, errors);
        let errors = new.errors();
        if errors.iter().next().is_some() {
            return Ok(again(&errors));
        }
        let hash = self.passwords.hash(new.password, call.deadline()).await?;
        let account =
            NewAccount { name: new.name, email: new.email, password_hash: Some(&hash), daily_limit: self.daily_limit };
        match self.store.create_account(&account, call.now, call.deadline()).await? {
            Err(EmailTaken) => Ok(again(&FieldErrors::one("email", "is registered already: log in instead"))),
            Ok(user) => {
                self.end_previous(session, call.deadline()).await?;
                self.begin_session(call, user, 0, "/dashboard").await
            }
        }
    }

    /// Ends the session that the same browser had before.
    pub(crate) async fn end_previous(&self, session: Option<Session>, deadline: Deadline) -> Result<(), Error> {
        match session {
            Some(session) => self.store.delete_session(session.caller.user, session.id, deadline).await,
            None => Ok(()),
        }
    }
}

impl<'f> Registration<'f> {
    fn read(fields: &'f Fields) -> Self {
        Self {
            name: text(fields, "name").trim(),
            email: text(fields, "email").trim(),
            password: text(fields, "password"),
        }
    }

    fn errors(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        if self.name.is_empty() {
            errors.add("name", "is required");
        } else if self.name.chars().count() > LONGEST_NAME {
            errors.add("name", "must have at most 100 characters");
        } else if !self.name.chars().all(is_visible) {
            errors.add("name", "must not have control or invisible characters");
        }
        if !is_email(self.email) {
            errors.add("email", "must be an address such as ada@example.com");
        }
        Passwords::check(self.password, "password", &mut errors);
        errors
    }
}

/// Nothing short of a mail can tell whether an address works: only what cannot be one is refused.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let labels = || domain.split('.');
    !local.is_empty()
        && text.len() <= LONGEST_EMAIL
        && text.chars().all(|c| is_visible(c) && !c.is_whitespace() && !"<>()[],;:\"\\".contains(c))
        && !local.contains('@')
        && labels().count() > 1
        && labels().all(|label| !label.is_empty())
}

fn page(session: Option<&Session>, name: &str, address: &str, errors: &FieldErrors) -> Reply {
    let inputs = [
        Input { name: "name", label: "Name", kind: "text", autocomplete: "name", value: name, hint: "" },
        email(address),
        Input {
            name: "password",
            label: "Password",
            kind: "password",
            autocomplete: "new-password",
            value: "",
            hint: "8 to 128 characters. A few random words are a good one.",
        },
    ];
    let entry = Entry {
        title: "Create your account",
        lead: "Free, and ready at once: no credit card, no confirmation mail.",
        action: "/register",
        button: "Create account",
        inputs: &inputs,
        other: html! { "Have an account already? " a href="/login" { "Log in" } },
    };
    entry.page(session, errors, None)
}

#[cfg(test)]
mod tests {
    use super::is_email;

    #[test]
    fn only_what_cannot_be_an_address_is_refused() {
        for good in ["ada@example.com", "a+b.c_d@sub.example.co", "käthe@exämple.de", "o'neil@example.com"] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@example",
            "ada@example.",
            "a b@example.com",
            "a@b@c.de",
            "<a>@example.com",
            "a\u{202e}@example.com",
            &long,
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
