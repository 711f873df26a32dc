//! Each page that saves touched: what was there before and what is there now, side by side, and where.

use maud::{Markup, html};

use super::evidence::side;
use super::outline::outline;
use super::place::{coordinates, named, sides};
use super::touched::{ChangedPage, Spot};
use super::{Report, SignalView};

/// All pages; nothing if no save touched a place that is known.
pub(super) fn section(report: &Report, touched: &[ChangedPage<'_>]) -> Markup {
    html! {
        @if !touched.is_empty() {
            section.card {
                h2 { "Before and now" }
                @for page in touched {
                    div.touched {
                        (outline(page.page, &page.marks(), "changes", report.first_page))
                        (table(page))
                    }
                }
            }
        }
    }
}

/// On a narrow screen its cells are laid out below each other, which takes the roles of tables from their elements.
fn table(page: &ChangedPage<'_>) -> Markup {
    html! {
        table.compared role="table" {
            caption.visually-hidden { "What saves changed on page " (page.page) }
            thead role="rowgroup" {
                tr role="row" {
                    th role="columnheader" scope="col" { "Where" }
                    th role="columnheader" scope="col" { "Before" }
                    th role="columnheader" scope="col" { "Now" }
                }
            }
            tbody role="rowgroup" { @for spot in &page.spots { (row(spot)) } }
        }
    }
}

fn row(spot: &Spot<'_>) -> Markup {
    html! {
        tr role="row" id={ "place-" (spot.number) } {
            th role="rowheader" scope="row" {
                span.number-of { (spot.number) }
                span {
                    @if let Some((words, name)) = spot.evidence.place.as_deref().map(named) {
                        bdi { (words) }
                        @if let Some(name) = name { " " code { (name) } }
                    }
                    span.coordinates { bdi { (coordinates(spot.evidence).join(" · ")) } }
                }
            }
            // whichever signal it is evidence of, it is a change
            @for shown in sides(&SignalView::default(), spot.evidence) {
                td role="cell" data-label=(shown.label) { (side(&shown)) }
            }
        }
    }
}
