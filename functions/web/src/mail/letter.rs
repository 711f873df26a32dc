//! What the mails say, in plain words, each as text and as HTML made of the same. Names of people stand in none:
//! strangers may have written them.

use maud::{DOCTYPE, html};

/// A mail.
#[derive(Clone, Copy)]
pub(crate) enum Letter<'a> {
    /// Somebody has opened an account with the address.
    Confirm { secret: &'a str },
    /// Somebody has tried to, but its owner has one already.
    Registered,
    /// Somebody has forgotten the password.
    Reset { secret: &'a str },
    /// To the address that an account is to have.
    NewAddress { secret: &'a str },
    /// To the address that an account was to have, but another has.
    AddressTaken,
    /// To the address that an account has, when another is asked for.
    AddressAsked { new: &'a str },
    /// To both when it has changed.
    AddressChanged { old: &'a str, new: &'a str },
    /// The password has changed.
    PasswordChanged,
}

/// Paragraphs before and after the link, if there is one: its words and its path.
struct LetterText {
    before: Vec<String>,
    link: Option<(&'static str, String)>,
    after: &'static str,
}

impl Letter<'_> {
    pub(crate) fn subject(&self) -> &'static str {
        match self {
            Self::Confirm { .. } => "Confirm your e-mail address",
            Self::Registered => "You have an account already",
            Self::Reset { .. } => "Set a new password",
            Self::NewAddress { .. } => "Confirm your new e-mail address",
            Self::AddressTaken => "This address belongs to an account already",
            Self::AddressAsked { .. } => "Your account is to have another e-mail address",
            Self::AddressChanged { .. } => "Your e-mail address is changed",
            Self::PasswordChanged => "Your password is changed",
        }
    }

    /// The path of its link, if it has one.
    pub(crate) fn path(&self) -> Option<String> {
        match self {
            Self::Confirm { secret } => Some(format!("/confirm/{secret}")),
            Self::Reset { secret } => Some(format!("/reset/{secret}")),
            Self::NewAddress { secret } => Some(format!("/address/{secret}")),
            Self::Registered | Self::PasswordChanged | Self::AddressChanged { .. } => Some("/forgot".to_owned()),
            Self::AddressTaken | Self::AddressAsked { .. } => None,
        }
    }

    /// The mail as text.
    pub(crate) fn text(&self, origin: &str) -> String {
        let LetterText { before, link, after } = self.content(origin);
        let link = link.map(|(words, path)| format!("{words}:\n{origin}{path}"));
        let paragraphs: Vec<_> = before.into_iter().chain(link).chain([after.to_owned()]).collect();
        format!("{}\n\n-- \nPDF Analysis Service, {origin}\n", paragraphs.join("\n\n"))
    }

    /// The mail as a page that asks nobody for anything.
    pub(crate) fn html(&self, origin: &str) -> String {
        let LetterText { before, link, after } = self.content(origin);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    title { (self.subject()) }
                }
                body {
                    @for paragraph in &before { p { (paragraph) } }
                    @if let Some((words, path)) = &link {
                        p { a href={ (origin) (path) } { (words) } }
                        p { "If the link does not work, copy this address into your browser:" br; (origin) (path) }
                    }
                    p { (after) }
                    hr;
                    p { "PDF Analysis Service, " (origin) }
                }
            }
        };
        page.into_string()
    }

    fn content(&self, origin: &str) -> LetterText {
        let (before, words, after) = match self {
            Self::Confirm { .. } => (
                format!("Somebody, you presumably, has opened an account with this address at {origin}."),
                "Confirm within an hour that the address is yours",
                "If it was not you, leave this mail alone.",
            ),
            Self::Registered => (
                format!(
                    "Somebody, you presumably, has tried to open an account with this address at {origin}. You have one already: log in with the password that you chose then."
                ),
                "If you have forgotten it, set a new one",
                "If it was not you, nothing has happened. Leave this mail alone.",
            ),
            Self::Reset { .. } => (
                format!("Somebody, you presumably, has forgotten the password of your account at {origin}."),
                "Set a new password within an hour",
                "If it was not you, leave this mail alone: your password stays as it is.",
            ),
            Self::NewAddress { .. } => (
                format!("Somebody, you presumably, wants to use this address for an account at {origin}."),
                "Confirm within an hour that the account is to have it",
                "If it was not you, leave this mail alone.",
            ),
            Self::AddressTaken => (
                format!(
                    "Somebody, you presumably, wants to use this address for an account at {origin}. It belongs to an account already, so it cannot be that of another one."
                ),
                "",
                "If it was not you, nothing has happened. Leave this mail alone.",
            ),
            Self::AddressAsked { new } => (
                format!(
                    "Somebody, you presumably, wants your account at {origin} to have the address {new} in the place of this one. It changes when the link in a mail to that address is opened."
                ),
                "",
                "If it was not you, somebody knows your password: log in and change it. That ends this change, too.",
            ),
            Self::AddressChanged { old, new } => (
                format!(
                    "The address of your account at {origin} is changed from {old} to {new}. Log in with the new one."
                ),
                "If you have forgotten your password, set a new one",
                "If it was not you, tell the operator of the service at once.",
            ),
            Self::PasswordChanged => (
                format!(
                    "The password of your account at {origin} is changed. Every other browser is logged out. Look at its API tokens, too, and revoke those that you do not know."
                ),
                "If it was not you, set a new password",
                "If it was you, there is nothing to do.",
            ),
        };
        LetterText { before: vec![before], link: self.path().map(|path| (words, path)), after }
    }
}

#[cfg(test)]
mod tests {
    use super::Letter;

    #[test]
    fn each_says_the_same_as_text_and_as_html_and_fetches_nothing() {
        let letters = [
            Letter::Confirm { secret: "s3cret" },
            Letter::Registered,
            Letter::Reset { secret: "s3cret" },
            Letter::NewAddress { secret: "s3cret" },
            Letter::AddressTaken,
            Letter::AddressAsked { new: "<b>@example.com" },
            Letter::AddressChanged { old: "a@example.com", new: "<b>@example.com" },
            Letter::PasswordChanged,
        ];
        for letter in letters {
            let (text, html) = (letter.text("https://pdf.example.com"), letter.html("https://pdf.example.com"));
            for word in ["src=", "<img", "<link", "<script", "<style", "url("] {
                assert!(!html.contains(word), "{word} in {html}");
            }
            assert!(text.is_ascii() && !html.contains("<b>"), "{html}");
            assert!(text.lines().all(|line| line.len() < 900), "{text}");
            for paragraph in text.split("\n\n-- ").next().unwrap().split("\n\n") {
                let words = paragraph.split(":\n").next().unwrap().replace('<', "&lt;").replace('>', "&gt;");
                assert!(html.contains(&words), "{words} is not in {html}");
            }
            assert_eq!(letter.path().is_some(), html.contains("<a href=\"https://pdf.example.com/"));
        }
    }
}
