//! Text that only some viewers show, because they read irregular content differently: another text in its place, or none
//! in a line that is there in all of them.

use std::collections::HashMap;

use super::finding::{Cover, HiddenText, LineChange, letters, text};
use super::page_visibility::is_meaningful;
use super::report::HiddenKind;
use super::similarity::is_near_copy;
use super::text_by_visibility::TextByVisibility;
use crate::page_model::UntrustedText;
use crate::{ContentReader, Line, PageText, Reading, Rectangle, Word};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;

/// Tolerance of a word's position, in points.
const PLACE_TOLERANCE_PT: f64 = 1.0;
/// Minimum overlap of words in one place, horizontally as a share of the shorter and vertically of the lower one.
const SAME_PLACE_MIN_PART: f64 = 0.5;
/// Maximum findings of a page.
const MAX_REPORTED: usize = 10;

/// The lines that a viewer shows.
struct Shown {
    lines: Vec<Line>,
    /// Whether it does not read all of the content.
    is_ended: bool,
}

/// Returns the text of a page that only some viewers show; none if that takes more than `checks`, or if the page cannot be
/// read completely.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut ContentReader,
    (number, leaf): (u32, &PageLeaf),
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    let Some(shown) = read_as(document, contents, leaf, Reading::VIEWERS, checks)? else { return Ok(None) };
    let [pdfium, poppler, mupdf] = &shown[..] else { return Ok(None) };
    let mut found = Vec::new();
    for (one, other) in [(pdfium, mupdf), (mupdf, pdfium), (pdfium, poppler), (poppler, pdfium)] {
        let Some(differences) = one.differences(other, number, checks) else { return Ok(None) };
        for difference in differences {
            let is_known = |known: &HiddenText| meets(known.bounds, difference.bounds);
            if found.len() < MAX_REPORTED && !found.iter().any(is_known) {
                found.push(difference);
            }
        }
    }
    Ok(Some(found))
}

/// Returns the text in comments of a page's content that has another text in its place; none if that takes more than
/// `checks`, or if it cannot be read completely.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn in_comments(
    document: &mut Document,
    contents: &mut ContentReader,
    (number, leaf): (u32, &PageLeaf),
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    let readings = [Reading::Uncommented, Reading::Lenient];
    let Some(mut shown) = read_as(document, contents, leaf, readings, checks)? else { return Ok(None) };
    // what only the comments show is no part of a line that is there
    shown.iter_mut().for_each(|shown| shown.is_ended = true);
    let [with, without] = &shown[..] else { return Ok(None) };
    let differences = with.differences(without, number, checks);
    let comment = |finding| HiddenText { cover: Some(Cover::Comment), ..finding };
    Ok(differences.map(|found| found.into_iter().take(MAX_REPORTED).map(comment).collect()))
}

/// Returns the lines that a page shows in each reading; none if that takes more than `checks`, or if one is incomplete.
fn read_as(
    document: &mut Document,
    contents: &mut ContentReader,
    leaf: &PageLeaf,
    readings: impl IntoIterator<Item = Reading>,
    checks: &mut usize,
) -> Result<Option<Vec<Shown>>, Fault> {
    let mut shown = Vec::new();
    let room = contents.replace_room(None);
    for reading in readings {
        let page = contents.page_as_read(document, (State(0), leaf), reading)?;
        contents.replace_room(Some(room));
        let Some(lines) = lines(&page, checks).filter(|_| !page.is_part) else { return Ok(None) };
        shown.push(Shown { lines, is_ended: page.is_ended });
        contents.take_back(page);
    }
    Ok(Some(shown))
}

/// Returns the words of a page in whose place another version of it has other ones; none if that takes more than `checks`.
pub(super) fn differences(
    page: &PageText,
    other: &PageText,
    number: u32,
    checks: &mut usize,
) -> Option<Vec<HiddenText>> {
    let shown = |lines| Shown { lines, is_ended: true };
    let (page, other) = (shown(lines(page, checks)?), shown(lines(other, checks)?));
    Some(page.differences(&other, number, checks)?.into_iter().take(MAX_REPORTED).collect())
}

