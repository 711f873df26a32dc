//! Fields of forms: parsing, and rendering with label, hint and errors.

use maud::{Markup, html};
use shared::error::FieldErrors;
use shared::http::Fields;

/// The text of a field; empty if it is missing or not a single text.
pub(crate) fn text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.text(name).unwrap_or_default()
}

/// Whether the checkbox that ends all API tokens was checked.
pub(crate) fn ends_tokens(fields: &Fields) -> bool {
    !text(fields, END_TOKENS).is_empty()
}

/// The checkbox.
pub(crate) fn end_tokens() -> Markup {
    html! {
        div.field {
            label.tick { input type="checkbox" name=(END_TOKENS) value="yes" aria-describedby="end-tokens-hint"; "End all API tokens, too" }
            p.hint #end-tokens-hint { "If somebody else may know the password or have a token." }
        }
    }
}

const END_TOKENS: &str = "end_tokens";

/// A labeled input.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    pub(crate) label: &'a str,
    /// The input's type: `text`, `email`, `password`.
    pub(crate) kind: &'a str,
    pub(crate) autocomplete: &'a str,
    /// The previous input; always empty for a password.
    pub(crate) value: &'a str,
    pub(crate) hint: &'a str,
}

impl<'a> Input<'a> {
    /// For a password.
    pub(crate) fn password(name: &'a str, label: &'a str, autocomplete: &'a str, hint: &'a str) -> Self {
        Self { name, label, kind: "password", autocomplete, value: "", hint }
    }

    /// For a new password, on a separate page.
    pub(crate) fn new_password(label: &'a str) -> Self {
        let hint = "8 to 128 characters. A few random words make a good password.";
        Self::password("password", label, "new-password", hint)
    }

    /// The input, with its errors.
    pub(crate) fn show(&self, errors: &FieldErrors) -> Markup {
        let wrong: Vec<_> = errors.iter().filter(|(field, _)| *field == self.name).map(|(_, reason)| reason).collect();
        let (hint_id, error_id) = (format!("{}-hint", self.name), format!("{}-error", self.name));
        let mut described = Vec::new();
        if !wrong.is_empty() {
            described.push(error_id.as_str());
        }
        if !self.hint.is_empty() {
            described.push(hint_id.as_str());
        }
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                input id=(self.name) name=(self.name) type=(self.kind) value=(self.value) required
                    autocomplete=(self.autocomplete) maxlength="255"
                    aria-invalid=[(!wrong.is_empty()).then_some("true")]
                    aria-describedby=[(!described.is_empty()).then(|| described.join(" "))];
                @if !wrong.is_empty() {
                    p.error id=(error_id) { @for reason in &wrong { (self.label) " " (reason) ". " } }
                }
                @if !self.hint.is_empty() { p.hint id=(hint_id) { (self.hint) } }
            }
        }
    }
}
