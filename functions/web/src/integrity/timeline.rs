//! The file's life as a picture: its saves from left to right, what each signature covers above them, and below what
//! each save changed. A pure function of the report; the list of saves tells the same in words.

use std::collections::BTreeSet;

use engine::{After, Change, Covers, Revision, Signature};
use maud::{Markup, html};
use report::allowance::{Allowance, allowance};
use report::words::{self, Tone, cut};
use report::{Known, Report, sentences};

use super::{mark, signatures};

/// Width that pictures of few saves fill, in units of a sixteenth of the text's size, as all lengths here.
const WIDTH: u32 = 964;
const NARROWEST: u32 = 15;
/// A column that has room for texts.
const ROOMY: u32 = 94;
/// One that has room for a time with its zone.
const WIDE: u32 = 150;
/// For the names of lanes.
const MARGIN: u32 = 124;
const SIGNATURE: u32 = 38;
const LANE: u32 = 28;
/// Signatures drawn, the newest; the cards tell of all.
const SIGNATURES: usize = 6;

/// Where things are.
struct TimelineLayout<'r> {
    report: &'r Report,
    left: u32,
    column: u32,
    signatures: Vec<&'r Signature>,
    /// Kinds of changes, from what is seen to what is not.
    lanes: Vec<Change>,
}

/// The picture.
pub(super) fn picture(report: &Report) -> Markup {
    let frame = TimelineLayout::new(report);
    let (width, height) = (frame.width(), frame.height());
    html! {
        div.scroll role="region" aria-label="Picture of the file history" tabindex="0" {
            svg.life role="img" aria-labelledby="life-title life-desc" viewBox={ "0 0 " (width) " " (height) }
                width={ (f64::from(width) / 16.0) "rem" } height={ (f64::from(height) / 16.0) "rem" } {
                title #life-title { "File history" }
                desc #life-desc { (description(report)) }
                (shapes())
                (frame.lanes())
                (frame.axis())
                (frame.signatures())
                @for (index, revision) in report.revisions.iter().enumerate() { (frame.node(index, revision)) }
            }
        }
    }
}

/// The picture in a sentence.
fn description(report: &Report) -> String {
    let saves = words::count(report.revisions.len(), "save");
    let signatures = words::count(report.signatures.len(), "signature");
    let told = report.revisions.iter().filter(|revision| !revision.changes.is_empty());
    let told: Vec<String> = told
        .take(6)
        .map(|revision| format!("save {} changed {}", revision.number, words::changes(&known(revision))))
        .collect();
    let told = if told.is_empty() { String::new() } else { format!(" {}.", words::label(&told.join("; "))) };
    format!("{saves}, {signatures}.{told} The list of saves tells it all in words.")
}

impl<'r> TimelineLayout<'r> {
    fn new(report: &'r Report) -> Self {
        // what the seals show already is no lane of its own
        let is_known = report.revisions.iter().all(|it| it.signed || !it.changes.contains(&Change::Signatures));
        let changes: BTreeSet<Change> = report.revisions.iter().flat_map(|it| it.changes.iter().copied()).collect();
        let lanes: Vec<Change> = changes.into_iter().filter(|it| !(is_known && *it == Change::Signatures)).collect();
        let left = if lanes.is_empty() { 4 } else { MARGIN };
        let count = (report.revisions.len() as u32).max(1);
        let column = ((WIDTH - left - 16) / count).max(NARROWEST);
        let skipped = report.signatures.len().saturating_sub(SIGNATURES);
        let signatures = report.signatures.iter().skip(skipped).collect();
        Self { report, left, column, signatures, lanes }
    }

    fn width(&self) -> u32 {
        self.left + self.column * (self.report.revisions.len() as u32).max(1) + 16
    }

    fn height(&self) -> u32 {
        self.lane(self.lanes.len()) + 4
    }

    /// Where the line of saves is.
    fn line(&self) -> u32 {
        self.signatures.len() as u32 * SIGNATURE + 16
    }

    fn is_roomy(&self) -> bool {
        self.column >= ROOMY
    }

    /// Top of a lane.
    fn lane(&self, index: usize) -> u32 {
        self.line() + if self.is_roomy() { 88 } else { 58 } + index as u32 * LANE
    }

