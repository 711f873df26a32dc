//! A signal and its evidence: the place, and the texts before and after, side by side.

use engine::{Evidence, SignalId, Strength};
use maud::{Markup, html};
use report::place::{coordinates, named, sides};
use report::{FoundSignal, Report, words};

use super::table::side;

/// One signal with all its evidence; evidence shown by another signal is not repeated.
pub(super) fn signal(report: &Report, signal: &FoundSignal) -> Markup {
    let more = (signal.evidence_total as usize).saturating_sub(signal.evidence.len());
    let decides = signal.id.is_some_and(|id| report.because.contains(&id));
    html! {
        li.signal {
            p.finding {
                span.strong { bdi { (signal.summary) } }
                @if !report.is_plain(signal) { " " (strength(signal)) }
                @if let Some(id) = signal.id {
                    @if !report.is_plain(signal) { span.small.muted { " " (words::basis(id.basis())) } }
                    " " code.id { (id) }
                }
                @if decides { span.small.muted { " decided" } }
            }
            @if let Some(other) = report.same_before(signal) {
                p.small.muted { "The same places as for " @if let Some(id) = other.id { code { (id) } } @else { (other.summary) } "." }
            } @else {
                @if !signal.evidence.is_empty() { ul.evidence { @for evidence in &signal.evidence { (piece(signal, evidence)) } } }
                @if more > 0 { p.small.muted { "… and " (words::count(more, "more place")) "." } }
            }
        }
    }
}

/// The name and bar of a strength.
fn strength(signal: &FoundSignal) -> Markup {
    let strength = signal.strength;
    let tone = words::signal_tone(strength, signal.id.map(SignalId::basis)).class();
    html! {
        span class={ "chip " (tone) @if strength == Strength::Conclusive { " full" } } title=(words::strength_meaning(strength)) {
            (words::strength(strength))
        }
    }
}

fn piece(signal: &FoundSignal, evidence: &Evidence) -> Markup {
    let place = evidence.place.as_deref().map(named);
    html! {
        li {
            p.where {
                @if let Some((words, name)) = &place {
                    bdi { (words) }
                    @if let Some(name) = name { " " code { (name) } }
                }
                @let coordinates = coordinates(evidence);
                @if !coordinates.is_empty() { span.coordinates { (coordinates.join(" · ")) } }
            }
            @let sides = sides(signal.id, evidence);
            @if !sides.is_empty() {
                dl.sides {
                    @for shown in sides {
                        div {
                            dt { (shown.label) }
                            dd { (side(&shown)) }
                        }
                    }
                }
            }
        }
    }
}
