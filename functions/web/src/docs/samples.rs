//! The samples of `docs/examples`, which the tests run: curl for every call, and a client in each language.

use maud::{Markup, html};

/// Folder, name and text of every sample: the build makes the list of the folders.
const LISTED: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// The languages by their folders, in the order in which pages show them.
const LANGUAGES: [(&str, &str); 4] =
    [("curl", "curl"), ("python", "Python"), ("javascript", "JavaScript"), ("php", "PHP")];

/// The page of the clients, beside the pages of the calls.
pub(crate) const CLIENT: &str = "client";

/// The samples of a page, the first language open.
pub(crate) fn show(page: &str) -> Markup {
    let samples = LANGUAGES.into_iter().flat_map(|(folder, language)| {
        let found = LISTED.iter().filter(move |sample| sample.0 == folder && sample.1 == page);
        found.map(move |(.., code)| (language, code))
    });
    html! {
        @for (index, (language, text)) in samples.enumerate() {
            details.sample name="sample" open[index == 0] {
                summary { (language) }
                (code(text.trim_end()))
            }
        }
    }
}

/// A link to the client, which is in all languages.
pub(crate) fn client_link() -> Markup {
    html! { p.small { "In Python, JavaScript and PHP: " a href={ "/docs/" (CLIENT) } { "a complete client" } } }
}

/// Code, to which the page's script adds a copy button.
pub(crate) fn code(text: &str) -> Markup {
    html! { pre { code { (text) } } }
}
