//! Three copies of one invoice as samples: each can be downloaded, and its report read without use of quota.

use std::sync::LazyLock;

use engine::{Memory, Options, analyze};
use maud::{Markup, html};
use serde_json::{Value, json};
use shared::file_hash::FileHash;
use shared::http::Reply;

use super::report::{self, PageChrome, ReportedFile};
use crate::assets::{Asset, FORGED, GENUINE, REWRITTEN};
use crate::layout::Nav;

/// A sample file and the engine's result.
pub(crate) struct Example {
    /// The name of its page below `/docs`.
    name: &'static str,
    filename: &'static str,
    /// The change made to it.
    story: &'static str,
    asset: &'static LazyLock<Asset>,
    /// Built by the first request.
    metadata: LazyLock<Value>,
}

macro_rules! example {
    ($name:literal, $asset:ident, $story:literal) => {
        Example {
            name: concat!("example-", $name),
            filename: concat!("invoice-", $name, ".pdf"),
            story: $story,
            asset: &$asset,
            metadata: LazyLock::new(|| metadata(&$asset)),
        }
    };
}

/// All of them.
static EXAMPLES: [Example; 3] = [
    example!("genuine", GENUINE, "Signed and unchanged"),
    example!("forged", FORGED, "Amount and bank account changed after signing"),
    example!("rewritten", REWRITTEN, "Re-saved, amount painted over"),
];

/// The API's metadata of a file; null if it cannot be read.
fn metadata(asset: &Asset) -> Value {
    let found = analyze(&Memory(asset.content.to_vec().into()), &Options::default()).ok();
    let mut metadata = serde_json::to_value(found).unwrap_or_default();
    if let Some(fields) = metadata.as_object_mut() {
        let hash = FileHash::of(asset.content).to_string();
        fields.insert("file".to_owned(), json!({ "sha256": hash, "source": "computed" }));
    }
    metadata
}

/// The metadata of the copy that was changed after signing.
pub(crate) fn forged() -> &'static Value {
    let [_, forged, _] = &EXAMPLES;
    &forged.metadata
}

/// The page of the example with this name, if there is one.
pub(crate) fn page(name: &str, nav: Nav<'_>) -> Option<Reply> {
    let example = EXAMPLES.iter().find(|example| example.name == name)?;
    let size = example.asset.content.len() as u64;
    let file = ReportedFile { filename: example.filename, reference: None, size, analyzed_at: None, id: None };
    let chrome = PageChrome {
        before: html! { p.notice { "A sample: " (example.story) ". It doesn't use your quota." } },
        actions: html! { a.button.quiet href=(example.asset.path) download=(example.filename) { "Save this PDF" } },
        ..PageChrome::default()
    };
    Some(report::page(&file, &example.metadata, nav, &chrome))
}

/// Links to all of them.
pub(crate) fn list() -> Markup {
    html! {
        ul.examples {
            @for example in &EXAMPLES {
                li {
                    a href={ "/docs/" (example.name) } { (example.story) }
                    span.small.muted {
                        a href=(example.asset.path) download=(example.filename) { (example.filename) }
                    }
                }
            }
        }
    }
}
