//! Whether an appearance stream is text-only and fully visible, so that viewers show exactly the extracted text:
//! painted last, dark on light, in fonts with an unambiguous encoding.

use std::collections::{BTreeMap, BTreeSet};

use super::appearance::normal_appearance;
use super::area::{Area, AreaKind, Effect};
use super::blend::Blend;
use super::color::component_sum as sum;
use super::combo_arrow::is_part_of_arrow;
use super::field_frame::is_text_framed;
use super::font::{Drawing, drawing, is_standard_glyph, is_well_formed, name_of, usual_widths};
use super::geometry::{Matrix, Rectangle};
use super::layer::is_always_on;
use super::letter_ink::{clip_tolerance, letter_ink};
use super::page_model::PageText;
use super::painter::Painter;
use super::run::{Glyph, Run};
use super::subpath::{Subpath, subpath_boxes};
use super::text_operators::ResourceNames;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of an appearance's content.
const MAX_CONTENT_BYTES: usize = 64 << 10;
/// Maximum size of the shorter side of a button whose mark may be any path, in points.
const MAX_BUTTON_SIZE_PT: f64 = 40.0;
/// Minimum legible font size, in points.
const MIN_LEGIBLE_SIZE_PT: f64 = 4.0;
/// Maximum overlap of consecutive letters, and maximum part of a letter that paint may touch.
const LETTERS_MAX_OVERLAP_EM: f64 = 0.15;
const MAX_TOUCHED_PART: f64 = 0.1;
/// Maximum ratios of a letter's width and those of the standard fonts.
const WIDTH_RATIOS: (f64, f64) = (0.65, 1.6);
/// How far a letter may reach into the neighbor of its comb cell, in cells.
const CELL_TOLERANCE: f64 = 0.1;
/// Where in its cell the middle of a letter that reaches farther is, as in cells narrower than their letters.
const CELL_MIDDLE: std::ops::RangeInclusive<f64> = 0.2..=0.8;
/// Maximum component sum of a dark color, of 765, and minimum difference of a text from its ground.
const DARK_MAX_SUM: u32 = 300;
const CONTRAST_MIN_SUM: u32 = 300;
/// Share of the box of a text's font that its letters leave free above and below.
const LETTERS_FREE_EM: f64 = 0.25;
/// Maximum overlap of two runs, and maximum runs compared.
const MAX_OVERLAP_PART: f64 = 0.3;
const MAX_RUNS: usize = 500;
/// Maximum ratio of the sizes of a value's letters.
const MAX_SIZE_RATIO: f64 = 1.05;
/// Permitted entries of the form XObject.
const FORM_ENTRIES: [&[u8]; 9] =
    [b"Type", b"Subtype", b"FormType", b"BBox", b"Matrix", b"Resources", b"Length", b"Filter", b"DecodeParms"];
/// Tolerance of a matrix that turns.
const TURN_TOLERANCE: f64 = 1e-6;
/// Tolerance between `/BBox` and `/Rect`, in points.
const BOX_TOLERANCE_PT: f64 = 1.0;
/// Fonts that every reader substitutes alike if they are not embedded.
const FAMILIES: [&str; 4] = ["Helvetica", "Arial", "Times", "Courier"];
/// Limits of the walk through a font's objects.
const MAX_FONT_DEPTH: usize = 16;
const MAX_FONT_PARTS: usize = 10_000;
/// The font of check marks.
const MARKS_FONT: &str = "ZapfDingbats";

/// Constraints for a text-only appearance.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'t> {
    /// The glyphs that it may show.
    pub glyphs: ExpectedGlyphs,
    /// Number of cells of a comb field.
    pub cells: Option<i64>,
    /// Objects that were changed.
    pub changed: &'t BTreeSet<u32>,
}

/// The glyphs that an appearance may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedGlyphs {
    /// Letters.
    Letters,
    /// The chosen option of a combo box, beside the button that opens its list.
    Option,
    /// The rows of a list, which may be cut off at its box.
    Rows,
    /// Check marks, crosses and dots, each encoded as a letter.
    Marks,
}

