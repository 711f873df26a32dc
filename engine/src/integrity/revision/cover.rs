//! Whether something that came to a signed page hides what was signed: "evil annotations" and "sneaky signatures", as
//! Rohlmann, Mladenov, Mainka and Schwenk published them in 2021. What is covered is hidden; what only lies over words, or
//! continues their line, may read as part of them: whether it does cannot be told.

mod bare;

use std::rc::Rc;

use super::examiner::{Examiner, Step};
use crate::content::{Contents, PageText, Painted, Rectangle, Run, overlaid};
use crate::document::objects::State;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;

/// Steps of work for one annotation, and for a page that some came to: a hundredth of a second's worth or so.
const LOOKED: u64 = 1 << 21;
/// Flags of where an annotation is seen: nowhere, in print, not on a screen (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;
/// How far a text may be off a line, and how far from its words, to continue it, in sizes of the font.
const BASELINE_TOLERANCE_EM: f64 = 0.3;
const CONTINUED_GAP_EM: f64 = 1.0;
/// How high a line of a markup annotation may be, in heights of the words that it marks.
const LINE_HEIGHT: f64 = 0.35;
/// The most opaque highlight that leaves words legible, and the least that the parts of its color come to, of 765.
const HIGHLIGHT_ALPHA: f64 = 0.6;
const HIGHLIGHT_COLOR: u32 = 300;
/// How deep the resources of an appearance are searched for graphics states.
const NESTED: usize = 4;
/// Annotations that are compared with their page once one cannot be read.
const UNREADABLE: usize = 20;
/// Forms whose graphics states are searched.
const FORMS: usize = 64;
/// Pages that an annotation is compared with that is on several.
const PAGES: usize = 20;
/// The part of a letter that is covered from which on it is hidden, and letters of a signature that are compared.
const COVERED: f64 = 0.5;
const GLYPHS: usize = 500;
/// Characters of words that are quoted.
const QUOTED: usize = 80;

/// What came to lie on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// A new annotation or field.
    New,
    /// The appearance of a field that stood there in the signed state.
    Standing,
    /// A value in such a field, which may touch what stands above and below it.
    Filled,
}

/// What it does to what was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Overlay {
    Clear,
    /// What cannot be told, as a clause.
    Unclear(String),
    Hides,
}

/// Whether an annotation that came to a page of a signed file, its owner, hides what that page shows.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let found = overlay(examiner, (step, step.pair.new), owner, (annotation, Arrival::New))?;
    Ok(examiner.settle(step, owner, &found))
}

/// The same of the appearance of a field that stood there, empty, when the file was signed: whoever signed knew of the place.
pub(crate) fn signing_hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    widget: &Dictionary,
) -> Result<bool, Fault> {
    let found = overlay(examiner, (step, step.pair.new), owner, (widget, Arrival::Standing))?;
    Ok(examiner.settle(step, owner, &found))
}

/// Whether a widget that was there hides text now, and did not before.
pub(crate) fn comes_to_hide_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    [before, after]: [&Dictionary; 2],
) -> Result<bool, Fault> {
    let found = overlay(examiner, (step, step.pair.new), owner, (after, Arrival::Filled))?;
    if found == Overlay::Clear || found == overlay(examiner, (step, step.pair.old), owner, (before, Arrival::Filled))? {
        return Ok(false);
    }
    Ok(examiner.settle(step, owner, &found))
}

/// The name of a signature that was there whose appearance is covered by that of a new one, the field with this number.
pub(crate) fn covered_signature(examiner: &mut Examiner, step: &Step, field: u32) -> Result<Option<String>, Fault> {
    let ([before, _], [old, new]) = (&step.signed, step.forms.clone());
    for widget in new.kids(field).chain([field]) {
        let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { continue };
        let Some(annotation) = body.dictionary().filter(|widget| widget.has(b"AP")) else { continue };
        let page = annotation.get(b"P").as_reference().map(|id| id.number);
        let [pages, _] = &step.pages;
        let page = examiner.map.page(widget).or(page).filter(|page| pages.page(*page).is_some());
        let (Some(page), Some(left)) = (page, examiner.covers_left.checked_sub(1)) else { continue };
        examiner.covers_left = left;
        let below = below(examiner, step, page)?;
        let mut contents = Contents::with_steps(examiner.document, LOOKED);
        let over = contents.appearance(examiner.document, step.pair.new, annotation, below.corner)?;
        let is_covered =
            |signed: u32| old.kids(signed).chain([signed]).any(|widget| covers_widget(&below, &over, widget));
        if let Some((_, signed)) = before.iter().find(|(signed, _)| **signed != field && is_covered(**signed)) {
            return Ok(Some(signed.name.clone()));
        }
    }
    Ok(None)
}

