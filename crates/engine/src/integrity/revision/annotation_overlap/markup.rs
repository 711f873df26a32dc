//! Appearances of text markup annotations (ISO 32000-2, 12.5.6.10): lines along words, or light areas over them.

use std::collections::BTreeSet;

use super::painted_page::contents;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, AreaKind, PageText, Rectangle, Run, Visibility, component_sum};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum height of a markup annotation's line, as a share of the height of the marked words.
const MAX_LINE_HEIGHT_SHARE: f64 = 0.35;
/// Maximum share of words that thin lines cover which cross them.
const MAX_CROSSED_SHARE: f64 = 0.3;
/// Maximum opacity of a legible highlight, and minimum sum of its color components, of 765.
const HIGHLIGHT_ALPHA: f64 = 0.6;
const HIGHLIGHT_COLOR: u32 = 300;
/// Minimum sum of the color components of a line that is too light for a markup annotation, of 765.
const LIGHT_LINE_COLOR: u32 = 600;
/// Maximum depth of nested forms searched for graphics states.
const MAX_FORM_DEPTH: usize = 4;
/// Maximum forms searched for graphics states.
const MAX_FORMS: usize = 64;
/// Minimum height of a line, in points.
const LINE_HEIGHT_PT: f64 = 3.0;
/// Minimum share of a word that a line is under or over.
const MIN_MARKED_SHARE: f64 = 0.9;
/// Minimum length of a line that changes no single letter, and maximum length of the end of one, in font sizes.
const LONG_LINE_EM: f64 = 2.0;
const TOUCHED_EM: f64 = 0.25;
/// Maximum height of an underline, and the places of a strikeout, above the baseline, in font sizes.
const UNDERLINE_MAX_EM: f64 = 0.25;
const STRIKEOUT_EM: [f64; 2] = [0.1, 0.65];
/// Maximum difference of the components of gray, of 255.
const MAX_GRAY_CHROMA: u8 = 16;
/// Minimum contrast of letters under a highlight, of 1.
const MIN_WASHED_CONTRAST: f64 = 0.1;

/// Whether an appearance has what its kind of markup has, for words of this height.
pub(super) fn is_plain(over: &PageText, subtype: &[u8], height: f64) -> bool {
    let max = (MAX_LINE_HEIGHT_SHARE * height).max(LINE_HEIGHT_PT);
    let is_light = |area: &Area| area.color_on_paper().is_some_and(|color| component_sum(color) >= HIGHLIGHT_COLOR);
    let is_thin =
        |area: &Area| over.pieces(area).iter().all(|piece| piece.bounds.height().min(piece.bounds.width()) <= max);
    let mut areas = over.areas.iter().filter(|area| !area.is_off);
    !over.runs.iter().any(Run::is_painted)
        && areas.all(|area| if subtype == b"Highlight" { is_light(area) } else { is_thin(area) })
}

/// Whether a highlight takes most of the contrast of light letters, which are then hardly seen.
pub(super) fn washes_out(below: &PageText, over: &PageText, words: Rectangle) -> bool {
    let areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let alphas = areas.map(|area| area.opacity().map_or(0.0, f64::from));
    let left: f64 = alphas.map(|alpha| 1.0 - alpha).product();
    below.runs.iter().filter(|run| run.is_painted() && run.bounds == words).any(|run| {
        let Some(color) = run.color else { return true };
        let contrast = color.iter().map(|part| 1.0 - f64::from(*part) / f64::from(u8::MAX)).fold(0.0, f64::max);
        left < 1.0 && contrast * left < MIN_WASHED_CONTRAST
    })
}

