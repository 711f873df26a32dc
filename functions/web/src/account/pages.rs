//! The pages about an account.

use maud::{Markup, html};
use shared::error::FieldErrors;
use shared::http::Reply;

use crate::app::App;
use crate::forms::{Input, end_tokens};
use crate::layout::{self, Nav, csrf};
use crate::session::Session;

/// The errors of the page's forms.
#[derive(Default)]
pub(crate) struct Problems<'a> {
    pub(crate) password: FieldErrors,
    pub(crate) email: FieldErrors,
    /// The address that was entered.
    pub(crate) new_email: &'a str,
    pub(crate) deletion: FieldErrors,
}

pub(crate) fn account(app: &App, session: &Session, problems: &Problems<'_>, notice: &str) -> Reply {
    let account = &session.caller.account;
    let current = Input::password("current_password", "Current password", "current-password", "");
    let new = Input::password("password", "New password", "new-password", "8 to 128 characters.");
    let confirm = Input::password("confirm_password", "Your password, to confirm", "current-password", "");
    let content = html! {
        h1 { "Account" }
        @if !notice.is_empty() { p.notice.good role="status" { (notice) } }
        @if account.unconfirmed && app.mailer.is_there() { (unconfirmed(session)) }
        div.account {
            section.card {
                h2 { "You" }
                dl {
                    dt { "Name" } dd { (account.name) }
                    dt { "E-mail" } dd { (account.email) }
                    dt { "Analyses a day" } dd { (account.daily_limit) }
                    dt { "Analyses stored" } dd { (account.numbering.total()) }
                }
            }
            section.card {
                h2 { "Trusted issuers" }
                p { "Issuers whose signatures you trust." }
                p { a.button.quiet href="/trust" { @if account.issuers == 0 { "Name issuers" } @else { (account.issuers) " trusted" } } }
            }
            section.card {
                h2 { "Change password" }
                form method="post" action="/account/password" {
                    (csrf(session))
                    input.visually-hidden type="text" name="username" autocomplete="username" value=(account.email) aria-hidden="true" tabindex="-1" readonly;
                    (current.show(&problems.password))
                    (new.show(&problems.password))
                    (end_tokens())
                    button.button type="submit" { "Change password" }
                }
                p.small.muted { "All other browsers are logged out." }
            }
            @if app.mailer.is_there() { (address(session, problems)) }
            section.card.warning {
                h2 { "Delete account" }
                p { "Deletes everything immediately and permanently: analyses, tokens, sessions, your address." }
                form method="post" action="/account/delete" {
                    (csrf(session))
                    (confirm.show(&problems.deletion))
                    button.button.danger type="submit" { "Delete my account" }
                }
            }
        }
    };
    layout::page("Account", Nav::Session(session, "/account"), &content)
}

/// The notice on an account whose address is unconfirmed.
fn unconfirmed(session: &Session) -> Markup {
    html! {
        section.card {
            h2 { "Confirm your address" }
            @if session.caller.account.waiting {
                p { "Until then the account has no analyses and can have no token." }
            }
            p { "The link is in the mail that you got when you registered. It is good for an hour." }
            p { "It ends all sessions, API tokens and links to reports that were made before: somebody else could have made them." }
            form method="post" action="/account/confirmation" {
                (csrf(session))
                button.button.quiet type="submit" { "Send another mail" }
            }
        }
    }
}

fn address(session: &Session, problems: &Problems<'_>) -> Markup {
    let email = Input {
        name: "email",
        label: "New e-mail",
        kind: "email",
        autocomplete: "email",
        value: problems.new_email,
        hint: "We mail a link to it. Until you open that, the old address stays.",
    };
    let password = Input::password("email_password", "Your password", "current-password", "");
    html! {
        section.card {
            h2 { "Change e-mail" }
            form method="post" action="/account/email" {
                (csrf(session))
                (email.show(&problems.email))
                (password.show(&problems.email))
                button.button type="submit" { "Change e-mail" }
            }
            @if !session.caller.account.unconfirmed { p.small.muted { "We tell both addresses." } }
        }
    }
}

pub(crate) fn deleted() -> Reply {
    let content = html! {
        section.narrow.centered {
            h1 { "Your account is deleted" }
            p.lead { "Nothing of it is left here, but for a file that was on its way just now: that goes within two days. Thank you for having been with us." }
            p { a href="/" { "Start page" } }
        }
    };
    layout::page("Account deleted", Nav::Visitor, &content)
}

/// The account is closed, but its deletion takes more than one request.
pub(crate) fn not_yet_deleted(session: &Session) -> Reply {
    let content = html! {
        section.narrow {
            h1 { "Not quite done" }
            p.lead { "Your account is closed, but deleting all of it takes longer than one request. Go on until it is done." }
            form method="post" action="/account/delete" {
                (csrf(session))
                button.button.danger type="submit" { "Go on deleting" }
            }
        }
    };
    layout::page("Deleting your account", Nav::Neutral, &content)
}
