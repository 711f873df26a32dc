//! Text in whose place annotations that not everyone shows have another one: those that are printed and not shown on the
//! screen (12.5.3), and windows of notes with an appearance stream, which Poppler draws.

use std::collections::BTreeSet;

use super::finding::{Cover, HiddenText, LineChange, text};
use super::report::HiddenKind;
use super::similarity::is_of_kind;
use super::text_by_visibility::TextByVisibility;
use super::viewers::{is_near, is_other, is_readable};
use crate::{ContentReader, Line, PageText, Reading, Run, Word};
use pdf_syntax::document::Document;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;

/// Returns the text of a page that annotations replace which this reading adds; none if that takes more than `checks`, or if
/// the page cannot be read completely.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut ContentReader,
    (number, leaf): (u32, &PageLeaf),
    reading: Reading,
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    let [page, further] = contents.page_in_both_readings(document, leaf, reading)?;
    if page.is_part || further.is_part {
        return Ok(None);
    }
    let cover = if reading == Reading::Printed { Cover::Print } else { Cover::Viewers };
    let found = replaced(&page, &further, number, checks);
    Ok(found.map(|found| found.into_iter().map(|finding| HiddenText { cover: Some(cover), ..finding }).collect()))
}

/// Returns the words of a page over which further annotations show others: words of their kind, or words on paint that hides
/// them.
fn replaced(page: &PageText, further: &PageText, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let shown = page.lines_of(&TextByVisibility::of(page, checks)?.shown);
    let known: BTreeSet<Option<u32>> = page.runs.iter().map(|run| run.annotation).chain([None]).collect();
    let is_added = |run: &Run| !known.contains(&run.annotation);
    let (added, rest): (Vec<Run>, Vec<Run>) =
        TextByVisibility::of(further, checks)?.shown.into_iter().partition(is_added);
    let (added, rest) = (further.lines_of(&added), further.lines_of(&rest));
    let words = |lines: &[Line]| lines.iter().map(|line| line.words.len()).sum::<usize>();
    *checks = checks.checked_sub(words(&shown) * (words(&added) + if added.is_empty() { 0 } else { words(&rest) }))?;
    let is_hidden = |word: &Word| {
        let mut rest = rest.iter().flat_map(|line| &line.words);
        !rest.any(|other| other.text == word.text && is_near(other.bounds, word.bounds))
    };
    let replaces =
        |word: &Word, now: &Word| is_other(word, now) && (is_of_kind(&word.text, &now.text) || is_hidden(word));
    let mut found = Vec::new();
    for line in &shown {
        let now = |word: &Word| added.iter().find(|now| now.words.iter().any(|now| replaces(word, now)));
        let words: Vec<Word> =
            line.words.iter().filter(|word| is_readable(word) && now(word).is_some()).cloned().collect();
        let Some(now) = words.first().and_then(now) else { continue };
        let change = LineChange { before: text(std::slice::from_ref(line)), now: text(std::slice::from_ref(now)) };
        let finding = HiddenText::of(&[Line { words, bounds: line.bounds }], number, HiddenKind::Retyped);
        found.extend(finding.map(|finding| HiddenText { change: Some(change), ..finding }));
    }
    Some(found)
}
