//! Texts before and after each change, without duplicates if several signals report it. The old text comes from a
//! previous revision or from hidden text of a page. Grouped by page, numbered consecutively in the report.

use std::borrow::Cow;

use engine::{Evidence, HiddenItem, HiddenKind, Rectangle, SignalId};

use crate::difference::TextDifference;
use crate::model::{FoundSignal, Report};
use crate::place::{BEFORE, EvidenceSide, NOW, is_change, is_for_people, named, note_of, sides};
use crate::words;

/// Maximum findings listed; the technical evidence has all of them.
const MAX_LISTED: usize = 30;

/// A page with its findings; `None` for findings without a page.
#[derive(Debug)]
pub struct FoundPage<'r> {
    /// From 1.
    pub page: Option<u32>,
    /// From the oldest revision to the newest.
    pub findings: Vec<Finding<'r>>,
}

/// A place and its change.
#[derive(Debug)]
pub struct Finding<'r> {
    /// From 1, for all pages together.
    pub number: usize,
    /// The place in words.
    pub place: String,
    /// The revision that made the change, if known.
    pub save: Option<u32>,
    /// A further fact.
    pub note: Option<&'static str>,
    /// Before and after.
    pub sides: [EvidenceSide<'r>; 2],
    /// The bounds on the page, in points.
    pub bounds: Option<Rectangle>,
}

impl FoundPage<'_> {
    /// The located findings of the page, by number.
    #[must_use]
    pub fn marks(&self) -> Vec<(usize, Rectangle)> {
        self.findings.iter().filter_map(|finding| Some((finding.number, finding.bounds?))).collect()
    }
}

/// All findings, and the number of unlisted ones.
#[must_use]
pub fn findings(report: &Report) -> (Vec<FoundPage<'_>>, usize) {
    let mut rows: Vec<(Option<u32>, Finding<'_>)> = Vec::new();
    let changes = changes(report);
    for evidence in &changes {
        let is_drawing = !is_for_people(evidence);
        // drawing changes add nothing to text changes of the same page and revision
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
    let more = rows.len().saturating_sub(MAX_LISTED);
    rows.truncate(MAX_LISTED);
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

/// The evidence of changes that people understand, once each, whichever signals report it.
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

/// A hidden text and the visible text in its place.
fn of_hidden<'r>(report: &'r Report, item: &'r HiddenItem) -> Finding<'r> {
    let retyped = report.signals.iter().find(|signal| signal.id == Some(SignalId::TextRetyped));
    let mut places = retyped.into_iter().flat_map(|signal| &signal.evidence);
    let place = places
        .find(|it| item.kind == HiddenKind::Retyped && it.page == Some(item.page) && it.r#box == Some(item.r#box));
    // the visible line is compared with the original line, not with its hidden words only
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

/// A note that the replaced or covered text is still in the file.
fn still_there(kind: HiddenKind) -> &'static str {
    match kind {
        HiddenKind::Retyped | HiddenKind::Covered => "The original text is still underneath.",
        HiddenKind::RedactionUnapplied => "Marked for removal, but still there.",
        HiddenKind::Invisible | HiddenKind::Tiny | HiddenKind::HiddenLayer | HiddenKind::OffPage => {
            "It is invisible, but still there."
        }
    }
}
