//! Compares an annotation, as a state has it, with the page before the revision.

use super::compared::{Compared, Overlay};
use super::painted_page::{below, has_large_unit, rotation};
use super::scene::Scene;
use super::viewer_drawn::states_without_choice;
use super::{fixed_size, turned};
use crate::integrity::clause::Clause;
use crate::integrity::revision::annotation_flags::{HIDDEN, NO_ROTATE, NO_VIEW, NO_ZOOM, PRINT};
use crate::integrity::revision::appearance_source::AppearanceSource;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::has_normal_appearance;
use pdf_content::Rectangle;
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum value of annotation flags.
const MAX_FLAGS: i64 = u32::MAX as i64;
/// Maximum pages compared if an annotation is on several.
const MAX_PAGES: usize = 20;
/// Minimum size of a page in units of its coordinates, if they are no points.
const MIN_PAGE_SIZE: f64 = 100.0;

/// The effect of an annotation, as a state has it, on the page before the revision.
pub(super) fn overlay(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    owner: u32,
    compared: &Compared,
) -> Result<Overlay, Fault> {
    if !step.follows.is_after_signature() {
        return Ok(Overlay::Clear);
    }
    if owner == 0 {
        return on_several_pages(examiner, (step, state), compared);
    }
    let found = compare(examiner, (step, state), owner, compared)?;
    if found != Overlay::Clear {
        return Ok(found);
    }
    // lengths are compared in points
    let is_small = below(examiner, step, owner)?.size.iter().all(|side| *side < MIN_PAGE_SIZE);
    if is_small && has_large_unit(examiner, step, owner)? {
        let page = step.page_number(owner).unwrap_or(0);
        return Ok(Overlay::Inconclusive(Clause::of(
            "page {} has too large a unit to compare what was added with it",
            &[page.into()],
        )));
    }
    Ok(found)
}

/// The effect of an annotation that several pages list, or none.
fn on_several_pages(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    compared: &Compared,
) -> Result<Overlay, Fault> {
    let [pages, _] = step.pages.clone();
    for page in pages.leaves.iter().filter_map(PageLeaf::object).take(MAX_PAGES) {
        if overlay(examiner, (step, state), page, compared)? == Overlay::Hides {
            return Ok(Overlay::Hides);
        }
    }
    Ok(Overlay::Inconclusive("an annotation was added that is on several pages, or on none".into()))
}

fn compare(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    owner: u32,
    compared: &Compared,
) -> Result<Overlay, Fault> {
    let annotation = compared.annotation;
    let Some(left) = examiner.overlap_checks_left.checked_sub(1) else {
        return Ok(Overlay::Inconclusive("more annotations were added than are compared with their pages".into()));
    };
    examiner.overlap_checks_left = left;
    // readers differ in other numbers
    let flags = examiner.document.view(state).resolve(annotation.get(b"F"))?.into_owned();
    let flags = if let Object::Integer(flags @ 0..=MAX_FLAGS) = flags { flags } else { 0 };
    // a text annotation is never turned with its page (12.5.6.4)
    let flags = if annotation.get(b"Subtype").is_name(b"Text") { flags | NO_ROTATE } else { flags };
    if flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW {
        return Ok(Overlay::Clear);
    }
    let page = step.page_number(owner).unwrap_or(0);
    let is_widget = annotation.get(b"Subtype").is_name(b"Widget");
    let is_sized = Rectangle::read(annotation.get(b"Rect")).is_some_and(|it| it.width() > 0.0 || it.height() > 0.0);
    let angle = rotation(examiner, step, owner)?;
    let turns_alone = flags & NO_ROTATE != 0 && (is_sized || !is_widget) && angle % 360 != 0;
    if flags & NO_ZOOM != 0 && is_sized && is_widget {
        return Ok(Overlay::Inconclusive(Clause::of(
            "the size of a field on page {} depends on the zoom",
            &[page.into()],
        )));
    }
    let mut unclear = None;
    for shown in states_without_choice(examiner, state, annotation)?.iter().filter(|_| !is_widget) {
        let shown = Compared { annotation: shown, ..*compared };
        if overlay(examiner, (step, state), owner, &shown)? == Overlay::Hides {
            return Ok(Overlay::Hides);
        }
        unclear =
            Some(Clause::of("viewers choose the appearance of an annotation on page {} differently", &[page.into()]));
    }
    // a button without one for its state is off; viewers make one up for any other annotation
    let has_appearance = if is_widget {
        let [before, after] = &step.forms;
        let form = if state == step.pair.new { after } else { before };
        let is_button = compared.number.and_then(|number| form.field(number)).is_none_or(Field::is_button);
        let view = &mut examiner.document.view(state);
        AppearanceSource::read(view, annotation, is_button)? == AppearanceSource::File
    } else {
        has_normal_appearance(examiner, state, annotation)?
    };
    let scene = Scene::read(examiner, (step, state), (owner, page), compared)?;
    let found = match unclear {
        None if has_appearance => scene.appearance(examiner)?,
        unclear => scene.without_appearance(examiner, unclear)?,
    };
    let is_clear = |place| found == Overlay::Clear && !is_widget && turned::is_blank(&scene.below, place, angle);
    if turns_alone && found != Overlay::Hides && !scene.place.is_some_and(is_clear) {
        return Ok(Overlay::Inconclusive(Clause::of(
            "viewers turn an annotation on page {} differently",
            &[page.into()],
        )));
    }
    let over = if flags & NO_ZOOM != 0 && has_appearance { Some(scene.over(examiner)?) } else { None };
    let place = scene.place.filter(|_| !has_appearance);
    Ok(match fixed_size::reach((flags, scene.subtype), (over.as_ref(), place), page) {
        Some(what) if found == Overlay::Clear => Overlay::Inconclusive(what),
        _ => found,
    })
}
