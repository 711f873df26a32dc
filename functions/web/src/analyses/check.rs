//! Checks for anyone who has the file: whether it is the analyzed one, its earlier versions, and the verdict. The file
//! is read by the page's script and not sent.

use engine::Revision;
use maud::{Markup, html};
use report::Report;
use serde_json::Value;

use super::reported::{PageChrome, ReportedFile};
use crate::assets::{HASHER, PACKER};

/// The file's hash from the metadata.
pub(super) fn hash_in(metadata: &Value) -> Option<&str> {
    metadata.pointer("/file/sha256").and_then(Value::as_str)
}

/// The source of the hash.
pub(super) fn source(metadata: &Value) -> &str {
    match metadata.pointer("/file/source").and_then(Value::as_str) {
        Some("computed") => "computed here",
        Some("upload") => "announced before the upload; the store took these bytes and no others",
        _ => "not known: the file is large, was not read whole, and came without one",
    }
}

/// Versions for which commands are shown.
const MAX_VERSIONS: usize = 10;

/// The part of a file's report whose JSON is at `json`.
pub(super) fn section(
    report: Option<&Report>,
    metadata: &Value,
    file: &ReportedFile<'_>,
    chrome: &PageChrome,
) -> Markup {
    let hash = hash_in(metadata);
    let revisions = report.map(|report| report.revisions.as_slice()).unwrap_or_default();
    let earlier = revisions.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
    let signed = |revision: &Revision| {
        report.is_some_and(|report| report.signatures.iter().any(|it| it.revision == revision.number))
    };
    // prefer signed versions among the newest ones
    let cut: Vec<&Revision> = earlier.iter().rev().filter(|revision| revision.end > 0).take(MAX_VERSIONS).collect();
    html! {
        section.card.checking #copy aria-labelledby="copy-title" data-sha256=[hash] data-size=(file.size) data-analyzed=[file.analyzed_at] data-json=[chrome.json.as_deref()] data-hasher=(HASHER.path) data-packer=(PACKER.path) {
            h2 #copy-title { "Check it yourself" }
            @if !chrome.is_alone { div.with-script.unprinted {
                p.small.muted {
                    "Drop your copy of the file anywhere on this page, or choose it. It is read in your browser and sent nowhere. "
                    "You see whether it is the file that was analyzed, get the hashes of the versions in it, and can save "
                    "them with this report as an evidence package."
                }
                input #candidate type="file" accept="application/pdf,.pdf" aria-labelledby="copy-title";
                p.answer #same role="status" {}
                p.actions #copies hidden {
                    button.button #package type="button" { "Save the evidence package (ZIP)" }
                }
            } }
            p.small.muted { "On the command line (" code { "pdf-analysis" } " is this service's tool):" }
            pre.commands { code {
                "sha256sum file.pdf" @if let Some(hash) = hash { "\n# " (hash) }
                @for revision in cut.iter().rev() {
                    "\nhead -c " (revision.end) " file.pdf > version-" (revision.number) ".pdf"
                    @if signed(revision) { "   # as it was signed" }
                }
                "\npdf-analysis inspect --integrity file.pdf"
                "\npdf-analysis evidence file.pdf"
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use report::Report;
    use serde_json::json;

    use super::super::reported::{PageChrome, ReportedFile};
    use super::{section, source};

    fn chrome(json: Option<&str>) -> PageChrome {
        PageChrome { json: json.map(str::to_owned), ..PageChrome::default() }
    }

    fn file(size: u64) -> ReportedFile<'static> {
        ReportedFile { filename: "a.pdf", reference: None, size, analyzed_at: None, id: None }
    }

    #[test]
    fn the_hash_stands_there_in_full_with_who_says_so() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for (from, words) in [("computed", "computed here"), ("upload", "the store took"), ("oracle", "not known")] {
            let metadata = json!({ "file": { "sha256": hash, "source": from } });
            let section = section(None, &metadata, &file(9), &chrome(Some("/json"))).into_string();
            assert_eq!(section.matches(hash).count(), 2, "{section}");
            assert!(source(&metadata).contains(words) && section.contains("data-size=\"9\""));
        }
        assert!(!section(None, &json!({}), &file(9), &chrome(None)).into_string().contains("data-sha256"));
    }

    #[test]
    fn an_earlier_version_is_cut_off_where_its_save_ends() {
        let save = |number: u32, end: u32| json!({ "number": number, "end": end, "objects": { "added": 1, "changed": 0, "removed": 0 }, "changes": [], "pages": [], "signed": false });
        let metadata = json!({ "integrity": { "revisions": [save(1, 753), save(2, 850), save(3, 990)] } });
        let report = Report::of(&metadata);
        let shown = |report: &Option<Report>| {
            section(report.as_ref(), &metadata, &file(990), &chrome(Some("/json"))).into_string()
        };
        for version in ["head -c 753 file.pdf &gt; version-1.pdf", "head -c 850 file.pdf &gt; version-2.pdf"] {
            assert!(shown(&report).contains(version));
        }
        assert!(!shown(&report).contains("version-3.pdf"));
        let once = Report::of(&json!({ "integrity": { "revisions": [save(1, 753)] } }));
        assert!(!shown(&once).contains("head -c"));
    }
}
