//! The common form of registration and log-in.

use lambda_http::http::StatusCode;
use maud::{Markup, html};
use shared::error::FieldErrors;
use shared::http::Reply;

use crate::forms::Input;
use crate::layout::{self, Nav};
use crate::session::Session;

/// A form with credentials.
pub(crate) struct CredentialsForm<'a> {
    pub(crate) title: &'a str,
    pub(crate) lead: &'a str,
    pub(crate) action: &'a str,
    pub(crate) button: &'a str,
    pub(crate) inputs: &'a [Input<'a>],
    /// Fields that are not shown.
    pub(crate) hidden: Markup,
    /// The link to the alternative form.
    pub(crate) other: Markup,
}

impl CredentialsForm<'_> {
    pub(crate) fn page(&self, session: Option<&Session>, errors: &FieldErrors, message: Option<&str>) -> Reply {
        let content = html! {
            section.narrow {
                h1 { (self.title) }
                p.lead { (self.lead) }
                @if let Some(message) = message { (layout::alert(message)) }
                form.card method="post" action=(self.action) {
                    @if let Some(session) = session { (layout::csrf(session)) }
                    (self.hidden)
                    @for input in self.inputs { (input.show(errors)) }
                    button.button.wide type="submit" { (self.button) }
                }
                p.muted.centered { (self.other) }
            }
        };
        let good = errors.is_empty() && message.is_none();
        let status = if good { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
        layout::page(self.title, Nav::of(session, self.action), &content).status(status)
    }
}

/// The field of the e-mail address.
pub(crate) fn email(value: &str) -> Input<'_> {
    Input { name: "email", label: "E-mail", kind: "email", autocomplete: "username", value, hint: "" }
}
