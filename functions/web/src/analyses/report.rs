//! What of an analysis its owner and the readers of a link to it see alike.

use maud::{Markup, html};
use serde_json::Value;
use shared::analysis::Analysis;
use shared::error::Error;

use super::{file, metadata};
use crate::dates::instant;
use crate::integrity::{self, Report};

/// An analysis' metadata, to be shown.
pub(super) fn metadata_of(analysis: &Analysis) -> Result<Value, Error> {
    serde_json::from_str(analysis.metadata.get()).map_err(Error::internal)
}

/// What was analysed, what can be done with it, and by which it and its file are known.
pub(super) fn head(analysis: &Analysis, metadata: &Value, actions: &Markup) -> Markup {
    let pages = metadata.pointer("/basic/pages").and_then(Value::as_u64).unwrap_or_default();
    html! {
        div.head.document {
            div {
                h1 { (analysis.filename) }
                p.lead {
                    (pages) @if pages == 1 { " page" } @else { " pages" }
                    " · " span title={ (analysis.file_size) " bytes" } { (analysis.file_size_formatted) }
                    " · analysed " (instant(&analysis.analyzed_at))
                }
            }
            div.actions { (actions) }
        }
        p.small.id { "Analysis id " code { (analysis.id) } }
        (file::line(metadata))
    }
}

/// Whether the file, of so many bytes, was changed, for analyses that say so, which file it is, and all groups of the
/// metadata.
pub(super) fn sections(metadata: &Value, size: u64) -> Markup {
    html! {
        @if let Some(report) = Report::of(metadata) { (integrity::section(&report, size)) }
        (file::section(metadata))
        (metadata::groups(metadata))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::sections;

    #[test]
    fn an_analysis_of_before_lacks_the_verdict_and_nothing_else() {
        let old = json!({ "document": { "title": "Offer" } });
        let new = json!({ "document": { "title": "Offer" }, "integrity": { "verdict": "no_signs" } });
        let (old, new) = (sections(&old, 9).into_string(), sections(&new, 9).into_string());
        assert!(old.contains("Offer") && !old.contains("Was it changed"), "{old}");
        assert!(new.contains("No signs of change") && new.ends_with(&old), "{new}");
    }
}
