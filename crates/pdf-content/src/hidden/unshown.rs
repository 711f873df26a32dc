//! Text of annotations that no page shows: a stamp or a note whose words are nowhere to be seen, a text field whose place
//! shows another value, and a signature's appearance in a field without a signature. Annotations may be hidden, taken
//! from their page, moved off it, shrunk or emptied; only what pages show counts.

use std::collections::BTreeSet;

use super::finding::{Cover, HiddenText, Leftover, LeftoverKind, LineChange, text};
use super::page_visibility::{PageVisibility, is_meaningful};
use super::report::HiddenKind;
use super::similarity::{digits, is_near_copy, is_other_value};
use super::words::letters;
use crate::appearance::{inherited, is_printed_only};
use crate::page::ResolvedPage;
use crate::{ContentReader, Line, PageText, Rectangle, Run};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::{shorten, text_string};

/// Flags that hide an annotation: Hidden; NoView, with which it may still be printed (12.5.3, table 165).
const HIDDEN_FLAGS: i64 = 1 << 1 | 1 << 5;
/// Minimum letters of a text.
const MIN_LETTERS: usize = 2;
/// Minimum width and height of a visible annotation, in points.
const MIN_SIDE_PT: f64 = 2.0;
/// Tolerance of the sides of an annotation on its page, in points.
const PAGE_TOLERANCE_PT: f64 = 1.0;
/// Maximum size of text that is illegible, in points.
const TINY_MAX_SIZE_PT: f64 = 1.0;
/// Minimum digits of a date with a time, as appearances of signatures have them.
const MIN_TIME_DIGITS: usize = 8;

/// An annotation with text of its own.
#[derive(Debug)]
pub(super) struct Candidate {
    number: u32,
    kind: Kind,
    text: String,
    /// Its rectangle, in content coordinates.
    place: Rectangle,
    /// Whether viewers draw it: it is not hidden, and has no appearance or one that may paint.
    may_be_drawn: bool,
    has_appearance: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A stamp or a note on the page, whose contents are meant to be seen.
    Note,
    TextField,
    /// A signature field without a signature.
    EmptySignature,
}

/// Returns the annotations among these objects whose text a page should show. A note that is hidden says what its
/// appearance shows if it has no contents.
pub(super) fn candidates(
    document: &mut Document,
    contents: &mut ContentReader,
    objects: impl Iterator<Item = u32>,
) -> Result<Vec<Candidate>, Fault> {
    let mut found = Vec::new();
    for number in objects {
        document.budget.work(1)?;
        let Some(body) = document.newest().object(number)? else { continue };
        let Some(annotation) = body.dictionary().filter(|annotation| annotation.has(b"Rect")) else { continue };
        let Some((kind, mut said)) = kind(document, annotation)? else { continue };
        let mut view = document.newest();
        let Some(place) = Rectangle::read(&view.array(annotation.get(b"Rect"), 4)?) else { continue };
        let flags = view.integer(annotation.get(b"F"))?.unwrap_or(0);
        let has_appearance = view.dictionary(annotation.get(b"AP"))?.has(b"N");
        if is_printed_only(flags) {
            continue;
        }
        let may_be_drawn = flags & HIDDEN_FLAGS == 0;
        if kind == Kind::Note && !may_be_drawn && has_appearance && !has_words(&said) {
            let drawn = contents.appearance_in_rectangle(document, State(0), annotation)?;
            said = drawn.lines().iter().map(Line::text).collect::<Vec<_>>().join(" ");
        }
        if kind != Kind::EmptySignature && !has_words(&said) {
            continue;
        }
        found.push(Candidate { number, kind, text: said, place, may_be_drawn, has_appearance });
    }
    Ok(found)
}

/// Whether a text has letters enough to be known.
fn has_words(text: &str) -> bool {
    letters(text).chars().count() >= MIN_LETTERS
}

