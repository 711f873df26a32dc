//! Whether an annotation added to a signed page hides signed content: "evil annotations" and "sneaky signatures"
//! (Rohlmann, Mladenov, Mainka and Schwenk, 2021). Covered content is hidden; text that overlaps words or continues
//! their line may read as part of them, which is inconclusive.

mod fallback_appearance;

use std::rc::Rc;

use super::examiner::{Examiner, Step};
use super::signature_field_template::has_normal_appearance;
use pdf_content::{ContentReader, PageText, Painted, Rectangle, Run, overlaid};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Painting steps for one annotation and for its page: about a hundredth of a second.
const MAX_PAINT_STEPS: u64 = 1 << 21;
/// Visibility flags of annotations: hidden, printed, not on screen (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_ZOOM: i64 = 1 << 3;
const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;
/// Maximum distance of a text from a baseline and from the last word, to continue that line, in font sizes.
const BASELINE_TOLERANCE_EM: f64 = 0.3;
const CONTINUED_GAP_EM: f64 = 1.0;
/// Maximum distance of digits that read as one number, in font sizes.
const JOINED_GAP_EM: f64 = 0.4;
/// Maximum size of paint that reads as a letter, and maximum distance from the box of a word, along its line and across,
/// in font sizes; maximum distance of its parts from each other, in points. Maximum parts compared.
const LETTER_SIZE_EM: f64 = 1.3;
const DRAWN_GAP_EM: f64 = 0.6;
const DRAWN_REACH_EM: f64 = 0.2;
const DRAWN_TOGETHER_PT: f64 = 2.0;
const MAX_DRAWN_PARTS: usize = 500;
/// Maximum size of the letters of such a line, in points.
const MAX_LINE_SIZE_PT: f64 = 36.0;
/// Maximum height of a markup annotation's line, as a share of the height of the marked words.
const MAX_LINE_HEIGHT_SHARE: f64 = 0.35;
/// Maximum opacity of a legible highlight, and minimum sum of its color components, of 765.
const HIGHLIGHT_ALPHA: f64 = 0.6;
const HIGHLIGHT_COLOR: u32 = 300;
/// Maximum depth of nested forms searched for graphics states.
const MAX_FORM_DEPTH: usize = 4;
/// Maximum annotations compared with a page after the first unreadable one.
const MAX_CHECKS_IF_UNREADABLE: usize = 20;
/// Maximum forms searched for graphics states.
const MAX_FORMS: usize = 64;
/// Maximum pages compared if an annotation is on several.
const MAX_PAGES: usize = 20;
/// Minimum covered share of a glyph that counts as hidden, and maximum glyphs of a signature compared.
const MIN_HIDDEN_GLYPH_SHARE: f64 = 0.5;
const MAX_GLYPHS: usize = 500;
/// Maximum characters quoted.
const MAX_QUOTED_CHARS: usize = 80;

/// How the appearance came to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// A new annotation or field.
    New,
    /// The appearance of a field that was in the signed state.
    Existing,
    /// A value in such a field, which may touch its neighbors.
    Filled,
    /// The mark of such a button.
    Marked,
}

/// An annotation that is compared with its page.
struct Compared<'a> {
    /// Its object number; none if it is direct.
    number: Option<u32>,
    annotation: &'a Dictionary,
    arrival: Arrival,
}

/// The effect on signed content.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Overlay {
    Clear,
    /// An inconclusive effect, as a clause.
    Inconclusive(String),
    Hides,
}

/// Whether an annotation added to a page of a signed file, `owner`, hides content of that page.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, annotation): (Option<u32>, &Dictionary),
) -> Result<bool, Fault> {
    let compared = Compared { number, annotation, arrival: Arrival::New };
    let found = overlay(examiner, (step, step.pair.new), owner, &compared)?;
    Ok(examiner.settle(step, owner, &found))
}

/// The same for the appearance of a field that was empty when the file was signed: the signer knew its place.
pub(crate) fn signing_hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, widget): (u32, &Dictionary),
) -> Result<bool, Fault> {
    let compared = Compared { number: Some(number), annotation: widget, arrival: Arrival::Existing };
    let found = overlay(examiner, (step, step.pair.new), owner, &compared)?;
    if let Some(body) = examiner.document.view(step.pair.old).object(number)?
        && let Some(before) = body.dictionary()
    {
        reveal(examiner, step, owner, [before, widget])?;
    }
    Ok(examiner.settle(step, owner, &found))
}

