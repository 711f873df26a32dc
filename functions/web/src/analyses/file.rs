//! Which file it was: its hash, a place to compare a file at hand with it, and what else the account has of it.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use shared::analysis::Analysis;
use shared::error::Error;

use crate::assets::HASHER;
use crate::dates::instant;

/// What else the account had analysed of the same file and document.
#[derive(Debug, Default, Deserialize)]
struct Earlier {
    same_file: Option<Vec<EarlierAnalysis>>,
    same_document: Option<Vec<EarlierAnalysis>>,
}

#[derive(Debug, Deserialize)]
struct EarlierAnalysis {
    id: String,
    analyzed_at: String,
}

/// The file's hash, as the metadata has it.
fn hash_in(metadata: &Value) -> Option<&str> {
    metadata.pointer("/file/sha256").and_then(Value::as_str)
}

/// The line with the hash, if it is known.
pub(super) fn line(metadata: &Value) -> Markup {
    html! { @if let Some(hash) = hash_in(metadata) { p.small.id { "SHA-256 " code { (hash) } } } }
}

/// What the hash says, and where a file at hand can be compared with it. The file is read by the page's script and sent
/// nowhere.
pub(super) fn section(metadata: &Value) -> Markup {
    html! {
        section.card.which aria-labelledby="which-title" {
            h2 #which-title { "Is this the file?" }
            @match hash_in(metadata) {
                Some(hash) => {
                    dl {
                        dt { "SHA-256" } dd { code { (hash) } }
                        dt { "Whose word it is" } dd { (source(metadata)) }
                    }
                    div.check.with-script #check data-sha256=(hash) data-hasher=(HASHER.path) {
                        p.small.muted { "Drop a file anywhere on this page, or choose it: it is read here, in your browser, and sent nowhere." }
                        input #candidate type="file" aria-labelledby="which-title";
                        p.answer #same role="status" {}
                    }
                    p.small.muted.without-script { "Compare: " code { "sha256sum" } " prints the hash of a file (on Windows " code { "Get-FileHash" } ")." }
                }
                None => p { "The hash of this file is not known: it is large, was not read whole, and came without one." },
            }
        }
    }
}

fn source(metadata: &Value) -> &str {
    match metadata.pointer("/file/source").and_then(Value::as_str) {
        Some("computed") => "Computed here, of the bytes that were analysed",
        Some("upload") => "Announced before the upload; the store took these bytes and no others",
        other => other.unwrap_or("Not told"),
    }
}

/// What else its owner had analysed of the same file and document.
pub(super) fn seen(analysis: &Analysis, metadata: &Value) -> Result<Markup, Error> {
    let seen = analysis.seen.as_ref().map(|seen| serde_json::from_str::<Earlier>(seen.get())).transpose();
    let Earlier { same_file, same_document } = seen.map_err(Error::internal)?.unwrap_or_default();
    let (files, documents) = (same_file.unwrap_or_default(), same_document.unwrap_or_default());
    Ok(html! {
        @if let Some((newest, older)) = files.split_first() {
            p.notice.seen {
                "You analysed the same file on " (link(newest))
                @if !older.is_empty() {
                    " and before"
                    @if let Some(hash) = hash_in(metadata) { ": " a href={ "/dashboard?sha256=" (hash) } { "all of them" } }
                }
                "."
            }
        }
        @if let Some((newest, older)) = documents.split_first() {
            p.notice.seen {
                "You analysed another version of this document on " (link(newest))
                @for other in older { ", " (link(other)) }
                "."
            }
        }
    })
}

fn link(sighting: &EarlierAnalysis) -> Markup {
    html! { a href={ "/analyses/" (sighting.id) } { (instant(&sighting.analyzed_at)) } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{line, section};

    #[test]
    fn the_hash_stands_there_in_full_with_whose_word_it_is() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for (source, words) in [("computed", "Computed here"), ("upload", "the store took"), ("oracle", "oracle")] {
            let metadata = json!({ "file": { "sha256": hash, "source": source } });
            assert!(line(&metadata).into_string().contains(hash));
            let section = section(&metadata).into_string();
            assert!(section.contains(hash) && section.contains(words), "{section}");
        }
    }

    #[test]
    fn where_no_hash_is_known_nothing_is_compared() {
        for unknown in [json!({}), json!({ "file": null }), json!({ "file": { "sha256": null, "source": null } })] {
            let section = section(&unknown).into_string();
            assert!(section.contains("is not known") && !section.contains("type=\"file\""), "{section}");
            assert!(line(&unknown).into_string().is_empty());
        }
    }
}