/// Returns what kind of text an annotation has, and the text.
fn kind(document: &mut Document, annotation: &Dictionary) -> Result<Option<(Kind, String)>, Fault> {
    let view = &mut document.newest();
    let (kind, text) = match annotation.get(b"Subtype").as_name().unwrap_or_default() {
        b"FreeText" | b"Stamp" => (Kind::Note, annotation.get(b"Contents").clone()),
        b"Widget" => match inherited(view, annotation, b"FT")?.as_name() {
            Some(b"Tx") => (Kind::TextField, inherited(view, annotation, b"V")?),
            Some(b"Sig") if inherited(view, annotation, b"V")?.is_null() => {
                return Ok(annotation.has(b"AP").then(|| (Kind::EmptySignature, String::new())));
            }
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    let text = view.resolve(&text)?.as_string().and_then(text_string::decode).unwrap_or_default();
    Ok(Some((kind, text)))
}

/// The findings on annotations.
#[derive(Debug, Default)]
pub(super) struct Unshown {
    pub(super) findings: Vec<HiddenText>,
    pub(super) leftovers: Vec<Leftover>,
}

/// Returns the candidates whose text these pages, all of the file, do not show; none if that takes more than `checks`.
pub(super) fn find(
    document: &mut Document,
    candidates: &[Candidate],
    (leaves, pages): (&[PageLeaf], &[PageText]),
    checks: &mut usize,
) -> Result<Option<Unshown>, Fault> {
    let mut shown = Vec::new();
    for (leaf, page) in leaves.iter().zip(pages) {
        let annotations = match ResolvedPage::read(&mut document.newest(), leaf)? {
            Some(page) => document.newest().resolve(page.dictionary.get(b"Annots"))?.into_owned(),
            None => Object::Null,
        };
        let listed = annotations.elements().iter().filter_map(|annotation| Some(annotation.as_reference()?.number));
        let listed: BTreeSet<u32> = listed.collect();
        let Some(visible) = PageVisibility::new(page, checks) else { return Ok(None) };
        shown.push(ShownPage::of(page, &visible, listed));
    }
    let mut unshown = Unshown::default();
    for candidate in candidates {
        match candidate.kind {
            Kind::Note => unshown.findings.extend(candidate.unshown_note(&shown)),
            Kind::TextField => unshown.findings.extend(candidate.replaced_value(&shown)),
            Kind::EmptySignature => unshown.leftovers.extend(candidate.signature(&shown)),
        }
    }
    Ok(Some(unshown))
}

/// What a page shows.
struct ShownPage<'p> {
    page: &'p PageText,
    bounds: Rectangle,
    /// Object numbers of its annotations.
    listed: BTreeSet<u32>,
    /// Visible runs, and their letters in reading order.
    runs: Vec<&'p Run>,
    letters: String,
}

impl<'p> ShownPage<'p> {
    fn of(page: &'p PageText, visible: &PageVisibility, listed: BTreeSet<u32>) -> Self {
        let [right, top] = page.size;
        let bounds = Rectangle { right, top, ..Rectangle::default() };
        let runs = page.runs.iter().enumerate().filter(|(place, run)| {
            run.size >= TINY_MAX_SIZE_PT
                && !run.is_scaled_to_nothing()
                && run.bounds.meets(bounds)
                && visible.visibility.is_run_seen(*place)
        });
        let runs: Vec<&Run> = runs.map(|(_, run)| run).collect();
        let copies: Vec<Run> = runs.iter().map(|run| (*run).clone()).collect();
        let letters = page.lines_of(&copies).iter().map(|line| letters(&line.text())).collect();
        Self { page, bounds, listed, runs, letters }
    }

    /// Returns the visible text of an annotation.
    fn text_of(&self, number: u32) -> String {
        let own: Vec<Run> =
            self.runs.iter().filter(|run| run.annotation == Some(number)).map(|run| (*run).clone()).collect();
        text(&self.page.lines_of(&own))
    }

    /// Whether an annotation paints anything visible.
    fn paints(&self, number: u32) -> bool {
        let mut areas = self.page.areas.iter().filter(|area| area.annotation == Some(number) && !area.is_off);
        self.runs.iter().any(|run| run.annotation == Some(number) && is_meaningful(self.page.text(run)))
            || areas.any(|area| {
                let seen = area.bounds.clipped(self.bounds);
                seen.width().min(seen.height()) >= MIN_SIDE_PT
            })
    }

    /// Returns the visible text of others in a place.
    fn text_in(&self, place: Rectangle, number: u32) -> String {
        let within = self.runs.iter().filter(|run| run.annotation != Some(number) && place.has(run.bounds.middle()));
        let within: Vec<Run> = within.map(|run| (*run).clone()).collect();
        text(&self.page.lines_of(&within))
    }
}

impl Candidate {
    /// Returns its place on a page, if it is large enough to be seen there.
    fn place_on(&self, page: &ShownPage) -> Option<Rectangle> {
        let (left, bottom) = page.page.corner;
        let place = self.place.moved(-left, -bottom);
        let seen = place.clipped(page.bounds);
        (seen.width().min(seen.height()) >= MIN_SIDE_PT).then_some(place)
    }

    /// Whether it is large enough to be seen, but reaches beyond a page.
    fn is_beyond(&self, page: &ShownPage) -> bool {
        let (left, bottom) = page.page.corner;
        let place = self.place.moved(-left, -bottom);
        place.width().min(place.height()) >= MIN_SIDE_PT && !page.bounds.grown(PAGE_TOLERANCE_PT).holds(place)
    }

    /// Whether a page shows it, or viewers may draw it themselves.
    fn is_shown(&self, pages: &[ShownPage]) -> bool {
        pages.iter().filter(|page| page.listed.contains(&self.number)).any(|page| {
            let is_generated = self.may_be_drawn && !self.has_appearance && self.place_on(page).is_some();
            is_generated || page.paints(self.number)
        })
    }

    /// Returns the index of the page that lists it.
    fn page_in(&self, pages: &[ShownPage]) -> usize {
        pages.iter().position(|page| page.listed.contains(&self.number)).unwrap_or(0)
    }

    /// A note of which nothing can be seen, and whose words no page shows.
    fn unshown_note(&self, pages: &[ShownPage]) -> Option<HiddenText> {
        let own = letters(&self.text);
        // a program may have placed it for another page size
        if self.may_be_drawn && pages.iter().any(|page| page.listed.contains(&self.number) && self.is_beyond(page)) {
            return None;
        }
        let is_said = pages.iter().any(|page| page.letters.contains(&own));
        (!is_said && !self.is_shown(pages)).then(|| self.finding(self.page_in(pages), HiddenKind::Invisible, None))
    }

    /// A field that shows nothing, where pages show another value in its place, or nearly the same one elsewhere if it
    /// has no place.
    fn replaced_value(&self, pages: &[ShownPage]) -> Option<HiddenText> {
        if self.is_shown(pages) {
            return None;
        }
        for (index, page) in pages.iter().enumerate() {
            let now = match self.place_on(page) {
                Some(place) => Some(page.text_in(place, self.number)).filter(|now| is_other_value(&self.text, now)),
                None => {
                    let mut texts = page.runs.iter().map(|run| page.page.text(run).to_owned());
                    texts.find(|now| is_near_copy(self.text.trim(), now))
                }
            };
            if now.is_some() {
                return Some(self.finding(index, HiddenKind::Retyped, now));
            }
        }
        None
    }

    /// The appearance of a signature that is no longer there: with a date and a time.
    fn signature(&self, pages: &[ShownPage]) -> Option<Leftover> {
        let mut texts = pages.iter().map(|page| page.text_of(self.number));
        let text = texts.find(|text| digits(text).len() >= MIN_TIME_DIGITS)?;
        Some(Leftover { object: self.number, kind: LeftoverKind::SignatureAppearance, text })
    }

    fn finding(&self, page: usize, kind: HiddenKind, now: Option<String>) -> HiddenText {
        let mut text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        shorten(&mut text);
        HiddenText {
            page: u32::try_from(page + 1).unwrap_or(u32::MAX),
            kind,
            bounds: self.place.rounded(),
            characters: u32::try_from(text.chars().filter(|letter| !letter.is_whitespace()).count())
                .unwrap_or(u32::MAX),
            change: now.map(|now| LineChange { before: text.clone(), now }),
            text,
            cover: Some(if kind == HiddenKind::Retyped { Cover::Field } else { Cover::Annotation }),
        }
    }
}
