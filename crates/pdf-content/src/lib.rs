//! Page content as text with positions, in painting order: runs with their appearance and filled areas; from these,
//! words and lines. Nothing is rendered, and no character is guessed.
//!
//! [`ContentReader::new`] for a document, then [`ContentReader::pages`] and [`ContentReader::page`]
//! for any page in any revision. Reading has its own budget; when that is exhausted, [`PageText::is_part`] is set and
//! the file is not rejected as too complex. Content is read on demand only.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod annotation_text;
mod appearance;
mod area;
mod blend;
mod color;
mod combo_arrow;
mod coverage;
mod default_appearance;
mod direction;
mod even_image;
mod field_frame;
mod font;
mod fonts;
mod form;
mod frame;
mod generated_widget;
mod geometry;
mod graphics;
mod ground;
pub mod hidden;
mod image;
mod image_painting;
mod layer;
mod line;
mod mark;
mod marked;
mod occlusion;
mod operation;
mod page;
mod page_cache;
mod page_diff;
mod page_model;
mod paint;
mod painter;
mod path;
mod path_painting;
mod pattern;
mod piece;
mod reading;
mod replacement_text;
mod resource;
mod run;
mod scan_line;
mod shading;
mod stroke;
mod subpath;
mod text_contrast;
mod text_only_appearance;
mod text_showing;
mod visibility;

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use area::{Area, AreaKind};

pub use color::component_sum;
pub use coverage::{Covered, Visibility};
pub use field_frame::{is_framed, is_larger_than_a_sign};
pub use line::{Line, Word};
pub use mark::{PathMark, is_unmarked, path_mark};
use page_model::MAX_RUNS_AND_AREAS;
pub use page_model::{AnnotationKind, PageText};
pub use run::{BaselineKey, Run};

pub use font::{StandardFont, max_width};
use fonts::Fonts;
use form::External;
use geometry::Matrix;
pub use geometry::Rectangle;
use graphics::Graphics;
pub use ground::DarkGrounds;
use layer::{Layer, OptionalContent};
pub use occlusion::{Overlaid, Painted, overlaid};
use page::ResolvedPage;
use page_cache::PageContentCache;
pub use page_diff::{PageDifference, page_diff};
use painter::{MAX_CONTENT_BYTES, Painter};
#[cfg(test)]
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::{PageLeaf, Pages};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
#[cfg(test)]
use pdf_syntax::input::source::Memory;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
pub use piece::{Ink, Piece};
pub(crate) use reading::Reading;
pub use subpath::subpath_boxes;
pub use text_only_appearance::{Expected, ExpectedGlyphs, cell_texts, is_reliable_font};
pub use visibility::{Areas, Bands, covered_part, legible};

