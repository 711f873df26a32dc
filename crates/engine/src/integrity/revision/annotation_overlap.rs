//! Whether an annotation added to a signed page hides signed content: "evil annotations" and "sneaky signatures"
//! (Rohlmann, Mladenov, Mainka and Schwenk, 2021). Covered content is hidden; text that overlaps words or continues
//! their line may read as part of them, which is inconclusive.

mod beside;
mod fallback_appearance;
mod markup;
mod new_ink;
mod revealed;

use std::collections::BTreeSet;
use std::rc::Rc;

use super::examiner::{Examiner, Step};
use super::signature_field_template::has_normal_appearance;
use pdf_content::{
    Area, ContentReader, Line, PageText, Painted, Rectangle, Run, Visibility, component_sum, legible, overlaid,
};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;
pub(crate) use revealed::note_reveals;

/// Painting steps for one annotation and for its page: about a hundredth of a second.
const MAX_PAINT_STEPS: u64 = 1 << 21;
/// Visibility flags of annotations: hidden, printed, not on screen (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_ZOOM: i64 = 1 << 3;
const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;
const MAX_FLAGS: i64 = u32::MAX as i64;
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
/// Maximum annotations compared with a page after the first unreadable one.
const MAX_CHECKS_IF_UNREADABLE: usize = 20;
/// Maximum forms searched for graphics states.
const MAX_FORMS: usize = 64;
/// Maximum pages compared if an annotation is on several.
const MAX_PAGES: usize = 20;
/// Minimum covered share of a glyph that counts as hidden, and maximum glyphs of a signature compared.
const MIN_HIDDEN_GLYPH_SHARE: f64 = 0.5;
const MAX_GLYPHS: usize = 500;
/// Maximum states of a note compared.
const MAX_STATES: usize = 8;
/// Maximum annotations without an appearance compared per page, and half the size of a point of them.
const MAX_ANNOTATIONS: usize = 500;
const HALF_POINT: f64 = 0.5;
/// Minimum size of a page in units of its coordinates, if they are no points.
const MIN_PAGE_SIZE: f64 = 100.0;
/// Distance of a generated value from the side of its field, in points, and its maximum distance from digits that it
/// joins, in font sizes.
const VALUE_PADDING_PT: f64 = 2.0;
const VALUE_GAP_EM: f64 = 0.4;
/// Minimum words of a line that names a signer.
const MIN_PHRASE_WORDS: usize = 3;
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
        revealed::reveal(examiner, step, (owner, number), [before, widget])?;
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
    revealed::reveal(examiner, step, (owner, number), [before, after])?;
    see_text(examiner, step, owner, number)?;
    let found = overlay(examiner, (step, step.pair.new), owner, &compared(after))?;
    if found == Overlay::Clear || found == overlay(examiner, (step, step.pair.old), owner, &compared(before))? {
        return Ok(false);
    }
    Ok(examiner.settle(step, owner, &found))
}

/// Records a filled value or mark of which the page does not show everything as inconclusive.
fn see_text(examiner: &mut Examiner, step: &Step, owner: u32, widget: u32) -> Result<(), Fault> {
    if !step.follows_signature || is_text_shown(examiner, step, step.pair.new, (owner, widget))? {
        return Ok(());
    }
    let page = step.page_number(owner);
    let [_, form] = &step.forms;
    let name = form.field(widget).map(|field| legible(&field.name)).unwrap_or_default();
    let what = format!("page {} does not show everything of the form field \u{201c}{name}\u{201d}", page.unwrap_or(0));
    examiner.inconclusive(step, page, what);
    Ok(())
}

