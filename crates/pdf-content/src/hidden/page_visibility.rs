//! Visible text of a page, and the areas that cover the rest.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use crate::text_contrast::Background;
use crate::{AnnotationKind, AreaKind, Areas, BaselineKey, Line, PageText, Rectangle, Run, Visibility};

/// Share of a page that images cover on a scan; recognized text on it is not meant to be visible.
const SCAN_MIN_PART: f64 = 0.5;

/// Side of the cells of the index of runs, in points.
const CELL_SIZE_PT: f64 = 4.0;
/// Number of linear searches before the index is built, which costs as much as some of them.
const MAX_LINEAR_SEARCHES: usize = 4;

/// Index entry of a visible run: the cell of its lower left corner, and its index.
type Placed = (i32, i32, usize);

/// A page with the visibility of its text.
pub(super) struct PageVisibility<'p> {
    pub(super) page: &'p PageText,
    /// All filled areas.
    pub(super) areas: Areas<'p>,
    pub(super) visibility: Visibility<'p>,
    /// Whether it is a scan.
    pub(super) is_scan: bool,
    /// Visible runs by cell and text; built on demand.
    cells: OnceCell<Vec<Placed>>,
    /// Number of lookups so far.
    lookups: Cell<usize>,
}

impl<'p> PageVisibility<'p> {
    /// Evaluates a page; none if that takes more than `checks`.
    pub(super) fn new(page: &'p PageText, checks: &mut usize) -> Option<Self> {
        // a mark with words of its own is read in place of what it covers
        let says = |run: &Run| run.is_painted() && is_meaningful(page.text(run));
        let is_marking = |annotation: u32| {
            let mut marks = page.annotations.iter();
            marks.any(|found| found.number == annotation && matches!(found.kind, AnnotationKind::Redact(_)))
                && !page.runs.iter().any(|run| run.annotation == Some(annotation) && says(run))
        };
        let visibility = Visibility::of(page, |area| !area.annotation.is_some_and(is_marking), checks)?;
        let areas = Areas::new(page, page.areas.iter().filter(|area| !area.is_off));
        Some(Self { page, areas, visibility, is_scan: is_scan(page), cells: OnceCell::new(), lookups: Cell::new(0) })
    }

    /// Returns the runs with visible glyphs, with their indices.
    pub(super) fn seen(&self) -> impl Iterator<Item = (usize, &'p Run)> {
        self.page.runs.iter().enumerate().filter(|(place, _)| self.visibility.is_run_seen(*place))
    }

    /// Whether the page has images and no text except these invisible runs.
    pub(super) fn is_image(&self, invisible: &BTreeSet<usize>) -> bool {
        let is_text = |(place, run): (usize, &Run)| {
            run.is_painted() && !invisible.contains(&place) && is_meaningful(self.page.text(run))
        };
        let mut areas = self.page.areas.iter().filter(|area| !area.is_off);
        areas.any(|area| area.kind == AreaKind::Image) && !self.seen().any(is_text)
    }

    /// Returns the runs sorted by baseline, from the lowest up.
    pub(super) fn levels(&self) -> Vec<(BaselineKey, usize)> {
        // most pages are painted from the top, so that the reverse order is nearly sorted
        let runs = self.page.runs.iter().enumerate().rev();
        let mut levels: Vec<(BaselineKey, usize)> = runs.map(|(place, run)| (run.level(), place)).collect();
        levels.sort_by(|(one, _), (other, _)| one.order(*other));
        levels
    }

    /// Returns the lines of these runs.
    pub(super) fn lines(&self, places: &[usize]) -> Vec<Line> {
        let runs: Vec<Run> = places.iter().filter_map(|place| self.page.runs.get(*place).cloned()).collect();
        self.page.lines_of(&runs)
    }

    /// Whether a run has no perceptible contrast to what it is painted on: it may hide what was painted there before.
    pub(super) fn has_color_of_ground(&self, run: &Run) -> bool {
        match self.areas.background(self.page, run) {
            Background::Paper => run.is_invisible_on([u8::MAX; 3]),
            Background::Color(color) => run.is_invisible_on(color),
            Background::Unknown => false,
        }
    }

    /// Whether another run has the same text in the same place and is seen, not a copy in the color of the ground that
    /// hides it.
    pub(super) fn has_seen_copy(&self, place: usize) -> bool {
        let Some(run) = self.page.runs.get(place) else { return false };
        let near = run.size.max(1.0) / 2.0;
        let is_same = |other: &Run| {
            let corners = run.bounds.corners().into_iter().zip(other.bounds.corners());
            let apart = corners.map(|(one, other)| (one - other).abs());
            apart.fold(0.0, f64::max) <= near
                && self.page.text(other) == self.page.text(run)
                && !self.has_color_of_ground(other)
        };
        if self.lookups.replace(self.lookups.get() + 1) < MAX_LINEAR_SEARCHES {
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
    (coordinate / CELL_SIZE_PT).floor() as i32
}

fn is_scan(page: &PageText) -> bool {
    let images = page.areas.iter().filter(|area| area.kind == AreaKind::Image && !area.is_off);
    let [width, height] = page.size;
    images.map(|image| image.bounds.area()).sum::<f64>() >= SCAN_MIN_PART * width * height
}

/// Whether a text has a letter, a digit, or an undecoded character; fill-in lines and leaders have none.
pub(super) fn is_meaningful(text: &str) -> bool {
    text.chars().any(|character| character.is_alphanumeric() || character == char::REPLACEMENT_CHARACTER)
}
