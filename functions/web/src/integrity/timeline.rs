//! The revision history as a picture: revisions from left to right, the coverage of each signature above them, and the
//! changes of each revision below. A pure function of the report; the list of revisions has the same in words.

use std::collections::BTreeSet;

use engine::{After, Change, Covers, Revision, Signature};
use maud::{Markup, html};
use report::allowance::{Allowance, allowance};
use report::words::{self, Tone, cut};
use report::{Known, Report, sentences};

use super::{badge, signatures};

/// Width of pictures with few revisions, in 1/16 em, as all lengths here.
const WIDTH: u32 = 964;
const MIN_COLUMN: u32 = 15;
/// Least width of a column with texts.
const TEXT_COLUMN: u32 = 94;
/// Least width of a column with a time and its zone.
const ZONE_COLUMN: u32 = 150;
/// Width of the names of lanes.
const MARGIN: u32 = 124;
const SIGNATURE_HEIGHT: u32 = 38;
const LANE_HEIGHT: u32 = 28;
/// Signatures drawn, the newest; the cards show all.
const MAX_SIGNATURES: usize = 6;

/// The layout of the picture.
struct TimelineLayout<'r> {
    report: &'r Report,
    left: u32,
    column: u32,
    signatures: Vec<&'r Signature>,
    /// Kinds of changes, visible ones first.
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

/// The alternative text.
fn description(report: &Report) -> String {
    let saves = words::count(report.revisions.len(), "save");
    let signatures = words::count(report.signatures.len(), "signature");
    let changed = report.revisions.iter().filter(|revision| !revision.changes.is_empty());
    let changed: Vec<String> = changed
        .take(6)
        .map(|revision| format!("save {} changed {}", revision.number, words::changes(&known(revision))))
        .collect();
    let changed = if changed.is_empty() { String::new() } else { format!(" {}.", words::label(&changed.join("; "))) };
    format!("{saves}, {signatures}.{changed} The list of saves tells it all in words.")
}

impl<'r> TimelineLayout<'r> {
    fn new(report: &'r Report) -> Self {
        // signatures need no separate lane if seals show them
        let is_known = report.revisions.iter().all(|it| it.signed || !it.changes.contains(&Change::Signatures));
        let changes: BTreeSet<Change> = report.revisions.iter().flat_map(|it| it.changes.iter().copied()).collect();
        let lanes: Vec<Change> = changes.into_iter().filter(|it| !(is_known && *it == Change::Signatures)).collect();
        let left = if lanes.is_empty() { 4 } else { MARGIN };
        let count = (report.revisions.len() as u32).max(1);
        let column = ((WIDTH - left - 16) / count).max(MIN_COLUMN);
        let skipped = report.signatures.len().saturating_sub(MAX_SIGNATURES);
        let signatures = report.signatures.iter().skip(skipped).collect();
        Self { report, left, column, signatures, lanes }
    }

    fn width(&self) -> u32 {
        self.left + self.column * (self.report.revisions.len() as u32).max(1) + 16
    }

    fn height(&self) -> u32 {
        self.lane(self.lanes.len()) + 4
    }

    /// The y position of the line of revisions.
    fn line(&self) -> u32 {
        self.signatures.len() as u32 * SIGNATURE_HEIGHT + 16
    }

    fn is_roomy(&self) -> bool {
        self.column >= TEXT_COLUMN
    }

    /// Top of a lane.
    fn lane(&self, index: usize) -> u32 {
        self.line() + if self.is_roomy() { 88 } else { 58 } + index as u32 * LANE_HEIGHT
    }

    fn x(&self, index: usize) -> u32 {
        self.left + self.column * index as u32 + self.column.min(24) / 2
    }

    /// The index of the revision with this number, or the nearest one in the report.
    fn x_of(&self, number: u32) -> u32 {
        let index = self.report.revisions.iter().rposition(|revision| revision.number <= number);
        self.x(index.unwrap_or_default())
    }

    /// The number of letters per column.
    fn places(&self, width: u32) -> usize {
        (width / 7) as usize
    }

    /// The line of revisions, which continues to the analyzed file.
    fn axis(&self) -> Markup {
        let (y, last) = (self.line(), self.x(self.report.revisions.len().saturating_sub(1)));
        let is_cut = self.report.revisions.first().is_some_and(|first| first.number > 1);
        html! {
            path.line d={ "M" (self.left) " " (y) "H" (last) } stroke-dasharray=[is_cut.then_some("2 5")] {}
            path.line.later d={ "M" (last) " " (y) "H" (self.width()) } {}
        }
    }

    /// The coverage of each signature, from the file's start to its revision.
    fn signatures(&self) -> Markup {
        html! {
            @for (row, signature) in self.signatures.iter().enumerate() {
                @let y = row as u32 * SIGNATURE_HEIGHT + 24;
                @let x = self.x_of(signature.revision);
                @let name = signature.signer.as_deref().or(signature.field.as_deref()).unwrap_or("Nobody named");
                @let label = format!("{} · {}", words::signature_kind(signature.kind), signatures::headline(signature));
                @let places = self.places(self.width() - self.left).saturating_sub(label.len() + 3);
                path.drop d={ "M" (x) " " (y) "V" (self.line()) } {}
                path class={ "cover " (words::signature_tone(signature).class()) }
                    d={ "M" (self.left) " " (y) "H" (x) } stroke-dasharray=[(signature.covers == Covers::Part).then_some("4 6")] {}
                @if let Some(tone) = after_tone(signature.after) {
                    path class={ "after " (tone.class()) } d={ "M" (x) " " (y) "H" (self.x_of(u32::MAX)) } {}
                }
                (badge::seal_at(signature, x, y))
                text x=(self.left) y=(y - 13) { tspan.strong { (cut(name, places)) } tspan.soft { " · " (label) } }
            }
        }
    }

    /// A revision: its number on the line, and below it its date and program.
    fn node(&self, index: usize, revision: &Revision) -> Markup {
        let (x, y) = (self.x(index), self.line());
        let all = &self.report.revisions;
        let is_end = index == 0 || index + 1 == all.len();
        let (date, time) = moment(self.report, revision);
        let time = if self.column < ZONE_COLUMN { time.split(" UTC").next().unwrap_or_default() } else { &time };
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
                // unless it is too close to the last revision's number
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

    /// A mark in the lane of each kind of change in the revision.
    fn changes(&self, x: u32, revision: &Revision) -> Markup {
        let allowance = allowance(self.report, revision);
        let lanes = self.lanes.iter().enumerate().filter(|(_, kind)| revision.changes.contains(kind));
        html! {
            @for (index, kind) in lanes {
                @let y = self.lane(index) + LANE_HEIGHT / 2;
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
                @let y = self.lane(index) + LANE_HEIGHT / 2;
                path.lane d={ "M" (self.left) " " (y) "H" (self.width()) } {}
                text x="0" y=(y + 4) { (cut(words::change(Known(Some(*kind))), 17)) }
            }
        }
    }
}

/// The style of the changes after a signature; `None` without changes.
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

/// The date of a revision and its time; or that it has none.
fn moment(report: &Report, revision: &Revision) -> (String, String) {
    let date_time = words::label(&sentences::when(report, revision));
    let (date, time) = date_time.split_once(", ").unwrap_or((&date_time, ""));
    (date.to_owned(), time.trim_end_matches(", by its signature").to_owned())
}

/// The mark of a change, with a shape per allowance; none for signature objects.
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

/// The shapes of the marks, defined once: fifty revisions have a hundred marks.
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

/// The legend of the marks in use.
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
