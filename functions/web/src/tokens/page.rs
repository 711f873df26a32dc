//! The pages about tokens: the list, and the page with a new token's value.

use maud::{Markup, html};
use shared::error::FieldErrors;
use shared::http::Reply;
use shared::ids::TokenId;
use shared::secret::ApiToken;
use shared::store::tokens::TokenRecord;

use crate::copyable::copyable;
use crate::dates::instant;
use crate::forms::Input;
use crate::layout::{self, Nav, csrf};
use crate::session::Session;

/// Lifetimes of a new token: in days, and in words.
const LIFETIMES: [(&str, &str); 4] = [("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "no end")];

/// The last submitted form for a new token.
#[derive(Default)]
pub(crate) struct TokenForm {
    pub(crate) name: String,
    pub(crate) errors: FieldErrors,
}

/// The list, with a form that creates the token `next`.
pub(crate) fn list(session: &Session, tokens: &[TokenRecord], next: TokenId, draft: &TokenForm) -> Reply {
    let name = Input {
        name: "name",
        label: "Name",
        kind: "text",
        autocomplete: "off",
        value: &draft.name,
        hint: "A label, such as where it is used.",
    };
    let content = html! {
        h1 { "API tokens" }
        p.lead { "Every call of the API needs one. A token can do all that your account can: treat it like a password." }
        @if session.caller.account.waiting { (layout::confirm_first("can have no token")) }
        form.card.inline method="post" action="/tokens" {
            (csrf(session))
            input type="hidden" name="id" value=(next);
            (name.show(&draft.errors))
            div.field.short {
                label for="expires_in_days" { "Expires" }
                select #expires_in_days name="expires_in_days" {
                    @for (days, label) in LIFETIMES { option value=(days) selected[days == "90"] { (label) } }
                }
            }
            button.button type="submit" { "Create token" }
        }
        section aria-labelledby="tokens-title" {
            h2 #tokens-title { "Your tokens " span.count { (tokens.len()) } }
            @if tokens.is_empty() { p.empty { "None yet. Create one to call the API." } }
            ul.tokens { @for token in tokens { (row(session, token, tokens)) } }
            @if !tokens.is_empty() { (end_all(session)) }
        }
    };
    layout::page("API tokens", Nav::Session(session, "/tokens"), &content)
}

/// The form "Revoke all tokens", concurrent creations included.
fn end_all(session: &Session) -> Markup {
    html! {
        details.confirm {
            summary.button.quiet { span.closed { "End all tokens" } span.opened { "Keep them" } }
            form method="post" action="/tokens/end" {
                (csrf(session))
                p { "Whatever uses any of them stops working at once, for good. Do this if somebody else may have one." }
                button.button.danger type="submit" { "End all tokens for good" }
            }
        }
    }
}

fn row(session: &Session, token: &TokenRecord, all: &[TokenRecord]) -> Markup {
    let maker = token.made_by.as_ref().and_then(|maker| all.iter().find(|other| other.id == *maker));
    let has_made = all.iter().any(|other| other.made_by.as_ref() == Some(&token.id));
    html! {
        li {
            div {
                p.name { (token.name) }
                p.small.muted {
                    "ends in " code { "…" (token.hint) }
                    " · created " (instant(&token.created_at)) " · "
                    @match &token.last_used_at {
                        Some(used) => { "last used " (instant(used)) }
                        None => "never used"
                    }
                    @if let Some(end) = &token.expires_at { " · ends " (instant(end)) }
                    @if let Some(maker) = maker { " · made by " (maker.name) ", with which it ends" }
                }
            }
            details.confirm {
                summary.button.quiet {
                    span.closed { "Revoke" }
                    span.opened { "Keep" }
                    span.visually-hidden { " " (token.name) }
                }
                form method="post" action={ "/tokens/" (token.id) "/revoke" } {
                    (csrf(session))
                    p {
                        "Whatever uses it stops working at once, for good."
                        @if has_made { " The tokens that it has made end with it." }
                    }
                    button.button.danger type="submit" { "Revoke for good" span.visually-hidden { ": " (token.name) } }
                }
            }
        }
    }
}

/// The page after a reload of the one that showed the token.
pub(crate) fn created_before(session: &Session) -> Reply {
    let lead = "This form was sent before, and its token was created then. Its value is not shown again: if you did not copy it, revoke the token and create another one.";
    let next = html! { p.actions { a.button href="/tokens" { "To your tokens" } } };
    layout::message("The token is there already", Nav::Session(session, "/tokens"), lead, &next)
}

/// The one page that shows the token.
pub(crate) fn created(session: &Session, record: &TokenRecord, token: &ApiToken, origin: &str) -> Reply {
    let token = token.reveal();
    let curl = format!("curl -H 'Authorization: Bearer {token}' -F file=@document.pdf {origin}/api/v1/pdf/analyze");
    let content = html! {
        section.medium {
            h1 { "Your new token" }
            p.lead { "Copy the value of " strong { (record.name) } " now: it is not shown again." }
            @if let Some(end) = &record.expires_at { p { "It ends " (instant(end)) ": make a new one before that." } }
            div.card {
                h2 { "Token" }
                (copyable("token", &token, "Copy token"))
                h2 { "Try it" }
                p { "Analyze a PDF in your terminal:" }
                (copyable("curl", &curl, "Copy command"))
            }
            p.actions { a.button href="/tokens" { "Done, I have copied it" } a href="/docs" { "How the API works" } }
        }
    };
    layout::page("Your new token", Nav::Session(session, "/tokens"), &content)
}