/// Whether a page shows all letters of a widget's appearance.
pub(crate) fn is_text_shown(
    examiner: &mut Examiner,
    step: &Step,
    state: State,
    (owner, widget): (u32, u32),
) -> Result<bool, Fault> {
    let [before, after] = &step.pages;
    let pages = if state == step.pair.old { before } else { after };
    if pages.page(owner).is_none() {
        return Ok(true);
    }
    // the rows of a list may be cut off at its box, and are compared as rows
    let [_, form] = &step.forms;
    if form.field(widget).is_some_and(Field::is_list) {
        return Ok(true);
    }
    let page = painted(examiner, step, (state, owner))?;
    Ok(page.shows_text_of(widget, &mut examiner.paint_checks_left))
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
        let mut contents = contents(examiner);
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
        let is_over = |area: &Area| 2.0 * area.bounds.clipped(painted).area() >= painted.area();
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
    let found = compare(examiner, (step, state), owner, compared)?;
    if found != Overlay::Clear || owner == 0 || !step.follows_signature {
        return Ok(found);
    }
    // lengths are compared in points
    let is_small = below(examiner, step, owner)?.size.iter().all(|side| *side < MIN_PAGE_SIZE);
    if is_small && has_large_unit(examiner, step, owner)? {
        let page = step.page_number(owner).unwrap_or(0);
        return Ok(Overlay::Inconclusive(format!(
            "page {page} has too large a unit to compare what was added with it"
        )));
    }
    Ok(found)
}

