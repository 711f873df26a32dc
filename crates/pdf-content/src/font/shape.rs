//! Coarse rasters of glyph outlines: which share of each cell of its box is ink, and how large and where the box is.

use ttf_parser::OutlineBuilder;

/// The raster.
pub(super) const COLUMNS: usize = 8;
pub(super) const ROWS: usize = 12;
pub(super) const CELLS: usize = COLUMNS * ROWS;
/// Lines of samples in each row.
const SAMPLES: usize = 4;
/// Straight pieces by which curves of the second and third degree are drawn.
const QUADRATIC_PIECES: u8 = 4;
const CUBIC_PIECES: u8 = 6;
/// Maximum straight pieces of an outline; those of letters have some hundreds.
const MAX_SEGMENTS: usize = 1 << 12;
/// Minimum area of a glyph that is seen, as a share of the em square: less than a point has.
const MIN_INK_PART: f32 = 0.001;
/// Weights of a cell and its neighbors, by which strokes a little beside each other are alike.
const BLUR: [[u32; 3]; 3] = [[1, 2, 1], [2, 8, 2], [1, 2, 1]];

type Point = (f32, f32);

/// An outline as straight pieces, in font units.
#[derive(Debug, Default)]
pub(super) struct Outline {
    segments: Vec<[Point; 2]>,
    start: Point,
    at: Point,
    is_cut: bool,
}

/// A raster with its box, in ems.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) left: f32,
    pub(super) bottom: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) cells: [u8; CELLS],
}

impl Outline {
    /// Its straight pieces, as a measure of the work that it costs.
    pub(super) fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether it draws something that is seen.
    pub(super) fn has_ink(&self, em: f32) -> bool {
        let mut areas = vec![0.0_f32];
        let mut end = None;
        for [from, to] in &self.segments {
            if end != Some(*from) {
                areas.push(0.0);
            }
            end = Some(*to);
            if let Some(area) = areas.last_mut() {
                *area += from.0 * to.1 - from.1 * to.0;
            }
        }
        areas.iter().any(|area| area.abs() >= MIN_INK_PART * em * em)
    }

    /// How high it reaches above the baseline.
    pub(super) fn top(&self) -> f32 {
        self.segments.iter().flatten().fold(0.0, |top, point| top.max(point.1))
    }

    /// Its left, bottom, right and top; none if it has no area.
    fn bounds(&self) -> Option<[f32; 4]> {
        let none = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let [left, bottom, right, top] =
            self.segments.iter().flatten().fold(none, |[left, bottom, right, top], (x, y)| {
                [left.min(*x), bottom.min(*y), right.max(*x), top.max(*y)]
            });
        (right > left && top > bottom && !self.is_cut).then_some([left, bottom, right, top])
    }

    fn curve(&mut self, pieces: u8, at: impl Fn(f32, f32) -> Point) {
        for piece in 1..=pieces {
            let share = f32::from(piece) / f32::from(pieces);
            let (x, y) = at(1.0 - share, share);
            self.line_to(x, y);
        }
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close();
        (self.start, self.at) = ((x, y), (x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        if self.segments.len() >= MAX_SEGMENTS {
            self.is_cut = true;
        } else if self.at != (x, y) {
            self.segments.push([self.at, (x, y)]);
        }
        self.at = (x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x0, y0) = self.at;
        let along = |a: f32, b: f32, c: f32, rest: f32, share: f32| {
            rest * rest * a + 2.0 * rest * share * b + share * share * c
        };
        self.curve(QUADRATIC_PIECES, |rest, share| (along(x0, x1, x, rest, share), along(y0, y1, y, rest, share)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x0, y0) = self.at;
        let along = |[a, b, c, d]: [f32; 4], rest: f32, share: f32| {
            rest.powi(3) * a + 3.0 * rest * rest * share * b + 3.0 * rest * share * share * c + share.powi(3) * d
        };
        self.curve(CUBIC_PIECES, |rest, share| {
            (along([x0, x1, x2, x], rest, share), along([y0, y1, y2, y], rest, share))
        });
    }

    fn close(&mut self) {
        let (x, y) = self.start;
        self.line_to(x, y);
    }
}

impl Shape {
    /// The raster of an outline, filled by the nonzero winding number rule; none if it has no area.
    pub(super) fn of(outline: &Outline, em: f32) -> Option<Self> {
        let [left, bottom, right, top] = outline.bounds()?;
        let (width, height) = (right - left, top - bottom);
        let mut sums = [0.0_f32; CELLS];
        for (line, mut crossings) in crossings(outline, [left, bottom, width, height]).into_iter().enumerate() {
            crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
            let Some(row) = sums.chunks_mut(COLUMNS).nth(line / SAMPLES) else { continue };
            let (mut winding, mut from) = (0_i32, 0.0);
            for (x, direction) in crossings {
                if winding == 0 {
                    from = x;
                }
                winding += direction;
                if winding == 0 {
                    fill(row, from, x);
                }
            }
        }
        let cells = sums.map(|sum| (sum / SAMPLES as f32 * 255.0).min(255.0) as u8);
        Some(Self { left: left / em, bottom: bottom / em, width: width / em, height: height / em, cells })
    }

    /// Each cell mixed with its neighbors.
    pub(super) fn blurred(&self) -> Self {
        let mut cells = [0_u8; CELLS];
        for (place, mixed) in cells.iter_mut().enumerate() {
            let (row, column) = (place / COLUMNS, place % COLUMNS);
            let weights = BLUR
                .iter()
                .zip(row..)
                .flat_map(|(weights, y)| weights.iter().zip(column..).map(move |(weight, x)| (*weight, x, y)));
            // beyond the box there is no ink
            let sum = weights.fold(0, |sum, (weight, x, y)| {
                let is_inside = (1..=COLUMNS).contains(&x) && (1..=ROWS).contains(&y);
                let cell = if is_inside { self.cells.get((y - 1) * COLUMNS + x - 1) } else { None };
                sum + weight * u32::from(cell.copied().unwrap_or_default())
            });
            *mixed = (sum / BLUR.iter().flatten().sum::<u32>()) as u8;
        }
        Self { cells, ..*self }
    }
}

/// Where each line of samples crosses the outline, in columns, and in which direction.
fn crossings(outline: &Outline, [left, bottom, width, height]: [f32; 4]) -> Vec<Vec<(f32, i32)>> {
    let lines = ROWS * SAMPLES;
    let mut crossings = vec![Vec::new(); lines];
    // the first line of samples at or above a height
    let line_at = |y: f32| ((y - bottom) / height * lines as f32 - 0.5).ceil().max(0.0) as usize;
    for [from, to] in &outline.segments {
        let (low, high, direction) = if from.1 < to.1 { (from, to, 1) } else { (to, from, -1) };
        for (line, crossings) in crossings.iter_mut().enumerate().take(line_at(high.1)).skip(line_at(low.1)) {
            let y = bottom + (line as f32 + 0.5) / lines as f32 * height;
            let x = low.0 + (high.0 - low.0) * (y - low.1) / (high.1 - low.1);
            crossings.push(((x - left) / width * COLUMNS as f32, direction));
        }
    }
    crossings
}

/// Adds ink from one column to another one to the cells of a row.
fn fill(row: &mut [f32], from: f32, to: f32) {
    for (column, cell) in row.iter_mut().enumerate() {
        *cell += (to.min(column as f32 + 1.0) - from.max(column as f32)).max(0.0);
    }
}