/// Budget for all pages of a file in all its revisions, in steps: about a tenth of a second.
const MAX_STEPS: u64 = 1 << 24;
/// A clip that contains every page.
const EVERYWHERE: Rectangle = Rectangle { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 };
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

    fn view<'v, 's>(&self, document: &'v mut Document<'s>, state: State) -> View<'v, 's> {
        document.view_within(state, self.reserve)
    }

    /// Returns the content of a page in a revision, including annotation appearances. Content that is too large or
    /// unreadable is missing, and `is_part` says so.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn page(&mut self, document: &mut Document, state: State, page: &PageLeaf) -> Result<PageText, Fault> {
        Ok(self.painted(document, state, |painter, layers| paint(painter, layers, page, None))?.0)
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

    /// Returns the same as a viewer reads it.
    pub(crate) fn page_as_read(
        &mut self,
        document: &mut Document,
        (state, page): (State, &PageLeaf),
        reading: Reading,
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter, layers: &OptionalContent| {
            painter.read_as(reading);
            let (page, base) = paint(painter, layers, page, None)?;
            generated_widget::paint(painter, &page, &base, layers)
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
        let work = |painter: &mut Painter, _: &OptionalContent| paint_stream(painter, page, stream);
        Ok(self.painted(document, state, work)?.0)
    }

    /// Returns the page's content if these bytes were its content.
    pub(crate) fn page_of(
        &mut self,
        document: &mut Document,
        page: &PageLeaf,
        content: &[u8],
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter, _: &OptionalContent| {
            let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
            painter.page.size = [page.shown.width(), page.shown.height()];
            let resources = painter.keep(page.resources.clone());
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
            let work = |painter: &mut Painter, layers: &OptionalContent| paint(painter, layers, page, Some(&mut cache));
            *drawn = self.painted(document, state, work)?.0;
        }
        Ok(drawn)
    }

    /// Returns the content of an annotation's appearance, in coordinates relative to the page's corner. Content that
    /// readers may parse differently is incomplete.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn appearance(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        (left, bottom): (f64, f64),
    ) -> Result<PageText, Fault> {
        let base = Graphics::new(Matrix::translation(-left, -bottom), EVERYWHERE);
        let drawn = self.painted(document, state, |painter, layers| {
            painter.require_strict();
            appearance::paint_alone(painter, annotation, &base, layers)
        })?;
        Ok(drawn.0)
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
        let (drawn, is_shown) = self.painted(document, state, |painter, layers| {
            painter.require_strict();
            appearance::paint_one(painter, (0, annotation), &base, layers)?;
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
        work: impl FnOnce(&mut Painter, &OptionalContent) -> Result<T, Fault>,
    ) -> Result<(PageText, Option<T>), Fault> {
        let mut view = self.view(document, state);
        let layers = layers(&mut self.layers, &mut view, self.shows_possible)?;
        let page = std::mem::take(&mut self.used).emptied(self.room);
        let mut painter = Painter::new(&mut view, &mut self.fonts, layers, page);
        let painted = work(&mut painter, layers);
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

/// Paints the page, then its annotations, and returns both the page and its initial graphics state. Page content is taken from `cache` if unchanged, and stored there.
fn paint(
    painter: &mut Painter,
    layers: &OptionalContent,
    page: &PageLeaf,
    cache: Option<&mut Option<PageContentCache>>,
) -> Result<(ResolvedPage, Graphics), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    let Rectangle { left, bottom, .. } = page.shown;
    let shown = Rectangle { left: 0.0, bottom: 0.0, right: page.shown.width(), top: page.shown.height() };
    let Rectangle { right: width, top: height, .. } = shown.rounded();
    painter.page.size = [width, height];
    painter.page.rotation = page.rotation;
    painter.page.corner = (left, bottom);
    let base = Graphics::new(Matrix::translation(-left, -bottom), shown);
    match cache {
        Some(cache) => paint_cached_content(painter, &page, &base, layers, cache)?,
        None => paint_content(painter, &page, &base)?,
    }
    appearance::paint(painter, &page, &base, layers)?;
    Ok((page, base))
}

fn paint_cached_content(
    painter: &mut Painter,
    page: &ResolvedPage,
    base: &Graphics,
    layers: &OptionalContent,
    cache: &mut Option<PageContentCache>,
) -> Result<(), Fault> {
    if let Some(cache) = cache.take()
        && cache.matches(painter, page, layers)?
    {
        cache.restore(painter);
        return Ok(());
    }
    let mark = painter.view.document.begin_trace();
    let painted = paint_content(painter, page, base);
    let lookups = painter.view.document.end_trace(mark);
    painted?;
    *cache = lookups.map(|lookups| PageContentCache::of(painter, page, layers, lookups));
    Ok(())
}

fn paint_content(painter: &mut Painter, page: &ResolvedPage, base: &Graphics) -> Result<(), Fault> {
    let (content, is_part) = page.content(painter.view, MAX_CONTENT_BYTES)?;
    painter.page.is_part |= is_part;
    let resources = painter.keep(page.resources.clone());
    painter.paint(&content, base.clone(), resources, Layer::None)
}

/// Paints a stream as page content, or as a form XObject if it is one.
fn paint_stream(painter: &mut Painter, page: &PageLeaf, stream: &Object) -> Result<(), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    painter.page.size = [page.shown.width(), page.shown.height()];
    let base = Graphics::new(Matrix::IDENTITY, EVERYWHERE);
    let resources = painter.keep(page.resources.clone());
    let body = painter.view.body(stream)?;
    let is_form =
        body.is_some_and(|body| body.dictionary().is_some_and(|stream| stream.get(b"Subtype").is_name(b"Form")));
    if is_form && let External::FormXObject(form) = painter.external(stream)? {
        return painter.draw_form(&form, base, resources, Layer::None);
    }
    let Some(stream) = painter.view.stream(stream, MAX_CONTENT_BYTES)? else { return Ok(()) };
    painter.page.is_part |= stream.is_part;
    painter.paint(&stream.content, base, resources, Layer::None)
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

/// The content of the first page of a file in memory.
#[cfg(test)]
fn first_page(file: Vec<u8>) -> PageText {
    let source = Memory(file.into());
    let mut document = Document::open(&source, TimeLimit::new(None, None)).unwrap();
    document.load(None).unwrap();
    read_pages(&mut document, &(0..1)).unwrap().remove(0)
}

#[cfg(test)]
mod tests;
