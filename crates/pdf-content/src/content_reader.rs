//! A reader of the pages of a document, in any of its revisions, within a budget.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::appearance::Placings;
use super::default_appearance::{self, GeneratedAppearance};
use super::fonts::Fonts;
use super::geometry::Matrix;
use super::graphics::Graphics;
use super::layer::{Layer, OptionalContent};
use super::page::{self, ResolvedPage};
use super::page_model::{MAX_RUNS_AND_AREAS, PageText};
use super::page_painting::{EVERYWHERE, paint, paint_stream, paint_turned};
use super::painter::Painter;
use super::reading::Reading;
use super::text_only_appearance::{self, Expected};
use super::{appearance, generated_widget};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::{PageLeaf, Pages};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Budget for all pages of a file in all its revisions, in steps: about a tenth of a second.
const MAX_STEPS: u64 = 1 << 24;
/// Maximum objects returned by [`ContentReader::resources_of`].
const MAX_RESOURCES: usize = 200;
/// Maximum pages listed.
const MAX_PAGES: usize = 10_000;

/// Interprets the content of a document's pages; caches fonts.
pub struct ContentReader {
    fonts: Fonts,
    layers: BTreeMap<State, OptionalContent>,
    /// Whether optional content is on unless every reader has it off.
    shows_possible: bool,
    /// Remaining runs and areas.
    room: usize,
    /// Steps of the document's budget that reading must not spend.
    reserve: u64,
    /// A discarded page whose buffers the next one reuses.
    used: PageText,
}

impl ContentReader {
    /// Returns a reader for a document with the default budget.
    pub fn new(document: &Document) -> Self {
        Self::with_steps(document, MAX_STEPS)
    }

    /// Returns a reader with a budget of `steps`.
    pub fn with_steps(document: &Document, steps: u64) -> Self {
        let reserve = document.budget.steps_left().saturating_sub(steps);
        Self {
            fonts: Fonts::default(),
            layers: BTreeMap::new(),
            shows_possible: false,
            room: MAX_RUNS_AND_AREAS,
            reserve,
            used: PageText::default(),
        }
    }

    /// Returns the reader with all optional content on that readers may show.
    #[must_use]
    pub fn showing_possible(self) -> Self {
        Self { shows_possible: true, ..self }
    }

    /// Returns the reader with blanks and points undecoded whose glyphs have other ink: text is no proof that nothing is
    /// drawn there.
    #[must_use]
    pub fn checking_blanks(mut self) -> Self {
        self.fonts.checks_blanks = true;
        self
    }

    /// Returns the reader with room for as many runs and areas as a file's pages may have, for pages of which only the
    /// words are kept.
    pub(crate) fn with_room(&mut self) -> &mut Self {
        self.room = MAX_RUNS_AND_AREAS;
        self
    }