/// The signed word that a line passes over in part only, or not where the lines of its kind are: it may
/// change a letter.
pub(super) fn partial_line(below: &PageText, over: &PageText, subtype: &[u8], page: u32) -> Option<Clause> {
    let areas = over.areas.iter().filter(|area| !area.is_off && area.kind != AreaKind::Image);
    let lines: Vec<Rectangle> = areas.flat_map(|area| over.pieces(area)).map(|piece| piece.bounds).collect();
    let words = below.runs.iter().filter(|run| run.annotation.is_none() && run.is_painted());
    let is_partial = |run: &&Run| {
        let (own, em) = (run.own_bounds(), run.size.max(1.0));
        let text = below.text(run);
        let is_word = !text.contains(char::is_numeric);
        let mut lines = lines.iter().filter(|line| line.meets(run.bounds)).map(|line| run.turned(*line));
        lines.any(|line| {
            let both = line.clipped(own);
            let is_long = line.width() >= LONG_LINE_EM * em;
            let is_over = both.width() >= MIN_MARKED_SHARE * own.width();
            // the end of a line along another word
            let is_end = both.width() < TOUCHED_EM * em && !(own.left..=own.right).contains(&line.middle().0);
            let is_placed = match subtype {
                b"StrikeOut" => (STRIKEOUT_EM[0] * em..=STRIKEOUT_EM[1] * em).contains(&line.middle().1),
                _ => line.top <= UNDERLINE_MAX_EM * em,
            };
            let is_marked = if is_long { is_over || is_word } else { is_over && is_placed };
            !both.is_empty() && !is_end && !is_marked
        })
    };
    let word = words.into_iter().find(is_partial)?;
    Some(Clause::of("a line on page {} marks only a part of {}", &[page.into(), Quote(below.text(word))]))
}

