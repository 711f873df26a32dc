//! Annotations and values that viewers draw themselves, because they have no appearance stream, or one for each of several
//! states.

use super::beside;
use super::compared::{Arrival, Overlay};
use super::painted_page::{contents, signed_annotations};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::has_normal_appearance;
use pdf_content::{Area, GeneratedAppearance, PageText, Rectangle, Run};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum states of a note compared.
const MAX_STATES: usize = 8;
/// Minimum share of a glyph or drawing that counts as touched, and as hidden.
const MIN_TOUCHED_SHARE: f64 = 0.05;
const MIN_HIDDEN_SHARE: f64 = 0.5;
/// Share of a field that a thin line through it covers at most, and minimum covered share of an annotation on which a value
/// may not be.
const MIN_FIELD_SHARE: f64 = 0.01;
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
    let is_value = matches!(arrival, Arrival::Filled | Arrival::Marked);
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
        let place = Rectangle::read(&examiner.document.view(state).array(annotation.get(b"Rect"), 5)?);
        let (share, min_share) = match place.filter(|_| annotation.get(b"Subtype").is_name(b"Widget")) {
            Some(place) => (over.painted_part(place.moved(-corner.0, -corner.1)), MIN_FIELD_SHARE),
            None => {
                let mut contents = contents(examiner);
                (contents.generated(examiner.document, state, &annotation, corner)?.paint.part_under(over), 0.0)
            }
        };
        if share > if is_value { MIN_COVERED_SHARE } else { min_share } {
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
pub(super) fn generated_overlay(
    below: &PageText,
    (generated, has_ground): (&GeneratedAppearance, bool),
    (page, arrival, is_mark): (u32, Arrival, bool),
    (is_under, may_be_hidden): (impl Fn(u32) -> bool, impl Fn(u32) -> bool),
) -> Overlay {
    let Some(bounds) = generated.bounds() else { return Overlay::Clear };
    let mut touched = None;
    let is_wanted = |run: &&Run| run.annotation.is_none_or(&is_under) && run.is_painted() && !below.is_long_leader(run);
    for run in below.runs.iter().filter(is_wanted).filter(|run| generated.hides(run.color)) {
        let glyphs = (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph));
        for glyph in glyphs.filter(|glyph| glyph.meets(bounds)) {
            match generated.paint.painted_part(glyph) {
                part if part >= MIN_HIDDEN_SHARE && generated.is_certain && arrival == Arrival::New => {
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
    touched = touched.filter(|_| !generated.is_thin);
    let is_wanted = |area: &&Area| area.annotation.is_none() && !area.is_off && area.bounds.meets(bounds);
    let may_change = arrival == Arrival::New && !(is_mark && generated.is_thin) || has_ground;
    let grounds = below.dark_grounds();
    for area in below.areas.iter().filter(|area| may_change && is_wanted(area)) {
        if touched.is_some() {
            break;
        }
        let is_covered = |place: Rectangle, min_share| generated.paint.painted_part(place) >= min_share;
        if area.is_unread() {
            let is_seen = is_mark && generated.paint.shows_through(area.bounds, false, |_| true);
            if !is_seen && is_covered(area.bounds.clipped(bounds), MIN_TOUCHED_SHARE) {
                touched = Some(Own(if area.is_sampled() { "a picture" } else { "a drawing" }));
            }
        } else if grounds.is_ink(area) && generated.hides(area.color) {
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
