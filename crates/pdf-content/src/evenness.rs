//! Whether nothing legible is printed on a part of an image with noise, such as scanned paper. Means over blocks of the
//! width of a stroke differ less from the paper around them than strokes of light gray letters do, and no single sample
//! is as far from it as a dot or a hairline.
//!
//! Measured at 150, 200 and 300 dots per inch, with qualities of JPEG from 50 to 95 and Gaussian noise of 0 to 6 of 255:
//! blank paper with noise up to 4 has blocks up to 6.3 and larger ones up to 3.3 from the paper around them. Letters of
//! 6 points in 10 % gray have 9.6 and 6.2, lines of 0.5 points 7.5 and 3.3, black dots of 0.5 points 31 and 3.9.

use std::ops::Range;

/// Size of a block, in points: about the width of a stroke of printed letters.
const BLOCK_PT: f64 = 1.25;
/// Blocks to each side that are averaged with one, for wider strokes, and that are the paper around it.
const STROKE_REACH: usize = 1;
const PAPER_REACH: usize = 6;
/// The share of blocks that are blank where something is printed, letters with the paper around them.
const BLANK_SHARE: f64 = 0.75;
/// Maximum distance of a block from its paper, of 255: for paper without noise, and for any, and how many times the
/// distance of most blocks it may be.
const BLOCK_LIMITS: [f32; 2] = [3.5, 7.0];
const MAX_OUTLIER: f32 = 5.0;
/// The same for the mean of a block and those around it, as a share of the former.
const STROKE_LIMITS: [f32; 2] = [2.5, 3.5];
const STROKE_SHARE: f32 = 0.6;
/// Maximum distance of a single sample from its paper, of 255, and for paper without noise.
const SAMPLE_LIMITS: [f32; 2] = [12.0, 32.0];
const SAMPLE_SHARE: f32 = 5.0;
/// Maximum mean distance of the samples of a block and those around it from the paper, as a multiple of what most blocks have,
/// and of 255 where they have less: letters may be drawn by texture, too.
const TEXTURE_SHARE: f32 = 2.0;
const MIN_TEXTURE_LIMIT: f32 = 5.0;
/// Maximum difference of the paper at all places, of 255: scanners light it unevenly.
const MAX_SLOPE: f32 = 12.0;
/// Maximum blocks; as many as a page has.
const MAX_BLOCKS: usize = 1 << 20;

/// One component of a part of an image.
pub(super) struct Plane<'a> {
    /// Rows of samples of 8 bits, with all components.
    pub(super) rows: Vec<&'a [u8]>,
    pub(super) columns: Range<usize>,
    /// Components of a sample, and which one it is.
    pub(super) components: usize,
    pub(super) component: usize,
    /// Samples per point along a row and a column.
    pub(super) density: [f64; 2],
}

/// Values of blocks, row by row.
struct Grid {
    values: Vec<f32>,
    width: usize,
}

