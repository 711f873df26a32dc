//! Places of images (8.9.5) on which nothing is printed: a writing surface, such as the margin of a scanned page. All
//! samples are equal there, or differ by no more than the noise of scanned paper.

use std::ops::Range;

use super::ContentReader;
use super::area::{AreaKind, Effect};
use super::color::Space;
use super::evenness::Plane;
use super::geometry::{Matrix, Rectangle};
use super::image_samples::{ImageSamples, MAX_IMAGE_BYTES, is_identity_decode};
use super::page_model::PageText;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;

/// Samples around a place that are compared, too: viewers interpolate between neighbors.
const INTERPOLATED_SAMPLES: f64 = 2.0;
/// Maximum width of the strip beside an image that belongs to its place, in points: scans miss the size of their page by
/// rounding, and nothing is printed in less than a line.
const MAX_STRIP_PT: f64 = 0.5;
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

/// A part of an image's unit square, and the size of a point there.
#[derive(Debug, Clone, Copy)]
struct Place {
    unit: Rectangle,
    point: Rectangle,
    /// Whether noise is no contrast: no paint makes more of it than the samples have.
    is_plain: bool,
}

impl Place {
    fn of(matrix: Matrix, place: Rectangle, is_plain: bool) -> Self {
        let Rectangle { left, bottom, .. } = place;
        let point = matrix.rectangle(Rectangle { left, bottom, right: left + 1.0, top: bottom + 1.0 });
        Self { unit: matrix.rectangle(place), point, is_plain }
    }
}

/// Whether no paint after a position in the painting order makes more contrast of what is below it.
fn keeps_contrast(page: &PageText, after: Option<u32>) -> bool {
    let is_kept = |order: u32, effect: Effect| {
        after.is_some_and(|after| order <= after)
            || matches!(effect, Effect::Mixed { blend, .. } if blend.keeps_contrast())
    };
    page.areas.iter().filter(|area| !area.is_off).all(|area| is_kept(area.order, area.effect))
        && page.runs.iter().filter(|run| run.is_painted()).all(|run| is_kept(run.order, run.effect))
}

impl ContentReader {
    /// Whether nothing is printed on an image of a page all over a place that is inside of it, but for a strip at its
    /// edge. `order` is its position in the painting order of the page, which was drawn in this revision; `over` is what
    /// will be painted over it.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn is_even_image(
        &mut self,
        document: &mut Document,
        state: State,
        (page, order): (&PageText, u32),
        (place, over): (Rectangle, &PageText),
    ) -> Result<bool, Fault> {
        let area = page.areas.iter().find(|area| area.order == order);
        let image = page.images.iter().find(|image| image.order == order);
        let (Some(area), Some(image)) = (area, image) else { return Ok(false) };
        let Some(matrix) = image.matrix.inverse() else { return Ok(false) };
        // an unknown mask may have the shape of words
        let is_complete = area.kind == AreaKind::Image && !area.is_clipped() && area.effect != Effect::Unknown;
        let is_complete = is_complete && area.bounds.grown(MAX_STRIP_PT).holds(place);
        let Some(number) = area.object.filter(|_| is_complete) else { return Ok(false) };
        let is_plain = area.opacity().is_some()
            && !image.has_default_spaces
            && keeps_contrast(page, Some(order))
            && keeps_contrast(over, None);
        let place = Place::of(matrix, place, is_plain);
        Ok(tried(is_even(&mut self.view(document, state), number, place))?.unwrap_or(false))
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

/// Whether nothing is printed in a part of an image.
fn is_even(view: &mut View, number: u32, place: Place) -> Result<bool, Fault> {
    let Some(body) = view.object(number)? else { return Ok(false) };
    let Some(dictionary) = body.dictionary().cloned() else { return Ok(false) };
    let Some(layout) = Layout::read(view, &dictionary)? else { return Ok(false) };
    let Some(samples) = ImageSamples::read(view, &body, &dictionary, layout)? else { return Ok(false) };
    let data = &samples.data;
    view.work(layout.part(place.unit).map_or(0, |[columns, rows]| columns.len() * rows.len()))?;
    if layout.is_equal(data, place.unit).unwrap_or(false) {
        return Ok(true);
    }
    // the samples of other spaces and sizes may differ more than their numbers do
    let space = view.resolve(dictionary.get(b"ColorSpace"))?;
    let is_device = space.is_name(b"DeviceGray") || space.is_name(b"DeviceRGB");
    if !is_device || layout.bits != 8 || !place.is_plain {
        return Ok(false);
    }
    let Some(planes) = layout.planes(data, place) else { return Ok(false) };
    view.work(planes.iter().map(|plane| plane.rows.len() * plane.columns.len()).sum())?;
    // what differs at all was drawn so on paper without noise, unless it was encoded with loss
    let is_drawn = !samples.is_lossy && planes.iter().all(Plane::is_drawn);
    Ok(!is_drawn && planes.iter().all(Plane::is_even))
}

impl Layout {
    /// Reads the layout of an image all of whose entries are understood.
    fn read(view: &mut View, dictionary: &Dictionary) -> Result<Option<Self>, Fault> {
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
    fn part(self, place: Rectangle) -> Option<[Range<usize>; 2]> {
        // the first row is at the top
        Some([range(place.left, place.right, self.width)?, range(1.0 - place.top, 1.0 - place.bottom, self.height)?])
    }

    /// Whether the samples in a part of the unit square, and those around them, are equal; none if there are none.
    fn is_equal(self, data: &[u8], place: Rectangle) -> Option<bool> {
        let [columns, rows] = self.part(place)?;
        let mut rows = data.chunks_exact(self.row()).skip(rows.start).take(rows.len());
        let first = self.sample(rows.clone().next()?, columns.start);
        Some(rows.all(|row| columns.clone().all(|column| self.sample(row, column) == first)))
    }

    /// The components of samples of 8 bits in a part of the unit square.
    fn planes(self, data: &[u8], place: Place) -> Option<Vec<Plane<'_>>> {
        let [columns, rows] = self.part(place.unit)?;
        let rows: Vec<&[u8]> = data.chunks_exact(self.row()).skip(rows.start).take(rows.len()).collect();
        let density = [place.point.width() * self.width as f64, place.point.height() * self.height as f64];
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
