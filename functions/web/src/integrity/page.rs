//! The report as the top of an analysis' page.

use maud::{Markup, html};

use super::touched::touched;
use super::{Report, comparison, evidence, hidden, mark, revisions, signatures, timeline, versions, words};

/// All of it, most important first, for a file of so many bytes.
pub(crate) fn section(report: &Report, size: u64) -> Markup {
    let touched = touched(report);
    html! {
        div.integrity {
            (outcome(report))
            (hidden::section(&report.hidden, report.first_page))
            (comparison::section(report, &touched))
            @if report.deciding().next().is_some() {
                section.card {
                    h2 { "What shows it" }
                    ul.signals { @for signal in report.deciding() { (evidence::signal(report, &touched, signal)) } }
                }
            }
            (life(report, &versions::section(report, size)))
            @if !report.signatures.is_empty() {
                h2.apart { "Signatures" span.count { (report.signatures.len()) } }
                p.small.told-how {
                    a href="/docs/integrity#was-it-signed-by-whom-it-should-be" { "Was it signed by whom it should be?" }
                }
                (signatures::cards(report))
            }
            @if report.others().next().is_some() {
                section.card {
                    h2 { "Also found" }
                    p.small.muted { "None of this decided. " (strengths(report)) }
                    ul.signals.others { @for signal in report.others() { (evidence::signal(report, &touched, signal)) } }
                }
            }
            p.small.muted.rests { (words::examined(&report.examined)) " Rules: version " (report.rules) "." }
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
                p.told.unprinted[report.public_summary.is_some()] { bdi { (report.summary) } }
                @if let Some(summary) = &report.public_summary { p.told.printed-only { bdi { (summary) } } }
                p.small {
                    @if !meaning.is_empty() { (meaning) " " }
                    a.told-how href="/docs/integrity#the-verdicts" { "How is this told?" }
                }
            }
        }
    }
}

/// What a report comes to: the verdict, what was there before and is there now, the file's life.
pub(crate) fn short(report: &Report) -> Markup {
    html! {
        div.integrity {
            (outcome(report))
            (comparison::section(report, &touched(report)))
            (life(report, &html! {}))
        }
    }
}

