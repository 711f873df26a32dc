//! The report as the top of an analysis' page.

use maud::{Markup, html};

use super::{Report, evidence, mark, revisions, signatures, timeline, words};

/// All of it, most important first.
pub(crate) fn section(report: &Report) -> Markup {
    html! {
        div.integrity {
            (outcome(report))
            @if report.deciding().next().is_some() {
                section.card {
                    h2 { "What shows it" }
                    ul.signals { @for signal in report.deciding() { (evidence::signal(report, signal)) } }
                }
            }
            @if !report.revisions.is_empty() {
                section.card {
                    h2 { "The file's life" }
                    (life(report))
                }
            }
            @if !report.signatures.is_empty() {
                h2.apart { "Signatures" span.count { (report.signatures.len()) } }
                (signatures::cards(report))
            }
            @if report.others().next().is_some() {
                section.card {
                    h2 { "Also found" }
                    p.small.muted { "It did not decide. " (strengths(report)) }
                    ul.signals.others { @for signal in report.others() { (evidence::signal(report, signal)) } }
                }
            }
            p.small.muted.rests { (words::examined(&report.examined.revisions, &report.examined.bytes)) " Rules: version " (report.rules) "." }
        }
    }
}

/// The verdict: a mark, a word, a sentence, and what it does not say.
fn outcome(report: &Report) -> Markup {
    let meaning = words::verdict_meaning(&report.verdict);
    html! {
        section class={ "outcome " (words::verdict_tone(&report.verdict).class()) } aria-labelledby="outcome-title" {
            (mark::verdict(&report.verdict))
            div {
                p.kicker { "Was it changed after it was made?" }
                h2 #outcome-title { (words::verdict(&report.verdict)) }
                p.told { bdi { (report.summary) } }
                @if !meaning.is_empty() { p.small { (meaning) } }
            }
        }
    }
}

fn life(report: &Report) -> Markup {
    html! {
        p.small.muted { (told_changes(report)) }
        div.picture {
            (timeline::picture(report))
            (timeline::legend(report))
        }
        (revisions::list(report))
    }
}

/// What later saves changed, in all and since the newest signature.
pub(super) fn told_changes(report: &Report) -> String {
    let saves = report.revisions.last().map_or(0, |last| last.number as usize);
    let changes = match (saves, report.changes.is_empty()) {
        (0 | 1, true) => "Saved once: no earlier state is in the file.".to_owned(),
        (_, true) => format!("Saved {saves} times; no later save changed anything that counts."),
        _ => format!("Saved {}; later saves changed: {}.", times(saves), words::changes(&report.changes)),
    };
    let since = report.changed_after_signing.as_ref().map(|since| match since.as_slice() {
        [] => " Since the newest signature: nothing.".to_owned(),
        since => format!(" Since the newest signature: {}.", words::changes(since)),
    });
    format!("{changes}{}", since.unwrap_or_default())
}

fn times(saves: usize) -> String {
    if saves == 1 { "once".to_owned() } else { format!("{saves} times") }
}

/// What the strengths mean that occur.
fn strengths(report: &Report) -> String {
    let mut told: Vec<String> = Vec::new();
    for signal in report.others() {
        let meaning = words::strength_meaning(&signal.strength);
        let text = format!("{}: {meaning}.", words::strength(&signal.strength));
        if !meaning.is_empty() && !told.contains(&text) {
            told.push(text);
        }
    }
    told.join(" ")
}
