//! Annotations and values that viewers draw themselves, because they have no appearance stream, or one for each of several
//! states.

use super::compared::{Arrival, Overlay};
use super::painted_page::signed_annotations;
use super::painted_shape::{MIN_HIDDEN_SHARE, MIN_TOUCHED_SHARE, Shape};
use super::{beside, fallback_appearance};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::has_normal_appearance;
use pdf_content::{Area, PageText, Rectangle, Run};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum states of a note compared.
const MAX_STATES: usize = 8;
/// Half the size of a point of an annotation without an appearance.
const HALF_POINT: f64 = 0.5;
/// Minimum covered share of an annotation on which a value may not be.
const MIN_COVERED_SHARE: f64 = 0.5;
/// Distance of a generated value from the side of its field, in points, and its maximum distance from digits that it
/// joins, in font sizes.
const VALUE_PADDING_PT: f64 = 2.0;
const VALUE_GAP_EM: f64 = 0.4;

/// The annotation in each of its states, if it has states and is in none of them: viewers choose one differently.
pub(super) fn states_without_choice(
    examiner: &mut Examiner,
    state: State,
    annotation: &Dictionary,
) -> Result<Vec<Dictionary>, Fault> {
    let view = &mut examiner.document.view(state);
    let normal = view.dictionary(annotation.get(b"AP"))?.get(b"N").clone();
    if view.body(&normal)?.is_some_and(|body| body.stream.is_some()) {
        return Ok(Vec::new());
    }
    let states = view.dictionary(&normal)?.into_owned();
    if annotation.get(b"AS").as_name().is_some_and(|name| states.has(name)) {
        return Ok(Vec::new());
    }
    let shown = states.iter().take(MAX_STATES).map(|(state, _)| {
        let entries = annotation.iter().filter(|(key, _)| key.as_bytes() != b"AS");
        let mut shown = Dictionary::default();
        entries.for_each(|(key, value)| shown.push(key.clone(), value.clone()));
        shown.push(Name::new(b"AS"), Object::Name(state.clone()));
        shown
    });
    Ok(shown.collect())
}

/// Whether an appearance lies over an annotation that viewers draw because it has no appearance.
pub(super) fn unseen(
    examiner: &mut Examiner,
    step: &Step,
    (owner, page): (u32, u32),
    (over, corner): (&PageText, (f64, f64)),
    (own, arrival): (Option<u32>, Arrival),
) -> Result<Option<Clause>, Fault> {
    if over.areas.is_empty() && over.runs.is_empty() {
        return Ok(None);
    }
    let ([form, _], state) = (step.forms.clone(), step.pair.old);
    // a value may touch its neighbors
    let min_share = if matches!(arrival, Arrival::Filled | Arrival::Marked) { MIN_COVERED_SHARE } else { 0.0 };
    for (number, annotation) in signed_annotations(examiner, step, owner)? {
        let field = number.and_then(|number| form.field(number));
        let is_shown = match annotation.get(b"Subtype").as_name().unwrap_or_default() {
            b"Link" | b"Popup" => false,
            b"Widget" if field.is_some_and(Field::is_button) => {
                annotation.get(b"MK").entry(b"CA").as_string().is_some()
            }
            b"Widget" => field.and_then(Field::text).is_some_and(|value| !value.trim().is_empty()),
            _ => true,
        };
        if number.is_some() && number == own || !is_shown || has_normal_appearance(examiner, state, &annotation)? {
            continue;
        }
        let mut shape = fallback_appearance::shape(&mut examiner.document.view(state), &annotation)?;
        let place = examiner.document.view(state).array(annotation.get(b"Rect"), 5)?;
        if let (Some(place), true) = (Rectangle::read(&place), annotation.get(b"Subtype").is_name(b"Widget")) {
            shape = Shape::filling(place);
        }
        let points = shape.points();
        let touched = points.iter().filter(|(x, y)| {
            let around =
                Rectangle { left: *x, bottom: *y, right: *x, top: *y }.grown(HALF_POINT).moved(-corner.0, -corner.1);
            over.covered_part(around, |_| true, false) > 0.0
                || over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(around))
        });
        if touched.count() as f64 > min_share * points.len() as f64 {
            return Ok(Some(match field {
                Some(field) => Clause::of(
                    "what was added on page {} lies over the form field {}, which viewers draw",
                    &[page.into(), Quote(&field.name)],
                ),
                None => {
                    Clause::of("what was added on page {} lies over an annotation, which viewers draw", &[page.into()])
                }
            }));
        }
    }
    Ok(None)
}