impl Plane<'_> {
    /// Whether nothing legible is printed there.
    pub(super) fn is_even(&self) -> bool {
        let [width, height] = self.density.map(|density| ((BLOCK_PT * density).round() as usize).max(1));
        let Some(blocks) = self.blocks([width, height]) else { return false };
        let (strokes, paper) = (blocks.averaged(STROKE_REACH), blocks.averaged(PAPER_REACH));
        let distance = blocks.distances(&paper);
        let [block_min, block_max] = BLOCK_LIMITS;
        let [stroke_min, stroke_max] = STROKE_LIMITS;
        let [sample_min, sample_max] = SAMPLE_LIMITS;
        let block_limit = (block_min / 2.0 + MAX_OUTLIER * usual(&distance)).clamp(block_min, block_max);
        let stroke_limit = (STROKE_SHARE * block_limit).clamp(stroke_min, stroke_max);
        let sample_limit = (SAMPLE_SHARE * block_limit).clamp(sample_min, sample_max);
        is_below(&distance, block_limit)
            && is_below(&strokes.distances(&paper), stroke_limit)
            && paper.span() <= MAX_SLOPE
            && self.has_one_texture(&paper, [width, height])
            && self.is_near(&paper, [width, height], sample_limit)
    }

    /// Whether most neighbors have the same value, as on paper that was drawn, not scanned.
    pub(super) fn is_drawn(&self) -> bool {
        let (mut equal, mut all) = (0_usize, 0_usize);
        for row in &self.rows {
            let mut last = None;
            for sample in self.samples(row) {
                equal += usize::from(last == Some(sample));
                all += usize::from(last.is_some());
                last = Some(sample);
            }
        }
        equal as f64 >= BLANK_SHARE * all as f64
    }

    fn samples<'r>(&self, row: &'r [u8]) -> impl Iterator<Item = u8> + use<'r> {
        let samples = row.get(self.columns.start * self.components..self.columns.end * self.components);
        samples.unwrap_or_default().iter().skip(self.component).step_by(self.components).copied()
    }

    /// The block of each position in a row or column; the last block has the rest.
    fn block(at: usize, size: usize, count: usize) -> usize {
        (at / size).min((count / size).max(1) - 1)
    }

    /// The means of blocks of this size; none if there are too many.
    fn blocks(&self, [width, height]: [usize; 2]) -> Option<Grid> {
        let [columns, rows] = [(self.columns.len() / width).max(1), (self.rows.len() / height).max(1)];
        let count = columns.checked_mul(rows).filter(|count| (1..=MAX_BLOCKS).contains(count))?;
        let mut sums = vec![(0_u32, 0_u32); count];
        for (y, row) in self.rows.iter().enumerate() {
            let first = columns * Self::block(y, height, self.rows.len());
            for (x, sample) in self.samples(row).enumerate() {
                let (sum, samples) = sums.get_mut(first + Self::block(x, width, self.columns.len()))?;
                *sum += u32::from(sample);
                *samples += 1;
            }
        }
        let values = sums.iter().map(|(sum, samples)| *sum as f32 / *samples as f32).collect();
        Some(Grid { values, width: columns })
    }

    /// Whether samples differ from the paper around them by about the same everywhere.
    fn has_one_texture(&self, paper: &Grid, [width, height]: [usize; 2]) -> bool {
        let mut sums = vec![(0.0_f32, 0_u32); paper.values.len()];
        for (y, row) in self.rows.iter().enumerate() {
            let first = paper.width * Self::block(y, height, self.rows.len());
            for (x, sample) in self.samples(row).enumerate() {
                let place = first + Self::block(x, width, self.columns.len());
                let (Some((sum, samples)), Some(paper)) = (sums.get_mut(place), paper.values.get(place)) else {
                    return false;
                };
                *sum += (f32::from(sample) - paper).abs();
                *samples += 1;
            }
        }
        let values = sums.iter().map(|(sum, samples)| sum / *samples as f32).collect();
        let texture = Grid { values, width: paper.width }.averaged(STROKE_REACH).values;
        is_below(&texture, (TEXTURE_SHARE * usual(&texture)).max(MIN_TEXTURE_LIMIT))
    }

    /// Whether every sample is near the paper around it.
    fn is_near(&self, paper: &Grid, [width, height]: [usize; 2], limit: f32) -> bool {
        self.rows.iter().enumerate().all(|(y, row)| {
            let first = paper.width * Self::block(y, height, self.rows.len());
            self.samples(row).enumerate().all(|(x, sample)| {
                let paper = paper.values.get(first + Self::block(x, width, self.columns.len()));
                paper.is_some_and(|paper| (f32::from(sample) - paper).abs() <= limit)
            })
        })
    }
}

impl Grid {
    /// Means of all blocks up to this distance.
    fn averaged(&self, reach: usize) -> Self {
        let height = self.values.len() / self.width;
        // sums of all blocks before a column and a row
        let stride = self.width + 1;
        let mut sums = vec![0.0_f64; stride * (height + 1)];
        for (y, row) in self.values.chunks_exact(self.width).enumerate() {
            let mut sum = 0.0;
            for (x, value) in row.iter().enumerate() {
                sum += f64::from(*value);
                let above = sums.get(y * stride + x + 1).copied().unwrap_or_default();
                if let Some(entry) = sums.get_mut((y + 1) * stride + x + 1) {
                    *entry = above + sum;
                }
            }
        }
        let sum = |x: usize, y: usize| sums.get(y * stride + x).copied().unwrap_or_default();
        let range = |at: usize, count: usize| (at.saturating_sub(reach), (at + reach + 1).min(count));
        let mean = |place: usize| {
            let (left, right) = range(place % self.width, self.width);
            let (top, bottom) = range(place / self.width, height);
            let total = sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top);
            (total / ((right - left) * (bottom - top)) as f64) as f32
        };
        Self { values: (0..self.values.len()).map(mean).collect(), width: self.width }
    }

    fn distances(&self, other: &Self) -> Vec<f32> {
        self.values.iter().zip(&other.values).map(|(one, other)| (one - other).abs()).collect()
    }

    /// The difference of the least and the greatest value.
    fn span(&self) -> f32 {
        let [least, most] = [f32::min, f32::max].map(|pick| self.values.iter().copied().reduce(pick));
        most.zip(least).map_or(0.0, |(most, least)| most - least)
    }
}

