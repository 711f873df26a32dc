//! Places of images in which all samples are equal (8.9.5): a writing surface, such as the margin of a scanned page.

use std::ops::Range;

use super::ContentReader;
use super::area::{AreaKind, Effect};
use super::color::Space;
use super::geometry::Rectangle;
use super::page_model::PageText;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, State};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::stream::filter::is_exact_zlib;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum decoded bytes of an image that is compared: a page in gray at 250 dots per inch.
const MAX_IMAGE_BYTES: usize = 8 << 20;
/// Samples around a place that are compared, too: viewers interpolate between neighbors.
const INTERPOLATED_SAMPLES: f64 = 2.0;
/// Maximum width of the strip beside an image that belongs to its place, in points: scans miss the size of their page by
/// rounding, and nothing is printed in less than a line.
const MAX_STRIP_PT: f64 = 0.5;
/// Entries of an image that do not change what it shows, or are read here (table 89).
const ENTRIES: [&[u8]; 15] = [
    b"Type",
    b"Subtype",
    b"Name",
    b"Width",
    b"Height",
    b"ColorSpace",
    b"BitsPerComponent",
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
struct Layout {
    width: usize,
    height: usize,
    components: usize,
    bits: usize,
}

impl ContentReader {
    /// Whether an image of a page is known to have the same color all over a place that is inside of it, but for a strip
    /// at its edge. `order` is its position in the painting order of the page, which was drawn in this revision.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn is_even_image(
        &mut self,
        document: &mut Document,
        state: State,
        (page, order): (&PageText, u32),
        place: Rectangle,
    ) -> Result<bool, Fault> {
        let area = page.areas.iter().find(|area| area.order == order);
        let matrix = page.images.iter().find(|(image, _)| *image == order).and_then(|(_, matrix)| matrix.inverse());
        let (Some(area), Some(matrix)) = (area, matrix) else { return Ok(false) };
        // an unknown mask may have the shape of words
        let is_complete = area.kind == AreaKind::Image && !area.is_clipped() && area.effect != Effect::Unknown;
        let is_complete = is_complete && area.bounds.grown(MAX_STRIP_PT).holds(place);
        let Some(number) = area.object.filter(|_| is_complete) else { return Ok(false) };
        let unit = matrix.rectangle(place);
        Ok(tried(is_even(&mut self.view(document, state), number, unit))?.unwrap_or(false))
    }

    /// Whether an area of a page is an image in shades of gray. `order` is its position in the painting order.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn is_gray_image(
        &mut self,
        document: &mut Document,
        state: State,
        (page, order): (&PageText, u32),
    ) -> Result<bool, Fault> {
        let area = page.areas.iter().find(|area| area.order == order && area.kind == AreaKind::Image);
        let Some(number) = area.and_then(|area| area.object) else { return Ok(false) };
        let view = &mut self.view(document, state);
        let Some(body) = view.object(number)? else { return Ok(false) };
        let space = body.dictionary().map(|dictionary| dictionary.get(b"ColorSpace").clone()).unwrap_or_default();
        Ok(matches!(tried(Space::read(view, &space))?, Some(Space::Gray)))
    }
}

/// Whether an image has equal samples in a part of its unit square.
fn is_even(view: &mut View, number: u32, place: Rectangle) -> Result<bool, Fault> {
    let Some(body) = view.object(number)? else { return Ok(false) };
    let Some(dictionary) = body.dictionary().cloned() else { return Ok(false) };
    let Some(layout) = Layout::read(view, &dictionary)? else { return Ok(false) };
    if !is_flate(view, &dictionary, layout)? || !is_exact(view, &body)? {
        return Ok(false);
    }
    let stream = view.content(body, layout.size())?.filter(|stream| !stream.is_part);
    let Some(data) = stream.map(|stream| stream.content).filter(|data| data.len() == layout.size()) else {
        return Ok(false);
    };
    view.work(data.len() / 4)?;
    Ok(layout.is_even(&data, place).unwrap_or(false))
}

/// Whether the data of a stream is complete, so that all viewers decode it alike; unknown if it is encrypted.
fn is_exact(view: &mut View, body: &Body) -> Result<bool, Fault> {
    let place = view.document.stream_place(view.state, body)?;
    let Some(place) = place.filter(|_| view.document.security.is_none()) else { return Ok(false) };
    let length = usize::try_from(place.end - place.start).unwrap_or(usize::MAX);
    if length > MAX_IMAGE_BYTES {
        return Ok(false);
    }
    view.work(length)?;
    Ok(is_exact_zlib(view.document.reader.view(place.start, length)?))
}

/// Whether the only filter of an image is Flate, with a predictor for its own samples or none.
fn is_flate(view: &mut View, dictionary: &Dictionary, layout: Layout) -> Result<bool, Fault> {
    let single = |object: &Object| match object {
        Object::Array(elements) if elements.len() == 1 => elements.first().cloned().unwrap_or_default(),
        object => object.clone(),
    };
    let filter = single(&*view.resolve(dictionary.get(b"Filter"))?);
    let parameters = single(&*view.resolve(dictionary.get(b"DecodeParms"))?);
    let parameters = view.dictionary(&parameters)?;
    let number = |key: &[u8], default: usize| match parameters.get(key) {
        Object::Null => Some(default),
        number => number.as_integer().and_then(|number| usize::try_from(number).ok()),
    };
    let is_predicted = [
        number(b"Columns", 1) == Some(layout.width),
        number(b"Colors", 1) == Some(layout.components),
        number(b"BitsPerComponent", 8) == Some(layout.bits),
    ];
    Ok(filter.is_name(b"FlateDecode")
        && match number(b"Predictor", 1) {
            Some(1) => true,
            Some(10..=15) => is_predicted.iter().all(|is| *is),
            _ => false,
        })
}

impl Layout {
    /// Reads the layout of an image all of whose entries are understood.
    fn read(view: &mut View, dictionary: &Dictionary) -> Result<Option<Self>, Fault> {
        let kind = dictionary.get(b"Type");
        let is_known = dictionary.iter().all(|(key, _)| ENTRIES.contains(&key.as_bytes()));
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

    fn size(self) -> usize {
        self.row().saturating_mul(self.height)
    }

    /// Whether the samples in a part of the unit square, and those around them, are equal; none if there are none.
    fn is_even(self, data: &[u8], place: Rectangle) -> Option<bool> {
        let columns = range(place.left, place.right, self.width)?;
        // the first row is at the top
        let rows = range(1.0 - place.top, 1.0 - place.bottom, self.height)?;
        let mut rows = data.chunks_exact(self.row()).skip(rows.start).take(rows.len());
        let first = self.sample(rows.clone().next()?, columns.start);
        Some(rows.all(|row| columns.clone().all(|column| self.sample(row, column) == first)))
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
