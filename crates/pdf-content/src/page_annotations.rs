//! The annotations of a page: their kinds and their paint (12.5).

use super::appearance::{MAX_ANNOTATIONS, Placings, displayed, inherited, normal_appearance, paint_one};
use super::generated_widget;
use super::geometry::Rectangle;
use super::graphics::Graphics;
use super::page::ResolvedPage;
use super::page_model::{Annotation, AnnotationKind};
use super::painter::Painter;
use super::path_operators::quadrilaterals;
use super::reading::Reading;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum quadrilaterals of an annotation.
const MAX_QUADRILATERALS: usize = 500;
/// The flag of push buttons (12.7.4.2.1, table 226).
const PUSH_BUTTON: i64 = 1 << 16;

/// Paints the appearances of a page's annotations.
pub(super) fn paint(painter: &mut Painter, page: &ResolvedPage, base: &Graphics) -> Result<(), Fault> {
    let annotations = painter.view.resolve(page.dictionary.get(b"Annots"))?;
    painter.page.is_part |= annotations.elements().len() > MAX_ANNOTATIONS;
    for reference in annotations.elements().iter().take(MAX_ANNOTATIONS) {
        let Some((number, annotation)) = displayed(painter, reference)? else { continue };
        if annotation.get(b"Subtype").is_name(b"Popup") && !is_drawn_popup(painter, &annotation)? {
            continue;
        }
        if let Some(kind) = kind(painter, &annotation, base)? {
            painter.page.annotations.push(Annotation { number, kind });
        }
        // painted over text with the fields that viewers draw
        if generated_widget::is_thin_frame(painter, &annotation)? {
            continue;
        }
        paint_one(painter, (number, &annotation), (base, Placings::All))?;
    }
    Ok(())
}

/// Whether the window of a note is drawn on the page: Poppler draws one that has an appearance stream (12.5.6.14).
fn is_drawn_popup(painter: &mut Painter, popup: &Dictionary) -> Result<bool, Fault> {
    let has_appearance = normal_appearance(painter.view, popup)?.is_some_and(|appearance| !appearance.is_null());
    painter.page.has_popups |= has_appearance;
    Ok(has_appearance && painter.reading == Reading::Popups)
}

/// Returns the kind of a widget or redaction annotation.
fn kind(painter: &mut Painter, annotation: &Dictionary, base: &Graphics) -> Result<Option<AnnotationKind>, Fault> {
    Ok(match annotation.get(b"Subtype").as_name().unwrap_or_default() {
        b"Widget" if is_push_button(painter, annotation)? => Some(AnnotationKind::PushButton),
        b"Widget" => Some(AnnotationKind::Widget),
        b"Redact" => Some(AnnotationKind::Redact(marked(painter, annotation, base)?)),
        _ => None,
    })
}

/// Whether a widget shows a push button; its type and flags may be inherited (12.7.3.1).
fn is_push_button(painter: &mut Painter, widget: &Dictionary) -> Result<bool, Fault> {
    if !inherited(painter.view, widget, b"FT")?.is_name(b"Btn") {
        return Ok(false);
    }
    let flags = inherited(painter.view, widget, b"Ff")?;
    Ok(painter.view.integer(&flags)?.is_some_and(|flags| flags & PUSH_BUTTON != 0))
}

/// Returns the boxes that a redaction annotation marks (12.5.6.23): its quadrilaterals, or its rectangle.
fn marked(painter: &mut Painter, annotation: &Dictionary, base: &Graphics) -> Result<Vec<Rectangle>, Fault> {
    let quads = quadrilaterals(painter.view, annotation)?.into_iter().take(MAX_QUADRILATERALS);
    let boxes = quads.map(|quad| Rectangle::around(quad.map(|(x, y)| base.matrix.point(x, y))));
    Ok(boxes.filter(|bounds| bounds.is_finite()).map(Rectangle::rounded).collect())
}
