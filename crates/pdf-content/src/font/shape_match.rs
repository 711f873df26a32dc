//! Whether a glyph's outline is that of a letter, by reference shapes of letters in usual styles. The example
//! `letter_shapes` computes them from the fonts that `data/shape_fonts.txt` names.

use std::sync::LazyLock;

use super::shape::{CELLS, Shape};

/// Reference shapes, ascending by character: character (two bytes), bottom, height and width in `UNITS`, and the cells in
/// two bits each.
static SHAPES: &[u8] = include_bytes!("../data/shapes.bin");
/// The same, blurred.
static REFERENCES: LazyLock<Vec<(char, Shape)>> = LazyLock::new(|| {
    let read = |record| read(record).map(|(letter, shape)| (letter, shape.blurred()));
    SHAPES.chunks_exact(RECORD_BYTES).filter_map(read).collect()
});
/// Bytes of a reference shape, and of them before the cells.
pub(super) const RECORD_BYTES: usize = HEAD_BYTES + CELLS / 4;
const HEAD_BYTES: usize = 5;
/// Units of the boxes of reference shapes in an em.
pub(super) const UNITS: f32 = 64.0;
/// Maximum distance of a letter from its nearest reference shape: 0 is the same, 1 has no ink in common. Unknown styles of
/// letters have up to 0.3.
const SAME_MAX_DISTANCE: f32 = 0.36;
/// Minimum ratio of the distances of any other letter and the letter itself.
const SAME_MIN_RATIO: f32 = 1.1;
/// The same where the other letter is of another script, which has letters of the same shape in all but some styles.
const FOREIGN_MIN_RATIO: f32 = 0.5;
/// Below this distance other scripts do not count: it is the letter itself.
const FOREIGN_MIN_DISTANCE: f32 = 0.15;
/// Maximum distance of another letter that is clearly drawn.
const OTHER_MAX_DISTANCE: f32 = 0.22;
/// Minimum distance of the letter said, and minimum ratio of it and the other one's.
const OTHER_FROM_ANY: (f32, f32) = (0.4, 2.0);
/// The same of letters without accents, which differ more and whose styles are better known; and of two digits, which matter
/// most.
const OTHER_FROM_ASCII: (f32, f32) = (0.1, 1.5);
const OTHER_FROM_DIGIT: (f32, f32) = (0.1, 1.1);
/// How much heights, places and widths of letters differ among fonts, in ems, and the weights of what is beyond.
const HEIGHT_TOLERANCE_EM: f32 = 0.03;
const WIDTH_TOLERANCE_EM: f32 = 0.04;
const HEIGHT_WEIGHT: f32 = 1.5;
const WIDTH_WEIGHT: f32 = 0.8;

/// What an outline is, compared with the letter that it is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// That letter.
    Same,
    /// Another one.
    Other(char),
    /// Neither is certain.
    Unknown,
}

/// Returns whether a shape is that of a letter.
pub(super) fn compare(said: char, shape: &Shape) -> Match {
    let shape = shape.blurred();
    // the nearest of the letter itself, of which there may be no reference, of other letters of its script, and of other scripts
    let mut nearest = [(f32::INFINITY, said); 3];
    for (letter, reference) in REFERENCES.iter() {
        let group = if is_alike(*letter, said) { 0 } else { 1 + usize::from(script(*letter) != script(said)) };
        let Some(best) = nearest.get_mut(group) else { continue };
        let apart = box_distance(&shape, reference);
        if apart < best.0 {
            let distance = apart + cells_distance(&shape, reference);
            *best = if distance < best.0 { (distance, *letter) } else { *best };
        }
    }
    let [(own, _), rival, foreign] = nearest;
    let is_of_script = own <= FOREIGN_MIN_DISTANCE || foreign.0 >= FOREIGN_MIN_RATIO * own;
    if own <= SAME_MAX_DISTANCE && rival.0 >= SAME_MIN_RATIO * own && is_of_script {
        return Match::Same;
    }
    // of other scripts only what cannot be the letter in another style
    let (other, letter) = if foreign.0 < rival.0 && own >= OTHER_FROM_ANY.0 { foreign } else { rival };
    let (least, ratio) = match (said, letter) {
        ('0'..='9', '0'..='9') => OTHER_FROM_DIGIT,
        _ if said.is_ascii() => OTHER_FROM_ASCII,
        _ => OTHER_FROM_ANY,
    };
    if own.is_finite() && other <= OTHER_MAX_DISTANCE && own >= least.max(ratio * other) {
        Match::Other(letter)
    } else {
        Match::Unknown
    }
}