/// Whether an existing widget hides text now and did not before.
pub(crate) fn comes_to_hide_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, [before, after]): (u32, [&Dictionary; 2]),
) -> Result<bool, Fault> {
    let [_, form] = &step.forms;
    let is_button = form.field(number).is_some_and(Field::is_button);
    let arrival = if is_button { Arrival::Marked } else { Arrival::Filled };
    let compared = |annotation| Compared { number: Some(number), annotation, arrival };
    reveal(examiner, step, owner, [before, after])?;
    let found = overlay(examiner, (step, step.pair.new), owner, &compared(after))?;
    if found == Overlay::Clear || found == overlay(examiner, (step, step.pair.old), owner, &compared(before))? {
        return Ok(false);
    }
    Ok(examiner.settle(step, owner, &found))
}

/// Records words of a signed page that the appearance of a widget hid and no longer hides as inconclusive.
fn reveal(examiner: &mut Examiner, step: &Step, owner: u32, [before, after]: [&Dictionary; 2]) -> Result<(), Fault> {
    let [pages, _] = &step.pages;
    if !step.follows_signature || pages.page(owner).is_none() {
        return Ok(());
    }
    let below = below(examiner, step, owner)?;
    let mut drawn = |state: State, widget: &Dictionary| {
        let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
        contents.appearance(examiner.document, state, widget, below.corner)
    };
    let was = drawn(step.pair.old, before)?;
    // most fields have no ground of their own
    if !was.areas.iter().any(|area| area.is_solid && !area.is_off) {
        return Ok(());
    }
    let is = drawn(step.pair.new, after)?;
    let mut hidden = |over: &PageText| {
        let found = overlaid(&below, over, |_| false, &mut examiner.paint_checks_left).unwrap_or_default();
        let words = found.into_iter().filter(|found| found.is_hidden).filter_map(|found| match found.what {
            Painted::Words(words) => Some((found.bounds, words)),
            _ => None,
        });
        words.collect::<Vec<_>>()
    };
    let (hid, hides) = (hidden(&was), hidden(&is));
    if let Some((_, words)) = hid.iter().find(|words| !hides.contains(words)) {
        let page = step.page_number(owner);
        let what = format!("page {} now shows {}, which a field hid", page.unwrap_or(0), quoted(words));
        examiner.inconclusive(step, page, what);
    }
    Ok(())
}

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
        let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
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
        let is_over = |area: &pdf_content::Area| 2.0 * area.bounds.clipped(painted).area() >= painted.area();
        return over.areas.iter().any(|area| area.is_solid && !area.is_off && is_over(area));
    }
    let hidden =
        glyphs.iter().filter(|glyph| over.covered_part(**glyph, |_| true, true) >= MIN_HIDDEN_GLYPH_SHARE).count();
    2 * hidden >= glyphs.len()
}

impl Examiner<'_, '_> {
    /// Records an inconclusive effect; returns whether something is hidden.
    fn settle(&mut self, step: &Step, owner: u32, found: &Overlay) -> bool {
        if let Overlay::Inconclusive(what) = found {
            self.inconclusive(step, step.page_number(owner), what.clone());
        }
        *found == Overlay::Hides
    }
}