/// Whether an appearance hides half of the letters of a widget of the page, or lies over half of what else it paints.
fn covers_widget(below: &PageText, over: &PageText, widget: u32) -> bool {
    let runs = below.runs.iter().filter(|run| run.annotation == Some(widget) && run.is_painted());
    let glyphs: Vec<Rectangle> = runs
        .flat_map(|run| (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph)))
        .take(GLYPHS)
        .collect();
    if glyphs.is_empty() {
        let areas = below.areas.iter().filter(|area| area.annotation == Some(widget) && !area.is_off);
        let Some(painted) = areas.map(|area| area.bounds).reduce(Rectangle::with) else { return false };
        let is_over = |area: &crate::content::Area| 2.0 * area.bounds.clipped(painted).area() >= painted.area();
        return over.areas.iter().any(|area| area.is_solid && !area.is_off && is_over(area));
    }
    let hidden = glyphs.iter().filter(|glyph| over.covered_part(**glyph, |_| true, true) >= COVERED).count();
    2 * hidden >= glyphs.len()
}

impl Examiner<'_, '_> {
    /// Takes note of what cannot be told; whether something is hidden.
    fn settle(&mut self, step: &Step, owner: u32, found: &Overlay) -> bool {
        if let Overlay::Unclear(what) = found {
            self.inconclusive(step, step.page_number(owner), what.clone());
        }
        *found == Overlay::Hides
    }
}

