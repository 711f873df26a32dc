//! Where letters have ink, and how much of it a clip lets through: rows of a list are cut off at its box (ISO 32000-1,
//! 12.7.4.4).

use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Run;

/// How much of a letter's ink may be clipped, at each side: less than a stroke; and of a sign's, which may be a point.
const CLIP_TOLERANCE_EM: f64 = 0.05;
const SIGN_CLIP_TOLERANCE_EM: f64 = 0.02;
/// The same at the upper and lower edge of a list, where MuPDF draws the last row that is seen half a point too low.
const ROW_CLIP_TOLERANCE_EM: f64 = 0.07;
/// Width of a mark's ink, in font sizes.
const MARK_WIDTH_EM: f64 = 0.8;

/// What the clip lets through of a row of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowVisibility {
    /// All of its letters.
    Complete,
    /// Letters that are cut off above or below.
    CutAtEdge,
    /// Not all letters, or a part of one from the left to the right.
    CutAtSide,
    /// Nothing: the row is above or below.
    Outside,
}

/// Returns what the clips of runs, given by their indices, let through.
pub fn row_visibility(drawn: &PageText, runs: &[usize]) -> RowVisibility {
    let runs = runs.iter().filter_map(|place| drawn.runs.get(*place));
    let letters = |run| (0..drawn.glyphs(run).len()).filter_map(move |place| letter_visibility(drawn, run, place));
    let one_row = |one, other| match (one, other) {
        (RowVisibility::CutAtSide, _) | (_, RowVisibility::CutAtSide) => RowVisibility::CutAtSide,
        _ if one == other => one,
        _ => RowVisibility::CutAtEdge,
    };
    runs.flat_map(letters).reduce(one_row).unwrap_or(RowVisibility::Outside)
}

/// Returns how many letters of runs are not cut off completely at a side, and how many there are.
pub fn letters_within_sides(drawn: &PageText, runs: &[usize]) -> (usize, usize) {
    let runs = runs.iter().filter_map(|place| drawn.runs.get(*place));
    let inks = runs.flat_map(|run| {
        (0..drawn.glyphs(run).len()).filter_map(move |place| Some((run.clip, letter_ink(drawn, run, place, false)?.1)))
    });
    let inks: Vec<_> = inks.collect();
    (inks.iter().filter(|(clip, ink)| ink.left < clip.right && ink.right > clip.left).count(), inks.len())
}

fn letter_visibility(drawn: &PageText, run: &Run, place: usize) -> Option<RowVisibility> {
    let (letter, ink) = letter_ink(drawn, run, place, false)?;
    let Rectangle { left, bottom, right, top } = run.clip;
    let (side, edge) = (clip_tolerance(letter) * run.size, edge_tolerance(letter) * run.size);
    let is_outside = ink.bottom >= top - edge || ink.top <= bottom + edge;
    Some(if is_outside {
        RowVisibility::Outside
    } else if ink.left < left - side || ink.right > right + side {
        RowVisibility::CutAtSide
    } else if ink.bottom < bottom - edge || ink.top > top + edge {
        RowVisibility::CutAtEdge
    } else {
        RowVisibility::Complete
    })
}

/// A letter of a run and the box of its ink; the advance of an unembedded font of marks is unknown.
pub(super) fn letter_ink(drawn: &PageText, run: &Run, place: usize, is_mark: bool) -> Option<(char, Rectangle)> {
    let letter = drawn.glyph_text(run, place)?.chars().next()?;
    let glyph = drawn.glyphs(run).get(place)?;
    let (bottom, top) = ink(letter);
    let corner = |along: f32, off: f64| run.line.point(f64::from(along - run.skipped), off * run.size);
    let end = if is_mark { glyph.end.min(glyph.start + (MARK_WIDTH_EM * run.line.em) as f32) } else { glyph.end };
    Some((letter, Rectangle::around([corner(glyph.start, bottom), corner(end, top)])))
}

/// How much of a letter's ink may be clipped at each side, in font sizes.
pub(super) fn clip_tolerance(letter: char) -> f64 {
    if letter.is_alphanumeric() { CLIP_TOLERANCE_EM } else { SIGN_CLIP_TOLERANCE_EM }
}

/// The same above and below a row.
fn edge_tolerance(letter: char) -> f64 {
    if letter.is_alphanumeric() { ROW_CLIP_TOLERANCE_EM } else { SIGN_CLIP_TOLERANCE_EM }
}

/// The height above the baseline from which and to which a letter has ink, in font sizes.
fn ink(letter: char) -> (f64, f64) {
    match letter {
        '.' => (0.0, 0.1),
        ',' => (-0.15, 0.1),
        ';' => (-0.15, 0.5),
        '-' | '\u{2010}'..='\u{2014}' | '~' | '\u{2212}' => (0.2, 0.35),
        '=' | '+' => (0.0, 0.5),
        '_' => (-0.15, -0.05),
        '\'' | '"' | '*' | '^' | '`' | '\u{2018}'..='\u{201d}' => (0.45, 0.7),
        'g' | 'p' | 'q' | 'y' => (-0.21, 0.52),
        'j' | 'Q' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '@' | '$' => (-0.2, 0.7),
        'a' | 'c' | 'e' | 'm' | 'n' | 'o' | 'r' | 's' | 'u' | 'v' | 'w' | 'x' | 'z' | ':' => (0.0, 0.52),
        _ => (0.0, 0.7),
    }
}
