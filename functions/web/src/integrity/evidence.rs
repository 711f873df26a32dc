//! A signal, and the evidence for it: where, and what was there and is there, side by side.

use maud::{Markup, html};
use shared::withheld::is_quoting;

use super::difference::pieces;
use super::place::{BEFORE, BENEATH, Side, coordinates, named, sides};
use super::touched::{ChangedPage, number_of};
use super::words;
use super::{EvidenceView, Report, SignalView};

/// One signal with all its evidence; evidence that another one has shown, or that stands on a touched page, is not shown
/// again.
pub(super) fn signal(report: &Report, touched: &[ChangedPage<'_>], signal: &SignalView) -> Markup {
    let number = |evidence: &EvidenceView| number_of(touched, evidence);
    let numbers: Vec<usize> = signal.evidence.iter().filter_map(number).collect();
    let rest: Vec<&EvidenceView> = signal.evidence.iter().filter(|evidence| number(evidence).is_none()).collect();
    let more = (signal.evidence_total as usize).saturating_sub(signal.evidence.len());
    html! {
        li.signal {
            p.finding {
                span.strong { bdi { (signal.summary) } }
                @if !is_plain(report, signal) { " " (strength(&signal.strength)) }
                " " code.id { (signal.id) }
            }
            @if let Some(other) = report.same_before(signal) {
                p.small.muted { "The same places as for " code { (other.id) } "." }
            } @else if report.hidden.tells(&signal.id) {
                p.small.muted { "Told above, with what the pages hide." }
            } @else {
                @if !numbers.is_empty() {
                    p.small.numbers {
                        span.muted { "Shown above:" }
                        @for number in numbers {
                            " " a.number-of href={ "#place-" (number) } aria-label={ "place " (number) } { (number) }
                        }
                    }
                }
                @if !rest.is_empty() { ul.evidence { @for evidence in rest { (piece(signal, evidence)) } } }
                @if more > 0 { p.small.muted { "… and " (words::count(more, "more place")) "." } }
            }
        }
    }
}

/// A strength in a word, the fuller the heavier.
fn strength(id: &str) -> Markup {
    let tone = words::strength_tone(id).class();
    html! {
        span class={ "chip " (tone) @if id == "conclusive" { " full" } } title=(words::strength_meaning(id)) {
            (words::strength(id))
        }
    }
}

/// Whether its strength says nothing: what good signatures rest on is no sign of anything bad.
pub(super) fn is_plain(report: &Report, signal: &SignalView) -> bool {
    signal.strength == "neutral" && report.because.contains(&signal.id)
}

fn piece(signal: &SignalView, evidence: &EvidenceView) -> Markup {
    let place = evidence.place.as_deref().map(named);
    html! {
        li {
            p.where {
                @if let Some((words, name)) = &place {
                    bdi { (words) }
                    @if let Some(name) = name { " " code { (name) } }
                }
                @let coordinates = coordinates(evidence);
                @if !coordinates.is_empty() { span.coordinates { bdi { (coordinates.join(" · ")) } } }
            }
            @let sides = sides(signal, evidence);
            @if !sides.is_empty() {
                dl.sides {
                    @for shown in sides {
                        div.unprinted[is_quoting(&signal.id) && shown.label == BENEATH] {
                            dt { (shown.label) }
                            dd { (side(&shown)) }
                        }
                    }
                }
            }
        }
    }
}

/// What is on a side; what the other side has not is marked as deleted, or as inserted.
pub(super) fn side(side: &Side<'_>) -> Markup {
    html! {
        @match &side.text {
            None => { span.muted { "nothing" } }
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