fn compare(
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
    // readers differ in other numbers
    let flags = examiner.document.view(state).resolve(annotation.get(b"F"))?.into_owned();
    let flags = if let Object::Integer(flags @ 0..=MAX_FLAGS) = flags { flags } else { 0 };
    if flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW {
        return Ok(Overlay::Clear);
    }
    let page = step.page_number(owner).unwrap_or(0);
    let mut unclear = None;
    if flags & NO_ROTATE != 0 && is_turned(examiner, step, owner)? {
        return Ok(Overlay::Inconclusive(format!("viewers turn an annotation on page {page} differently")));
    }
    let [form, _] = step.forms.clone();
    let is_under = |other: u32| Some(other) != number;
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    // where notes may be added, others may be removed
    let is_note = |under: u32| subtype != b"Widget" && form.field(under).is_none();
    // a signer may sign again in the same place
    let is_signature = |under: u32| subtype == b"Widget" && form.field(under).is_some_and(Field::is_signature);
    let is_sized = Rectangle::read(annotation.get(b"Rect")).is_some_and(|it| it.width() > 0.0 || it.height() > 0.0);
    if flags & NO_ZOOM != 0 && is_sized && subtype == b"Widget" {
        return Ok(Overlay::Inconclusive(format!("the size of a field on page {page} depends on the zoom")));
    }
    for shown in states_without_choice(examiner, state, annotation)?.iter().filter(|_| subtype != b"Widget") {
        let shown = Compared { number, annotation: shown, arrival };
        if overlay(examiner, (step, state), owner, &shown)? == Overlay::Hides {
            return Ok(Overlay::Hides);
        }
        unclear = Some(format!("viewers choose the appearance of an annotation on page {page} differently"));
    }
    // a widget without one for its state is off; viewers make one up for any other annotation
    let has_appearance = if subtype == b"Widget" {
        examiner.document.view(state).dictionary(annotation.get(b"AP"))?.has(b"N")
    } else {
        has_normal_appearance(examiner, state, annotation)?
    };
    let is_mark = matches!(subtype, b"Highlight" | b"Underline" | b"Squiggly" | b"StrikeOut");
    let kind = match subtype {
        b"Ink" | b"Line" | b"PolyLine" | b"Polygon" | b"Circle" | b"Square" => beside::Kind::Drawing,
        b"Widget" => beside::Kind::Field,
        _ => beside::Kind::Note,
    };
    let below = below(examiner, step, owner)?;
    let (left, bottom) = below.corner;
    let place = Rectangle::read(&examiner.document.view(state).array(annotation.get(b"Rect"), 5)?);
    let place = place.map(|place| place.moved(-left, -bottom));
    if !has_appearance || unclear.is_some() {
        let shape = fallback_appearance::shape(&mut examiner.document.view(state), annotation)?;
        let bounds = shape.bounds().unwrap_or_default();
        let found = fallback_overlay(
            &below,
            (&shape, bounds),
            (page, arrival, is_mark),
            (is_under, |under| is_note(under) || is_signature(under)),
        );
        if found == Overlay::Hides {
            return Ok(found);
        }
        if let Some(unclear) = unclear {
            return Ok(Overlay::Inconclusive(unclear));
        }
        if found != Overlay::Clear {
            return Ok(found);
        }
        if kind == beside::Kind::Drawing
            && let Some(found) = beside::drawn_digit(&below, bounds.moved(-left, -bottom), page)
        {
            return Ok(Overlay::Inconclusive(found));
        }
        let mut contents = contents(examiner);
        let over = contents.appearance(examiner.document, state, annotation, below.corner)?;
        let is_widget = subtype == b"Widget";
        let beside = match arrival {
            Arrival::Filled => value_beside((step, state), &below, (page, annotation), number),
            _ => {
                let kind = if is_mark { beside::Kind::Mark } else { kind };
                beside::beside(&below, &over, (page, arrival, kind), (place, is_under)).filter(|_| !is_widget)
            }
        };
        return Ok(beside.map_or(Overlay::Clear, Overlay::Inconclusive));
    }
    let mut contents = contents(examiner);
    let over = contents.appearance(examiner.document, state, annotation, below.corner)?;
    let found = overlaid(&below, &over, is_under, &mut examiner.paint_checks_left);
    let Some(found) = found.filter(|_| !over.is_part) else {
        // further ones give no more information
        examiner.overlap_checks_left = examiner.overlap_checks_left.min(MAX_CHECKS_IF_UNREADABLE);
        return Ok(Overlay::Inconclusive(format!("an appearance on page {page} cannot be read completely")));
    };
    let quads = fallback_appearance::quad_height(&mut examiner.document.view(state), annotation)?;
    let is_plain = is_mark && markup::is_plain(&over, subtype, quads.unwrap_or_default());
    let kind = if is_plain { beside::Kind::Mark } else { kind };
    let is_signed_look = arrival == Arrival::Marked && {
        let signed = contents.appearance(examiner.document, step.pair.old, annotation, below.corner)?;
        has_same_paint(&signed, &over)
    };
    let is_light = is_mark && has_plain_states(examiner, state, annotation)?;
    unclear = unseen(examiner, step, (owner, page), (&over, below.corner), (number, arrival))?;
    for found in found {
        let areas = || over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(found.bounds));
        let outcome = match &found.what {
            Painted::Words(words) if found.is_hidden => {
                if found.annotation.is_some_and(is_note) && arrival == Arrival::New {
                    Some(format!("a note on page {page} hides another one, {}", quoted(words)))
                } else if arrival == Arrival::Existing || found.annotation.is_some_and(is_signature) {
                    Some(format!("what was added on page {page} hides {}", quoted(words)))
                } else {
                    return Ok(Overlay::Hides);
                }
            }
            Painted::Words(words) => {
                let is_clear = match arrival {
                    Arrival::Filled => !is_written_along(&over, found.bounds),
                    // a mark strikes what is printed in its box
                    Arrival::Marked => {
                        !is_written_along(&over, found.bounds)
                            && (is_signed_look
                                || found.annotation.is_some()
                                || !areas().any(|area| strikes(area, found.bounds)))
                    }
                    Arrival::New if subtype == b"Highlight" => {
                        is_light
                            && is_highlight(&over, found.bounds)
                            && !markup::washes_out(&below, &over, found.bounds)
                    }
                    Arrival::New if kind == beside::Kind::Drawing => is_crossed(&over, found.bounds, words),
                    Arrival::New => is_light && is_line(&over, found.bounds, words),
                    Arrival::Existing => {
                        !words.contains(char::is_numeric)
                            && areas().next().is_none()
                            && over.lines().iter().filter(|line| line.bounds.meets(found.bounds)).all(is_phrase)
                    }
                };
                (!is_clear).then(|| format!("what was added on page {page} lies over {}", quoted(words)))
            }
            _ if found.is_hidden && arrival != Arrival::Existing && found.annotation.is_none() => {
                return Ok(Overlay::Hides);
            }
            Painted::Path => {
                let is_stroked = |run: &Run| run.bounds.meets(found.bounds) && !matches!(run.mode, 0 | 3 | 7);
                let is_unknown = areas().any(|area| !area.is_solid) || over.runs.iter().any(is_stroked);
                (found.is_hidden || found.is_changed || is_unknown && arrival == Arrival::New && !is_light)
                    .then(|| format!("what was added on page {page} lies over a drawing"))
            }
            // the image content there is unknown; a field on a scanned page has its place there
            Painted::Picture => matches!(arrival, Arrival::New | Arrival::Existing)
                .then(|| format!("what was added on page {page} lies over a picture, which cannot be read")),
        };
        unclear = unclear.or(outcome);
    }
    if is_mark && subtype != b"Highlight" {
        unclear = unclear.or_else(|| markup::partial_line(&below, &over, subtype, page));
        unclear = unclear.or_else(|| light_line(&below, &over, page));
    }
    if is_mark && unclear.is_none() {
        unclear = hidden_together(examiner, step, owner)?;
    }
    let beside = beside::beside(&below, &over, (page, arrival, kind), (place, is_under));
    let is_drawn = over.runs.iter().any(|run| run.is_painted() && run.is_type3);
    let drawn = (is_drawn && arrival != Arrival::Marked)
        .then(|| format!("the letters of what was added on page {page} are drawings, which may reach farther"));
    let unread = below.is_part && (!over.areas.is_empty() || !over.runs.is_empty());
    let unread = unread.then(|| format!("what page {page} shows cannot be read completely"));
    Ok(unclear.or(beside).or(drawn).or(unread).map_or(Overlay::Clear, Overlay::Inconclusive))
}

