//! Compares a widget's appearance with its field's value (ISO 32000-1, 12.5.5 and 12.7.3.3).

use super::list_box;
use super::pressed_button::{both_states, has_pressed_marks, without_pressed};
use super::text_appearance::{letters, text_only};
use crate::integrity::event::EventKind;
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::format::is_formatted;
use crate::integrity::revision::signature_field_template::{drawn, draws_nothing, has_normal_appearance};
use crate::integrity::revision::vocabulary::{is_among, is_off};
use pdf_content::{ExpectedGlyphs, Line, PageText, PathMark, Rectangle};
use pdf_content::{cell_texts, is_unmarked, legible, page_diff, path_mark};
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Maximum comb cells.
const MAX_CELLS: usize = 1_000;
/// What marks a button: check marks, crosses, a dot, a square, a diamond and a star.
const MARKS: [char; 10] = ['✓', '✔', '✕', '✖', '✗', '✘', '●', '■', '◆', '★'];
/// Their codes in the font of marks.
const MARK_CODES: &str = "345678lnuH";
const MARKS_FONT: &str = "ZapfDingbats";

/// Whether readers draw a widget's appearance stream, regardless of its other entries.
pub(crate) fn has_appearance(examiner: &mut Examiner, step: &Step, after: &Dictionary) -> Result<bool, Fault> {
    Ok(has_normal_appearance(examiner, step.pair.new, after)? && !step.needs_appearances)
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
            let what = format!("the button \u{201c}{}\u{201d} was given an appearance", legible(&ancestry.name));
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
                        let name = legible(&ancestry.name);
                        let what = format!("the read-only form field \u{201c}{name}\u{201d} is drawn differently");
                        examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
                    }
                    EventKind::Redrawn
                }
                AppearanceMatch::Other => EventKind::Field,
                AppearanceMatch::Unknown => {
                    mark_unreadable(examiner, step, ancestry);
                    EventKind::View
                }
            }
        }
        // an unreadable appearance may show anything
        AppearanceMatch::Unknown if examiner.is_signed => {
            mark_unreadable(examiner, step, ancestry);
            if is_filled { EventKind::Value } else { EventKind::View }
        }
        AppearanceMatch::Unknown if is_filled => EventKind::Value,
        AppearanceMatch::Value if gains_unmarked(examiner, step, ancestry)? => EventKind::Redrawn,
        // another mark for the same state
        AppearanceMatch::Value if examiner.is_signed && ancestry.is_button() => {
            let what = format!("the mark of the button \u{201c}{}\u{201d} was replaced", legible(&ancestry.name));
            examiner.inconclusive(step, page_of(examiner, step, ancestry), what);
            EventKind::View
        }
        // it shows nothing, and so no other value
        AppearanceMatch::Other if is_filled && examiner.is_signed && shows_nothing(examiner, step, ancestry)? => {
            mark_unreadable(examiner, step, ancestry);
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
    let Some([signed, newest]) = both_states(examiner, step, widget)? else { return Ok(false) };
    // viewers draw a missing one by these characteristics
    Ok(!signed.has(b"AP")
        && !signed.has(b"MK")
        && is_off(&newest)
        && appearance_match(examiner, step, field)? == AppearanceMatch::Value
        && draws_nothing(examiner, step.pair.new, &newest)?)
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
fn mark_unreadable(examiner: &mut Examiner, step: &Step, ancestry: &Field) {
    let [_, form] = &step.forms;
    let newest = ancestry.line.first().and_then(|widget| form.field(*widget)).unwrap_or(ancestry);
    examiner.inconclusive(step, page_of(examiner, step, ancestry), unreadable(newest));
}

fn page_of(examiner: &Examiner, step: &Step, field: &Field) -> Option<u32> {
    step.page_number(field.line.first().and_then(|widget| examiner.map.page(*widget))?)
}

/// Whether an appearance state selects nothing, as there is a single appearance stream (12.5.5).
pub(crate) fn is_single(examiner: &mut Examiner, state: State, widget: &Dictionary) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let appearances = view.dictionary(widget.get(b"AP"))?.into_owned();
    Ok(view.body(appearances.get(b"N"))?.is_some_and(|body| body.stream.is_some()))
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

/// The clause for an unreadable appearance, with the value that it should show.
pub(crate) fn unreadable(field: &Field) -> String {
    let value = field.text().filter(|_| !field.is_secret());
    let value =
        value.map_or_else(String::new, |value| format!(", whose value is \u{201c}{}\u{201d},", legible(&value)));
    format!("what the form field \u{201c}{}\u{201d}{value} shows cannot be read", legible(&field.name))
}

/// Whether the widget of a field shows exactly its value.
pub(crate) fn shows_value(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    Ok(matches!(appearance_match(examiner, step, field)?, AppearanceMatch::Value))
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

/// The match of a widget's appearance with its field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppearanceMatch {
    Value,
    Other,
    Unknown,
}

pub(crate) fn appearance_match(
    examiner: &mut Examiner,
    step: &Step,
    ancestry: &Field,
) -> Result<AppearanceMatch, Fault> {
    let [_, form] = step.forms.clone();
    match_in(examiner, step, ancestry, (step.pair.new, &form))
}

/// The match before the revision.
fn signed_match(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<AppearanceMatch, Fault> {
    let [form, _] = step.forms.clone();
    match_in(examiner, step, ancestry, (step.pair.old, &form))
}

fn match_in(
    examiner: &mut Examiner,
    step: &Step,
    ancestry: &Field,
    (state, form): (State, &FormFields),
) -> Result<AppearanceMatch, Fault> {
    let Some(&widget) = ancestry.line.first() else { return Ok(AppearanceMatch::Unknown) };
    let field = form.field(widget).unwrap_or(ancestry);
    if field.is_push_button() {
        return caption_match(examiner, step, widget);
    }
    if field.is_button() {
        return mark_match(examiner, step, widget);
    }
    let value = examiner.document.view(state).resolve(&field.value)?.into_owned();
    if field.is_list() && !field.options().is_empty() {
        let body = examiner.document.view(state).object(widget)?;
        if let Some(widget) = body.as_ref().and_then(|body| body.dictionary())
            && list_box::shows_value(examiner, (step, state), field, widget)?
        {
            return Ok(AppearanceMatch::Value);
        }
    }
    let value = match value {
        Object::Null => Some(String::new()),
        Object::String(text) => Some(text_string::decode(&text).unwrap_or_default()),
        _ => None,
    };
    let Some(value) = value.filter(|_| field.is_text() || field.is_choice()) else {
        return Ok(AppearanceMatch::Unknown);
    };
    let Some(left) = examiner.appearance_checks_left.checked_sub(1) else { return Ok(AppearanceMatch::Unknown) };
    examiner.appearance_checks_left = left;
    let Some(body) = examiner.document.view(state).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    if draws_nothing(examiner, state, annotation)? {
        return Ok(if value.trim().is_empty() { AppearanceMatch::Value } else { AppearanceMatch::Other });
    }
    let is_combo = field.is_choice() && !field.is_list();
    let glyphs = if is_combo { ExpectedGlyphs::Option } else { ExpectedGlyphs::Letters };
    let expected = (glyphs, field.cells());
    let Some(drawn) = text_only(examiner, (step, state), annotation, expected)? else {
        return Ok(AppearanceMatch::Unknown);
    };
    let shown = drawn.lines().iter().map(Line::text).collect::<Vec<_>>().join("\n");
    // viewers choose differently among options with the same export value
    let options = field.options();
    let named = options.iter().filter(|[export, _]| *export == value).map(|[_, text]| letters(text));
    let named: Vec<String> = named.collect();
    if named.len() > 1 && named.contains(&letters(&shown)) {
        return Ok(AppearanceMatch::Unknown);
    }
    // PDFBox draws the export value, which may be the text of another option
    let is_other = |[export, text]: &[String; 2]| *export != value && letters(text) == letters(&value);
    let is_value = letters(&shown) == letters(&value) && !options.iter().any(is_other);
    let written = field.option(&value).filter(|_| !is_value).unwrap_or_else(|| value.clone());
    if letters(&shown) == letters(&written) {
        let is_same = match field.cells() {
            Some(cells) => is_in_cells(&drawn, (cells, quadding(form, field)), annotation, &written),
            None => has_same_blanks(&written, &shown, field.is_multiline()),
        };
        return Ok(if is_same { AppearanceMatch::Value } else { AppearanceMatch::Unknown });
    }
    Ok(if shown.contains(char::REPLACEMENT_CHARACTER) {
        // in a font that cannot be read
        AppearanceMatch::Unknown
    } else if field.is_secret() && letters(&shown).chars().all(|letter| letter == '*') {
        AppearanceMatch::Value
    } else if field.is_formatted() {
        match field.format().and_then(|script| is_formatted(&script, &value, &shown)) {
            Some(true) => AppearanceMatch::Value,
            Some(false) => AppearanceMatch::Other,
            // a custom script of the form may produce any text
            None => AppearanceMatch::Unknown,
        }
    } else if namesakes(form, field).any(|value| letters(&value) == letters(&shown)) {
        AppearanceMatch::Unknown
    } else {
        AppearanceMatch::Other
    })
}

/// The values of other fields with the name of this one, which are to be its own (12.7.3.2).
fn namesakes(form: &FormFields, field: &Field) -> impl Iterator<Item = String> {
    let is_namesake = |other: &&Field| other.name == field.name && other.number != field.number;
    form.fields.iter().filter(is_namesake).filter_map(Field::text)
}

/// The alignment of a field (12.7.3.3, table 222): from the left, centered, or to the right.
pub(super) fn quadding(form: &FormFields, field: &Field) -> i64 {
    let line = field.line.iter().filter_map(|&number| form.field(number)).map(Field::dictionary);
    line.chain([&form.dictionary]).find_map(|entries| entries.get(b"Q").as_integer()).unwrap_or(0)
}

/// Whether each letter of a value is in its comb cell.
fn is_in_cells(drawn: &PageText, (cells, quadding): (i64, i64), widget: &Dictionary, value: &str) -> bool {
    let (Ok(cells), Some(bounds)) = (usize::try_from(cells), Rectangle::read(widget.get(b"Rect"))) else {
        return false;
    };
    let Some(texts) = cell_texts(drawn, cells.min(MAX_CELLS), bounds) else { return false };
    let written: Vec<String> = value.trim_end().chars().map(String::from).collect();
    let Some(free) = cells.checked_sub(written.len()) else { return false };
    // MuPDF begins with the first cell in any case
    let first = match quadding {
        1 => vec![0, free / 2, free.div_ceil(2)],
        2 => vec![free],
        _ => vec![0],
    };
    let is_from = |first: usize| {
        texts.iter().enumerate().all(|(cell, text)| {
            let written = cell.checked_sub(first).and_then(|place| written.get(place));
            text.trim() == written.map_or("", |written| written.trim())
        })
    };
    first.into_iter().any(is_from)
}

/// Whether the lines of a text have blanks where the value of the same letters has white space. Lines may break at blanks,
/// and within a word that is no number if the field has several lines.
fn has_same_blanks(value: &str, shown: &str, is_multiline: bool) -> bool {
    let (mut value, mut shown) = (value.trim().chars().peekable(), shown.trim().chars().peekable());
    let mut last = ' ';
    while let Some(letter) = shown.next() {
        if !letter.is_whitespace() {
            last = letter;
            value.next();
            continue;
        }
        let mut is_break = letter == '\n';
        while let Some(blank) = shown.next_if(|blank| blank.is_whitespace()) {
            is_break |= blank == '\n';
        }
        let mut has_blank = false;
        while value.next_if(|blank| blank.is_whitespace()).is_some() {
            has_blank = true;
        }
        let is_within_number = last.is_ascii_digit() && value.peek().is_some_and(char::is_ascii_digit);
        if !has_blank && (!is_break || !is_multiline || is_within_number) {
            return false;
        }
    }
    // white space of the value that is not shown remains
    value.next().is_none()
}

/// Compares the mark of a check box or radio button with its state: a mark if it is on, and none if it is off.
fn mark_match(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<AppearanceMatch, Fault> {
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
    let is_on = !matches!(annotation.get(b"AS").as_name(), None | Some(b"Off"));
    let is_unmarked = is_unmarked(&off, &signed_off, button);
    let is_plain_path = path_mark(&on, &off, button) == PathMark::Plain;
    let marks: Vec<char> = shown.runs.iter().flat_map(|run| shown.text(run).chars()).collect();
    // some programs give the font of marks an encoding of letters, which viewers ignore
    let is_named = |mark: char| {
        let fonts = shown.runs.iter().all(|run| shown.font(run) == MARKS_FONT);
        let codes = shown.runs.iter().flat_map(|run| shown.glyphs(run));
        fonts && MARK_CODES.contains(mark) && codes.map(|glyph| glyph.code).eq([u32::from(mark)])
    };
    let is_as_expected = match (&marks[..], is_on) {
        ([], false) => true,
        // a mark may be a path as well
        ([], true) => is_plain_path,
        ([mark], true) => MARKS.contains(mark) || is_named(*mark),
        _ => return Ok(AppearanceMatch::Other),
    };
    Ok(if is_as_expected && is_unmarked { AppearanceMatch::Value } else { AppearanceMatch::Unknown })
}

/// Compares what a push button shows with the caption that it had (12.5.6.19, table 189, `/CA`).
fn caption_match(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<AppearanceMatch, Fault> {
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

/// Whether a button draws paths in its state that may be letters or digits.
pub(crate) fn draws_unknown_mark(examiner: &mut Examiner, step: &Step, widget: &Dictionary) -> Result<bool, Fault> {
    let Some(button) = Rectangle::read(widget.get(b"Rect")) else { return Ok(true) };
    let [on, off] = drawn_states(examiner, step.pair.new, widget)?;
    Ok(path_mark(&on, &off, button) == PathMark::Other)
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

/// Whether the widget of a field hides page content since this revision.
pub(crate) fn hides_text(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let Some(page) = examiner.map.page(widget) else { return Ok(false) };
    let before = examiner.document.view(step.pair.old).object(widget)?;
    let after = examiner.document.view(step.pair.new).object(widget)?;
    let [Some(before), Some(after)] = [&before, &after].map(|body| body.as_ref().and_then(|body| body.dictionary()))
    else {
        return Ok(false);
    };
    annotation_overlap::comes_to_hide_text(examiner, step, page, (widget, [before, after]))
}
