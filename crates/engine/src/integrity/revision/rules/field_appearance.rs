//! What a changed appearance of a widget means (ISO 32000-1, 12.5.5 and 12.7.3.3).

use super::appearance_match::{appearance_match, signed_match};
use super::button_appearance::{faint_mark, shows_same_state};
use super::pressed_button::has_pressed_marks;
use super::text_appearance::{AppearanceMatch, letters};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::EventKind;
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::{drawn, draws_nothing, has_normal_appearance};
use crate::integrity::revision::vocabulary::{is_among, is_off};
use pdf_content::{Line, RowVisibility, Run, legible, page_diff, row_visibility};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Whether readers draw a widget's appearance stream, regardless of its other entries.
pub(crate) fn has_appearance(examiner: &mut Examiner, step: &Step, after: &Dictionary) -> Result<bool, Fault> {
    Ok(has_normal_appearance(examiner, step.pair.new, after)? && !step.needs_appearances)
}

/// Whether an appearance state selects nothing, as there is a single appearance stream (12.5.5).
pub(crate) fn is_single(examiner: &mut Examiner, state: State, widget: &Dictionary) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let appearances = view.dictionary(widget.get(b"AP"))?.into_owned();
    Ok(view.body(appearances.get(b"N"))?.is_some_and(|body| body.stream.is_some()))
}

/// The kind of an appearance change: only the normal appearance may change, to show the value.
pub(crate) fn appearances(
    examiner: &mut Examiner,
    step: &Step,
    (before, after): (&Dictionary, &Dictionary),
    ancestry: &Field,
) -> Result<EventKind, Fault> {
    let was = examiner.document.view(step.pair.old).dictionary(before.get(b"AP"))?.into_owned();
    let is = examiner.document.view(step.pair.new).dictionary(after.get(b"AP"))?.into_owned();
    let keys = step.pair.differing(examiner.document, &was, &is)?;
    // appearances for pressed buttons may be removed
    if keys.iter().any(|key| key.as_bytes() != b"N" && is.has(key.as_bytes())) {
        // a button that had none is given them for all of its states
        let widget = ancestry.line.first().copied().unwrap_or(0);
        if is.iter().all(|(key, _)| is_among("N D", key.as_bytes())) && has_pressed_marks(examiner, step, widget)? {
            return normal_appearance(examiner, step, ancestry);
        }
        if was.is_empty() && examiner.is_signed && ancestry.is_button() {
            let what = Clause::of("the button {} was given an appearance", &[Quote(&ancestry.name)]);
            examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
            return Ok(EventKind::View);
        }
        return Ok(EventKind::Field);
    }
    normal_appearance(examiner, step, ancestry)
}

