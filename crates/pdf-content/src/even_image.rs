//! Places of images (8.9.5) on which nothing is printed: a writing surface, such as the margin of a scanned page. All
//! samples are equal there, or differ by no more than the noise of scanned paper.

use super::ContentReader;
use super::area::{AreaKind, Effect};
use super::color::Space;
use super::evenness::Plane;
use super::geometry::{Matrix, Rectangle};
use super::image_layout::Layout;
use super::image_samples::ImageSamples;
use super::page_model::PageText;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};

/// Maximum width of the strip beside an image that belongs to its place, in points: scans miss the size of their page by
/// rounding, and nothing is printed in less than a line.
const MAX_STRIP_PT: f64 = 0.5;
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
    let Some(planes) = layout.planes(data, [place.unit, place.point]) else { return Ok(false) };
    view.work(planes.iter().map(|plane| plane.rows.len() * plane.columns.len()).sum())?;
    // what differs at all was drawn so on paper without noise, unless it was encoded with loss
    let is_drawn = !samples.is_lossy && planes.iter().all(Plane::is_drawn);
    Ok(!is_drawn && planes.iter().all(Plane::is_even))
}
