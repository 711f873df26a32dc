//! Size and rotation of the first page.

use crate::metadata::{Page, PageFormat};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Paper sizes in points, portrait: ISO 216 from millimetres, North American from inches.
const FORMATS: [(PageFormat, f64, f64); 10] = [
    (PageFormat::A0, 2383.94, 3370.39),
    (PageFormat::A1, 1683.78, 2383.94),
    (PageFormat::A2, 1190.55, 1683.78),
    (PageFormat::A3, 841.89, 1190.55),
    (PageFormat::A4, 595.28, 841.89),
    (PageFormat::A5, 419.53, 595.28),
    (PageFormat::A6, 297.64, 419.53),
    (PageFormat::Letter, 612.0, 792.0),
    (PageFormat::Legal, 612.0, 1008.0),
    (PageFormat::Tabloid, 792.0, 1224.0),
];
/// How much a page may differ from a paper size, in points; rounding to millimetres or pixels stays below.
const PAPER_SIZE_TOLERANCE_PT: f64 = 2.0;

/// Describes the first page, if the tree leads to one.
pub(crate) fn describe(document: &mut Document, page: Option<&Dictionary>) -> Result<Page, Fault> {
    let Some(page) = page else { return Ok(Page::default()) };
    let unit = user_unit(document, page)?;
    let size = size(document, page.get(b"MediaBox"), unit)?;
    let rotation = document.newest().resolve(page.get(b"Rotate"))?.as_integer().unwrap_or(0);
    Ok(Page {
        width_pt: size.map(|(width, _)| width),
        height_pt: size.map(|(_, height)| height),
        rotation: (rotation.rem_euclid(360) / 90 * 90) as u16,
        format: size.and_then(|(width, height)| format(width, height)),
    })
}

/// Points in a unit of the page's coordinates (table 30, `/UserUnit`).
fn user_unit(document: &mut Document, page: &Dictionary) -> Result<f64, Fault> {
    let unit = document.newest().number(page.get(b"UserUnit"))?;
    Ok(unit.filter(|unit| *unit > 0.0).unwrap_or(1.0))
}

/// Width and height in points of a rectangle (ISO 32000-1, 7.9.5), whose corners may come in any order.
fn size(document: &mut Document, media_box: &Object, unit: f64) -> Result<Option<(f64, f64)>, Fault> {
    let media_box = document.newest().resolve(media_box)?;
    let mut corners = [0.0; 4];
    if media_box.elements().len() < corners.len() {
        return Ok(None);
    }
    for (corner, element) in corners.iter_mut().zip(media_box.elements()) {
        let Some(number) = document.newest().resolve(element)?.as_number() else { return Ok(None) };
        *corner = number;
    }
    let [left, bottom, right, top] = corners;
    Ok(Some((thousandths((right - left).abs() * unit), thousandths((top - bottom).abs() * unit))))
}

/// Rounds to thousandths, so that 595.28 in the file is not reported as 595.2799999.
fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn format(width: f64, height: f64) -> Option<PageFormat> {
    let (short, long) = (width.min(height), width.max(height));
    let near = |one: f64, other: f64| (one - other).abs() <= PAPER_SIZE_TOLERANCE_PT;
    let format = FORMATS.iter().find(|(_, width, height)| near(short, *width) && near(long, *height));
    format.map(|(format, _, _)| *format)
}