/// Reads a reference shape.
fn read(record: &[u8]) -> Option<(char, Shape)> {
    let (&[high, low, bottom, height, width], packed) = record.split_first_chunk::<HEAD_BYTES>()?;
    let letter = char::from_u32(u32::from(u16::from_be_bytes([high, low])))?;
    let mut cells = [0; CELLS];
    for (cells, byte) in cells.chunks_mut(4).zip(packed) {
        for (cell, shift) in cells.iter_mut().zip([6, 4, 2, 0]) {
            *cell = (byte >> shift & 3) * 85;
        }
    }
    let [height, width] = [height, width].map(|size| f32::from(size) / UNITS);
    let bottom = f32::from(bottom.cast_signed()) / UNITS;
    Some((letter, Shape { left: 0.0, bottom, width, height, cells }))
}

/// Returns the part of ink that two shapes do not have in common.
pub(super) fn cells_distance(one: &Shape, other: &Shape) -> f32 {
    let pairs = || one.cells.iter().zip(&other.cells);
    let differing: u32 = pairs().map(|(one, other)| u32::from(one.abs_diff(*other))).sum();
    let all: u32 = pairs().map(|(one, other)| u32::from(*one) + u32::from(*other)).sum();
    if all == 0 { 1.0 } else { differing as f32 / all as f32 }
}

/// Returns how much the boxes of two shapes differ beyond what fonts do.
pub(super) fn box_distance(one: &Shape, other: &Shape) -> f32 {
    let beyond = |one: f32, other: f32, tolerance: f32| ((one - other).abs() - tolerance).max(0.0);
    HEIGHT_WEIGHT * beyond(one.height, other.height, HEIGHT_TOLERANCE_EM)
        + HEIGHT_WEIGHT * beyond(one.bottom, other.bottom, HEIGHT_TOLERANCE_EM)
        + WIDTH_WEIGHT * beyond(one.width, other.width, WIDTH_TOLERANCE_EM)
}

/// Whether a person cannot distinguish two characters in usual fonts.
fn is_alike(one: char, other: char) -> bool {
    let folded = |letter: char| match letter {
        'l' | '|' => 'I',
        '\u{110}' => '\u{d0}',
        '\u{2212}' | '\u{2010}' => '-',
        '\u{b5}' => '\u{3bc}',
        letter => letter,
    };
    folded(one) == folded(other)
}

/// The alphabet of a letter; 0 for the Latin one and for signs.
fn script(letter: char) -> u8 {
    match letter {
        '\u{370}'..='\u{3ff}' => 1,
        '\u{400}'..='\u{52f}' => 2,
        '\u{590}'..='\u{5ff}' => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Match, RECORD_BYTES, SHAPES, compare, read};

    #[test]
    fn no_digit_is_taken_for_another_one() {
        let (mut same, mut all) = (0, 0);
        for (drawn, shape) in SHAPES.chunks_exact(RECORD_BYTES).filter_map(read) {
            if !drawn.is_ascii_digit() {
                continue;
            }
            all += 1;
            for said in '0'..='9' {
                match compare(said, &shape) {
                    Match::Same if said == drawn => same += 1,
                    Match::Same => panic!("{drawn} is taken for {said}"),
                    Match::Other(_) | Match::Unknown => {}
                }
            }
        }
        assert!(all > 100 && same * 100 >= all * 98, "{same} of {all}");
    }
}