/// The annotation in each of its states, if it has states and is in none of them: viewers choose one differently.
fn states_without_choice(
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

/// Whether an appearance lies over an annotation that viewers draw because it has no appearance, as a clause.
fn unseen(
    examiner: &mut Examiner,
    step: &Step,
    (owner, page): (u32, u32),
    (over, corner): (&PageText, (f64, f64)),
    (own, arrival): (Option<u32>, Arrival),
) -> Result<Option<String>, Fault> {
    let ([pages, _], [form, _], state) = (&step.pages, step.forms.clone(), step.pair.old);
    let Some(leaf) = pages.page(owner).filter(|_| !over.areas.is_empty() || !over.runs.is_empty()) else {
        return Ok(None);
    };
    let dictionary = leaf.dictionary(&mut examiner.document.view(state))?.unwrap_or_default();
    let annotations = examiner.document.view(state).resolve(dictionary.get(b"Annots"))?.into_owned();
    // a value may touch its neighbors
    let min_share = if matches!(arrival, Arrival::Filled | Arrival::Marked) { MIN_HIDDEN_GLYPH_SHARE } else { 0.0 };
    for reference in annotations.elements().iter().take(MAX_ANNOTATIONS) {
        let number = reference.as_reference().map(|id| id.number);
        let annotation = examiner.document.view(state).dictionary(reference)?.into_owned();
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
            shape = fallback_appearance::Shape::filling(place);
        }
        let points = shape.points();
        let touched = points.iter().filter(|(x, y)| {
            let around =
                Rectangle { left: *x, bottom: *y, right: *x, top: *y }.grown(HALF_POINT).moved(-corner.0, -corner.1);
            over.covered_part(around, |_| true, false) > 0.0
                || over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(around))
        });
        if touched.count() as f64 > min_share * points.len() as f64 {
            let what = field
                .map_or_else(|| "an annotation".to_owned(), |field| format!("the form field {}", quoted(&field.name)));
            return Ok(Some(format!("what was added on page {page} lies over {what}, which viewers draw")));
        }
    }
    Ok(None)
}

/// Whether a value without an appearance is right before the digits of a signed word, as a clause.
fn value_beside(
    (step, state): (&Step, State),
    below: &PageText,
    (page, widget): (u32, &Dictionary),
    number: Option<u32>,
) -> Option<String> {
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
    Some(format!("on page {page}, {} was added on the line of {}", quoted(&value), quoted(below.text(old))))
}

