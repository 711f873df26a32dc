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

/// All of them, in the order in which they are best read.
static GUIDES: [Guide; 16] = [
    guide!("quick-start", []),
    guide!("authentication", ["list-tokens", "create-token", "revoke-token"]),
    guide!("uploads", ["analyze-pdf", "stage-upload"]),
    guide!("metadata", ["analyze-pdf", "show-analysis"]),
    guide!("integrity", ["analyze-pdf", "show-analysis"]),
    guide!("evidence", ["show-analysis", "list-analyses"]),
    guide!("fields", ["analyze-pdf", "show-analysis"]),
    guide!("pagination", ["list-analyses", "delete-analysis"]),
    guide!("quotas", ["analyze-pdf", "show-user"]),
    guide!("idempotency", ["analyze-pdf", "stage-upload"]),
    guide!("errors", []),
    guide!("sharing", ["share-analysis", "end-sharing"]),
    guide!("checking", []),
    guide!("mcp", []),
    guide!("privacy", ["delete-analysis"]),
    guide!("versioning", ["show-reference"]),
];

/// The guide of this name.
pub(crate) fn guide(name: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|guide| guide.name == name)
}

impl Guide {
    pub(crate) fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    /// What it says, below its title, with a list of its parts, and where to read on.
    pub(crate) fn content(&'static self) -> Markup {
        let page = self.page.get_or_init(|| page(self.text));
        html! {
            @if page.parts.len() > 1 {
                nav.contents aria-label="On this page" {
                    ul { @for (id, text) in &page.parts { li { a href={ "#" (id) } { (text) } } } }
                }
            }
            (page.body)
            (self.neighbours())
        }
    }

    fn neighbours(&self) -> Markup {
        let at = GUIDES.iter().position(|guide| guide.name == self.name).unwrap_or_default();
        let (before, after) = (at.checked_sub(1).and_then(|at| GUIDES.get(at)), GUIDES.get(at + 1));
        html! {
            nav.neighbours aria-label="Guides" {
                @if let Some(guide) = before { a rel="prev" href={ "/docs/" (guide.name) } { "← " (guide.title()) } }
                @if let Some(guide) = after { a.next rel="next" href={ "/docs/" (guide.name) } { (guide.title()) " →" } }
            }
        }
    }
}

/// Links to all guides.
pub(crate) fn list() -> Markup {
    html! { ul.guides { @for guide in &GUIDES { li { (link(guide)) } } } }
}

/// Links to the guides that are about a call, by the name of its page; that on errors is about all of them.
pub(crate) fn about(call: &str) -> Markup {
    let about = GUIDES.iter().filter(|guide| guide.calls.contains(&call) || guide.name == "errors");
    html! {
        p.small.about {
            "Guides: "
            @for (index, guide) in about.enumerate() { @if index > 0 { " · " } (link(guide)) }
        }
    }
}

fn link(guide: &Guide) -> Markup {
    html! { a href={ "/docs/" (guide.name) } { (guide.title()) } }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{GUIDES, guide};
    use crate::docs::model::ApiDocument;

    /// What is for those who run or build the service.
    const FOR_OPERATORS: [&str; 7] =
        ["architecture", "containers", "deploying", "operating", "performance", "testing", "threat-model"];

    #[test]
    fn every_page_of_docs_is_a_guide_or_for_operators() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let found: BTreeSet<String> = names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect();
        let known = GUIDES.iter().map(|guide| guide.name).chain(FOR_OPERATORS);
        assert_eq!(found, known.map(str::to_owned).collect());
    }

    #[test]
    fn guides_are_about_calls_that_there_are_and_named_like_none() {
        let api = ApiDocument::read().unwrap();
        for guide in &GUIDES {
            assert!(guide.text.starts_with("# ") && !guide.title().contains(['`', '[', '*']), "{}", guide.name);
            assert!(guide.calls.iter().all(|call| api.call(call).is_some()), "{}", guide.name);
            assert!(api.call(guide.name).is_none(), "{}", guide.name);
        }
        assert!(guide("architecture").is_none());
    }
}