/// The kind of a changed normal appearance: filling in, if it shows exactly the new value.
pub(crate) fn normal_appearance(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<EventKind, Fault> {
    let is_filled = step.fills(ancestry);
    Ok(match appearance_match(examiner, step, ancestry)? {
        AppearanceMatch::Value if is_filled => EventKind::Value,
        AppearanceMatch::Value if is_cleared(examiner, step, ancestry)? => EventKind::Value,
        AppearanceMatch::Value if ancestry.is_text() || ancestry.is_choice() => {
            if !examiner.is_signed {
                return Ok(EventKind::Value);
            }
            match kept(examiner, step, ancestry)? {
                AppearanceMatch::Value => {
                    // a read-only field is not filled in and needs no other appearance
                    if ancestry.is_read_only() && !paints_as_signed(examiner, step, ancestry)? {
                        let what =
                            Clause::of("the read-only form field {} is drawn differently", &[Quote(&ancestry.name)]);
                        examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
                    }
                    EventKind::Redrawn
                }
                AppearanceMatch::Other => EventKind::Field,
                AppearanceMatch::Unknown => {
                    mark_unreadable(examiner, step, ancestry)?;
                    EventKind::View
                }
            }
        }
        // an unreadable appearance may show anything
        AppearanceMatch::Unknown if examiner.is_signed => {
            mark_unreadable(examiner, step, ancestry)?;
            if is_filled { EventKind::Value } else { EventKind::View }
        }
        AppearanceMatch::Unknown if is_filled => EventKind::Value,
        AppearanceMatch::Value if gains_unmarked(examiner, step, ancestry)? => EventKind::Redrawn,
        AppearanceMatch::Value if examiner.is_signed && keeps_state(examiner, step, ancestry)? => EventKind::Redrawn,
        // another mark for the same state
        AppearanceMatch::Value if examiner.is_signed && ancestry.is_button() => {
            let what = match ancestry.is_push_button() {
                true => "the caption of the button {} was drawn again",
                false => "the mark of the button {} was replaced",
            };
            let what = Clause::of(what, &[Quote(&ancestry.name)]);
            examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
            EventKind::View
        }
        // it shows nothing, and so no other value
        AppearanceMatch::Other if is_filled && examiner.is_signed && shows_nothing(examiner, step, ancestry)? => {
            mark_unreadable(examiner, step, ancestry)?;
            EventKind::Value
        }
        // in a signed file that is more than a change of appearance
        AppearanceMatch::Other if examiner.is_signed => EventKind::Field,
        AppearanceMatch::Value | AppearanceMatch::Other | AppearanceMatch::Unknown => EventKind::Appearance,
    })
}

/// Whether a combo box that may be filled in was cleared: it had no value, but showed one of its options, any of which may be
/// chosen.
pub(crate) fn is_cleared(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first().filter(|_| field.is_choice() && !field.is_list()) else { return Ok(false) };
    if field.is_read_only() || had_value(step, widget) {
        return Ok(false);
    }
    let [before, after] = shown(examiner, step, widget)?;
    let options: Vec<String> = field.options().iter().map(|[_, text]| letters(text)).collect();
    // TCPDF draws all options, of which the first is seen
    let is_option =
        |shown: &String| options.iter().any(|option| *option == letters(shown)) || options.concat() == letters(shown);
    Ok(after.is_some_and(|after| after.is_empty()) && before.is_some_and(|before| is_option(&before)))
}

/// Whether a check box or radio button that had no appearance and is off was given one that shows no mark.
pub(crate) fn gains_unmarked(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first().filter(|_| field.is_button() && !field.is_push_button()) else {
        return Ok(false);
    };
    let Some([signed, newest]) = step.both_states(examiner.document, widget)? else { return Ok(false) };
    // viewers draw a missing one by these characteristics
    Ok(!signed.has(b"AP")
        && !signed.has(b"MK")
        && is_off(&newest)
        && appearance_match(examiner, step, field)? == AppearanceMatch::Value
        && draws_nothing(examiner, step.pair.new, &newest)?)
}

/// Whether a check box or radio button shows the state that it showed.
fn keeps_state(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let widget = field.line.first().filter(|_| field.is_button() && !field.is_push_button());
    widget.map_or(Ok(false), |&widget| shows_same_state(examiner, step, widget))
}

/// Whether a widget paints now what it painted when it was signed.
fn paints_as_signed(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first() else { return Ok(false) };
    let mut painted = Vec::new();
    for state in [step.pair.old, step.pair.new] {
        let body = examiner.document.view(state).object(widget)?;
        let Some(widget) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        painted.push(drawn(examiner, state, widget)?);
    }
    let [before, after] = &painted[..] else { return Ok(false) };
    Ok(!before.is_part && !after.is_part && page_diff(before, after).is_empty())
}

/// Records that the appearance of a field is unreadable, with its newest value.
fn mark_unreadable(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<(), Fault> {
    let [_, form] = &step.forms;
    let newest = ancestry.line.first().and_then(|widget| form.field(*widget)).unwrap_or(ancestry);
    let what = match faint_mark(examiner, step, newest)? {
        Some(faint) => faint,
        None => not_compared(examiner, step, newest)?,
    };
    examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
    Ok(())
}

fn page_of(examiner: &Examiner, step: &Step, field: &Field) -> Option<u32> {
    step.page_number(field.line.first().and_then(|widget| examiner.map.page(*widget))?)
}

/// Whether a widget draws nothing now.
fn shows_nothing(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first() else { return Ok(false) };
    let body = examiner.document.view(step.pair.new).object(widget)?;
    match body.as_ref().and_then(|body| body.dictionary()) {
        Some(widget) => draws_nothing(examiner, step.pair.new, widget),
        None => Ok(false),
    }
}

/// The clause for an appearance that cannot be compared with its field's value: letters of that are cut off, or it is
/// unreadable.
pub(crate) fn not_compared(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<Clause, Fault> {
    let value = field.text().filter(|_| !field.is_secret() && !field.is_list());
    Ok(match value {
        Some(value) if is_cut_off(examiner, step, field, &value)? => {
            let words = [Quote(&field.name), Quote(&value)];
            Clause::of("the form field {} does not show all of its value, {}", &words)
        }
        _ => unreadable(field),
    })
}

/// Whether a widget draws the value or its beginning, and letters of it are cut off at the edge of the field.
fn is_cut_off(examiner: &mut Examiner, step: &Step, field: &Field, value: &str) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first() else { return Ok(false) };
    let body = examiner.document.view(step.pair.new).object(widget)?;
    let Some(widget) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
    let drawn = drawn(examiner, step.pair.new, widget)?;
    let shown: String = drawn.lines().iter().map(|line| letters(&line.text())).collect();
    let runs: Vec<usize> = (0..drawn.runs.len()).collect();
    // of turned, mirrored and sheared letters another box is compared with the clip
    let is_upright = drawn.runs.iter().all(Run::is_undistorted);
    let is_cut = is_upright && row_visibility(&drawn, &runs) != RowVisibility::Complete;
    Ok(is_cut && !shown.is_empty() && letters(value).starts_with(&shown))
}

/// The clause for an unreadable appearance, with the value that it should show.
fn unreadable(field: &Field) -> Clause {
    let (name, value) = (Quote(&field.name), field.text().filter(|_| !field.is_secret()));
    if field.value.as_string().is_some_and(|value| text_string::comparable(value).is_none()) {
        return incomparable(field);
    }
    // the options of a list can be read where what it marks among them cannot
    match value.as_deref().map(Quote) {
        Some(value) if field.is_list() => Clause::of(
            "which option the form field {}, whose value is {}, shows as chosen cannot be read",
            &[name, value],
        ),
        None if field.is_list() => Clause::of("which option the form field {} shows as chosen cannot be read", &[name]),
        Some(value) => Clause::of("what the form field {}, whose value is {}, shows cannot be read", &[name, value]),
        None => Clause::of("what the form field {} shows cannot be read", &[name]),
    }
}

/// The clause for a value of which viewers may read more or other characters than are compared.
pub(crate) fn incomparable(field: &Field) -> Clause {
    Clause::of("the value of the form field {} cannot be compared completely", &[Quote(&field.name)])
}

/// The words that a widget shows before and after.
pub(crate) fn shown(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<[Option<String>; 2], Fault> {
    let mut shown = [None, None];
    for (shown, state) in shown.iter_mut().zip([step.pair.old, step.pair.new]) {
        let Some(body) = examiner.document.view(state).object(widget)? else { continue };
        let Some(annotation) = body.dictionary() else { continue };
        let lines = drawn(examiner, state, annotation)?.lines();
        *shown = Some(legible(&lines.iter().map(Line::text).collect::<Vec<_>>().join(" ")));
    }
    Ok(shown)
}

/// Whether the signed appearance of a widget drew no words, the same, or the signed value: that is `Value`.
pub(crate) fn kept(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<AppearanceMatch, Fault> {
    let Some(&widget) = field.line.first() else { return Ok(AppearanceMatch::Unknown) };
    let Some(body) = examiner.document.view(step.pair.old).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    let [before, after] = shown(examiner, step, widget)?;
    let is_read = before.as_ref().is_some_and(|before| !before.contains(char::REPLACEMENT_CHARACTER));
    let is_empty =
        before.as_ref().is_some_and(String::is_empty) && !drawn(examiner, step.pair.old, annotation)?.is_part;
    // without an appearance, viewers draw the value
    let has_appearance =
        annotation.get(b"AP").as_reference().is_some() || annotation.get(b"AP").entry(b"N") != &Object::Null;
    if is_empty && !(has_appearance && had_value(step, widget)) {
        return Ok(AppearanceMatch::Value);
    }
    if is_empty || is_read && before == after {
        // a value that was not seen may come to be
        let page = examiner.map.page(widget).unwrap_or(0);
        let is_seen = !is_empty && annotation_overlap::is_text_shown(examiner, step, step.pair.old, (page, widget))?;
        return Ok(if is_seen { AppearanceMatch::Value } else { AppearanceMatch::Unknown });
    }
    signed_match(examiner, step, field)
}

/// Whether a text that a widget showed contradicted its value before the revision; without a value a text without digits
/// is a prompt.
pub(crate) fn contradicted(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    // lists show all of their options
    let Some(&widget) = field.line.first().filter(|_| field.is_text()) else { return Ok(false) };
    let [before, _] = shown(examiner, step, widget)?;
    let has_text = before.is_some_and(|text| if had_value(step, widget) { !text.is_empty() } else { has_digit(&text) });
    Ok(has_text && signed_match(examiner, step, field)? == AppearanceMatch::Other)
}

/// Whether the field of a widget had a value before the revision.
fn had_value(step: &Step, widget: u32) -> bool {
    let [form, _] = &step.forms;
    form.field(widget).and_then(Field::text).is_some_and(|value| !value.trim().is_empty())
}

/// The words with digits that the widget of a signature field showed before it was signed: more than a prompt.
pub(crate) fn words_before_signing(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<Option<String>, Fault> {
    let [before, _] = shown(examiner, step, widget)?;
    Ok(before.filter(|text| has_digit(text)))
}

fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// Whether the widget of a field hides page content since this revision.
pub(crate) fn hides_text(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let Some(page) = examiner.map.page(widget) else { return Ok(false) };
    let Some([before, after]) = step.both_states(examiner.document, widget)? else { return Ok(false) };
    annotation_overlap::comes_to_hide_text(examiner, step, page, (widget, [&before, &after]))
}
