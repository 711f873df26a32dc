//! A signal, and the evidence for it: where, and what was there and is there, side by side.

use maud::{Markup, html};

use super::place::{coordinates, named, sides};
use super::words;
use super::{Evidence, Report, Signal};

/// One signal with all its evidence; evidence that another one has shown is not shown again.
pub(super) fn signal(report: &Report, signal: &Signal) -> Markup {
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
            } @else {
                @if !signal.evidence.is_empty() { ul.evidence { @for evidence in &signal.evidence { (piece(signal, evidence)) } } }
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
pub(super) fn is_plain(report: &Report, signal: &Signal) -> bool {
    signal.strength == "neutral" && report.because.contains(&signal.id)
}

fn piece(signal: &Signal, evidence: &Evidence) -> Markup {
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
                    @for (label, text) in sides {
                        div {
                            dt { (label) }
                            dd { @if let Some(text) = text { bdi { (text) } } @else { span.muted { "nothing" } } }
                        }
                    }
                }
            }
        }
    }
}
