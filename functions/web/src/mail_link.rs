//! Common parts of the pages behind links in mails. Opening one changes nothing, because programs that scan mail open
//! links; its button does.

use lambda_http::http::StatusCode;
use lambda_http::http::header::REFERRER_POLICY;
use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::secret::MailSecret;
use shared::store::mails::MailLink;
use shared::store::{Purpose, Row};

use crate::app::App;
use crate::layout::{self, Nav};

/// The link of the secret in the path; `None` if it is invalid for any reason.
pub(crate) async fn find(app: &App, call: &Call, purpose: Purpose) -> Result<Option<MailLink>, Error> {
    let Some(secret) = MailSecret::parse(call.parameter("secret")) else { return Ok(None) };
    let rows = app.store.read(secret.user, &[Row::Account, Row::Mail(purpose, secret.hash())], call.deadline()).await?;
    rows.link(purpose, &secret, call.now)
}

/// A page whose address is secret: it sends no referrer.
pub(crate) fn page(title: &str, content: &Markup) -> Reply {
    layout::page(title, Nav::Neutral, content).header(REFERRER_POLICY, "no-referrer")
}

/// The result of a link, and the next actions.
pub(crate) fn ended(title: &str, heading: &str, lead: &str, actions: &Markup) -> Reply {
    page(title, &html! { section.narrow.centered { h1 { (heading) } p.lead { (lead) } p.actions { (actions) } } })
}

/// The page for all invalid links.
pub(crate) fn expired() -> Reply {
    let lead = "A link in a mail is good for an hour, once, and for the account as it was then.";
    let actions = html! { a.button href="/login" { "Log in" } a href="/forgot" { "Forgot your password?" } };
    ended("Link expired", "This link has expired or has been used", lead, &actions).status(StatusCode::NOT_FOUND)
}

/// The page after success.
pub(crate) fn done(title: &str, lead: &str) -> Reply {
    ended(title, title, lead, &html! { a.button href="/dashboard" { "Go on" } })
}

/// A page with only a button that confirms the action.
pub(crate) fn ask(title: &str, lead: &str, button: &str) -> Reply {
    // to this page's own address
    let form = html! { form.card method="post" { button.button.wide type="submit" { (button) } } };
    layout::message(title, Nav::Neutral, lead, &form).header(REFERRER_POLICY, "no-referrer")
}
