//! What whoever has the file can check by themselves: whether it is the one that was analysed, the earlier versions in it, and
//! the verdict. The file is read by the page's script, and sent nowhere.

use maud::{Markup, html};
use report::Report;
use serde_json::Value;

use crate::assets::{HASHER, PACKER};

/// The hash of the file, as the metadata has it.
pub(super) fn hash_in(metadata: &Value) -> Option<&str> {
    metadata.pointer("/file/sha256").and_then(Value::as_str)
}

/// Who says so.
pub(super) fn source(metadata: &Value) -> &str {
    match metadata.pointer("/file/source").and_then(Value::as_str) {
        Some("computed") => "computed here",
        Some("upload") => "announced before the upload; the store took these bytes and no others",
        _ => "not known: the file is large, was not read whole, and came without one",
    }
}

/// The part of a report of a file of so many bytes, whose JSON is at `json`.
pub(super) fn section(report: Option<&Report>, metadata: &Value, size: u64, json: Option<&str>) -> Markup {
    let hash = hash_in(metadata);
    let revisions = report.map(|report| report.revisions.as_slice()).unwrap_or_default();
    let oldest = revisions.split_last().and_then(|(_, earlier)| earlier.first()).filter(|oldest| oldest.end > 0);
    html! {
        section.card.checking #copy aria-labelledby="copy-title" data-sha256=[hash] data-size=(size) data-json=[json] data-hasher=(HASHER.path) data-packer=(PACKER.path) {
            h2 #copy-title { "Check it yourself" }
            div.with-script.unprinted {
                p.small.muted {
                    "Drop your copy of the file anywhere on this page, or choose it: it is read here, in your browser, and sent nowhere. "
                    "You learn whether it is the file that was analysed, get the hashes of the versions in it, and can save "
                    "them with this report as an evidence package."
                }
                input #candidate type="file" accept="application/pdf,.pdf" aria-labelledby="copy-title";
                p.answer #same role="status" {}
                p.actions #copies hidden {
                    button.button #package type="button" { "Save the evidence package (ZIP)" }
                }
            }
            p.small.muted { "On a command line, where the last command is this service's own program:" }
            pre.commands { code {
                "sha256sum file.pdf" @if let Some(hash) = hash { "\n# " (hash) }
                @if let Some(oldest) = oldest {
                    "\nhead -c " (oldest.end) " file.pdf > version-" (oldest.number) ".pdf"
                }
                "\npdf-analysis inspect --integrity file.pdf"
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use report::Report;
    use serde_json::json;

    use super::{section, source};

    #[test]
    fn the_hash_stands_there_in_full_with_who_says_so() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for (from, words) in [("computed", "computed here"), ("upload", "the store took"), ("oracle", "not known")] {
            let metadata = json!({ "file": { "sha256": hash, "source": from } });
            let section = section(None, &metadata, 9, Some("/json")).into_string();
            assert_eq!(section.matches(hash).count(), 2, "{section}");
            assert!(source(&metadata).contains(words) && section.contains("data-size=\"9\""));
        }
        assert!(!section(None, &json!({}), 9, None).into_string().contains("data-sha256"));
    }

    #[test]
    fn an_earlier_version_is_cut_off_where_its_save_ends() {
        let save = |number: u32, end: u32| json!({ "number": number, "end": end, "objects": { "added": 1, "changed": 0, "removed": 0 }, "changes": [], "pages": [], "signed": false });
        let metadata = json!({ "integrity": { "revisions": [save(1, 753), save(2, 990)] } });
        let report = Report::of(&metadata);
        let shown = |report: &Option<Report>| section(report.as_ref(), &metadata, 990, Some("/json")).into_string();
        assert!(shown(&report).contains("head -c 753 file.pdf &gt; version-1.pdf"));
        let once = Report::of(&json!({ "integrity": { "revisions": [save(1, 753)] } }));
        assert!(!shown(&once).contains("head -c"));
    }
}