    /// Returns the content streams and fonts of these pages in the newest revision, unreadable ones left out.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn resources_of(&mut self, document: &mut Document, pages: &[PageLeaf]) -> Result<Vec<Object>, Fault> {
        let mut view = self.view(document, State(0));
        let mut drawn = Vec::new();
        for page in pages {
            drawn.extend(tried(page::resources_of(&mut view, page))?.unwrap_or_default());
        }
        let mut seen = BTreeSet::new();
        drawn.retain(|object| object.as_reference().is_some_and(|id| seen.insert(id.number)));
        drawn.truncate(MAX_RESOURCES);
        Ok(drawn)
    }

    /// Returns the pages of a revision, at most `most`.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn pages(&mut self, document: &mut Document, state: State, most: usize) -> Result<Pages, Fault> {
        let pages = tried(Pages::read(&mut self.view(document, state), most.min(MAX_PAGES)))?;
        Ok(pages.unwrap_or_else(Pages::unknown))
    }

    pub(super) fn view<'v, 's>(&self, document: &'v mut Document<'s>, state: State) -> View<'v, 's> {
        document.view_within(state, self.reserve)
    }

    /// Returns the content of a page in a revision, including annotation appearances. Content that is too large or
    /// unreadable is missing, and `is_part` says so.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn page(&mut self, document: &mut Document, state: State, page: &PageLeaf) -> Result<PageText, Fault> {
        Ok(self.painted(document, state, |painter| paint(painter, page, None))?.0)
    }

    /// Returns the same with the fields that viewers draw over text because they have no appearance.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn page_with_fields(
        &mut self,
        document: &mut Document,
        state: State,
        page: &PageLeaf,
    ) -> Result<PageText, Fault> {
        self.page_as_read(document, (state, page), Reading::default())
    }

    /// Returns a page of the newest state as usual, and in this reading, each with the room that is left for all pages.
    pub(crate) fn page_in_both_readings(
        &mut self,
        document: &mut Document,
        page: &PageLeaf,
        other: Reading,
    ) -> Result<[PageText; 2], Fault> {
        let room = self.replace_room(None);
        let usual = self.page_as_read(document, (State(0), page), Reading::Lenient)?;
        self.replace_room(Some(room));
        let other = self.page_as_read(document, (State(0), page), other)?;
        self.replace_room(Some(room));
        Ok([usual, other])
    }

    /// Returns the same as a viewer reads it.
    pub(crate) fn page_as_read(
        &mut self,
        document: &mut Document,
        (state, page): (State, &PageLeaf),
        reading: Reading,
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter| {
            painter.read_as(reading);
            let (page, base) = paint(painter, page, None)?;
            generated_widget::paint(painter, &page, &base)
        };
        if reading == Reading::default() {
            return Ok(self.painted(document, state, work)?.0);
        }
        let fonts = std::mem::replace(&mut self.fonts, Fonts::as_read(reading));
        let painted = self.painted(document, state, work);
        self.fonts = fonts;
        Ok(painted?.0)
    }

    /// Returns the number of runs and areas that further pages may have, to set it again after work that counts only once.
    pub(crate) fn replace_room(&mut self, room: Option<usize>) -> usize {
        let left = self.room;
        self.room = room.unwrap_or(left);
        left
    }

    /// Returns the page's content if `stream` were its content stream or a form XObject on it.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn page_with(
        &mut self,
        document: &mut Document,
        (state, page): (State, &PageLeaf),
        stream: &Object,
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter| paint_stream(painter, page, stream);
        Ok(self.painted(document, state, work)?.0)
    }

    /// Returns the page's content if these bytes were its content, or that of a form with these resources.
    pub(crate) fn page_of(
        &mut self,
        document: &mut Document,
        page: &PageLeaf,
        (content, form): (&[u8], Option<&Object>),
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter| {
            let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
            painter.page.size = [page.shown.width(), page.shown.height()];
            let mut resources = painter.keep(page.resources.clone());
            if let Some(form) = form.filter(|form| !form.is_null()) {
                let form = painter.view.dictionary(form)?.into_owned();
                resources = painter.keep(form);
            }
            painter.paint(content, Graphics::new(Matrix::IDENTITY, EVERYWHERE), resources, Layer::None)
        };
        Ok(self.painted(document, State(0), work)?.0)
    }

    /// Takes back a page for the reuse of its buffers.
    pub(crate) fn take_back(&mut self, page: PageText) {
        self.used = page;
    }

    /// Returns the content of a page in two revisions, each with its own page object. Page content that did not change
    /// is interpreted once.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn page_in_both(
        &mut self,
        document: &mut Document,
        states: [State; 2],
        pages: [&PageLeaf; 2],
    ) -> Result<[PageText; 2], Fault> {
        let mut cache = None;
        let mut drawn = [PageText::default(), PageText::default()];
        for ((drawn, state), page) in drawn.iter_mut().zip(states).zip(pages) {
            let work = |painter: &mut Painter| paint(painter, page, Some(&mut cache));
            *drawn = self.painted(document, state, work)?.0;
        }
        Ok(drawn)
    }

    /// Returns the content of a page as viewers show it, turned by its rotation: sizes and places are those of the turned
    /// page.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn turned_page(
        &mut self,
        document: &mut Document,
        (state, page): (State, &PageLeaf),
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter| paint_turned(painter, page);
        Ok(self.painted(document, state, work)?.0)
    }

    /// Returns the content of an annotation's appearance wherever viewers place it, in coordinates relative to the page's
    /// corner. Content that readers may parse differently is incomplete.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn appearance(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        corner: (f64, f64),
    ) -> Result<PageText, Fault> {
        self.placed(document, state, annotation, (corner, Placings::All))
    }

    /// Returns the same in the annotation's rectangle alone, for its words.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn appearance_in_rectangle(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
    ) -> Result<PageText, Fault> {
        self.placed(document, state, annotation, ((0.0, 0.0), Placings::Rectangle))
    }

    fn placed(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        ((left, bottom), placings): ((f64, f64), Placings),
    ) -> Result<PageText, Fault> {
        let base = Graphics::new(Matrix::translation(-left, -bottom), EVERYWHERE);
        let drawn = self.painted(document, state, |painter| {
            painter.require_strict();
            appearance::paint_alone(painter, annotation, (&base, placings))
        })?;
        Ok(drawn.0)
    }

    /// Returns everything that viewers draw for an annotation without an appearance stream, in the same coordinates.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn generated(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        (left, bottom): (f64, f64),
    ) -> Result<GeneratedAppearance, Fault> {
        let base = Graphics::new(Matrix::translation(-left, -bottom), EVERYWHERE);
        let (paint, drawn) = self.painted(document, state, |painter| {
            let layer = painter.layer(annotation.get(b"OC"))?;
            default_appearance::paint_all(painter, annotation, &base, layer)
        })?;
        let (is_certain, is_thin) = drawn.unwrap_or_default();
        Ok(GeneratedAppearance { paint, is_certain, is_thin })
    }

    /// Returns what a text-only appearance draws; none if it paints anything else, or if readers may show a different
    /// text.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn text_only(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        expected: Expected<'_>,
    ) -> Result<Option<PageText>, Fault> {
        let base = Graphics::new(Matrix::IDENTITY, EVERYWHERE);
        let (drawn, is_shown) = self.painted(document, state, |painter| {
            painter.require_strict();
            appearance::paint_one(painter, (0, annotation), (&base, Placings::Rectangle))?;
            Ok(!painter.page.is_part
                && text_only_appearance::is_text_only(painter, annotation, expected)?
                && text_only_appearance::is_seen(&painter.page, annotation, expected))
        })?;
        Ok(is_shown.unwrap_or(false).then_some(drawn))
    }

    /// Runs `work` on a painter for a revision and returns the page with the work's result; no result if the budget was
    /// exhausted or the content cannot be read.
    fn painted<T>(
        &mut self,
        document: &mut Document,
        state: State,
        work: impl FnOnce(&mut Painter) -> Result<T, Fault>,
    ) -> Result<(PageText, Option<T>), Fault> {
        let mut view = self.view(document, state);
        let layers = layers(&mut self.layers, &mut view, self.shows_possible)?;
        let page = std::mem::take(&mut self.used).emptied(self.room);
        let mut painter = Painter::new(&mut view, &mut self.fonts, layers, page);
        let painted = work(&mut painter);
        let irregular = (painter.is_irregular, painter.is_ended, painter.has_comments);
        let requires_strict = painter.requires_strict;
        let mut drawn = painter.page;
        (drawn.is_irregular, drawn.is_ended, drawn.has_comments) = irregular;
        self.room = drawn.room_left();
        drawn.is_part |= painted.is_err() || self.fonts.is_cut || view.has_missed;
        drawn.is_decrypted_differently = view.has_decrypted_differently || self.fonts.are_decrypted_differently;
        drawn.is_irregular |= drawn.is_decrypted_differently;
        drawn.is_part |= requires_strict && drawn.is_decrypted_differently;
        Ok((drawn, tried(painted)?))
    }
}

/// Returns the optional content of a revision, cached.
fn layers<'l>(
    known: &'l mut BTreeMap<State, OptionalContent>,
    view: &mut View,
    is_certain: bool,
) -> Result<&'l OptionalContent, Fault> {
    Ok(match known.entry(view.state) {
        Slot::Occupied(known) => known.into_mut(),
        Slot::Vacant(slot) => slot.insert(tried(OptionalContent::read(view, is_certain))?.unwrap_or_default()),
    })
}

/// Returns the content of these pages, counted from 0, in the newest revision; fewer if the file has fewer.
///
/// # Errors
/// `Damaged` if the page tree ends early and the cross-reference may be the reason.
pub fn read_pages(document: &mut Document, wanted: &Range<usize>) -> Result<Vec<PageText>, Fault> {
    let state = State(0);
    let mut contents = ContentReader::new(document);
    let pages = contents.pages(document, state, wanted.end)?;
    // the cross-reference may be wrong
    if pages.is_cut && pages.leaves.len() < wanted.end && !document.xref.is_repaired() {
        return Err(Fault::Damaged);
    }
    pages.numbered().skip(wanted.start).map(|(_, page)| contents.page(document, state, page)).collect()
}