/// The distance that the blocks of blank paper have at most: its noise.
fn usual(distances: &[f32]) -> f32 {
    let mut sorted = distances.to_vec();
    let place = ((sorted.len() as f64 * BLANK_SHARE) as usize).min(sorted.len().saturating_sub(1));
    if sorted.is_empty() {
        return 0.0;
    }
    *sorted.select_nth_unstable_by(place, f32::total_cmp).1
}

fn is_below(distances: &[f32], limit: f32) -> bool {
    distances.iter().all(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Width and height of the paper, in points.
    const PAPER: [f64; 2] = [150.0, 100.0];
    /// Dots per inch of scanners.
    const RESOLUTIONS: [f64; 3] = [150.0, 200.0, 300.0];

    /// Whether gray paper is even if it has noise of this deviation and darker places by their positions in points.
    fn is_even(resolution: f64, noise: f64, darker: impl Fn(f64, f64) -> f64) -> bool {
        let density = resolution / 72.0;
        let [width, height] = PAPER.map(|side| (side * density) as usize);
        let mut state = 0x2545_f491_u32;
        // the sum of uniform numbers is nearly normal
        let mut random = || {
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                f64::from(state) / f64::from(u32::MAX) - 0.5
            };
            (0..12).map(|_| next()).sum::<f64>()
        };
        let sample = |place: usize| {
            let [x, y] = [place % width, place / width].map(|at| (at as f64 + 0.5) / density);
            (245.0 - darker(x, y) + noise * random()).clamp(0.0, 255.0) as u8
        };
        let samples: Vec<u8> = (0..width * height).map(sample).collect();
        let rows = samples.chunks_exact(width).collect();
        let plane = Plane { rows, columns: 0..width, components: 1, component: 0, density: [density, density] };
        plane.is_even()
    }

    /// Strokes of letters of this size with this contrast: a tenth of it wide, one after the other.
    fn letters(size: f64, contrast: f64) -> impl Fn(f64, f64) -> f64 {
        move |x, y| {
            let is_ink = (40.0..90.0).contains(&x) && (50.0..50.0 + 0.7 * size).contains(&y);
            if is_ink && (x / size * 3.0).fract() < 0.3 { contrast } else { 0.0 }
        }
    }

    #[test]
    fn blank_paper_is_even_with_the_noise_of_scanners() {
        for resolution in RESOLUTIONS {
            for noise in [0.0, 1.0, 2.0, 3.0, 4.0] {
                assert!(is_even(resolution, noise, |_, _| 0.0), "{resolution} {noise}");
                assert!(is_even(resolution, noise, |x, _| x / 20.0), "{resolution} {noise}: lit unevenly");
            }
        }
    }

    #[test]
    fn letters_dots_and_lines_are_not_even() {
        for (resolution, noise) in RESOLUTIONS.iter().flat_map(|at| [0.0, 2.0, 4.0, 8.0].map(|noise| (*at, noise))) {
            for (size, contrast) in [(6.0, 26.0), (8.0, 26.0), (12.0, 26.0), (24.0, 20.0), (6.0, 200.0), (12.0, 200.0)]
            {
                assert!(!is_even(resolution, noise, letters(size, contrast)), "{resolution} {noise} {size} {contrast}");
            }
            let dot = |x: f64, y: f64| if (x - 70.0).abs() < 0.3 && (y - 50.0).abs() < 0.3 { 160.0 } else { 0.0 };
            assert!(!is_even(resolution, noise, dot), "{resolution} {noise}: a dot");
            let line = |_: f64, y: f64| if (y - 50.0).abs() < 0.25 { 120.0 } else { 0.0 };
            assert!(!is_even(resolution, noise, line), "{resolution} {noise}: a line");
            let faint = |x: f64, _: f64| if (50.0..80.0).contains(&x) { 13.0 } else { 0.0 };
            assert!(!is_even(resolution, noise, faint), "{resolution} {noise}: a light ground");
            // as dark on average as the paper around it
            let is_white = move |x: f64, y: f64| {
                ((x * resolution / 72.0) as u32 + (y * resolution / 72.0) as u32).is_multiple_of(2)
            };
            let is_ink = |x: f64, y: f64| (60.0..72.0).contains(&x) && (40.0..60.0).contains(&y);
            let woven = |x: f64, y: f64| match (is_ink(x, y), is_white(x, y)) {
                (false, _) => 0.0,
                (true, true) => -14.0,
                (true, false) => 14.0,
            };
            assert!(noise > 4.0 || !is_even(resolution, noise, woven), "{resolution} {noise}: a texture");
            let soft = |x: f64, _: f64| 25.0 * (1.0 + (x / 12.0).sin());
            assert!(!is_even(resolution, noise, soft), "{resolution} {noise}: large and without edges");
        }
    }
}