/// Whether the normal appearance of an annotation, which was painted, is text-only by its operations and resources, and
/// there is no other.
pub(super) fn is_text_only(
    painter: &mut Painter,
    annotation: &Dictionary,
    expected: Expected<'_>,
) -> Result<bool, Fault> {
    let shown = shown_codes(&painter.page);
    let view = &mut *painter.view;
    let appearances = view.dictionary(annotation.get(b"AP"))?;
    let appearances = appearances.into_owned();
    for (_, other) in appearances.iter().filter(|(name, _)| name.as_bytes() != b"N") {
        if !is_unchanged(view, other, expected.changed)? {
            return Ok(false);
        }
    }
    // one of a layer that is on in every viewer is drawn as without it (8.11.3.3)
    if annotation.has(b"OC") && !is_always_on(view, annotation.get(b"OC"), expected.changed)? {
        return Ok(false);
    }
    let Some(reference) = normal_appearance(painter.view, annotation)? else { return Ok(false) };
    let view = &mut *painter.view;
    let Some(form) = view.stream(&reference, MAX_CONTENT_BYTES)? else { return Ok(false) };
    let is_simple = !form.is_part
        && form.dictionary().iter().all(|(name, _)| FORM_ENTRIES.contains(&name.as_bytes()))
        && (!form.dictionary().has(b"Subtype") || form.dictionary().get(b"Subtype").is_name(b"Form"))
        && (!form.dictionary().has(b"Type") || form.dictionary().is_type(b"XObject"));
    let matrix = Matrix::read(&*view.resolve(form.dictionary().get(b"Matrix"))?);
    let is_turned = is_turned_as_asked(view, matrix, annotation)?;
    let has_size = has_size(view, (matrix, form.dictionary().get(b"BBox")), annotation.get(b"Rect"))?;
    if !is_simple || !is_turned || !has_size {
        return Ok(false);
    }
    let Some(names) = ResourceNames::of_text(&form.content, expected.cells.is_some()) else { return Ok(false) };
    let resources = view.dictionary(form.dictionary().get(b"Resources"))?.into_owned();
    // these may stand for those of the device (8.6.5.6), which some viewers look up by name, too
    let spaces = view.dictionary(resources.get(b"ColorSpace"))?.into_owned();
    Ok(!spaces.iter().any(|(name, _)| name.as_bytes().starts_with(b"De"))
        && has_reliable_fonts(view, &resources, (&names.fonts, expected), &shown)?
        && has_opaque_states(view, &resources, &names.states)?)
}

/// Whether a form matrix turns an appearance as its widget asks for (12.5.6.19, table 189, `/R`), and does nothing else.
fn is_turned_as_asked(view: &mut View, Matrix(matrix): Matrix, widget: &Dictionary) -> Result<bool, Fault> {
    let characteristics = view.dictionary(widget.get(b"MK"))?.into_owned();
    let turn = match view.integer(characteristics.get(b"R"))?.unwrap_or(0).rem_euclid(360) {
        0 => [1.0, 0.0, 0.0, 1.0],
        90 => [0.0, 1.0, -1.0, 0.0],
        180 => [-1.0, 0.0, 0.0, -1.0],
        270 => [0.0, -1.0, 1.0, 0.0],
        _ => return Ok(false),
    };
    Ok(matrix.iter().zip(turn).all(|(own, turn)| (own - turn).abs() <= TURN_TOLERANCE))
}

/// Whether the transformed `/BBox` is as large as `/Rect`: the appearance is not scaled (12.5.5).
fn has_size(view: &mut View, (matrix, bounds): (Matrix, &Object), rectangle: &Object) -> Result<bool, Fault> {
    let bounds = Rectangle::read(&*view.resolve(bounds)?).map(|bounds| matrix.rectangle(bounds));
    let rectangle = Rectangle::read(&*view.resolve(rectangle)?);
    let (Some(bounds), Some(rectangle)) = (bounds, rectangle) else { return Ok(false) };
    Ok((bounds.width() - rectangle.width()).abs() <= BOX_TOLERANCE_PT
        && (bounds.height() - rectangle.height()).abs() <= BOX_TOLERANCE_PT)
}

/// The codes that are shown in each font, by the font's name.
fn shown_codes(drawn: &PageText) -> BTreeMap<String, BTreeSet<u32>> {
    let mut shown: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for run in &drawn.runs {
        let codes = drawn.glyphs(run).iter().map(|glyph| glyph.code);
        shown.entry(drawn.font(run).to_owned()).or_default().extend(codes);
    }
    shown
}

