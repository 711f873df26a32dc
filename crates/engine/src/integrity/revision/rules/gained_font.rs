//! Fonts that a form gains, in which viewers draw texts and marks that have no appearance (ISO 32000-1, 12.7.3.3).

use std::collections::BTreeSet;

use super::generated_appearance::default_of;
use crate::integrity::revision::appearance_source::{AppearanceSource, DefaultKind};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{ExpectedGlyphs, is_reliable_font};
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::Pages;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// The glyph names of the digits.
const DIGITS: [&[u8]; 10] = [b"zero", b"one", b"two", b"three", b"four", b"five", b"six", b"seven", b"eight", b"nine"];
/// The name of the font in which viewers draw marks.
const MARKS: &[u8] = b"ZaDb";
/// Names under which viewers look for a font that no `/DA` names, and the fonts that they have under these.
const UNASKED: [(&[u8], &[&[u8]]); 6] = [
    (b"Helv", &[b"Helvetica", b"Arial"]),
    (b"Arial", &[b"Helvetica", b"Arial"]),
    (b"Times", &[b"Times"]),
    (b"TiRo", &[b"Times"]),
    (b"Cour", &[b"Courier"]),
    (MARKS, &[b"ZapfDingbats"]),
];

/// Whether the form gains a font in which viewers draw texts, before or after, and which may draw other glyphs than it
/// says. A free text that comes with the font shows what its author likes, with an appearance as well.
pub(crate) fn gains_font(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !examiner.is_signed {
        return Ok(false);
    }
    let ([before, after], [old_pages, new_pages]) = (step.forms.clone(), step.pages.clone());
    let had = fonts(&mut examiner.document.view(step.pair.old), &before)?;
    let view = &mut examiner.document.view(step.pair.new);
    let mut gained = GainedFonts(Vec::new());
    for (name, font) in fonts(view, &after)?.iter().filter(|(name, _)| !had.has(name.as_bytes())) {
        if !draws_as_named(view, name.as_bytes(), font)? {
            gained.0.push(name.clone());
        }
    }
    if gained.0.is_empty() {
        return Ok(false);
    }
    if [&old_pages, &new_pages].iter().any(|pages| pages.is_cut) || before.is_cut || after.is_cut {
        return Ok(true);
    }
    let mut signed = BTreeSet::new();
    let old = annotations(&mut examiner.document.view(step.pair.old), &old_pages)?;
    for (number, annotation) in &old {
        signed.insert(*number);
        if gained.draw(examiner, step, (step.pair.old, &before), (*number, annotation))? {
            return Ok(true);
        }
    }
    for (number, annotation) in &annotations(&mut examiner.document.view(step.pair.new), &new_pages)? {
        let view = &mut examiner.document.view(step.pair.new);
        let is_free_text = DefaultKind::of(view, annotation)? == Some(DefaultKind::FreeText);
        let is_new = is_free_text && *number > 0 && !signed.contains(number);
        if !is_new && gained.draw(examiner, step, (step.pair.new, &after), (*number, annotation))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The fonts of a form's resources.
fn fonts(view: &mut View, form: &FormFields) -> Result<Dictionary, Fault> {
    let resources = view.dictionary(form.dictionary.get(b"DR"))?.into_owned();
    Ok(view.dictionary(resources.get(b"Font"))?.into_owned())
}

/// The annotations of all pages that viewers may draw with defaults of the form, with their numbers; 0 for direct ones.
fn annotations(view: &mut View, pages: &Pages) -> Result<Vec<(u32, Dictionary)>, Fault> {
    let mut found = Vec::new();
    for page in &pages.leaves {
        let Some(page) = page.dictionary(view)? else { continue };
        for annotation in view.resolve(page.get(b"Annots"))?.elements() {
            let entries = view.dictionary(annotation)?.into_owned();
            if DefaultKind::of(view, &entries)?.is_some() {
                found.push((annotation.as_reference().map_or(0, |id| id.number), entries));
            }
        }
    }
    Ok(found)
}

/// The names of fonts that a form gained and that may draw something else than these say.
struct GainedFonts(Vec<Name>);

impl GainedFonts {
    fn has(&self, name: &[u8]) -> bool {
        self.0.iter().any(|font| font.as_bytes() == name)
    }

    /// Whether viewers draw an annotation with one of these fonts.
    fn draw(
        &self,
        examiner: &mut Examiner,
        step: &Step,
        (state, form): (State, &FormFields),
        (number, annotation): (u32, &Dictionary),
    ) -> Result<bool, Fault> {
        let view = &mut examiner.document.view(state);
        let field = form.field_of(view, number, annotation)?;
        let has_states = field.is_button() && !field.is_push_button();
        let source = AppearanceSource::read(view, annotation, has_states)?;
        if field.is_signature() || source == AppearanceSource::File && !step.needs_appearances {
            return Ok(false);
        }
        let is_empty = field.value.is_null() || field.value.as_string().is_some_and(<[u8]>::is_empty);
        if is_empty && (field.is_text() || field.is_choice() && !field.is_list()) {
            return Ok(false);
        }
        let default = default_of(form, &field, annotation);
        Ok(has_states && self.has(MARKS) || self.are_named(&*view.resolve(&default)?))
    }

    /// Whether a default appearance names one of these fonts. Without a font of its own, a text is drawn in one that viewers
    /// look for.
    fn are_named(&self, default: &Object) -> bool {
        let mut lexer = Lexer::new(default.as_string().unwrap_or_default());
        let (mut has_names, mut is_named) = (false, false);
        loop {
            match lexer.token() {
                Token::End => break,
                Token::Name(name) => {
                    has_names = true;
                    is_named |= self.has(name.as_bytes());
                }
                _ => {}
            }
        }
        if has_names { is_named } else { UNASKED.iter().any(|(name, _)| self.has(name)) }
    }
}

/// Whether a font that comes under a name draws what viewers take it for: marks under the name of their font of marks, and
/// letters under any other. That it was signed elsewhere says nothing of what it draws here.
fn draws_as_named(view: &mut View, name: &[u8], font: &Object) -> Result<bool, Fault> {
    let glyphs = if name == MARKS { ExpectedGlyphs::Marks } else { ExpectedGlyphs::Letters };
    let own = font.as_reference().map(|id| id.number).into_iter().collect();
    if !is_reliable_font(view, font, (glyphs, &own), &BTreeSet::new())? {
        return Ok(false);
    }
    if name != MARKS && exchanges_letters(view, font)? {
        return Ok(false);
    }
    let Some((_, families)) = UNASKED.iter().find(|(unasked, _)| *unasked == name) else { return Ok(true) };
    let font = view.dictionary(font)?.into_owned();
    let base = font.get(b"BaseFont").as_name().unwrap_or_default();
    // the name of a part of a font has a tag (9.6.4)
    let base = base.split_at_checked(7).filter(|(tag, _)| tag.ends_with(b"+")).map_or(base, |(_, base)| base);
    Ok(families.iter().any(|family| base.starts_with(family)))
}

/// Whether the encoding of a font draws other glyphs for letters, digits and the signs within numbers (9.6.6): viewers
/// differ in whether they write a value in it.
fn exchanges_letters(view: &mut View, font: &Object) -> Result<bool, Fault> {
    let font = view.dictionary(font)?.into_owned();
    let encoding = view.dictionary(font.get(b"Encoding"))?.into_owned();
    let differences = view.resolve(encoding.get(b"Differences"))?.into_owned();
    let mut code = 0_i64;
    for part in differences.elements() {
        let Some(glyph) = part.as_name() else {
            code = part.as_integer().unwrap_or(0);
            continue;
        };
        let letter = u8::try_from(code).unwrap_or(0);
        let is_own = match letter {
            b'0'..=b'9' => DIGITS.get(usize::from(letter - b'0')).is_some_and(|digit| *digit == glyph),
            b',' => glyph == b"comma",
            b'.' => glyph == b"period",
            b'-' => matches!(glyph, b"hyphen" | b"minus"),
            letter if letter.is_ascii_alphabetic() => glyph == [letter],
            _ => true,
        };
        if !is_own {
            return Ok(true);
        }
        code = code.saturating_add(1);
    }
    Ok(false)
}