/// Returns the replacement texts of a page that are nearly the same numbers as those that it shows.
pub(super) fn replacement_texts(page: &PageText, number: u32) -> Vec<HiddenText> {
    let is_shown = |text: &str| page.runs.iter().any(|run| page.text(run).contains(text));
    let finding = |untrusted: &UntrustedText| {
        let [text, now] = [&untrusted.text, &untrusted.shown].map(|text| letters(text));
        let is_old = is_near_copy(&text, &now) && !is_shown(&text);
        is_old.then(|| HiddenText {
            page: number,
            kind: HiddenKind::Retyped,
            bounds: untrusted.bounds,
            characters: u32::try_from(text.chars().count()).unwrap_or(u32::MAX),
            change: Some(LineChange { before: text.clone(), now }),
            text,
            cover: Some(Cover::ReplacementText),
        })
    };
    page.untrusted.iter().filter_map(finding).take(MAX_REPORTED).collect()
}

fn lines(page: &PageText, checks: &mut usize) -> Option<Vec<Line>> {
    Some(page.lines_of(&TextByVisibility::of(page, checks)?.shown))
}

impl Shown {
    /// Returns what another viewer shows differently; none if that takes more than `checks`.
    fn differences(&self, other: &Self, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
        let mut places: HashMap<&str, Vec<Rectangle>> = HashMap::new();
        for word in other.lines.iter().flat_map(|line| &line.words) {
            places.entry(&word.text).or_default().push(word.bounds);
        }
        let is_lost = |word: &&Word| {
            let places = places.get(word.text.as_str()).map(Vec::as_slice).unwrap_or_default();
            is_readable(word) && !places.iter().any(|place| is_near(*place, word.bounds))
        };
        let mut found = Vec::new();
        for line in &self.lines {
            *checks = checks.checked_sub(line.words.len())?;
            let lost: Vec<&Word> = line.words.iter().filter(is_lost).collect();
            if lost.is_empty() {
                continue;
            }
            *checks =
                checks.checked_sub(other.lines.iter().map(|line| line.words.len()).sum::<usize>() * lost.len())?;
            let in_place = |line: &&Line| line.words.iter().any(|word| lost.iter().any(|lost| is_other(lost, word)));
            let retyped = other.lines.iter().find(in_place);
            let is_elsewhere = || lost.iter().any(|word| places.contains_key(word.text.as_str()));
            let rest = || other.lines.iter().find(|rest| is_rest(line, rest));
            let (kind, now) = match retyped {
                Some(now) => (HiddenKind::Retyped, now),
                // what a viewer shows of a page that it does not read to the end is no choice of words
                None if other.is_ended || is_elsewhere() => continue,
                None => match rest() {
                    Some(now) => (HiddenKind::Covered, now),
                    None => continue,
                },
            };
            let change = LineChange { before: text(std::slice::from_ref(line)), now: text(std::slice::from_ref(now)) };
            let words: Vec<Word> = lost.into_iter().cloned().collect();
            let bounds = words.iter().map(|word| word.bounds).reduce(Rectangle::with)?;
            let finding = HiddenText::of(&[Line { words, bounds }], number, kind);
            let cover = Some(Cover::Viewers);
            found.extend(finding.map(|finding| HiddenText { change: Some(change), cover, ..finding }));
        }
        Some(found)
    }
}

pub(super) fn is_readable(word: &Word) -> bool {
    is_meaningful(&word.text) && !word.text.contains(char::REPLACEMENT_CHARACTER)
}

pub(super) fn is_near(one: Rectangle, other: Rectangle) -> bool {
    let apart = one.corners().into_iter().zip(other.corners()).map(|(one, other)| (one - other).abs());
    apart.fold(0.0, f64::max) <= PLACE_TOLERANCE_PT
}

/// Whether two boxes are in one place.
fn meets(one: Rectangle, other: Rectangle) -> bool {
    let common = one.clipped(other);
    !common.is_empty()
        && common.width() >= SAME_PLACE_MIN_PART * one.width().min(other.width())
        && common.height() >= SAME_PLACE_MIN_PART * one.height().min(other.height())
}

/// Whether a word is in the place of another one, and not the same.
pub(super) fn is_other(one: &Word, other: &Word) -> bool {
    is_readable(other) && one.text != other.text && meets(one.bounds, other.bounds)
}

/// Whether another viewer shows words of a line.
fn is_rest(line: &Line, rest: &Line) -> bool {
    let is_same = |word: &Word| {
        let mut words = line.words.iter();
        words.any(|own| is_readable(own) && own.text == word.text && is_near(own.bounds, word.bounds))
    };
    rest.words.iter().any(is_same)
}
