//! Words of which the page shows others than programs read: glyphs that are known to be other letters or digits than
//! `/ToUnicode` says (9.10.3).

use super::finding::{Cover, HiddenText, LineChange, letters, text};
use super::report::HiddenKind;
use super::text_by_visibility::TextByVisibility;
use super::viewers::is_near;
use crate::font::drawn::{digit, is_sign, is_zero_width};
use crate::{ContentReader, Line, PageText, Reading, Word};
use pdf_syntax::document::Document;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;

/// Maximum findings of a page.
const MAX_REPORTED: usize = 10;

/// Returns the numbers of which a page shows others than programs read; none if it shows more other words so, as fonts do that
/// protect text from being copied, if that takes more than `checks`, or if the page cannot be read completely.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut ContentReader,
    (number, leaf): (u32, &PageLeaf),
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    let [said, drawn] = contents.page_in_both_readings(document, leaf, Reading::Glyphs)?;
    // what a page that is read in part shows otherwise is known
    let found = differences(&said, &drawn, number, checks);
    Ok(found.filter(|found| !found.is_empty() || !said.is_part && !drawn.is_part))
}

fn differences(said: &PageText, drawn: &PageText, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let [said, drawn] =
        [said, drawn].map(|page| TextByVisibility::of(page, checks).map(|text| page.lines_of(&text.shown)));
    let (said, drawn) = (said?, drawn?);
    let count = |lines: &[Line]| lines.iter().map(|line| line.words.len()).sum::<usize>();
    *checks = checks.checked_sub(count(&said).saturating_mul(drawn.len()) + count(&drawn))?;
    let (mut found, mut numbers, mut words) = (Vec::new(), 0, 0);
    for line in &said {
        let others = line.words.iter().filter_map(|word| Some((word, other(word, &drawn)?)));
        let others: Vec<(&Word, (&Line, &Word))> = others.collect();
        let (others, rest): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(word, (_, now))| is_other_number(&word.text, &now.text));
        numbers += others.len();
        words += rest.len();
        let Some((_, (now, _))) = others.first() else { continue };
        let change = LineChange { before: text(std::slice::from_ref(line)), now: text(std::slice::from_ref(*now)) };
        let hidden = Line { words: others.iter().map(|(word, _)| (*word).clone()).collect(), bounds: line.bounds };
        let finding = HiddenText::of(&[hidden], number, HiddenKind::Retyped);
        found.extend(finding.map(|finding| HiddenText { change: Some(change), cover: Some(Cover::Glyphs), ..finding }));
    }
    found.truncate(MAX_REPORTED);
    (words <= numbers).then_some(found)
}

/// Returns the word that is drawn in place of another one, with its line.
fn other<'l>(word: &Word, drawn: &'l [Line]) -> Option<(&'l Line, &'l Word)> {
    let near = drawn.iter().filter(|line| line.bounds.meets(word.bounds));
    let mut words = near.flat_map(|line| line.words.iter().map(move |now| (line, now)));
    words.find(|(_, now)| is_near(now.bounds, word.bounds)).filter(|(_, now)| now.text != word.text)
}

/// Whether two words differ in digits alone, or are different numbers.
fn is_other_number(said: &str, drawn: &str) -> bool {
    let is_number = |text: &str| text.chars().any(|it| digit(it).is_some()) && text.chars().all(is_of_number);
    if is_number(drawn) && is_number(said) {
        return true;
    }
    let (said, drawn) = (letters(said), letters(drawn));
    let mut pairs = said.chars().zip(drawn.chars()).filter(|(said, drawn)| said != drawn);
    said.chars().count() == drawn.chars().count()
        && pairs.all(|(said, drawn)| digit(said).is_some() && digit(drawn).is_some())
}

fn is_of_number(character: char) -> bool {
    digit(character).is_some() || is_sign(character) || is_zero_width(character) || character.is_whitespace()
}
