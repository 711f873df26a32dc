//! A text to copy, with a button for it.

use maud::{Markup, html};

pub(crate) fn copyable(id: &str, text: &str, button: &str) -> Markup {
    html! {
        div.copyable {
            pre tabindex="0" role="region" aria-label=(button) { code id=(id) { (text) } }
            button.button.quiet.with-script type="button" data-copy-from=(id) { (button) }
        }
    }
}