/// What an annotation as it is in a state does to what the page showed before the revision.
fn overlay(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    owner: u32,
    (annotation, arrival): (&Dictionary, Arrival),
) -> Result<Overlay, Fault> {
    let [before, _] = &step.signed;
    if before.is_empty() {
        return Ok(Overlay::Clear);
    }
    if owner == 0 {
        let [pages, _] = step.pages.clone();
        for page in pages.leaves.iter().filter_map(crate::document::pages::PageLeaf::object).take(PAGES) {
            if overlay(examiner, (step, state), page, (annotation, arrival))? == Overlay::Hides {
                return Ok(Overlay::Hides);
            }
        }
        return Ok(Overlay::Unclear("an annotation was added that is on several pages, or on none".to_owned()));
    }
    let Some(left) = examiner.covers_left.checked_sub(1) else {
        return Ok(Overlay::Unclear("more annotations were added than are compared with their pages".to_owned()));
    };
    examiner.covers_left = left;
    let flags = examiner.document.view(state).integer(annotation.get(b"F"))?.unwrap_or(0);
    if flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW {
        return Ok(Overlay::Clear);
    }
    let page = step.page_number(owner).unwrap_or(0);
    if flags & NO_ROTATE != 0 && is_turned(examiner, step, owner)? {
        return Ok(Overlay::Unclear(format!("viewers turn an annotation on page {page} differently")));
    }
    let below = below(examiner, step, owner)?;
    let looks = examiner.document.view(state).dictionary(annotation.get(b"AP"))?.into_owned();
    if !looks.has(b"N") {
        let shape = bare::shape(&mut examiner.document.view(state), annotation)?;
        return Ok(bare_overlay(&below, &shape, page, arrival));
    }
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let over = contents.appearance(examiner.document, state, annotation, below.corner)?;
    let found = overlaid(&below, &over, |_| true, &mut examiner.checks_left);
    let Some(found) = found.filter(|_| !over.is_part) else {
        // nothing more is learned from further ones
        examiner.covers_left = examiner.covers_left.min(UNREADABLE);
        return Ok(Overlay::Unclear(format!("an appearance on page {page} cannot be read completely")));
    };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let is_mark = matches!(subtype, b"Highlight" | b"Underline" | b"Squiggly" | b"StrikeOut");
    let is_light = is_mark && has_plain_states(examiner, state, annotation)?;
    let mut unclear = None;
    for found in found {
        let areas = || over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(found.bounds));
        let outcome = match &found.what {
            _ if found.is_hidden && arrival != Arrival::Standing => return Ok(Overlay::Hides),
            Painted::Words(words) => {
                let is_clear = match arrival {
                    Arrival::Standing => !found.is_hidden,
                    Arrival::Filled => !is_written_along(&over, found.bounds),
                    Arrival::New if subtype == b"Highlight" => is_light && is_highlight(&over, found.bounds),
                    Arrival::New => is_light && is_line(&over, found.bounds),
                };
                (!is_clear).then(|| format!("what was added on page {page} lies over {}", quoted(words)))
            }
            Painted::Path => {
                let is_stroked = |run: &Run| run.bounds.meets(found.bounds) && !matches!(run.mode, 0 | 3 | 7);
                let is_unknown = areas().any(|area| !area.is_solid) || over.runs.iter().any(is_stroked);
                (found.is_hidden || is_unknown && arrival == Arrival::New && !is_light)
                    .then(|| format!("what was added on page {page} lies over a drawing"))
            }
            // what a picture shows there is not known
            Painted::Picture => (arrival == Arrival::New)
                .then(|| format!("what was added on page {page} lies over a picture, which cannot be read")),
        };
        unclear = unclear.or(outcome);
    }
    let beside = if arrival == Arrival::New { continued(&below, &over, page) } else { None };
    let unread = below.is_part && (!over.areas.is_empty() || !over.runs.is_empty());
    let unread = unread.then(|| format!("what page {page} shows cannot be read completely"));
    Ok(unclear.or(beside).or(unread).map_or(Overlay::Clear, Overlay::Unclear))
}

/// What viewers draw for an annotation without an appearance does to the words of its page.
fn bare_overlay(below: &PageText, shape: &bare::Shape, page: u32, arrival: Arrival) -> Overlay {
    let (left, bottom) = below.corner;
    let mut touched = None;
    for run in below.runs.iter().filter(|run| run.annotation.is_none() && run.is_painted()) {
        if below.text(run).chars().all(|letter| "_.-".contains(letter)) {
            continue;
        }
        let glyphs = (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph));
        for glyph in glyphs {
            match shape.part_of(glyph.moved(left, bottom)) {
                part if part >= bare::HIDDEN && shape.is_opaque && arrival == Arrival::New => return Overlay::Hides,
                part if part >= bare::TOUCHED => touched = touched.or(Some(below.text(run))),
                _ => {}
            }
        }
    }
    // thin lines that go through words, such as a highlight's, hide nothing
    match touched.filter(|_| !shape.is_line) {
        Some(words) => Overlay::Unclear(format!(
            "on page {page}, viewers draw an annotation without an appearance over {}",
            quoted(words)
        )),
        None => Overlay::Clear,
    }
}

fn quoted(words: &str) -> String {
    let words: String = words.trim().chars().take(QUOTED).collect();
    format!("\u{201c}{words}\u{201d}")
}

/// A text that continues the line of signed words, as a clause with both.
fn continued(below: &PageText, over: &PageText, page: u32) -> Option<String> {
    let is_said = |page: &PageText, run: &Run| page.text(run).chars().any(char::is_alphanumeric);
    for new in over.runs.iter().filter(|run| run.is_painted() && is_said(over, run)) {
        let is_beside = |old: &&Run| {
            let em = old.size.max(1.0);
            let gap = (new.bounds.left - old.bounds.right).max(old.bounds.left - new.bounds.right);
            old.annotation.is_none()
                && old.is_painted()
                && old.level().is_near(new.level(), BASELINE_TOLERANCE_EM * em)
                && gap < CONTINUED_GAP_EM * em
                && is_said(below, old)
        };
        if let Some(old) = below.runs.iter().find(is_beside) {
            let (new, old) = (quoted(over.text(new)), quoted(below.text(old)));
            return Some(format!("on page {page}, {new} was added on the line of {old}"));
        }
    }
    None
}

