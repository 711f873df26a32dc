//! What was there before and what is there now, each once, whichever signals name it and however it can be known: from a save
//! before, or from what a page hides beneath. Page by page, numbered through the whole report.

use std::borrow::Cow;

use engine::{Evidence, HiddenItem, HiddenKind, Rectangle, SignalId};

use crate::difference::TextDifference;
use crate::model::{FoundSignal, Report};
use crate::place::{BEFORE, EvidenceSide, NOW, is_change, is_for_people, named, note_of, sides};
use crate::words;

/// Findings that are listed; more of them stand among the technical evidence.
const LISTED: usize = 30;

/// A page with what was found on it; none for what is on no page.
#[derive(Debug)]
pub struct FoundPage<'r> {
    /// From 1.
    pub page: Option<u32>,
    /// From the oldest save to the newest.
    pub findings: Vec<Finding<'r>>,
}

/// One place, and what became of it.
#[derive(Debug)]
pub struct Finding<'r> {
    /// From 1, on all pages together.
    pub number: usize,
    /// Where it is, in words.
    pub place: String,
    /// The save that did it, if it is known by one.
    pub save: Option<u32>,
    /// What there is to know beside its two sides.
    pub note: Option<&'static str>,
    /// What was there, and what is there.
    pub sides: [EvidenceSide<'r>; 2],
    /// Where on the page, in points.
    pub bounds: Option<Rectangle>,
}

impl FoundPage<'_> {
    /// The places on the page, by their numbers.
    #[must_use]
    pub fn marks(&self) -> Vec<(usize, Rectangle)> {
        self.findings.iter().filter_map(|finding| Some((finding.number, finding.bounds?))).collect()
    }
}

/// All of them, and how many more there are.
#[must_use]
pub fn findings(report: &Report) -> (Vec<FoundPage<'_>>, usize) {
    let mut rows: Vec<(Option<u32>, Finding<'_>)> = Vec::new();
    let changes = changes(report);
    for evidence in &changes {
        let is_drawing = !is_for_people(evidence);
        // of what is told in words, the bytes say nothing more
        let has_words = |other: &&&Evidence| {
            is_for_people(other) && (other.page, other.revision) == (evidence.page, evidence.revision)
        };
        if !(is_drawing && changes.iter().any(|other| has_words(&other))) {
            rows.push((evidence.page, of_change(evidence, is_drawing)));
        }
    }
    for item in report.hidden.iter().flat_map(|hidden| &hidden.items) {
        let same = rows
            .iter_mut()
            .find(|(page, row)| *page == Some(item.page) && row.bounds.is_some_and(|bounds| bounds.meets(item.r#box)));
        match same {
            Some((_, row)) => row.note = Some(still_there(item.kind)),
            None => rows.push((Some(item.page), of_hidden(report, item))),
        }
    }
    let more = rows.len().saturating_sub(LISTED);
    rows.truncate(LISTED);
    rows.sort_by_key(|(page, row)| (page.is_none(), *page, row.save));
    let mut pages: Vec<FoundPage<'_>> = Vec::new();
    for (number, (page, row)) in rows.into_iter().enumerate() {
        let row = Finding { number: number + 1, ..row };
        match pages.last_mut().filter(|last| last.page == page) {
            Some(last) => last.findings.push(row),
            None => pages.push(FoundPage { page, findings: vec![row] }),
        }
    }
    (pages, more)
}

/// The evidence of changes that means something to people, each once, whichever signals name it.
fn changes(report: &Report) -> Vec<&Evidence> {
    let mut found: Vec<&Evidence> = Vec::new();
    let of_signal = |signal: &FoundSignal, evidence: &&Evidence| {
        is_change(signal.id, evidence) && (evidence.r#box.is_some() || is_for_people(evidence))
    };
    for signal in report.deciding().chain(report.others()) {
        for evidence in signal.evidence.iter().filter(|evidence| of_signal(signal, evidence)) {
            if !found.contains(&evidence) {
                found.push(evidence);
            }
        }
    }
    found
}

fn of_change(evidence: &Evidence, is_drawing: bool) -> Finding<'_> {
    let mut both = sides(None, evidence).into_iter();
    let empty = |label| EvidenceSide { label, text: None, is_withheld: false, changed: Vec::new() };
    let mut both = [both.next().unwrap_or(empty(BEFORE)), both.next().unwrap_or(empty(NOW))];
    for side in &mut both {
        let shown = match &side.text {
            Some(_) if is_drawing => Some("graphics, not text"),
            Some(Cow::Borrowed(text)) => note_of(text),
            _ => None,
        };
        if let Some(shown) = shown {
            (side.text, side.changed) = (Some(shown.into()), Vec::new());
        }
    }
    if is_drawing && both.iter().all(|side| side.text.is_some()) {
        both[1].text = Some("other graphics, not text".into());
    }
    Finding {
        number: 0,
        place: evidence.place.as_deref().map_or_else(|| "Something".to_owned(), |place| named(place).0),
        save: evidence.revision,
        note: None,
        sides: both,
        bounds: evidence.r#box,
    }
}

/// What a page hides: what lies beneath, and what is seen in its place.
fn of_hidden<'r>(report: &'r Report, item: &'r HiddenItem) -> Finding<'r> {
    let retyped = report.signals.iter().find(|signal| signal.id == Some(SignalId::TextRetyped));
    let mut places = retyped.into_iter().flat_map(|signal| &signal.evidence);
    let place = places
        .find(|it| item.kind == HiddenKind::Retyped && it.page == Some(item.page) && it.r#box == Some(item.r#box));
    // the line that stands there is told against the line that stood there, not against the words of it that are hidden
    let (before, now) = match place {
        Some(place) => (place.before.as_deref(), place.after.as_deref()),
        None => (item.text.as_deref(), None),
    };
    let difference = before.zip(now).map(|(before, now)| TextDifference::between(before, now)).unwrap_or_default();
    let side = |label, text: Option<&'r str>, is_withheld, changed| EvidenceSide {
        label,
        text: text.map(Cow::Borrowed),
        is_withheld,
        changed,
    };
    let lacks_now = place.is_some_and(Evidence::lacks_after);
    Finding {
        number: 0,
        place: words::hidden(item.kind).to_owned(),
        save: None,
        note: None,
        sides: [side(BEFORE, before, before.is_none(), difference.before), side(NOW, now, lacks_now, difference.after)],
        bounds: Some(item.r#box),
    }
}

/// That what was exchanged or covered can still be found on the page.
fn still_there(kind: HiddenKind) -> &'static str {
    match kind {
        HiddenKind::Retyped | HiddenKind::Covered => "The original text is still underneath.",
        HiddenKind::RedactionUnapplied => "Marked for removal, but still there.",
        HiddenKind::Invisible | HiddenKind::Tiny | HiddenKind::HiddenLayer | HiddenKind::OffPage => {
            "It is invisible, but still there."
        }
    }
}