/// The effect on page text of an annotation that viewers draw without an appearance stream.
fn fallback_overlay(
    below: &PageText,
    (shape, bounds): (&fallback_appearance::Shape, Rectangle),
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
                part if part >= fallback_appearance::MIN_HIDDEN_SHARE && shape.is_opaque && arrival == Arrival::New => {
                    if !run.annotation.is_some_and(&may_be_hidden) {
                        return Overlay::Hides;
                    }
                    touched = touched.or_else(|| Some(quoted(below.text(run))));
                }
                part if part >= fallback_appearance::MIN_TOUCHED_SHARE && run.annotation.is_none() => {
                    touched = touched.or_else(|| Some(quoted(below.text(run))));
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
    for area in below.areas.iter().filter(|area| may_change && is_wanted(area)) {
        if touched.is_some() {
            break;
        }
        let is_covered = |place: Rectangle, min_share| shape.part_of(place.moved(left, bottom)) >= min_share;
        if area.kind.is_picture() {
            let both = area.bounds.clipped(bounds.moved(-left, -bottom));
            if is_covered(both, fallback_appearance::MIN_TOUCHED_SHARE) {
                touched = Some("a picture".to_owned());
            }
        } else if area.is_ink() && shape.hides(area.color) {
            let mut ink = below.ink(area).into_iter().filter(|ink| !ink.is_frame);
            if ink.any(|ink| is_covered(ink.bounds, fallback_appearance::MIN_HIDDEN_SHARE)) {
                touched = Some("a drawing".to_owned());
            }
        }
    }
    touched.map_or(Overlay::Clear, |what| {
        Overlay::Inconclusive(format!("on page {page}, viewers draw an annotation without an appearance over {what}"))
    })
}

fn quoted(words: &str) -> String {
    let words: String = words.trim().chars().take(MAX_QUOTED_CHARS).collect();
    format!("\u{201c}{words}\u{201d}")
}

/// Whether the paint over words with these bounds is one light area.
fn is_highlight(over: &PageText, words: Rectangle) -> bool {
    let is_light = |color: [u8; 3]| component_sum(color) >= HIGHLIGHT_COLOR;
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_plain = areas.clone().all(|area| area.color_on_paper().is_some_and(is_light) && area.object.is_none());
    let middle = words.middle();
    let covering = areas.by_ref().filter(|area| area.bounds.has(middle)).count();
    is_plain && covering <= 1 && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// The signed words under paint that is too light for a line, as a clause: it may remove their lower parts.
fn light_line(below: &PageText, over: &PageText, page: u32) -> Option<String> {
    let is_dark = |color: [u8; 3]| component_sum(color) < LIGHT_LINE_COLOR;
    let is_light = |area: &&Area| !area.is_off && !area.color.is_some_and(is_dark);
    let under = |area: &Area| below.runs.iter().find(|run| run.is_painted() && run.bounds.meets(area.bounds));
    let words = over.areas.iter().filter(is_light).find_map(under)?;
    Some(format!("a light line on page {page} lies over {}", quoted(below.text(words))))
}

/// Whether the paint over words with these bounds is lines along them, and in numbers along most of them.
fn is_line(over: &PageText, words: Rectangle, text: &str) -> bool {
    let min_length = if text.contains(char::is_numeric) { words.width() / 2.0 } else { 0.0 };
    let mut areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let is_thin = |bounds: Rectangle| {
        let both = bounds.clipped(words);
        both.height().min(both.width()) <= MAX_LINE_HEIGHT_SHARE * words.height()
            && both.width().max(both.height()) >= min_length
    };
    areas.all(|area| is_thin(area.bounds)) && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(words))
}

/// Whether the paint over words with these bounds is thin lines, which would not leave a number as it was.
fn is_crossed(over: &PageText, bounds: Rectangle, words: &str) -> bool {
    !words.contains(|letter: char| letter.is_numeric() || letter == char::REPLACEMENT_CHARACTER)
        && over.covered_part(bounds, |_| true, false) <= MAX_CROSSED_SHARE
        && !over.runs.iter().any(|run| run.is_painted() && run.bounds.meets(bounds))
}

/// Words of the signed page that all new annotations together hide, as a clause, though none of them does.
fn hidden_together(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Option<String>, Fault> {
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
    let number = step.page_number(owner).unwrap_or(0);
    let Some(visibility) = Visibility::of(&drawn, is_new, &mut examiner.paint_checks_left) else {
        return Ok(Some(format!("page {number} has more annotations than can be compared together")));
    };
    let hidden = visibility.covered().find_map(|(place, covered)| {
        let run = drawn.runs.get(place)?;
        (covered.hides() && !covered.by.is_empty() && run.annotation.is_none_or(|other| !new.contains(&other)))
            .then(|| drawn.text(run))
    });
    Ok(hidden.map(|words| format!("the annotations added on page {number} hide {} together", quoted(words))))
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

/// Whether a line consists of several words, without dashes and other signs between them.
fn is_phrase(line: &Line) -> bool {
    let is_word = |word: &str| word.contains(char::is_alphanumeric);
    let text = line.text();
    text.split_whitespace().count() >= MIN_PHRASE_WORDS && text.split_whitespace().all(is_word)
}

/// Whether two appearances paint the same in the same places.
fn has_same_paint(one: &PageText, other: &PageText) -> bool {
    let runs = |page: &PageText| page.runs.iter().map(|run| (run.bounds, run.color)).collect::<Vec<_>>();
    let areas = |page: &PageText| page.areas.iter().map(|area| (area.bounds, area.color)).collect::<Vec<_>>();
    runs(one) == runs(other) && areas(one) == areas(other)
}

/// Whether a mark in a box passes over the middle of printed words.
fn strikes(area: &Area, words: Rectangle) -> bool {
    let both = area.bounds.clipped(words);
    area.bounds.has(words.middle()) && 2.0 * both.width() >= words.width()
}

/// Whether any text runs along words with these bounds, not above or below them.
fn is_written_along(over: &PageText, words: Rectangle) -> bool {
    over.runs.iter().filter(|run| run.is_painted()).any(|run| {
        let both = run.bounds.clipped(words);
        // dashes and underscores are lines anywhere in their boxes
        let is_along = 2.0 * both.height() >= run.bounds.height().min(words.height()) || over.is_leader(run);
        !both.is_empty() && is_along
    })
}

/// Whether the unit of a page's coordinates is larger than a point (table 31).
fn has_large_unit(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [before, _] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.old);
    let Some(page) = before.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.number(dictionary.get(b"UserUnit"))?.is_some_and(|unit| unit > 1.0))
}

/// Whether a page is rotated.
fn is_turned(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [_, after] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.new);
    let Some(page) = after.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.integer(dictionary.get(b"Rotate"))?.is_some_and(|angle| angle % 360 != 0))
}

/// A reader of what may be hidden and of what may hide.
fn contents(examiner: &Examiner) -> ContentReader {
    ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS).showing_possible()
}

/// The page before the revision, read once for all annotations added to it.
fn below(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Rc<PageText>, Fault> {
    painted(examiner, step, (step.pair.old, owner))
}

/// A page in a state, with its annotations; the last one of each state is cached.
fn painted(examiner: &mut Examiner, step: &Step, (state, owner): (State, u32)) -> Result<Rc<PageText>, Fault> {
    let is_new = state != step.pair.old;
    let [old, new] = &examiner.drawn;
    if let Some((known, drawn)) = if is_new { new } else { old }
        && *known == (state, owner)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, after] = &step.pages;
    let page = if is_new { after } else { before }.page(owner).ok_or(Fault::Damaged)?;
    let drawn = Rc::new(contents(examiner).page(examiner.document, state, page)?);
    let [old, new] = &mut examiner.drawn;
    *(if is_new { new } else { old }) = Some(((state, owner), Rc::clone(&drawn)));
    Ok(drawn)
}
