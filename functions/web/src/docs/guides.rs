//! The guides: the files of `docs` that are for users, as pages of the console.

mod events;
mod render;
mod table;

use std::sync::OnceLock;

use maud::{Markup, html};

use self::render::{RenderedGuide, page};

/// A guide, by the name that its file and its page have.
#[derive(Debug)]
pub(crate) struct Guide {
    pub(crate) name: &'static str,
    text: &'static str,
    /// Pages of the calls that it is about.
    calls: &'static [&'static str],
    /// Made when somebody asks for it first.
    page: OnceLock<RenderedGuide>,
}

macro_rules! guide {
    ($name:literal, $calls:expr) => {
        Guide {
            name: $name,
            text: include_str!(concat!("../../../../docs/", $name, ".md")),
            calls: &$calls,
            page: OnceLock::new(),
        }
    };
}

/// Guides for the same readers.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) title: &'static str,
    /// In the order in which they are best read.
    pub(crate) guides: &'static [Guide],
}

/// All that are for people with files, and for programs; those for operators are not served.
pub(crate) static SHELVES: [Shelf; 2] =
    [Shelf { title: "Check files", guides: &CHECK_FILES }, Shelf { title: "Build with it", guides: &BUILD_WITH_IT }];

static CHECK_FILES: [Guide; 6] = [
    guide!("integrity", ["analyze-pdf", "show-analysis"]),
    guide!("comparing", ["compare-pdfs"]),
    guide!("evidence", ["show-analysis", "list-analyses"]),
    guide!("trust", ["trust-issuers", "list-trusted-issuers", "distrust-issuer"]),
    guide!("sharing", ["share-analysis", "end-sharing"]),
    guide!("privacy", ["delete-analysis"]),
];

static BUILD_WITH_IT: [Guide; 12] = [
    guide!("quick-start", []),
    guide!("authentication", ["list-tokens", "create-token", "revoke-token"]),
    guide!("uploads", ["analyze-pdf", "stage-upload"]),
    guide!("metadata", ["analyze-pdf", "show-analysis"]),
    guide!("fields", ["analyze-pdf", "show-analysis"]),
    guide!("pagination", ["list-analyses", "delete-analysis"]),
    guide!("quotas", ["analyze-pdf", "show-user"]),
    guide!("idempotency", ["analyze-pdf", "stage-upload"]),
    guide!("errors", []),
    guide!("checking", []),
    guide!("mcp", []),
    guide!("versioning", ["show-reference"]),
];

/// The guide of this name.
pub(crate) fn guide(name: &str) -> Option<&'static Guide> {
    guides().find(|guide| guide.name == name)
}

fn guides() -> impl Iterator<Item = &'static Guide> {
    SHELVES.iter().flat_map(|shelf| shelf.guides)
}

impl Guide {
    pub(crate) fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    pub(crate) fn path(&self) -> String {
        format!("/docs/{}", self.name)
    }

    /// Anchor and heading of each of its parts.
    pub(crate) fn parts(&self) -> &[(String, String)] {
        &self.rendered().parts
    }

    /// What it says, below its title, with a list of its parts.
    pub(crate) fn content(&self) -> Markup {
        let page = self.rendered();
        html! {
            @if page.parts.len() > 1 {
                nav.contents aria-label="On this page" {
                    ul { @for (id, text) in &page.parts { li { a href={ "#" (id) } { (text) } } } }
                }
            }
            (page.body)
        }
    }

    fn rendered(&self) -> &RenderedGuide {
        self.page.get_or_init(|| page(self.text))
    }
}

/// Links to all guides of a shelf.
pub(crate) fn list(shelf: &Shelf) -> Markup {
    html! { ul.guides { @for guide in shelf.guides { li { (link(guide)) } } } }
}

/// Links to the guides that are about a call, by the name of its page; that on errors is about all of them.
pub(crate) fn about(call: &str) -> Markup {
    let about = guides().filter(|guide| guide.calls.contains(&call) || guide.name == "errors");
    html! {
        p.small.about {
            "Guides: "
            @for (index, guide) in about.enumerate() { @if index > 0 { " · " } (link(guide)) }
        }
    }
}

fn link(guide: &Guide) -> Markup {
    html! { a href=(guide.path()) { (guide.title()) } }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{guide, guides};
    use crate::docs::model::ApiDocument;

    /// What is for those who run or build the service.
    const FOR_OPERATORS: [&str; 7] =
        ["architecture", "containers", "deploying", "operating", "performance", "testing", "threat-model"];

    #[test]
    fn every_page_of_docs_is_a_guide_or_for_operators() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let found: BTreeSet<String> = names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect();
        let known = guides().map(|guide| guide.name).chain(FOR_OPERATORS);
        assert_eq!(found, known.map(str::to_owned).collect());
    }

    #[test]
    fn guides_are_about_calls_that_there_are_and_named_like_none() {
        let api = ApiDocument::read().unwrap();
        for guide in guides() {
            assert!(guide.text.starts_with("# ") && !guide.title().contains(['`', '[', '*']), "{}", guide.name);
            assert!(guide.calls.iter().all(|call| api.call(call).is_some()), "{}", guide.name);
            assert!(api.call(guide.name).is_none(), "{}", guide.name);
        }
        assert!(guide("architecture").is_none());
    }
}