/// Whether what lies over words with these bounds is one light area.
fn is_highlight(over: &PageText, words: Rectangle) -> bool {
    let is_light = |color: [u8; 3]| color.iter().map(|part| u32::from(*part)).sum::<u32>() >= HIGHLIGHT_COLOR;
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_plain = areas.clone().all(|area| area.color.is_some_and(is_light) && area.object.is_none());
    let middle = words.middle();
    let upon = areas.by_ref().filter(|area| area.bounds.has(middle)).count();
    is_plain && upon <= 1 && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether what lies over words with these bounds are lines.
fn is_line(over: &PageText, words: Rectangle) -> bool {
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_thin = |bounds: Rectangle| {
        bounds.clipped(words).height() <= LINE_HEIGHT * words.height()
            || bounds.clipped(words).width() <= LINE_HEIGHT * words.height()
    };
    areas.all(|area| is_thin(area.bounds)) && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether the graphics states of an appearance only make it lighter, or mix it so that what is dark below stays so.
fn has_plain_states(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let look = view.dictionary(annotation.get(b"AP"))?.get(b"N").clone();
    let mut waiting = vec![(look, 0)];
    let mut forms_left = FORMS;
    while let Some((form, depth)) = waiting.pop() {
        forms_left -= 1;
        if depth > NESTED || forms_left == 0 {
            return Ok(false);
        }
        let form = view.dictionary(&form)?.into_owned();
        let resources = view.dictionary(form.get(b"Resources"))?.into_owned();
        let states = view.dictionary(resources.get(b"ExtGState"))?.into_owned();
        for (_, state) in states.iter() {
            let state = view.dictionary(state)?.into_owned();
            let blend = view.resolve(state.get(b"BM"))?.into_owned();
            let alpha = view.number(state.get(b"ca"))?.unwrap_or(1.0);
            let is_mixed = matches!(blend.as_name(), Some(b"Multiply" | b"Darken"));
            let is_plain = matches!(blend.as_name(), Some(b"Normal" | b"Compatible")) || blend.is_null();
            if !is_mixed && !is_plain || state.has(b"SMask") && !state.get(b"SMask").is_name(b"None") {
                return Ok(false);
            }
            if is_plain && state.has(b"ca") && alpha < 1.0 && alpha > HIGHLIGHT_ALPHA {
                return Ok(false);
            }
        }
        let forms = view.dictionary(resources.get(b"XObject"))?.into_owned();
        waiting.extend(forms.iter().map(|(_, form)| (form.clone(), depth + 1)));
    }
    Ok(true)
}

/// Whether any text of a drawing runs along words with these bounds, not above or below them.
fn is_written_along(over: &PageText, words: Rectangle) -> bool {
    over.runs.iter().filter(|run| run.is_painted()).any(|run| {
        let both = run.bounds.clipped(words);
        !both.is_empty() && 2.0 * both.height() >= run.bounds.height().min(words.height())
    })
}

/// Whether a page is shown turned.
fn is_turned(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [_, after] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.new);
    let Some(page) = after.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.integer(dictionary.get(b"Rotate"))?.is_some_and(|angle| angle % 360 != 0))
}

/// What the page draws, which is read once for all annotations that came to it.
fn below(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Rc<PageText>, Fault> {
    let state = step.pair.old;
    if let Some((known, drawn)) = &examiner.drawn
        && *known == (state, owner)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, _] = &step.pages;
    let page_read = before.page(owner).ok_or(Fault::Damaged)?;
    let drawn = Contents::with_steps(examiner.document, LOOKED).page(examiner.document, state, page_read)?;
    let drawn = Rc::new(drawn);
    examiner.drawn = Some(((state, owner), Rc::clone(&drawn)));
    Ok(drawn)
}
