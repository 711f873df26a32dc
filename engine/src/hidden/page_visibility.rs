//! Which text of a page is seen, and under what the rest lies.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use crate::content::{AnnotationKind, AreaKind, Areas, Line, LineLevel, PageText, Rectangle, Run, Visibility};

/// The part of a page that images cover which is a scan; what text recognition adds to it is not meant to be seen.
const SCAN: f64 = 0.5;

/// Side of the cells by which runs are found, in points.
const CELL: f64 = 4.0;
/// How often all runs are compared before they are sorted, which takes as long as some comparisons.
const SCANS: usize = 4;

/// The place of a run that is seen, with the cell of its lower left corner.
type Placed = (i32, i32, usize);

/// A page, with what lies over its text.
pub(super) struct Sight<'p> {
    pub(super) page: &'p PageText,
    /// All that is filled.
    pub(super) areas: Areas<'p>,
    pub(super) visibility: Visibility<'p>,
    /// Whether it is the picture of a page.
    pub(super) is_scan: bool,
    /// The runs that are seen, by their cells and their texts; sorted once one of them is looked for.
    cells: OnceCell<Vec<Placed>>,
    /// How often one was looked for.
    asked: Cell<usize>,
}

impl<'p> Sight<'p> {
    /// Looks at a page; none if that takes more than `checks`.
    pub(super) fn new(page: &'p PageText, checks: &mut usize) -> Option<Self> {
        let is_marking = |annotation: u32| {
            let mut marks = page.annotations.iter();
            marks.any(|found| found.number == annotation && matches!(found.kind, AnnotationKind::Redact(_)))
        };
        let visibility = Visibility::of(page, |area| !area.annotation.is_some_and(is_marking), checks)?;
        let areas = Areas::new(page, page.areas.iter().filter(|area| !area.is_off));
        Some(Self { page, areas, visibility, is_scan: is_scan(page), cells: OnceCell::new(), asked: Cell::new(0) })
    }

    /// The runs that are seen, or something of them, with their places.
    pub(super) fn seen(&self) -> impl Iterator<Item = (usize, &'p Run)> {
        self.page.runs.iter().enumerate().filter(|(place, _)| self.visibility.is_run_seen(*place))
    }

    /// Whether the page draws pictures, and no text but what stands in these places, which cannot be seen.
    pub(super) fn is_image(&self, unseen: &BTreeSet<usize>) -> bool {
        let is_text = |(place, run): (usize, &Run)| {
            run.is_painted() && !unseen.contains(&place) && says_something(self.page.text(run))
        };
        let mut areas = self.page.areas.iter().filter(|area| !area.is_off);
        areas.any(|area| area.kind == AreaKind::Image) && !self.seen().any(is_text)
    }

    /// The runs by the levels on which they stand, those of each from the lowest one on.
    pub(super) fn levels(&self) -> Vec<(LineLevel, usize)> {
        // most pages are drawn from the top, so that from the last run on little is left to sort
        let runs = self.page.runs.iter().enumerate().rev();
        let mut levels: Vec<(LineLevel, usize)> = runs.map(|(place, run)| (run.level(), place)).collect();
        levels.sort_by(|(one, _), (other, _)| one.order(*other));
        levels
    }

    /// The lines that the runs in these places make.
    pub(super) fn lines(&self, places: &[usize]) -> Vec<Line> {
        let runs: Vec<Run> = places.iter().filter_map(|place| self.page.runs.get(*place).cloned()).collect();
        self.page.lines_of(&runs)
    }

    /// Whether the same text is seen in the same place as well.
    pub(super) fn is_seen_again(&self, place: usize) -> bool {
        let Some(run) = self.page.runs.get(place) else { return false };
        let near = run.size.max(1.0) / 2.0;
        let is_same = |other: &Run| {
            let corners = run.bounds.corners().into_iter().zip(other.bounds.corners());
            let apart = corners.map(|(one, other)| (one - other).abs());
            apart.fold(0.0, f64::max) <= near && self.page.text(other) == self.page.text(run)
        };
        if self.asked.replace(self.asked.get() + 1) < SCANS {
            return self.seen().any(|(other, run)| other != place && is_same(run));
        }
        let other = |found: usize| self.page.runs.get(found).filter(|_| found != place);
        let Rectangle { left, bottom, .. } = run.bounds;
        let (columns, rows) = (cell(left - near)..=cell(left + near), cell(bottom - near)..=cell(bottom + near));
        let cells = self.cells.get_or_init(|| self.cells());
        // fewer runs than cells
        if columns.clone().count().saturating_mul(rows.clone().count()) > cells.len() {
            return cells.iter().any(|(.., place)| other(*place).is_some_and(is_same));
        }
        let text = self.page.text(run);
        columns.flat_map(|column| rows.clone().map(move |row| (column, row, text))).any(|wanted| {
            let first = cells.partition_point(|cell| self.key(cell) < wanted);
            let mut found = cells.iter().skip(first).take_while(|cell| self.key(cell) == wanted);
            found.any(|(.., place)| other(*place).is_some_and(is_same))
        })
    }

    fn cells(&self) -> Vec<Placed> {
        let cell = |(place, run): (usize, &Run)| (cell(run.bounds.left), cell(run.bounds.bottom), place);
        let mut cells: Vec<Placed> = self.seen().map(cell).collect();
        cells.sort_unstable_by(|one, other| self.key(one).cmp(&self.key(other)));
        cells
    }

    fn key(&self, (column, row, place): &Placed) -> (i32, i32, &'p str) {
        (*column, *row, self.page.runs.get(*place).map_or("", |run| self.page.text(run)))
    }
}

fn cell(coordinate: f64) -> i32 {
    (coordinate / CELL).floor() as i32
}

fn is_scan(page: &PageText) -> bool {
    let images = page.areas.iter().filter(|area| area.kind == AreaKind::Image && !area.is_off);
    let [width, height] = page.size;
    images.map(|image| image.bounds.area()).sum::<f64>() >= SCAN * width * height
}

/// Whether a text has a letter, a digit, or a sign that cannot be read: lines to write on are made of others.
pub(super) fn says_something(text: &str) -> bool {
    text.chars().any(|character| character.is_alphanumeric() || character == char::REPLACEMENT_CHARACTER)
}
