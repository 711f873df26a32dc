//! The guides, the files of `docs` that are for users, and the pages of all calls, as pages of the console.

mod events;
mod render;
mod table;

use std::sync::OnceLock;

use maud::{Markup, html};

use self::render::{RenderedGuide, page};
use super::samples;

/// A guide or a call, by the name that its file and its page have.
#[derive(Debug)]
pub(crate) struct Guide {
    pub(crate) name: &'static str,
    text: &'static str,
    /// The calls that it is about.
    calls: &'static [&'static str],
    /// Made when somebody asks for it first.
    page: OnceLock<RenderedGuide>,
}

macro_rules! guide {
    ($name:literal, $calls:expr) => {
        guide!("docs/", $name, $calls)
    };
    ($folder:literal, $name:literal, $calls:expr) => {
        Guide {
            name: $name,
            text: include_str!(concat!("../../../../", $folder, $name, ".md")),
            calls: &$calls,
            page: OnceLock::new(),
        }
    };
}

macro_rules! calls {
    ($($name:literal),*) => { [$(guide!("reference/calls/", $name, [])),*] };
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

static CHECK_FILES: [Guide; 4] = [
    guide!("verdicts", []),
    guide!("comparing", ["compare-pdfs", "show-analysis", "list-analyses"]),
    guide!("trust", ["trust-issuers", "list-trusted-issuers", "distrust-issuer"]),
    guide!("privacy", ["share-analysis", "end-sharing", "delete-analysis"]),
];

static BUILD_WITH_IT: [Guide; 6] = [
    guide!("quick-start", []),
    guide!("api", []),
    guide!("integrity", ["analyze-pdf", "show-analysis"]),
    guide!("fields", ["analyze-pdf", "show-analysis"]),
    guide!("command-line", []),
    guide!("mcp", []),
];

/// Every call, made of the code by `cargo run -p reference -- calls`; a test compares the two.
pub(crate) static CALLS: [Guide; 18] = calls! {
    "analyze-pdf", "compare-pdfs", "list-analyses", "show-analysis", "change-reference", "delete-analysis", "share-analysis",
    "end-sharing",
    "stage-upload", "show-user", "list-trusted-issuers", "trust-issuers", "distrust-issuer", "list-tokens", "create-token",
    "revoke-token", "show-reference", "check-health"
};

/// All of them in short, and what holds for each.
pub(crate) static EVERY_CALL: Guide = guide!("reference/calls/", "README", []);

/// The guide of this name.
pub(crate) fn guide(name: &str) -> Option<&'static Guide> {
    guides().find(|guide| guide.name == name)
}

/// The call of this name.
pub(crate) fn call(name: &str) -> Option<&'static Guide> {
    CALLS.iter().find(|call| call.name == name)
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

    /// Method and path of a call.
    pub(crate) fn route(&self) -> &'static str {
        self.text.split('`').nth(1).unwrap_or_default()
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

    /// What a call does, its sample, then what it takes and answers.
    pub(crate) fn content_with_samples(&self) -> Markup {
        let (purpose, rest) = self.text.split_at(self.text.find("\n## ").unwrap_or_default());
        html! { (page(purpose).body) (about(self.name)) (samples::show(self.name)) (samples::client_link()) (page(rest).body) }
    }

    fn rendered(&self) -> &RenderedGuide {
        self.page.get_or_init(|| page(self.text))
    }
}

/// Links to all guides of a shelf.
pub(crate) fn list(shelf: &Shelf) -> Markup {
    html! { ul.guides { @for guide in shelf.guides { li { (link(guide)) } } } }
}

/// Links to the guides that are about a call, by the name of its page; the one on the API is about all of them.
fn about(call: &str) -> Markup {
    let about = guides().filter(|guide| guide.calls.contains(&call) || guide.name == "api");
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

    use super::{CALLS, call, guide, guides};

    /// What is for those who run or build the service.
    const FOR_OPERATORS: [&str; 6] = ["architecture", "bucket", "deploying", "glossary", "operating", "threat-model"];

    /// The names of the pages in a folder of the repository.
    fn pages(folder: &str) -> BTreeSet<String> {
        let files = std::fs::read_dir(format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter_map(|name| Some(name.strip_suffix(".md")?.to_owned())).collect()
    }

    #[test]
    fn every_page_of_docs_is_a_guide_or_for_operators_and_every_call_has_its_own() {
        let known = guides().map(|guide| guide.name).chain(FOR_OPERATORS);
        assert_eq!(pages("docs"), known.map(str::to_owned).collect());
        let known = CALLS.iter().map(|call| call.name).chain(["README"]);
        assert_eq!(pages("reference/calls"), known.map(str::to_owned).collect());
    }

    #[test]
    fn guides_are_about_calls_that_there_are_and_named_like_none() {
        for guide in guides() {
            assert!(guide.text.starts_with("# ") && !guide.title().contains(['`', '[', '*']), "{}", guide.name);
            assert!(guide.calls.iter().all(|name| call(name).is_some()), "{}", guide.name);
            assert!(call(guide.name).is_none(), "{}", guide.name);
        }
        assert!(guide("architecture").is_none());
    }
}