/// Whether each font used is either standard or unchanged: filling in a form uses the form's own fonts. Programs give an
/// appearance all resources of the form.
fn has_reliable_fonts(
    view: &mut View,
    resources: &Dictionary,
    (used, Expected { glyphs, changed, .. }): (&BTreeSet<Vec<u8>>, Expected<'_>),
    shown: &BTreeMap<String, BTreeSet<u32>>,
) -> Result<bool, Fault> {
    let fonts = view.dictionary(resources.get(b"Font"))?.into_owned();
    for name in used {
        let Some(reference) = fonts.find(name) else { return Ok(false) };
        let codes = shown.get(&name_of(&*view.dictionary(reference)?)).cloned().unwrap_or_default();
        if !is_reliable_font(view, reference, (glyphs, changed), &codes)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether graphics state parameters only say that paint is opaque (8.4.5, table 58).
fn has_opaque_states(view: &mut View, resources: &Dictionary, used: &BTreeSet<Vec<u8>>) -> Result<bool, Fault> {
    let states = view.dictionary(resources.get(b"ExtGState"))?.into_owned();
    for name in used {
        let state = view.dictionary(states.get(name))?.into_owned();
        let is_plain = state.iter().all(|(key, value)| match key.as_bytes() {
            b"Type" | b"AIS" | b"SA" | b"OP" | b"op" | b"OPM" => true,
            b"ca" | b"CA" => value.as_number() == Some(1.0),
            b"BM" => value.is_name(b"Normal"),
            b"SMask" => value.is_name(b"None"),
            _ => false,
        });
        if !is_plain {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether every reader draws the glyphs that the codes of a font stand for, and one that is seen for each of those that are
/// shown: it is a standard font, its outlines are those of the letters, or it is unchanged and nothing contradicts.
pub fn is_reliable_font(
    view: &mut View,
    reference: &Object,
    (glyphs, changed): (ExpectedGlyphs, &BTreeSet<u32>),
    shown: &BTreeSet<u32>,
) -> Result<bool, Fault> {
    let font = view.dictionary(reference)?.into_owned();
    let name = String::from_utf8_lossy(font.get(b"BaseFont").as_name().unwrap_or_default()).into_owned();
    let is_known = match glyphs {
        ExpectedGlyphs::Letters | ExpectedGlyphs::Option | ExpectedGlyphs::Rows => {
            FAMILIES.iter().any(|family| name.starts_with(family))
        }
        ExpectedGlyphs::Marks => name == MARKS_FONT,
    };
    let is_simple = font.get(b"Subtype").is_name(b"Type1") || font.get(b"Subtype").is_name(b"TrueType");
    let is_standard = is_known
        && is_simple
        && !font.has(b"FontDescriptor")
        && !font.has(b"ToUnicode")
        && has_known_glyphs(view, font.get(b"Encoding"))?;
    let is_drawn_by_hand = font.get(b"Subtype").is_name(b"Type3");
    Ok(is_well_formed(view, &font)?
        && (is_standard
            || !is_drawn_by_hand
                && reference.as_reference().is_some()
                && match drawing(view, &font, shown)? {
                    Drawing::AsSaid => true,
                    Drawing::Unknown => is_unchanged(view, reference, changed)?,
                    Drawing::Otherwise => false,
                }))
}

/// Whether a well-formed encoding has only glyph names that the standard fonts have, so that all readers draw the same
/// glyphs.
fn has_known_glyphs(view: &mut View, encoding: &Object) -> Result<bool, Fault> {
    let encoding = view.resolve(encoding)?.into_owned();
    let Object::Dictionary(encoding) = &encoding else { return Ok(true) };
    let differences = view.array(encoding.get(b"Differences"), MAX_FONT_PARTS)?;
    let is_known = |name: &[u8]| std::str::from_utf8(name).is_ok_and(is_standard_glyph);
    Ok(differences.elements().iter().filter_map(Object::as_name).all(is_known))
}

/// Whether an object and all that it refers to are unchanged.
fn is_unchanged(view: &mut View, object: &Object, changed: &BTreeSet<u32>) -> Result<bool, Fault> {
    let (mut waiting, mut parts) = (vec![(object.clone(), MAX_FONT_DEPTH)], 0);
    while let Some((object, depth)) = waiting.pop() {
        parts += 1;
        let Some(below) = depth.checked_sub(1).filter(|_| parts <= MAX_FONT_PARTS) else { return Ok(false) };
        match &object {
            Object::Reference(id) if changed.contains(&id.number) => return Ok(false),
            Object::Reference(id) => {
                let Some(body) = view.object(id.number)? else { return Ok(false) };
                waiting.push((body.object.clone(), below));
            }
            Object::Array(elements) => {
                let is_part = |element: &&Object| {
                    matches!(element, Object::Reference(_) | Object::Array(_) | Object::Dictionary(_))
                };
                waiting.extend(elements.iter().filter(is_part).map(|element| (element.clone(), below)));
            }
            Object::Dictionary(entries) => waiting.extend(entries.iter().map(|(_, value)| (value.clone(), depth))),
            _ => {}
        }
    }
    Ok(true)
}

/// Whether all text is visible: of a legible size, in a color that differs from the ground under it; a mark is dark. Letters
/// are in a frame only.
pub(super) fn is_seen(drawn: &PageText, widget: &Dictionary, Expected { glyphs, cells, .. }: Expected<'_>) -> bool {
    let (is_mark, has_rows) = (glyphs == ExpectedGlyphs::Marks, glyphs == ExpectedGlyphs::Rows);
    let Some(field) = Rectangle::read(widget.get(b"Rect")) else { return false };
    let may_draw = is_mark && field.width().min(field.height()) <= MAX_BUTTON_SIZE_PT;
    let is_seen = |run: &Run| {
        let is_legible =
            if is_mark { run.color.is_some_and(|color| sum(color) <= DARK_MAX_SUM) } else { stands_out(drawn, run) };
        run.mode == 0
            && run.size >= MIN_LEGIBLE_SIZE_PT
            && (run.bounds.width() > 0.0 || is_mark)
            && is_legible
            && is_placed(drawn, run, glyphs)
            && (!has_rows || is_uncrossed(drawn, run))
            && !run.is_off
            && run.clip_shape.is_none()
            && run.effect == Effect::Mixed { blend: Blend::Normal, alpha: 1.0, group: 0 }
    };
    let is_furniture = |subpaths: &[Subpath], subpath: &Subpath| {
        glyphs == ExpectedGlyphs::Option && is_part_of_arrow(drawn, subpaths, subpath, field)
    };
    let sizes = || drawn.runs.iter().map(|run| run.size);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    !drawn.is_part
        && most <= MAX_SIZE_RATIO * least
        && drawn.runs.iter().all(is_seen)
        && are_apart(&drawn.runs)
        && (may_draw || is_text_framed(drawn, field, (cells, has_rows), is_furniture))
}

/// Whether each letter is as wide as letters are, behind the one before it, inside the clip and free of other paint; rows
/// of a list may be cut off, where that is compared with the list.
fn is_placed(drawn: &PageText, run: &Run, expected: ExpectedGlyphs) -> bool {
    let (is_mark, has_rows) = (expected == ExpectedGlyphs::Marks, expected == ExpectedGlyphs::Rows);
    let glyphs = drawn.glyphs(run);
    let em = run.line.em;
    let is_apart = glyphs.windows(2).all(|pair| match pair {
        [one, other] => f64::from(other.start - one.end) >= -LETTERS_MAX_OVERLAP_EM * em,
        _ => true,
    });
    let differs = |area: &Area| {
        run.color.zip(area.color).is_some_and(|(own, color)| sum(color).abs_diff(sum(own)) >= CONTRAST_MIN_SUM)
    };
    // a ground covers what was painted before it
    let is_covered = |area: &Area, ink: Rectangle| {
        let is_ground = |other: &Area| other.kind == AreaKind::Rectangle && other.bounds.holds(ink) && differs(other);
        drawn.areas.iter().any(|other| (area.order..run.order).contains(&other.order) && is_ground(other))
    };
    let may_hide = |area: &Area, ink: Rectangle| {
        // a block is the ink of a letter itself
        area.kind != AreaKind::Block && (area.order > run.order || !differs(area) && !is_covered(area, ink))
    };
    let is_seen = |(place, glyph): (usize, &Glyph)| {
        let Some((letter, ink)) = letter_ink(drawn, run, place, is_mark) else { return true };
        let width = f64::from(glyph.end - glyph.start) / em;
        let is_usual = usual_widths(letter)
            .is_none_or(|(least, most)| (WIDTH_RATIOS.0 * least..=WIDTH_RATIOS.1 * most).contains(&width));
        let is_within = run.clip.grown(clip_tolerance(letter) * run.size).holds(ink);
        let seen = if has_rows { ink.clipped(run.clip) } else { ink };
        (is_usual || is_mark)
            && (is_within || has_rows)
            && (seen.is_empty() || drawn.covered_part(seen, |area| may_hide(area, seen), false) <= MAX_TOUCHED_PART)
    };
    is_apart && glyphs.iter().enumerate().all(is_seen)
}

/// Returns the letters in each cell of a comb field in this rectangle (12.7.4.3); none if one is between cells.
pub fn cell_texts(drawn: &PageText, cells: usize, field: Rectangle) -> Option<Vec<String>> {
    let mut texts = vec![String::new(); cells];
    for run in &drawn.runs {
        for place in 0..drawn.glyphs(run).len() {
            let bounds = drawn.glyph_box(run, place)?;
            let [start, at, end] =
                [bounds.left, bounds.middle().0, bounds.right].map(|x| (x - field.left) * cells as f64 / field.width());
            let cell = at.floor();
            let is_within = start >= cell - CELL_TOLERANCE && end <= cell + 1.0 + CELL_TOLERANCE;
            let is_in = cell >= 0.0 && (is_within || CELL_MIDDLE.contains(&(at - cell)));
            texts.get_mut(at as usize).filter(|_| is_in)?.push_str(drawn.glyph_text(run, place)?);
        }
    }
    Some(texts)
}

/// Whether the color of a text differs from every area under it, down to one that holds it.
fn stands_out(drawn: &PageText, run: &Run) -> bool {
    let Some(own) = run.color.map(sum) else { return false };
    let differs = |color: Option<[u8; 3]>| color.is_some_and(|color| sum(color).abs_diff(own) >= CONTRAST_MIN_SUM);
    let letters = letters(run);
    // other shapes are part of the frame
    let is_ground =
        |area: &&Area| !matches!(area.kind, AreaKind::Stroke | AreaKind::Shape) && area.bounds.meets(letters);
    for area in drawn.areas.iter().rev().filter(is_ground) {
        if !differs(area.color) {
            return false;
        }
        if area.bounds.holds(letters) {
            return true;
        }
    }
    differs(Some([u8::MAX; 3]))
}

/// The box of a text's letters.
fn letters(run: &Run) -> Rectangle {
    let Rectangle { left, bottom, right, top } = run.bounds;
    let free = (LETTERS_FREE_EM * run.size).min((top - bottom) / 2.0);
    Rectangle { left, bottom: bottom + free, right, top: top - free }
}

/// Whether nothing is painted on the visible part of a text, and lines run around it.
fn is_uncrossed(drawn: &PageText, run: &Run) -> bool {
    let letters = letters(run).clipped(run.clip);
    let is_around = |bounds: Rectangle| bounds.holds(letters) || !bounds.meets(letters);
    drawn.areas.iter().all(|area| match area.kind {
        AreaKind::Stroke => subpath_boxes(drawn, area).is_some_and(|boxes| boxes.into_iter().all(is_around)),
        _ => area.order < run.order || !area.bounds.meets(letters),
    })
}

/// Whether no two runs overlap.
fn are_apart(runs: &[Run]) -> bool {
    let is_apart = |one: &Run, other: &Run| {
        one.bounds.clipped(other.bounds).area() <= MAX_OVERLAP_PART * one.bounds.area().min(other.bounds.area())
    };
    let later = |place: usize| runs.get(place + 1..).unwrap_or_default();
    runs.len() <= MAX_RUNS
        && runs.iter().enumerate().all(|(place, one)| later(place).iter().all(|other| is_apart(one, other)))
}