/// Whether a value without an appearance is right before the digits of a signed word.
pub(super) fn value_beside(
    (step, state): (&Step, State),
    below: &PageText,
    (page, widget): (u32, &Dictionary),
    number: Option<u32>,
) -> Option<Clause> {
    let [old, new] = &step.forms;
    let form = if state == step.pair.old { old } else { new };
    let value = number.and_then(|number| form.field(number)).and_then(Field::text)?;
    let (left, bottom) = below.corner;
    let place = Rectangle::read(widget.get(b"Rect"))?.moved(-left, -bottom);
    let is_sign = |letter: char| !letter.is_alphabetic();
    let is_digit = |letter: char| letter.is_numeric();
    // from the left, unless the field says otherwise
    let is_right = widget.get(b"Q").as_integer().unwrap_or(0) != 0;
    let old = below.runs.iter().find(|run| {
        let text = below.text(run);
        let [before, behind] = [run.bounds.left - place.right, place.left + VALUE_PADDING_PT - run.bounds.right];
        let is_before = value.ends_with(is_sign)
            && text.starts_with(is_digit)
            && (-run.size..run.size).contains(&before)
            && (run.annotation.is_none() || is_right);
        let is_behind = value.starts_with(is_sign)
            && text.ends_with(is_digit)
            && !beside::starts_number(text)
            && (-run.size..VALUE_GAP_EM * run.size).contains(&behind)
            && !is_right;
        run.annotation.is_none_or(|other| Some(other) != number)
            && run.is_painted()
            && (place.bottom..=place.top).contains(&run.bounds.middle().1)
            && (is_before || is_behind)
    })?;
    let words = [page.into(), Quote(&value), Quote(below.text(old))];
    Some(Clause::of("on page {}, {} was added on the line of {}", &words))
}

/// The effect on page text of an annotation that viewers draw without an appearance stream.
pub(super) fn fallback_overlay(
    below: &PageText,
    (shape, bounds): (&Shape, Rectangle),
    (page, arrival, is_mark): (u32, Arrival, bool),
    (is_under, may_be_hidden): (impl Fn(u32) -> bool, impl Fn(u32) -> bool),
) -> Overlay {
    let (left, bottom) = below.corner;
    let mut touched = None;
    let is_wanted = |run: &&Run| run.annotation.is_none_or(&is_under) && run.is_painted() && !below.is_long_leader(run);
    for run in below.runs.iter().filter(is_wanted).filter(|run| shape.hides(run.color)) {
        let glyphs = (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph));
        let places = glyphs.map(|glyph| glyph.moved(left, bottom)).filter(|glyph| glyph.meets(bounds));
        for glyph in places {
            match shape.part_of(glyph) {
                part if part >= MIN_HIDDEN_SHARE && shape.is_opaque && arrival == Arrival::New => {
                    if !run.annotation.is_some_and(&may_be_hidden) {
                        return Overlay::Hides;
                    }
                    touched = touched.or_else(|| Some(Quote(below.text(run))));
                }
                part if part >= MIN_TOUCHED_SHARE && run.annotation.is_none() => {
                    touched = touched.or_else(|| Some(Quote(below.text(run))));
                }
                _ => {}
            }
        }
    }
    // thin lines through words, such as a strikeout's, hide nothing
    touched = touched.filter(|_| !shape.is_line);
    let is_wanted =
        |area: &&Area| area.annotation.is_none() && !area.is_off && area.bounds.moved(left, bottom).meets(bounds);
    let may_change = arrival == Arrival::New && !(is_mark && shape.is_line) || shape.has_ground;
    let grounds = below.dark_grounds();
    for area in below.areas.iter().filter(|area| may_change && is_wanted(area)) {
        if touched.is_some() {
            break;
        }
        let is_covered = |place: Rectangle, min_share| shape.part_of(place.moved(left, bottom)) >= min_share;
        if area.is_unread() {
            let both = area.bounds.clipped(bounds.moved(-left, -bottom));
            if is_covered(both, MIN_TOUCHED_SHARE) {
                touched = Some(Own("a picture"));
            }
        } else if grounds.is_ink(area) && shape.hides(area.color) {
            let mut ink = below.ink(area).into_iter().filter(|ink| !ink.is_frame);
            if ink.any(|ink| is_covered(ink.bounds, MIN_HIDDEN_SHARE)) {
                touched = Some(Own("a drawing"));
            }
        }
    }
    touched.map_or(Overlay::Clear, |what| {
        let what = [page.into(), what];
        Overlay::Inconclusive(Clause::of("on page {}, viewers draw an annotation without an appearance over {}", &what))
    })
}