/// The saves; nothing if none is known.
fn life(report: &Report, versions: &Markup) -> Markup {
    html! {
        @if !report.revisions.is_empty() {
            section.card {
                h2 { "The file's life" }
                p.small.muted { (told_changes(report)) }
                div.picture {
                    (timeline::picture(report))
                    (timeline::legend(report))
                }
                (revisions::list(report))
                (versions)
            }
        }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::integrity::{Report, section};

    fn shown(integrity: &Value) -> String {
        let report = Report::of(&json!({ "integrity": integrity })).unwrap();
        format!("{}{report}", section(&report, 1_000).into_string())
    }

    /// A save that changed these kinds of things.
    fn save(number: u32, changes: &[&str]) -> Value {
        json!({ "number": number, "saved_at": null, "producer": "W".repeat(200), "changes": changes, "pages": [number] })
    }

    #[test]
    fn what_later_rules_may_say_is_shown_by_its_name() {
        let page = shown(&json!({
            "verdict": "eaten_by_mice",
            "summary": "Mice were here.",
            "because": ["mouse_droppings", "not_told_of"],
            "changes": ["smell"],
            "revisions": [save(1, &[]), save(2, &["smell"])],
            "signatures": [{ "kind": "paw", "status": "smudged", "reason": "cheese", "covers": "tail", "after": "sleep" }],
            "signals": [{
                "id": "mouse_droppings", "strength": "smelly", "summary": "They left something.", "evidence_total": 3,
                "evidence": [{ "place": "Pantry", "after": "crumbs", "box": "of cheese", "shelf": 7, "cat": "asleep", "dog": null }],
            }],
            "examined": { "revisions": "some", "bytes": "nibbled", "content": "smelt" },
            "anything": [{ "else": true }],
            "rules": 9,
        }));
        for word in [
            "Eaten by mice",
            "Mice were here.",
            "mouse_droppings",
            "melly",
            "They left something.",
            "Pantry",
            "crumbs",
            "shelf: 7",
            "cat: asleep",
            "2 more places",
            "Smell",
            "Paw",
            "smudged",
            "Cheese",
            "Tail, save",
            "Sleep",
            "Saves compared: Some",
            "bytes read: Nibbled",
            "content read: Smelt",
            "version 9",
        ] {
            assert_eq!(page.matches(word).count().min(2), 2, "page and text say {word:?}: {page}");
        }
        assert!(!page.contains("not_told_of") && !page.contains("dog"), "{page}");
    }

    #[test]
    fn a_report_may_lack_anything_and_one_that_is_none_is_not_shown() {
        assert!(shown(&json!({})).contains("Was it changed"));
        for none in [json!({}), json!({ "integrity": null }), json!({ "integrity": { "signals": 7 } })] {
            assert!(Report::of(&none).is_none(), "{none}");
        }
    }

    #[test]
    fn every_number_of_saves_has_a_picture_that_fits_and_cuts_its_texts() {
        for count in [1, 2, 9, 10, 24, 50] {
            let saves: Vec<Value> = (1..=count).map(|number| save(number, &["page_content", "metadata"])).collect();
            let report = Report::of(&json!({ "integrity": { "revisions": saves } })).unwrap();
            let page = section(&report, 1_000).into_string();
            let (_, picture) = page.split_once("<svg class=\"life\"").unwrap();
            let (picture, list) = picture.split_once("</svg>").unwrap();
            let width = picture.split_once("viewBox=\"0 0 ").unwrap().1.split(' ').next().unwrap();
            assert!(width.parse::<u32>().unwrap() <= 964, "{count} saves take {width}");
            assert_eq!(picture.matches("class=\"node\"").count(), count as usize);
            assert_eq!(picture.matches("class=\"change warn\"").count(), 2 * count as usize);
            // the list tells them whole
            assert!(!picture.contains(&"W".repeat(150)) && list.contains(&"W".repeat(200)));
            assert_eq!(list.matches("><b>Save ").count(), count as usize);
        }
    }

    #[test]
    fn each_outcome_of_a_change_has_a_mark_of_its_own() {
        let signature = |revision: u32, after: &str| json!({ "status": "intact", "covers": "revision", "revision": revision, "after": after });
        let told = |id: &str, revision: u32| json!({ "id": id, "evidence": [{ "revision": revision }] });
        let page = shown(&json!({
            "revisions": [save(1, &[]), save(2, &["metadata"]), save(3, &["signatures"]), save(4, &["annotations"]), save(5, &["pages"])],
            "signatures": [signature(3, "forbidden")],
            "signals": [told("permitted_change_after_signing", 4), told("forbidden_change_after_signing", 5)],
        }));
        for (mark, words, list) in [
            ("change warn", "changed by that save", "Changed metadata on page 2."),
            (
                "change good",
                "changed as the signatures before it permit",
                "Changed annotations on page 4, as the signatures before it permit.",
            ),
            (
                "change bad",
                "changed against a signature before it",
                "Changed pages on page 5, against a signature before it.",
            ),
        ] {
            // in the picture and in its legend
            assert_eq!(page.matches(&format!("class=\"{mark}\"")).count(), 2, "{mark}: {page}");
            assert!(page.contains(words) && page.contains(list), "{words}, {list}: {page}");
        }
    }

    #[test]
    fn places_on_pages_stand_once_in_a_table_and_are_marked_and_numbered() {
        let words = json!({
            "revision": 2, "object": 7, "page": 2, "place": "text",
            "before": "Total 1,250.00 EUR", "after": "Total 9,250.00 EUR", "box": [72, 700, 200, 712],
        });
        let removed = json!({ "revision": 3, "page": 2, "place": "text", "before": "<b>Void</b>", "after": null });
        let title = json!({ "revision": 2, "place": "Info /Title", "before": "Old", "after": "New" });
        let signal = |id: &str, evidence: &[&Value]| json!({ "id": id, "evidence": evidence, "evidence_total": 3 });
        let page = shown(&json!({
            "because": ["forbidden_change_after_signing"],
            "signals": [
                signal("page_content_changed", &[&words, &removed]),
                signal("forbidden_change_after_signing", &[&words, &title, &removed]),
            ],
        }));
        for text in [
            "Total <del>1</del>,250.00 EUR",
            "Total <ins>9</ins>,250.00 EUR",
            "<td role=\"cell\" data-label=\"Before\"><bdi>&lt;b&gt;Void&lt;/b&gt;</bdi></td>",
            "aria-label=\"Outline of page 2 with the places of changes: 1\"",
            "Page 2, drawn as A4",
        ] {
            assert_eq!(page.matches(text).count(), 1, "{text}: {page}");
        }
        assert_eq!((page.matches("id=\"place-").count(), page.matches("href=\"#place-").count()), (2, 4), "{page}");
        // what is on no page stays with its signal; the terminal underlines
        assert!(page.contains("<dd><bdi><del>Old</del></bdi></dd>"), "{page}");
        assert!(page.contains("Before: Total 1,250.00 EUR\n                        ^\n"), "{page}");
    }

    #[test]
    fn a_save_that_says_nothing_of_itself_is_told_so_and_each_but_the_last_can_be_saved() {
        let saves = json!([
            { "number": 1, "end": 753, "saved_at": "2025-01-15T10:30:00Z", "producer": "Writer" },
            { "number": 2, "end": 900, "saved_at": null, "producer": "Writer" },
            { "number": 3, "end": 990, "saved_at": null, "producer": null },
        ]);
        let page = shown(&json!({ "revisions": saves }));
        assert!(page.contains("Save 2</b> · does not say when · <bdi>Writer</bdi>"), "{page}");
        assert_eq!(page.matches("· does not say when, or with what").count(), 1, "{page}");
        assert!(page.contains("\n     3  does not say when, or with what\n"), "{page}");
        assert_eq!(page.matches("data-end=").count(), 2, "{page}");
        assert!(page.contains("<li data-end=\"900\"><b>Save 2</b>"), "{page}");
        assert!(page.contains("data-size=\"1000\"") && page.contains("head -c 753 file.pdf"), "{page}");
        assert!(!shown(&json!({ "revisions": [save(1, &[])] })).contains("versions"));
    }
}
