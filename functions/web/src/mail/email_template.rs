//! Templates of the mails, each as text and as HTML with the same words. They contain no names of people, which
//! strangers may have entered.

use maud::{DOCTYPE, html};

/// A mail.
#[derive(Clone, Copy)]
pub(crate) enum EmailTemplate<'a> {
    /// An account was created with the address.
    Confirm { secret: &'a str },
    /// A registration was attempted, but the address has an account already.
    Registered,
    /// A password reset was requested.
    Reset { secret: &'a str },
    /// To the new address of an account.
    NewAddress { secret: &'a str },
    /// To the new address of an account, if another account has it.
    AddressTaken,
    /// To the address of an account, when a new one is requested.
    AddressAsked { new: &'a str },
    /// To both addresses after the change.
    AddressChanged { old: &'a str, new: &'a str },
    /// The password has changed.
    PasswordChanged,
}

/// A mail from the console at `origin`: a paragraph before its link, if any, and one after it.
pub(crate) struct RenderedEmail<'a> {
    origin: &'a str,
    pub(crate) subject: &'static str,
    before: String,
    /// Its text and its address.
    link: Option<(&'static str, String)>,
    after: &'static str,
}

impl RenderedEmail<'_> {
    /// The address of its link.
    pub(crate) fn address(&self) -> Option<&str> {
        self.link.as_ref().map(|(_, address)| address.as_str())
    }

    /// The mail as text.
    pub(crate) fn text(&self) -> String {
        let link = self.link.as_ref().map(|(words, address)| format!("{words}:\n{address}\n\n"));
        let Self { before, after, origin, .. } = self;
        format!("{before}\n\n{}{after}\n\n-- \nPDF Analysis Service, {origin}\n", link.unwrap_or_default())
    }

    /// The mail as HTML without external resources.
    pub(crate) fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    title { (self.subject) }
                }
                body {
                    p { (self.before) }
                    @if let Some((words, address)) = &self.link {
                        p { a href=(address) { (words) } }
                        p { "If the link does not work, copy this address into your browser:" br; (address) }
                    }
                    p { (self.after) }
                    hr;
                    p { "PDF Analysis Service, " (self.origin) }
                }
            }
        };
        page.into_string()
    }
}

impl EmailTemplate<'_> {
    /// The mail from the console at `origin`.
    pub(crate) fn at<'a>(&self, origin: &'a str) -> RenderedEmail<'a> {
        let link = |words, path: &str| Some((words, format!("{origin}{path}")));
        let (subject, before, link, after) = match self {
            Self::Confirm { secret } => (
                "Confirm your e-mail address",
                format!("Somebody, you presumably, has opened an account with this address at {origin}."),
                link("Confirm within an hour that the address is yours", &format!("/confirm/{secret}")),
                "If it was not you, leave this mail alone.",
            ),
            Self::Registered => (
                "You have an account already",
                format!(
                    "Somebody, you presumably, has tried to open an account with this address at {origin}. You have one already: log in with the password that you chose then."
                ),
                link("If you have forgotten it, set a new one", "/forgot"),
                "If it was not you, nothing has happened. Leave this mail alone.",
            ),
            Self::Reset { secret } => (
                "Set a new password",
                format!("Somebody, you presumably, has forgotten the password of your account at {origin}."),
                link("Set a new password within an hour", &format!("/reset/{secret}")),
                "If it was not you, leave this mail alone: your password stays as it is.",
            ),
            Self::NewAddress { secret } => (
                "Confirm your new e-mail address",
                format!("Somebody, you presumably, wants to use this address for an account at {origin}."),
                link("Confirm within an hour that the account is to have it", &format!("/address/{secret}")),
                "If it was not you, leave this mail alone.",
            ),
            Self::AddressTaken => (
                "This address belongs to an account already",
                format!(
                    "Somebody, you presumably, wants to use this address for an account at {origin}. It belongs to an account already, so it cannot be that of another one."
                ),
                None,
                "If it was not you, nothing has happened. Leave this mail alone.",
            ),
            Self::AddressAsked { new } => (
                "Your account is to have another e-mail address",
                format!(
                    "Somebody, you presumably, wants your account at {origin} to have the address {new} in the place of this one. It changes when the link in a mail to that address is opened."
                ),
                None,
                "If it was not you, somebody knows your password: log in and change it. That ends this change, too.",
            ),
            Self::AddressChanged { old, new } => (
                "Your e-mail address is changed",
                format!(
                    "The address of your account at {origin} is changed from {old} to {new}. Log in with the new one."
                ),
                link("If you have forgotten your password, set a new one", "/forgot"),
                "If it was not you, tell the operator of the service at once.",
            ),
            Self::PasswordChanged => (
                "Your password is changed",
                format!(
                    "The password of your account at {origin} is changed. Every other browser is logged out. Look at its API tokens, too, and revoke those that you do not know."
                ),
                link("If it was not you, set a new password", "/forgot"),
                "If it was you, there is nothing to do.",
            ),
        };
        RenderedEmail { origin, subject, before, link, after }
    }
}

#[cfg(test)]
mod tests {
    use super::EmailTemplate;

    #[test]
    fn each_says_the_same_as_text_and_as_html_and_fetches_nothing() {
        let templates = [
            EmailTemplate::Confirm { secret: "s3cret" },
            EmailTemplate::Registered,
            EmailTemplate::Reset { secret: "s3cret" },
            EmailTemplate::NewAddress { secret: "s3cret" },
            EmailTemplate::AddressTaken,
            EmailTemplate::AddressAsked { new: "<b>@example.com" },
            EmailTemplate::AddressChanged { old: "a@example.com", new: "<b>@example.com" },
            EmailTemplate::PasswordChanged,
        ];
        for template in templates {
            let email = template.at("https://pdf.example.com");
            let (text, html) = (email.text(), email.html());
            for word in ["src=", "<img", "<link", "<script", "<style", "url("] {
                assert!(!html.contains(word), "{word} in {html}");
            }
            assert!(text.is_ascii() && !html.contains("<b>"), "{html}");
            assert!(text.lines().all(|line| line.len() < 900), "{text}");
            for paragraph in text.split("\n\n-- ").next().unwrap().split("\n\n") {
                let words = paragraph.split(":\n").next().unwrap().replace('<', "&lt;").replace('>', "&gt;");
                assert!(html.contains(&words), "{words} is not in {html}");
            }
            assert_eq!(email.address().is_some(), html.contains("<a href=\"https://pdf.example.com/"));
        }
    }
}