/// The effect of an annotation, as a state has it, on the page before the revision.
fn overlay(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    owner: u32,
    compared: &Compared,
) -> Result<Overlay, Fault> {
    let &Compared { number, annotation, arrival } = compared;
    if !step.follows_signature {
        return Ok(Overlay::Clear);
    }
    if owner == 0 {
        let [pages, _] = step.pages.clone();
        for page in pages.leaves.iter().filter_map(pdf_syntax::document::pages::PageLeaf::object).take(MAX_PAGES) {
            if overlay(examiner, (step, state), page, compared)? == Overlay::Hides {
                return Ok(Overlay::Hides);
            }
        }
        return Ok(Overlay::Inconclusive("an annotation was added that is on several pages, or on none".to_owned()));
    }
    let Some(left) = examiner.overlap_checks_left.checked_sub(1) else {
        return Ok(Overlay::Inconclusive("more annotations were added than are compared with their pages".to_owned()));
    };
    examiner.overlap_checks_left = left;
    let flags = examiner.document.view(state).integer(annotation.get(b"F"))?.unwrap_or(0);
    if flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW {
        return Ok(Overlay::Clear);
    }
    let page = step.page_number(owner).unwrap_or(0);
    if flags & NO_ROTATE != 0 && is_turned(examiner, step, owner)? {
        return Ok(Overlay::Inconclusive(format!("viewers turn an annotation on page {page} differently")));
    }
    // other signatures are compared on their own
    let [form, _] = step.forms.clone();
    let is_under = |other: u32| Some(other) != number && !form.field(other).is_some_and(Field::is_signature);
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    // where notes may be added, others may be removed
    let is_note = |under: u32| subtype != b"Widget" && form.field(under).is_none();
    let is_sized = Rectangle::read(annotation.get(b"Rect")).is_some_and(|it| it.width() > 0.0 || it.height() > 0.0);
    if flags & NO_ZOOM != 0 && is_sized && subtype == b"Widget" {
        return Ok(Overlay::Inconclusive(format!("the size of a field on page {page} depends on the zoom")));
    }
    // a widget without one for its state is off; viewers make one up for any other annotation
    let has_appearance = if subtype == b"Widget" {
        examiner.document.view(state).dictionary(annotation.get(b"AP"))?.has(b"N")
    } else {
        has_normal_appearance(examiner, state, annotation)?
    };
    if !has_appearance {
        let shape = fallback_appearance::shape(&mut examiner.document.view(state), annotation)?;
        let Some(bounds) = shape.bounds() else { return Ok(Overlay::Clear) };
        let below = below(examiner, step, owner)?;
        return Ok(fallback_overlay(&below, (&shape, bounds), (page, arrival), (is_under, is_note)));
    }
    let below = below(examiner, step, owner)?;
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let over = contents.appearance(examiner.document, state, annotation, below.corner)?;
    let found = overlaid(&below, &over, is_under, &mut examiner.paint_checks_left);
    let Some(found) = found.filter(|_| !over.is_part) else {
        // further ones give no more information
        examiner.overlap_checks_left = examiner.overlap_checks_left.min(MAX_CHECKS_IF_UNREADABLE);
        return Ok(Overlay::Inconclusive(format!("an appearance on page {page} cannot be read completely")));
    };
    let is_mark = matches!(subtype, b"Highlight" | b"Underline" | b"Squiggly" | b"StrikeOut");
    let is_light = is_mark && has_plain_states(examiner, state, annotation)?;
    let mut unclear = unseen_value(examiner, (step, state), (owner, page), (&below, &over, number))?;
    for found in found {
        let areas = || over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(found.bounds));
        let outcome = match &found.what {
            Painted::Words(words) if found.annotation.is_some() => match (found.is_hidden, arrival) {
                (false, _) => None,
                (true, Arrival::New) if found.annotation.is_some_and(is_note) => {
                    Some(format!("a note on page {page} hides another one, {}", quoted(words)))
                }
                (true, Arrival::Existing) => Some(format!("what was added on page {page} hides {}", quoted(words))),
                (true, _) => return Ok(Overlay::Hides),
            },
            _ if found.is_hidden && arrival != Arrival::Existing => return Ok(Overlay::Hides),
            Painted::Words(words) => {
                let is_clear = match arrival {
                    Arrival::Existing => !found.is_hidden,
                    Arrival::Filled | Arrival::Marked => !is_written_along(&over, found.bounds),
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
            // the image content there is unknown
            Painted::Picture => (arrival == Arrival::New)
                .then(|| format!("what was added on page {page} lies over a picture, which cannot be read")),
        };
        unclear = unclear.or(outcome);
    }
    let beside = continued(&below, &over, (page, arrival), is_under);
    let is_drawn = arrival == Arrival::New && !is_mark;
    let beside = beside.or_else(|| if is_drawn { drawn_beside(&below, &over, page) } else { None });
    let unread = below.is_part && (!over.areas.is_empty() || !over.runs.is_empty());
    let unread = unread.then(|| format!("what page {page} shows cannot be read completely"));
    Ok(unclear.or(beside).or(unread).map_or(Overlay::Clear, Overlay::Inconclusive))
}

/// Whether an appearance hides the place of a value that viewers draw because its field has no appearance, as a clause.
fn unseen_value(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    (owner, page): (u32, u32),
    (below, over, own): (&PageText, &PageText, Option<u32>),
) -> Result<Option<String>, Fault> {
    if !over.areas.iter().any(|area| area.is_solid && !area.is_off) {
        return Ok(None);
    }
    let [form, _] = step.forms.clone();
    let (left, bottom) = below.corner;
    for field in form.fields.iter().filter(|field| field.is_widget() && !field.is_signature() && !field.is_button()) {
        let is_shown = field.text().is_some_and(|value| !value.trim().is_empty()) && field.number != own;
        let is_here = field.number.is_some_and(|number| examiner.map.page(number) == Some(owner));
        if !is_shown || !is_here || has_normal_appearance(examiner, step.pair.old, field.dictionary())? {
            continue;
        }
        let place = examiner.document.view(state).array(field.dictionary().get(b"Rect"), 5)?;
        let Some(place) = Rectangle::read(&place).map(|place| place.moved(-left, -bottom)) else { continue };
        if over.covered_part(place, |_| true, true) >= MIN_HIDDEN_GLYPH_SHARE {
            let name = quoted(&field.name);
            return Ok(Some(format!("what was added on page {page} hides the value of the form field {name}")));
        }
    }
    Ok(None)
}

/// The effect on page text of an annotation that viewers draw without an appearance stream.
fn fallback_overlay(
    below: &PageText,
    (shape, bounds): (&fallback_appearance::Shape, Rectangle),
    (page, arrival): (u32, Arrival),
    (is_under, is_note): (impl Fn(u32) -> bool, impl Fn(u32) -> bool),
) -> Overlay {
    let (left, bottom) = below.corner;
    let mut touched = None;
    for run in below.runs.iter().filter(|run| run.annotation.is_none_or(&is_under) && run.is_painted()) {
        if below.text(run).chars().all(|letter| "_.-".contains(letter)) {
            continue;
        }
        let glyphs = (0..below.glyphs(run).len()).filter_map(|glyph| below.glyph_box(run, glyph));
        let places = glyphs.map(|glyph| glyph.moved(left, bottom)).filter(|glyph| glyph.meets(bounds));
        for glyph in places {
            match shape.part_of(glyph) {
                part if part >= fallback_appearance::MIN_HIDDEN_SHARE && shape.is_opaque && arrival == Arrival::New => {
                    if !run.annotation.is_some_and(&is_note) {
                        return Overlay::Hides;
                    }
                    touched = touched.or(Some(below.text(run)));
                }
                part if part >= fallback_appearance::MIN_TOUCHED_SHARE && run.annotation.is_none() => {
                    touched = touched.or(Some(below.text(run)));
                }
                _ => {}
            }
        }
    }
    // thin lines through words, such as a strikeout's, hide nothing
    match touched.filter(|_| !shape.is_line) {
        Some(words) => Overlay::Inconclusive(format!(
            "on page {page}, viewers draw an annotation without an appearance over {}",
            quoted(words)
        )),
        None => Overlay::Clear,
    }
}

fn quoted(words: &str) -> String {
    let words: String = words.trim().chars().take(MAX_QUOTED_CHARS).collect();
    format!("\u{201c}{words}\u{201d}")
}

/// A text that continues a line of signed words, as a clause with both. In a place that the signer knew, only digits
/// that join a number do.
fn continued(
    below: &PageText,
    over: &PageText,
    (page, arrival): (u32, Arrival),
    is_under: impl Fn(u32) -> bool,
) -> Option<String> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER;
    let is_said = |page: &PageText, run: &Run| page.text(run).chars().any(is_letter);
    for new in over.runs.iter().filter(|run| run.is_painted() && is_said(over, run)) {
        let is_beside = |old: &&Run| {
            let em = old.size.max(1.0);
            let (gap, is_behind) = old.gap_along(new);
            let (first, last) =
                if is_behind { (below.text(old), over.text(new)) } else { (over.text(new), below.text(old)) };
            let is_joined = gap < JOINED_GAP_EM * em
                && first.ends_with(|letter: char| letter.is_ascii_digit())
                && last.starts_with(|letter: char| letter.is_ascii_digit());
            old.annotation.is_none_or(&is_under)
                && old.is_painted()
                && old.level().is_near(new.level(), BASELINE_TOLERANCE_EM * em)
                && gap < CONTINUED_GAP_EM * em
                && is_said(below, old)
                && match arrival {
                    Arrival::New => true,
                    // a value may follow the printed start of a number, such as a year's
                    Arrival::Filled => false,
                    Arrival::Existing | Arrival::Marked => is_joined,
                }
        };
        if let Some(old) = below.runs.iter().find(is_beside) {
            let (new, old) = (quoted(over.text(new)), quoted(below.text(old)));
            return Some(format!("on page {page}, {new} was added on the line of {old}"));
        }
    }
    None
}

