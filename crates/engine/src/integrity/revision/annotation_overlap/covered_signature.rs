//! The appearance of an existing signature under the one of a new signature.

use super::painted_page::{below, contents};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, PageText, Rectangle};
use pdf_syntax::failure::Fault;

/// Minimum covered share of a glyph that counts as hidden, and maximum glyphs of a signature compared.
const MIN_HIDDEN_GLYPH_SHARE: f64 = 0.5;
const MAX_GLYPHS: usize = 500;

/// Returns the name of an existing signature whose appearance is covered by the new signature field with this number.
pub(crate) fn covered_signature(examiner: &mut Examiner, step: &Step, field: u32) -> Result<Option<String>, Fault> {
    let ([before, _], [old, new]) = (&step.signed, step.forms.clone());
    for widget in new.kids(field).chain([field]) {
        let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { continue };
        let Some(annotation) = body.dictionary().filter(|widget| widget.has(b"AP")) else { continue };
        let page = annotation.get(b"P").as_reference().map(|id| id.number);
        let [pages, _] = &step.pages;
        let page = examiner.map.page(widget).or(page).filter(|page| pages.page(*page).is_some());
        let (Some(page), Some(left)) = (page, examiner.overlap_checks_left.checked_sub(1)) else { continue };
        examiner.overlap_checks_left = left;
        let below = below(examiner, step, page)?;
        let mut contents = contents(examiner);
        let over = contents.appearance(examiner.document, step.pair.new, annotation, below.corner)?;
        let is_covered =
            |signed: u32| old.kids(signed).chain([signed]).any(|widget| covers_widget(&below, &over, widget));
        if let Some((_, signed)) = before.iter().find(|(signed, _)| **signed != field && is_covered(**signed)) {
            return Ok(Some(signed.name.clone()));
        }
    }
    Ok(None)
}

/// Whether an appearance hides half of the glyphs of a page's widget, or overlaps half of its other areas.
fn covers_widget(below: &PageText, over: &PageText, widget: u32) -> bool {
    let runs = below.runs.iter().filter(|run| run.annotation == Some(widget) && run.is_painted());
    let glyphs: Vec<Rectangle> = runs
        .flat_map(|run| (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph)))
        .take(MAX_GLYPHS)
        .collect();
    if glyphs.is_empty() {
        let areas = below.areas.iter().filter(|area| area.annotation == Some(widget) && !area.is_off);
        let Some(painted) = areas.map(|area| area.bounds).reduce(Rectangle::with) else { return false };
        let is_over = |area: &Area| 2.0 * area.bounds.clipped(painted).area() >= painted.area();
        return over.areas.iter().any(|area| area.is_solid && !area.is_off && is_over(area));
    }
    let hidden =
        glyphs.iter().filter(|glyph| over.covered_part(**glyph, |_| true, true) >= MIN_HIDDEN_GLYPH_SHARE).count();
    2 * hidden >= glyphs.len()
}
