//! How the samples of an image are stored (ISO 32000-1, 8.9.5), and parts of them.

use std::ops::Range;

use super::color::Space;
use super::evenness::Plane;
use super::geometry::Rectangle;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum decoded bytes: a page in color at 300 dots per inch.
const MAX_IMAGE_BYTES: usize = 26 << 20;

/// Samples around a place that are compared, too: viewers interpolate between neighbors.
const INTERPOLATED_SAMPLES: f64 = 2.0;
/// Entries of an image that do not change what it shows, or are read here (table 89).
const ENTRIES: [&[u8]; 16] = [
    b"Type",
    b"Subtype",
    b"Name",
    b"Width",
    b"Height",
    b"ColorSpace",
    b"BitsPerComponent",
    b"Decode",
    b"Interpolate",
    b"Intent",
    b"Filter",
    b"DecodeParms",
    b"Length",
    b"StructParent",
    b"Metadata",
    b"ID",
];

/// How the samples of an image are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) components: usize,
    pub(super) bits: usize,
}

impl Layout {
    /// Reads the layout of an image all of whose entries are understood.
    pub(super) fn read(view: &mut View, dictionary: &Dictionary) -> Result<Option<Self>, Fault> {
        let kind = dictionary.get(b"Type");
        let is_known = dictionary.iter().all(|(key, _)| ENTRIES.contains(&key.as_bytes()));
        let is_known = is_known && is_identity_decode(view, dictionary)?;
        if !is_known || !kind.is_null() && !kind.is_name(b"XObject") {
            return Ok(None);
        }
        let mut number = |key: &[u8]| -> Result<usize, Fault> {
            Ok(view.integer(dictionary.get(key))?.and_then(|number| usize::try_from(number).ok()).unwrap_or(0))
        };
        let (width, height, bits) = (number(b"Width")?, number(b"Height")?, number(b"BitsPerComponent")?);
        let Some(components) = Space::read(view, dictionary.get(b"ColorSpace"))?.components() else { return Ok(None) };
        let layout = Self { width, height, components, bits };
        let is_read = width > 0 && matches!(bits, 1 | 2 | 4 | 8 | 16) && (1..=MAX_IMAGE_BYTES).contains(&layout.size());
        Ok(is_read.then_some(layout))
    }

    /// Bytes per row.
    fn row(self) -> usize {
        self.width.saturating_mul(self.components).saturating_mul(self.bits).div_ceil(8)
    }

    pub(super) fn size(self) -> usize {
        self.row().saturating_mul(self.height)
    }

    /// The columns and rows of a part of the unit square, and those around them; none if there are none.
    pub(super) fn part(self, place: Rectangle) -> Option<[Range<usize>; 2]> {
        // the first row is at the top
        Some([range(place.left, place.right, self.width)?, range(1.0 - place.top, 1.0 - place.bottom, self.height)?])
    }

    /// Whether the samples in a part of the unit square, and those around them, are equal; none if there are none.
    pub(super) fn is_equal(self, data: &[u8], place: Rectangle) -> Option<bool> {
        let [columns, rows] = self.part(place)?;
        let mut rows = data.chunks_exact(self.row()).skip(rows.start).take(rows.len());
        let first = self.sample(rows.clone().next()?, columns.start);
        Some(rows.all(|row| columns.clone().all(|column| self.sample(row, column) == first)))
    }

    /// The components of samples of 8 bits in a part of the unit square, in which a point has this size.
    pub(super) fn planes(self, data: &[u8], [place, point]: [Rectangle; 2]) -> Option<Vec<Plane<'_>>> {
        let [columns, rows] = self.part(place)?;
        let rows: Vec<&[u8]> = data.chunks_exact(self.row()).skip(rows.start).take(rows.len()).collect();
        let density = [point.width() * self.width as f64, point.height() * self.height as f64];
        let plane = |component| Plane {
            rows: rows.clone(),
            columns: columns.clone(),
            components: self.components,
            component,
            density,
        };
        Some((0..self.components).map(plane).collect())
    }

    /// Returns a sample: its bytes, or its bits if they are fewer.
    fn sample(self, row: &[u8], column: usize) -> (&[u8], u64) {
        let bits = self.components * self.bits;
        let at = column * bits;
        if bits.is_multiple_of(8) {
            return (row.get(at / 8..(at + bits) / 8).unwrap_or_default(), 0);
        }
        let bit = |at: usize| u64::from(row.get(at / 8).copied().unwrap_or_default() >> (7 - at % 8) & 1);
        (&[], (at..at + bits).fold(0, |sample, at| sample << 1 | bit(at)))
    }
}

/// Returns the samples of a row or column between two positions from 0 to 1, and their neighbors.
fn range(start: f64, end: f64, count: usize) -> Option<Range<usize>> {
    let position = |part: f64| part * count as f64;
    let start = (position(start).floor() - INTERPOLATED_SAMPLES).max(0.0) as usize;
    let end = (position(end).ceil() + INTERPOLATED_SAMPLES).clamp(0.0, count as f64) as usize;
    (start < end).then_some(start..end)
}

/// Whether an image's samples are decoded to the values of its color space as they are (8.9.5.2).
fn is_identity_decode(view: &mut View, dictionary: &Dictionary) -> Result<bool, Fault> {
    let decode = view.resolve(dictionary.get(b"Decode"))?;
    let is_pair =
        |pair: &[Object]| matches!(pair.iter().map(Object::as_number).collect::<Vec<_>>()[..], [Some(0.0), Some(1.0)]);
    Ok(decode.is_null() || !decode.elements().is_empty() && decode.elements().chunks(2).all(is_pair))
}
