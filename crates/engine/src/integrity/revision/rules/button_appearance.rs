//! Compares the appearance of a button with its state, or with its caption (ISO 32000-1, 12.7.4.2).

use super::pressed_button::{has_pressed_marks, without_pressed};
use super::text_appearance::{AppearanceMatch, letters, text_only};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::drawn;
use crate::integrity::revision::vocabulary::is_off;
use pdf_content::{ExpectedGlyphs, Line, PageText, PathMark, Rectangle};
use pdf_content::{is_unmarked, legible, path_mark};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::text::text_string;

/// What marks a button: check marks, crosses, a dot, a square, a diamond and a star.
const MARKS: [char; 10] = ['✓', '✔', '✕', '✖', '✗', '✘', '●', '■', '◆', '★'];
/// Their codes in the font of marks.
const MARK_CODES: &str = "345678lnuH";
const MARKS_FONT: &str = "ZapfDingbats";
/// Minimum size of a glyph that marks a button, as a share of the button's shorter side.
const GLYPH_MIN_PART: f64 = 0.25;

/// Compares the mark of a check box or radio button with its state: a mark if it is on, and none if it is off.
pub(super) fn mark_match(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<AppearanceMatch, Fault> {
    let Some(left) = examiner.appearance_checks_left.checked_sub(1) else { return Ok(AppearanceMatch::Unknown) };
    examiner.appearance_checks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    let Some(button) = Rectangle::read(annotation.get(b"Rect")) else { return Ok(AppearanceMatch::Unknown) };
    let signed = examiner.document.view(step.pair.old).object(widget)?;
    let signed = signed.as_ref().and_then(|body| body.dictionary()).unwrap_or(Dictionary::empty());
    let annotation = &if has_pressed_marks(examiner, step, widget)? {
        without_pressed(examiner, step, annotation)?
    } else {
        annotation.clone()
    };
    let [on, off] = drawn_states(examiner, step.pair.new, annotation)?;
    let signed_off = drawn(examiner, step.pair.old, &without_state(signed))?;
    let expected = (ExpectedGlyphs::Marks, None);
    let Some(shown) = text_only(examiner, (step, step.pair.new), annotation, expected)? else {
        return Ok(AppearanceMatch::Unknown);
    };
    let is_on = !is_off(annotation);
    let is_unmarked = is_unmarked(&off, &signed_off, button);
    let is_plain_path = path_mark(&on, &off, button) == PathMark::Plain;
    let marks = shown.runs.iter().map(|run| shown.text(run).chars().count()).sum::<usize>();
    let is_as_expected = match (marks, is_on) {
        (0, false) => true,
        // a mark may be a path as well
        (0, true) => is_plain_path,
        (1, true) => {
            let is_alone = path_mark(&on, &off, button) == PathMark::None;
            are_marks(&shown) && is_alone && !is_faint(&on, &off, button)
        }
        _ => return Ok(AppearanceMatch::Other),
    };
    Ok(if is_as_expected && is_unmarked { AppearanceMatch::Value } else { AppearanceMatch::Unknown })
}

/// Compares what a push button shows with the caption that it had (12.5.6.19, table 189, `/CA`).
pub(super) fn caption_match(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<AppearanceMatch, Fault> {
    let signed = examiner.document.view(step.pair.old).object(widget)?;
    let signed = signed.as_ref().and_then(|body| body.dictionary()).unwrap_or(Dictionary::empty());
    let view = &mut examiner.document.view(step.pair.old);
    let characteristics = view.dictionary(signed.get(b"MK"))?.into_owned();
    let caption = view.resolve(characteristics.get(b"CA"))?.as_string().map(text_string::characters);
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    let expected = (ExpectedGlyphs::Letters, None);
    let Some(drawn) = text_only(examiner, (step, step.pair.new), annotation, expected)? else {
        return Ok(AppearanceMatch::Unknown);
    };
    let shown: String = drawn.lines().iter().map(Line::text).collect();
    let is_caption = caption.is_some_and(|caption| letters(&caption) == letters(&shown));
    Ok(if is_caption { AppearanceMatch::Value } else { AppearanceMatch::Unknown })
}

/// Whether a button draws paths in its state that may be letters or digits.
pub(crate) fn draws_unknown_mark(examiner: &mut Examiner, step: &Step, widget: &Dictionary) -> Result<bool, Fault> {
    let Some(button) = Rectangle::read(widget.get(b"Rect")) else { return Ok(true) };
    let [on, off] = drawn_states(examiner, step.pair.new, widget)?;
    Ok(path_mark(&on, &off, button) == PathMark::Other)
}

/// The clause for the mark of a button that can hardly be seen.
pub(crate) fn faint_mark(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<Option<Clause>, Fault> {
    let Some(&widget) = field.line.first().filter(|_| field.is_button() && !field.is_push_button()) else {
        return Ok(None);
    };
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(None) };
    let Some(annotation) = body.dictionary().filter(|widget| !is_off(widget)) else { return Ok(None) };
    let Some(button) = Rectangle::read(annotation.get(b"Rect")) else { return Ok(None) };
    let [on, off] = drawn_states(examiner, step.pair.new, annotation)?;
    let what = Clause::of("the mark of the button {} can hardly be seen", &[Quote(&field.name)]);
    Ok(is_faint(&on, &off, button).then_some(what))
}

/// Whether a button whose appearance was replaced shows the same state as when it was signed: letters in neither, and a mark
/// only if it is on.
pub(super) fn shows_same_state(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let Some([signed, newest]) = step.both_states(examiner.document, widget)? else { return Ok(false) };
    if signed.get(b"AS") != newest.get(b"AS") && !(is_off(&signed) && is_off(&newest)) {
        return Ok(false);
    }
    for (state, widget) in [(step.pair.old, signed), (step.pair.new, newest)] {
        let Some(button) = Rectangle::read(widget.get(b"Rect")) else { return Ok(false) };
        let [on, off] = drawn_states(examiner, state, &widget)?;
        let is_marked = match on.runs.is_empty() {
            true => path_mark(&on, &off, button),
            false if is_faint(&on, &off, button) => PathMark::Faint,
            // nothing stands beside a glyph
            false if path_mark(&on, &off, button) == PathMark::None => PathMark::Plain,
            false => PathMark::Other,
        };
        let expected = if is_off(&widget) { PathMark::None } else { PathMark::Plain };
        if on.is_part || off.is_part || !off.runs.is_empty() || !are_marks(&on) || is_marked != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all texts are marks of buttons. Some programs give the font of marks an encoding of letters, which viewers
/// ignore.
fn are_marks(shown: &PageText) -> bool {
    shown.runs.iter().all(|run| {
        let text: Vec<char> = shown.text(run).chars().collect();
        let codes = shown.glyphs(run).iter().map(|glyph| glyph.code);
        let is_named = |mark: char| {
            shown.font(run) == MARKS_FONT && MARK_CODES.contains(mark) && codes.clone().eq([u32::from(mark)])
        };
        matches!(text[..], [mark] if MARKS.contains(&mark) || is_named(mark))
    })
}

/// Whether the mark of a button is a small glyph, or a path that can hardly be seen.
fn is_faint(on: &PageText, off: &PageText, button: Rectangle) -> bool {
    let least = GLYPH_MIN_PART * button.width().min(button.height());
    match on.runs.is_empty() {
        true => path_mark(on, off, button) == PathMark::Faint,
        false => on.runs.iter().all(|run| run.size < least),
    }
}

/// The words that a button shows in its state instead of a mark, other than its name.
pub(crate) fn words_of_mark(
    examiner: &mut Examiner,
    step: &Step,
    widget: u32,
    state: &[u8],
) -> Result<Option<String>, Fault> {
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(None) };
    let Some(annotation) = body.dictionary() else { return Ok(None) };
    let shown = drawn(examiner, step.pair.new, annotation)?;
    let lines = shown.lines();
    let words = lines.iter().map(Line::text).collect::<Vec<_>>().join(" ");
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let is_mark = letters(&words).chars().count() < 2 || letters(&words) == letters(&String::from_utf8_lossy(state));
    Ok((!is_mark).then(|| legible(&words)))
}

fn without_state(widget: &Dictionary) -> Dictionary {
    let mut off = Dictionary::default();
    for (key, value) in widget.iter().filter(|(key, _)| key.as_bytes() != b"AS") {
        off.push(key.clone(), value.clone());
    }
    off
}

/// What a button draws in its state, and what it draws when it is off.
fn drawn_states(examiner: &mut Examiner, state: State, widget: &Dictionary) -> Result<[PageText; 2], Fault> {
    Ok([drawn(examiner, state, widget)?, drawn(examiner, state, &without_state(widget))?])
}