/// Paint as small as letters, such as a drawn digit or a point, on a line of signed words, as a clause with these.
fn drawn_beside(below: &PageText, over: &PageText, page: u32) -> Option<String> {
    let is_said = |run: &&Run| {
        // in a watermark everything is small
        let is_line = run.level().is_upright() && run.size <= MAX_LINE_SIZE_PT;
        is_line && run.annotation.is_none() && run.is_painted() && below.text(run).chars().any(char::is_alphanumeric)
    };
    let areas: Vec<Rectangle> = over.areas.iter().filter(|area| !area.is_off).map(|area| area.bounds).collect();
    if areas.len() > MAX_DRAWN_PARTS {
        return None;
    }
    for bounds in joined(areas) {
        let is_beside = |old: &&Run| {
            let em = old.size.max(1.0);
            let Rectangle { left, bottom, right, top } = old.bounds;
            let (along, across) = (DRAWN_GAP_EM * em, DRAWN_REACH_EM * em);
            let line =
                Rectangle { left: left - along, bottom: bottom - across, right: right + along, top: top + across };
            bounds.height().max(bounds.width()) <= LETTER_SIZE_EM * em && line.holds(bounds)
        };
        if let Some(old) = below.runs.iter().filter(is_said).find(is_beside) {
            let words = quoted(below.text(old));
            return Some(format!("on page {page}, something as small as a letter was drawn on the line of {words}"));
        }
    }
    None
}