/// Whether the paint over words with these bounds is one light area.
pub(super) fn is_highlight(over: &PageText, words: Rectangle) -> bool {
    let is_light = |color: [u8; 3]| component_sum(color) >= HIGHLIGHT_COLOR;
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_plain = areas.clone().all(|area| area.color_on_paper().is_some_and(is_light) && !area.is_sampled());
    let middle = words.middle();
    let covering = areas.by_ref().filter(|area| area.bounds.has(middle)).count();
    is_plain && covering <= 1 && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// The signed words under paint that is too light for a line: it may remove their lower parts.
pub(super) fn light_line(below: &PageText, over: &PageText, page: u32) -> Option<Clause> {
    let is_dark = |color: [u8; 3]| component_sum(color) < LIGHT_LINE_COLOR;
    let is_light = |area: &&Area| !area.is_off && !area.color.is_some_and(is_dark);
    let under = |area: &Area| below.runs.iter().find(|run| run.is_painted() && run.bounds.meets(area.bounds));
    let words = over.areas.iter().filter(is_light).find_map(under)?;
    Some(Clause::of("a light line on page {} lies over {}", &[page.into(), Quote(below.text(words))]))
}

/// Whether the paint over words with these bounds is lines along them, and in numbers along most of them.
pub(super) fn is_line(over: &PageText, words: Rectangle, text: &str) -> bool {
    let min_length = if text.contains(char::is_numeric) { words.width() / 2.0 } else { 0.0 };
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_thin = |bounds: Rectangle| {
        let both = bounds.clipped(words);
        both.height().min(both.width()) <= MAX_LINE_HEIGHT_SHARE * words.height()
            && both.width().max(both.height()) >= min_length
    };
    areas.all(|area| is_thin(area.bounds)) && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether the paint over words with these bounds is thin lines, which would not leave a number, its point or a sign as
/// it was.
pub(super) fn is_crossed(over: &PageText, bounds: Rectangle, words: &str) -> bool {
    words.contains(char::is_alphabetic)
        && !words.contains(|letter: char| letter.is_numeric() || letter == char::REPLACEMENT_CHARACTER)
        && over.covered_part(bounds, |_| true, false) <= MAX_CROSSED_SHARE
        && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(bounds))
}

/// Words of the signed page that all new annotations together hide, though none of them does.
pub(super) fn hidden_together(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Option<Clause>, Fault> {
    let [_, pages] = step.pages.clone();
    let Some(page) = pages.page(owner).filter(|_| examiner.composed.insert((step.pair.new, owner))) else {
        return Ok(None);
    };
    let drawn = contents(examiner).page(examiner.document, step.pair.new, page)?;
    let numbers: BTreeSet<u32> = drawn.areas.iter().filter_map(|area| area.annotation).collect();
    let mut new = BTreeSet::new();
    for number in numbers {
        if examiner.document.view(step.pair.old).object(number)?.is_none() {
            new.insert(number);
        }
    }
    let is_new = |area: &Area| area.annotation.is_some_and(|number| new.contains(&number));
    // whether it hides what is below may depend on colors that are not known
    let is_mixed = |area: &Area| is_new(area) && !area.is_solid && !area.is_sampled();
    let number = step.page_number(owner).unwrap_or(0);
    let Some(visibility) = Visibility::of(&drawn, is_new, &mut examiner.paint_checks_left) else {
        return Ok(Some(Clause::of("page {} has more annotations than can be compared together", &[number.into()])));
    };
    let is_gray = |[red, green, blue]: [u8; 3]| red.abs_diff(green).max(green.abs_diff(blue)) <= MAX_GRAY_CHROMA;
    let hidden = visibility.covered().find_map(|(place, covered)| {
        let run = drawn.runs.get(place)?;
        let is_hidden = covered.hides() && !covered.by.is_empty()
            || covered.may_hide() && !drawn.shows_through(run.bounds, run.color.is_some_and(is_gray), is_mixed);
        (is_hidden && run.annotation.is_none_or(|other| !new.contains(&other))).then(|| Quote(drawn.text(run)))
    });
    let is_signed = |area: &&Area| area.is_sampled() && !area.is_off && !is_new(area);
    let pictures = drawn.areas.iter().filter(is_signed);
    let unseen = pictures.filter(|picture| !drawn.shows_through(picture.bounds, false, is_mixed));
    let mut hides_picture = false;
    for picture in unseen {
        hides_picture |= !drawn.shows_through(picture.bounds, true, is_mixed)
            || !contents(examiner).is_gray_image(examiner.document, step.pair.new, (&drawn, picture.order))?;
    }
    let hidden = hidden.or(hides_picture.then_some(Own("a picture")));
    let what = "the annotations added on page {} hide {} together";
    Ok(hidden.map(|hidden| Clause::of(what, &[number.into(), hidden])))
}

/// Whether the graphics states of an appearance only lighten it, or blend it so that dark content below stays dark.
pub(super) fn has_plain_states(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let appearance = view.dictionary(annotation.get(b"AP"))?.get(b"N").clone();
    let mut waiting = vec![(appearance, 0, false)];
    let mut forms_left = MAX_FORMS;
    while let Some((form, depth, is_isolated)) = waiting.pop() {
        forms_left -= 1;
        if depth > MAX_FORM_DEPTH || forms_left == 0 {
            return Ok(false);
        }
        let form = view.dictionary(&form)?.into_owned();
        // in an isolated group nothing of the page is below, and what is blended there is opaque (11.4.5)
        let group = view.dictionary(form.get(b"Group"))?.into_owned();
        let is_isolated =
            is_isolated || !matches!(&*view.resolve(group.get(b"I"))?, Object::Null | Object::Boolean(false));
        let resources = view.dictionary(form.get(b"Resources"))?.into_owned();
        let states = view.dictionary(resources.get(b"ExtGState"))?.into_owned();
        for (_, state) in states.iter() {
            let state = view.dictionary(state)?.into_owned();
            let blend = view.resolve(state.get(b"BM"))?.into_owned();
            let alpha = view.number(state.get(b"ca"))?.unwrap_or(1.0);
            let is_mixed = matches!(blend.as_name(), Some(b"Multiply" | b"Darken"));
            let is_plain = matches!(blend.as_name(), Some(b"Normal" | b"Compatible")) || blend.is_null();
            if !is_mixed && !is_plain
                || is_mixed && is_isolated
                || state.has(b"SMask") && !state.get(b"SMask").is_name(b"None")
            {
                return Ok(false);
            }
            if is_plain && state.has(b"ca") && alpha < 1.0 && alpha > HIGHLIGHT_ALPHA {
                return Ok(false);
            }
        }
        let forms = view.dictionary(resources.get(b"XObject"))?.into_owned();
        waiting.extend(forms.iter().map(|(_, form)| (form.clone(), depth + 1, is_isolated)));
    }
    Ok(true)
}
