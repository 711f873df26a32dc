//! The texts before and after as one table, beside the thumbnail of each page.

use maud::{Markup, html};
use report::Report;
use report::difference::pieces;
use report::findings::{Finding, FoundPage, findings};
use report::place::{BEFORE, EvidenceSide, NOW};
use report::words;
use serde_json::Value;

use super::page_thumbnail::{PageThumbnail, thumbnail_figure};

/// The table; empty if no place is known.
pub(crate) fn before_and_now(report: &Report, metadata: &Value) -> Markup {
    let (pages, more) = findings(report);
    html! {
        @if !pages.is_empty() {
            section.card.findings {
                h2 { "Before and now" }
                @for page in &pages {
                    div.found {
                        @if let Some(number) = page.page {
                            (thumbnail_figure(number, &page.marks(), PageThumbnail::of(report, metadata, number)))
                        }
                        (compared(&html! {
                            caption.visually-hidden { @match page.page { Some(page) => { "Page " (page) } None => "The file" } }
                        }, &html! { @for finding in &page.findings { (row(page, finding)) } }))
                    }
                }
                @if more > 0 { p.small.muted { "… and " (words::count(more, "more place")) ", with the technical evidence." } }
            }
        }
    }
}

/// The table of both texts. On a narrow screen its cells are stacked, which removes the implicit table roles, so they
/// are explicit.
pub(crate) fn compared(caption: &Markup, rows: &Markup) -> Markup {
    html! {
        table.compared role="table" {
            (caption)
            thead role="rowgroup" {
                tr role="row" { @for head in ["Where", BEFORE, NOW] { th role="columnheader" scope="col" { (head) } } }
            }
            tbody role="rowgroup" { (rows) }
        }
    }
}

fn row(page: &FoundPage<'_>, finding: &Finding<'_>) -> Markup {
    let page = page.page.map(|page| format!("page {page}"));
    let coordinates: Vec<String> = page.into_iter().chain(finding.save.map(|save| format!("save {save}"))).collect();
    html! {
        tr role="row" id={ "place-" (finding.number) } {
            th role="rowheader" scope="row" {
                span.number-of { (finding.number) }
                span {
                    bdi { (finding.place) }
                    span.coordinates { (coordinates.join(" · ")) }
                    @if let Some(note) = finding.note { span.coordinates { (note) } }
                }
            }
            @for shown in &finding.sides { td role="cell" data-label=(shown.label) { (side(shown)) } }
        }
    }
}

/// The text of a side, with differences marked as deleted or inserted.
pub(super) fn side(side: &EvidenceSide<'_>) -> Markup {
    html! {
        @match &side.text {
            None => { span.muted { (side.shown()) } }
            Some(text) => {
                bdi {
                    @for (piece, is_changed) in pieces(text, &side.changed) {
                        @if !is_changed { (piece) } @else if side.label == BEFORE { del { (piece) } } @else { ins { (piece) } }
                    }
                }
            }
        }
    }
}