/// The boxes around paint that is together.
fn joined(areas: Vec<Rectangle>) -> Vec<Rectangle> {
    let mut joined: Vec<Rectangle> = Vec::new();
    for mut area in areas {
        while let Some(place) = joined.iter().position(|other| other.grown(DRAWN_TOGETHER_PT).meets(area)) {
            area = area.with(joined.swap_remove(place));
        }
        joined.push(area);
    }
    joined
}

/// Whether the paint over words with these bounds is one light area.
fn is_highlight(over: &PageText, words: Rectangle) -> bool {
    let is_light = |color: [u8; 3]| color.iter().map(|part| u32::from(*part)).sum::<u32>() >= HIGHLIGHT_COLOR;
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_plain = areas.clone().all(|area| area.color.is_some_and(is_light) && area.object.is_none());
    let middle = words.middle();
    let covering = areas.by_ref().filter(|area| area.bounds.has(middle)).count();
    is_plain && covering <= 1 && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether the paint over words with these bounds is lines.
fn is_line(over: &PageText, words: Rectangle) -> bool {
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_thin = |bounds: Rectangle| {
        bounds.clipped(words).height() <= MAX_LINE_HEIGHT_SHARE * words.height()
            || bounds.clipped(words).width() <= MAX_LINE_HEIGHT_SHARE * words.height()
    };
    areas.all(|area| is_thin(area.bounds)) && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether the graphics states of an appearance only lighten it, or blend it so that dark content below stays dark.
fn has_plain_states(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let appearance = view.dictionary(annotation.get(b"AP"))?.get(b"N").clone();
    let mut waiting = vec![(appearance, 0)];
    let mut forms_left = MAX_FORMS;
    while let Some((form, depth)) = waiting.pop() {
        forms_left -= 1;
        if depth > MAX_FORM_DEPTH || forms_left == 0 {
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

/// Whether any text runs along words with these bounds, not above or below them.
fn is_written_along(over: &PageText, words: Rectangle) -> bool {
    over.runs.iter().filter(|run| run.is_painted()).any(|run| {
        let both = run.bounds.clipped(words);
        !both.is_empty() && 2.0 * both.height() >= run.bounds.height().min(words.height())
    })
}

/// Whether a page is rotated.
fn is_turned(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [_, after] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.new);
    let Some(page) = after.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.integer(dictionary.get(b"Rotate"))?.is_some_and(|angle| angle % 360 != 0))
}

/// The page's content, read once for all annotations added to it.
fn below(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Rc<PageText>, Fault> {
    let state = step.pair.old;
    if let Some((known, drawn)) = &examiner.drawn
        && *known == (state, owner)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, _] = &step.pages;
    let page_read = before.page(owner).ok_or(Fault::Damaged)?;
    let drawn =
        ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS).page(examiner.document, state, page_read)?;
    let drawn = Rc::new(drawn);
    examiner.drawn = Some(((state, owner), Rc::clone(&drawn)));
    Ok(drawn)
}