    fn x(&self, index: usize) -> u32 {
        self.left + self.column * index as u32 + self.column.min(24) / 2
    }

    /// The save with this number, or the nearest one that is told of.
    fn x_of(&self, number: u32) -> u32 {
        let index = self.report.revisions.iter().rposition(|revision| revision.number <= number);
        self.x(index.unwrap_or_default())
    }

    /// How many letters fit.
    fn places(&self, width: u32) -> usize {
        (width / 7) as usize
    }

    /// A line through all saves, which goes on as the file that was analysed.
    fn axis(&self) -> Markup {
        let (y, last) = (self.line(), self.x(self.report.revisions.len().saturating_sub(1)));
        let is_cut = self.report.revisions.first().is_some_and(|first| first.number > 1);
        html! {
            path.line d={ "M" (self.left) " " (y) "H" (last) } stroke-dasharray=[is_cut.then_some("2 5")] {}
            path.line.later d={ "M" (last) " " (y) "H" (self.width()) } {}
        }
    }

    /// What each signature covers, from the file's start to its save.
    fn signatures(&self) -> Markup {
        html! {
            @for (row, signature) in self.signatures.iter().enumerate() {
                @let y = row as u32 * SIGNATURE + 24;
                @let x = self.x_of(signature.revision);
                @let name = signature.signer.as_deref().or(signature.field.as_deref()).unwrap_or("Nobody named");
                @let told = format!("{} · {}", words::signature_kind(signature.kind), signatures::headline(signature));
                @let places = self.places(self.width() - self.left).saturating_sub(told.len() + 3);
                path.drop d={ "M" (x) " " (y) "V" (self.line()) } {}
                path class={ "cover " (words::signature_tone(signature).class()) }
                    d={ "M" (self.left) " " (y) "H" (x) } stroke-dasharray=[(signature.covers == Covers::Part).then_some("4 6")] {}
                @if let Some(tone) = after_tone(signature.after) {
                    path class={ "after " (tone.class()) } d={ "M" (x) " " (y) "H" (self.x_of(u32::MAX)) } {}
                }
                (mark::seal_at(signature, x, y))
                text x=(self.left) y=(y - 13) { tspan.strong { (cut(name, places)) } tspan.soft { " · " (told) } }
            }
        }
    }

    /// A save: its number on the line, and below it when it was made and with what.
    fn node(&self, index: usize, revision: &Revision) -> Markup {
        let (x, y) = (self.x(index), self.line());
        let all = &self.report.revisions;
        let is_end = index == 0 || index + 1 == all.len();
        let (date, time) = moment(self.report, revision);
        let time = if self.column < WIDE { time.split(" UTC").next().unwrap_or_default() } else { &time };
        let places = self.places(self.column.saturating_sub(8));
        let producer = revision.producer.as_deref();
        let before = index.checked_sub(1).and_then(|index| all.get(index)).map(|before| before.producer.as_deref());
        let is_same = producer.is_some() && before == Some(producer);
        let with = if is_same { Some("same software") } else { producer };
        html! {
            @if self.column >= 40 {
                circle.node cx=(x) cy=(y) r="10" {}
                text.number x=(x) y=(y + 4) { (revision.number) }
            } @else {
                circle.node cx=(x) cy=(y) r="5" {}
                // the last one's number has its place
                @if is_end || (revision.number.is_multiple_of(5) && index + 3 < all.len()) {
                    text.number x=(x) y=(y + 22) { (revision.number) }
                }
            }
            @if self.is_roomy() {
                text x=(x - 9) y=(y + 30) { tspan.strong { (cut(&date, places)) } }
                text.soft x=(x - 9) y=(y + 46) { (cut(time, places)) }
                @if let Some(with) = with { text.soft x=(x - 9) y=(y + 62) { (cut(with, places)) } }
            } @else if is_end && index == 0 {
                text.soft x=(self.left) y=(y + 42) { (date) }
            } @else if is_end {
                text.soft.end x=(x + 6) y=(y + 42) { (date) }
            }
            (self.changes(x, revision))
        }
    }

    /// A mark in the lane of each kind that the save changed.
    fn changes(&self, x: u32, revision: &Revision) -> Markup {
        let allowance = allowance(self.report, revision);
        let lanes = self.lanes.iter().enumerate().filter(|(_, kind)| revision.changes.contains(kind));
        html! {
            @for (index, kind) in lanes {
                @let y = self.lane(index) + LANE / 2;
                (change_at(if *kind == Change::Signatures { None } else { Some(allowance) }, x, y))
                @if self.is_roomy() && [Change::PageContent, Change::Annotations].contains(kind) && !revision.pages.is_empty() {
                    text.soft x=(x + 14) y=(y + 4) { (cut(&sentences::pages(&revision.pages), self.places(self.column - 32))) }
                }
            }
        }
    }

    fn lanes(&self) -> Markup {
        html! {
            @for (index, kind) in self.lanes.iter().enumerate() {
                @let y = self.lane(index) + LANE / 2;
                path.lane d={ "M" (self.left) " " (y) "H" (self.width()) } {}
                text x="0" y=(y + 4) { (cut(words::change(Known(Some(*kind))), 17)) }
            }
        }
    }
}

/// How what was done after a signature looks; nothing if nothing was.
fn after_tone(after: Option<After>) -> Option<Tone> {
    match after {
        Some(After::Permitted) => Some(Tone::Good),
        Some(After::Forbidden) => Some(Tone::Bad),
        Some(After::Nothing) | None => None,
    }
}

fn known(revision: &Revision) -> Vec<Known<Change>> {
    revision.changes.iter().map(|change| Known(Some(*change))).collect()
}

/// The date of a save and, apart, its time; or that it has none.
fn moment(report: &Report, revision: &Revision) -> (String, String) {
    let told = words::label(&sentences::when(report, revision));
    let (date, time) = told.split_once(", ").unwrap_or((&told, ""));
    (date.to_owned(), time.trim_end_matches(", by its signature").to_owned())
}

/// The mark of a change: each allowance has a shape of its own; none for what signatures bring along.
fn change_at(allowance: Option<Allowance>, x: u32, y: u32) -> Markup {
    html! { use href={ "#change-" (tone_of(allowance)) } x=(x) y=(y) {} }
}

fn tone_of(allowance: Option<Allowance>) -> &'static str {
    match allowance {
        None => "neutral",
        Some(Allowance::Plain) => "warn",
        Some(Allowance::Permitted) => "good",
        Some(Allowance::Forbidden) => "bad",
    }
}

/// The shapes of these marks: fifty saves have a hundred of them.
fn shapes() -> Markup {
    let shapes = [
        (None, "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", ""),
        (Some(Allowance::Plain), "M0-8L8 0 0 8-8 0z", ""),
        (Some(Allowance::Permitted), "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z", "M-3.2.2l2.2 2.3L3.2-2.2"),
        (Some(Allowance::Forbidden), "M-7-7H7V7H-7z", "M-3-3l6 6M3-3l-6 6"),
    ];
    html! {
        defs {
            @for (allowance, shape, sign) in shapes {
                g id={ "change-" (tone_of(allowance)) } class={ "change " (tone_of(allowance)) } {
                    path d=(shape) {}
                    @if !sign.is_empty() { path.sign d=(sign) {} }
                }
            }
        }
    }
}

/// What the marks mean, of those that there are.
pub(super) fn legend(report: &Report) -> Markup {
    let changed = report.revisions.iter().filter(|it| it.changes.iter().any(|change| *change != Change::Signatures));
    let outcomes: Vec<Allowance> = changed.map(|revision| allowance(report, revision)).collect();
    let meanings = [
        (Allowance::Plain, "changed by that save"),
        (Allowance::Permitted, "change permitted by earlier signatures"),
        (Allowance::Forbidden, "change not permitted by an earlier signature"),
    ];
    let found: Vec<_> = meanings.into_iter().filter(|(allowance, _)| outcomes.contains(allowance)).collect();
    html! {
        @if !found.is_empty() {
            ul.legend {
                @for (allowance, meaning) in found {
                    li { svg viewBox="0 0 18 18" aria-hidden="true" { (change_at(Some(allowance), 9, 9)) } (meaning) }
                }
            }
        }
    }
}
