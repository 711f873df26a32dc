//! What a page draws, in painting order, as text with places: runs of text with their look, and filled areas; from these
//! words and lines. Nothing is rendered, and no character is guessed.
//!
//! Within the crate: [`Contents::new`] for a document, then [`Contents::pages`] and [`Contents::page`] for any page in any
//! state of the file. What is asked for is paid from an allowance of its own, and once that is used up [`PageText::is_part`]
//! says so: reading content makes no file too complex. Nothing is read unless it is asked for.

mod appearance;
mod area;
mod blend;
mod color;
mod coverage;
mod default_appearance;
mod direction;
mod font;
mod fonts;
mod form;
mod frame;
mod geometry;
mod graphics;
mod image;
mod layer;
mod line;
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
mod pattern;
mod resource;
mod shading;
mod text_only_appearance;
mod text_showing;
mod visibility;

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use area::{Area, AreaKind};

pub(crate) use coverage::{Covered, Visibility};
pub use line::{Line, Word};
use page_model::THINGS;
pub(crate) use page_model::{AnnotationKind, LineLevel};
pub use page_model::{PageText, Run};

use crate::Options;
use crate::document::Document;
use crate::document::objects::State;
use crate::document::pages::{PageLeaf, Pages};
use crate::document::view::View;
use crate::failure::{Failure, Fault, tried};
use crate::input::source::Source;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use fonts::Fonts;
use form::External;
use geometry::Matrix;
pub use geometry::Rectangle;
use graphics::Graphics;
use layer::OptionalContent;
pub(crate) use occlusion::{Painted, overlaid};
use page::ResolvedPage;
use page_cache::Own;
pub(crate) use page_diff::{Redrawn, redrawn};
use painter::{CONTENT, Painter};
pub(crate) use text_only_appearance::{Alphabet, Expected};
pub(crate) use visibility::{Areas, Bands, covered_part, legible};

/// Steps of work for all pages of a file in all its states: a tenth of a second's worth or so.
const STEPS: u64 = 1 << 24;
/// What clips nothing.
const EVERYWHERE: Rectangle = Rectangle { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 };
/// Objects that are told of which pages draw with.
const DRAWN: usize = 200;
/// Pages that are listed at most.
const PAGES: usize = 10_000;

/// Reads what pages of a document draw. Keeps the fonts that it has read.
pub(crate) struct Contents {
    fonts: Fonts,
    layers: BTreeMap<State, OptionalContent>,
    /// How many runs and areas there may still be.
    room: usize,
    /// What must be left of the document's steps of work.
    reserve: u64,
    /// A page that is no longer needed, whose memory the next one takes.
    used: PageText,
}

impl Contents {
    /// For a document; its allowance begins here.
    pub(crate) fn new(document: &Document) -> Self {
        Self::with_steps(document, STEPS)
    }

    /// With an allowance of so many steps.
    pub(crate) fn with_steps(document: &Document, steps: u64) -> Self {
        let reserve = document.budget.steps_left().saturating_sub(steps);
        Self { fonts: Fonts::default(), layers: BTreeMap::new(), room: THINGS, reserve, used: PageText::default() }
    }

    /// What these pages refer to for their content in the file as it is: streams and fonts. What cannot be read is not among
    /// it.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn drawn_with(&mut self, document: &mut Document, pages: &[PageLeaf]) -> Result<Vec<Object>, Fault> {
        let mut view = self.view(document, State(0));
        let mut drawn = Vec::new();
        for page in pages {
            drawn.extend(tried(page::drawn_with(&mut view, page))?.unwrap_or_default());
        }
        let mut seen = BTreeSet::new();
        drawn.retain(|object| object.as_reference().is_some_and(|id| seen.insert(id.number)));
        drawn.truncate(DRAWN);
        Ok(drawn)
    }

    /// The pages of a state; no more than `most`.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn pages(&mut self, document: &mut Document, state: State, most: usize) -> Result<Pages, Fault> {
        let pages = tried(Pages::read(&mut self.view(document, state), most.min(PAGES)))?;
        Ok(pages.unwrap_or_else(Pages::unknown))
    }

    fn view<'v, 's>(&self, document: &'v mut Document<'s>, state: State) -> View<'v, 's> {
        document.view_within(state, self.reserve)
    }

    /// What a page draws in a state, with the appearances of its annotations. Of what is too much,
    /// or cannot be read, it has a part or nothing, and says so.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn page(&mut self, document: &mut Document, state: State, page: &PageLeaf) -> Result<PageText, Fault> {
        Ok(self.painted(document, state, |painter, layers| paint(painter, layers, page, None))?.0)
    }

    /// What a page would draw if this stream were its content, or this form stood on it.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn page_with(
        &mut self,
        document: &mut Document,
        page: &PageLeaf,
        stream: &Object,
    ) -> Result<PageText, Fault> {
        let work = |painter: &mut Painter, _: &OptionalContent| paint_stream(painter, page, stream);
        Ok(self.painted(document, State(0), work)?.0)
    }

    /// Takes back a page that is no longer needed.
    pub(crate) fn take_back(&mut self, page: PageText) {
        self.used = page;
    }

    /// The same of two states of a page, of which each may have another object for it.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn page_in_both(
        &mut self,
        document: &mut Document,
        states: [State; 2],
        pages: [&PageLeaf; 2],
    ) -> Result<[PageText; 2], Fault> {
        let mut own = None;
        let mut drawn = [PageText::default(), PageText::default()];
        for ((drawn, state), page) in drawn.iter_mut().zip(states).zip(pages) {
            let work = |painter: &mut Painter, layers: &OptionalContent| paint(painter, layers, page, Some(&mut own));
            *drawn = self.painted(document, state, work)?.0;
        }
        Ok(drawn)
    }

    /// What the appearance of an annotation lays over its page, of which this corner counts as 0.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn appearance(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        (left, bottom): (f64, f64),
    ) -> Result<PageText, Fault> {
        let base = Graphics::new(Matrix::translation(-left, -bottom), EVERYWHERE);
        let drawn = self
            .painted(document, state, |painter, layers| appearance::paint_alone(painter, annotation, &base, layers))?;
        Ok(drawn.0)
    }

    /// The text that the appearance of an annotation shows, its lines joined by blanks; none if it shows anything else, or
    /// if a reader may see another text than is read here.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub(crate) fn plain_text(
        &mut self,
        document: &mut Document,
        state: State,
        annotation: &Dictionary,
        expected: Expected<'_>,
    ) -> Result<Option<String>, Fault> {
        let base = Graphics::new(Matrix::IDENTITY, EVERYWHERE);
        let (drawn, is_shown) = self.painted(document, state, |painter, layers| {
            let is_plain = text_only_appearance::is_plain(painter, annotation, expected)?;
            appearance::paint_one(painter, (0, annotation), &base, layers)?;
            Ok(is_plain && text_only_appearance::is_seen(&painter.page, expected.alphabet))
        })?;
        let text = || drawn.lines().iter().map(Line::text).collect::<Vec<_>>().join(" ");
        Ok(is_shown.unwrap_or(false).then(text))
    }

    /// What is drawn by this work in a state, with its result; none if that was too much, or cannot be read.
    fn painted<T>(
        &mut self,
        document: &mut Document,
        state: State,
        work: impl FnOnce(&mut Painter, &OptionalContent) -> Result<T, Fault>,
    ) -> Result<(PageText, Option<T>), Fault> {
        let mut view = self.view(document, state);
        let layers = layers(&mut self.layers, &mut view)?;
        let page = std::mem::take(&mut self.used).emptied(self.room);
        let mut painter = Painter::new(&mut view, &mut self.fonts, layers, page);
        let painted = work(&mut painter, layers);
        let mut drawn = painter.page;
        self.room = drawn.room_left();
        drawn.is_part |= painted.is_err() || self.fonts.is_cut || view.has_missed;
        Ok((drawn, tried(painted)?))
    }
}

/// The layers of a state, which are read once.
fn layers<'l>(known: &'l mut BTreeMap<State, OptionalContent>, view: &mut View) -> Result<&'l OptionalContent, Fault> {
    Ok(match known.entry(view.state) {
        Slot::Occupied(known) => known.into_mut(),
        Slot::Vacant(slot) => slot.insert(tried(OptionalContent::read(view))?.unwrap_or_default()),
    })
}

/// Paints the page, then its annotations. What it draws itself is kept in `own`, and taken from there where it is the same.
fn paint(
    painter: &mut Painter,
    layers: &OptionalContent,
    page: &PageLeaf,
    own: Option<&mut Option<Own>>,
) -> Result<(), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    let Rectangle { left, bottom, .. } = page.shown;
    let shown = Rectangle { left: 0.0, bottom: 0.0, right: page.shown.width(), top: page.shown.height() };
    let Rectangle { right: width, top: height, .. } = shown.rounded();
    painter.page.size = [width, height];
    painter.page.rotation = page.rotation;
    painter.page.corner = (left, bottom);
    let base = Graphics::new(Matrix::translation(-left, -bottom), shown);
    match own {
        Some(own) => paint_own_once(painter, &page, &base, layers, own)?,
        None => paint_own(painter, &page, &base)?,
    }
    appearance::paint(painter, &page, &base, layers)
}

fn paint_own_once(
    painter: &mut Painter,
    page: &ResolvedPage,
    base: &Graphics,
    layers: &OptionalContent,
    own: &mut Option<Own>,
) -> Result<(), Fault> {
    if let Some(own) = own.take()
        && own.is_of(painter, page, layers)?
    {
        own.hand_over(painter);
        return Ok(());
    }
    let mark = painter.view.document.begin_trace();
    let painted = paint_own(painter, page, base);
    let lookups = painter.view.document.end_trace(mark);
    painted?;
    *own = lookups.map(|lookups| Own::of(painter, page, layers, lookups));
    Ok(())
}

fn paint_own(painter: &mut Painter, page: &ResolvedPage, base: &Graphics) -> Result<(), Fault> {
    let (content, is_part) = page.content(painter.view, CONTENT)?;
    painter.page.is_part |= is_part;
    let resources = painter.keep(page.resources.clone());
    painter.paint(&content, base.clone(), resources, false)
}

/// Paints a stream as if it were a page's content, or stood on it if it is a form.
fn paint_stream(painter: &mut Painter, page: &PageLeaf, stream: &Object) -> Result<(), Fault> {
    let page = ResolvedPage::read(painter.view, page)?.ok_or(Fault::Damaged)?;
    painter.page.size = [page.shown.width(), page.shown.height()];
    let base = Graphics::new(Matrix::IDENTITY, EVERYWHERE);
    let resources = painter.keep(page.resources.clone());
    let body = painter.view.body(stream)?;
    let is_form =
        body.is_some_and(|body| body.dictionary().is_some_and(|stream| stream.get(b"Subtype").is_name(b"Form")));
    if is_form && let External::FormXObject(form) = painter.external(stream)? {
        return painter.draw_form(&form, base, resources, false);
    }
    let Some(stream) = painter.view.stream(stream, CONTENT)? else { return Ok(()) };
    painter.page.is_part |= stream.is_part;
    painter.paint(&stream.content, base, resources, false)
}

/// What these pages draw, counted from 0, in the file as it is; fewer, if the file has fewer or they are too much to read.
///
/// # Errors
/// [`Failure::Rejected`] says what is wrong with the file, [`Failure::Source`] that it could not be read.
pub fn page_texts(source: &dyn Source, options: &Options, pages: Range<usize>) -> Result<Vec<PageText>, Failure> {
    // as with an analysis: should anything make it panic, that must not take the process with it
    let result = catch_unwind(AssertUnwindSafe(|| read(source, options, &pages)));
    result.unwrap_or(Err(Fault::Damaged)).map_err(Failure::from)
}

fn read(source: &dyn Source, options: &Options, pages: &Range<usize>) -> Result<Vec<PageText>, Fault> {
    let mut document = Document::open(source, options)?;
    let intact = document.load(options.password).and_then(|()| read_pages(&mut document, pages));
    match intact {
        Err(Fault::Damaged) => {
            document.repair(options.password)?;
            read_pages(&mut document, pages)
        }
        intact => intact,
    }
}

fn read_pages(document: &mut Document, wanted: &Range<usize>) -> Result<Vec<PageText>, Fault> {
    let state = State(0);
    let mut contents = Contents::new(document);
    let pages = contents.pages(document, state, wanted.end)?;
    // perhaps the cross-reference is wrong
    if pages.is_cut && pages.leaves.len() < wanted.end && !document.xref.is_repaired() {
        return Err(Fault::Damaged);
    }
    pages.numbered().skip(wanted.start).map(|(_, page)| contents.page(document, state, page)).collect()
}

#[cfg(test)]
mod tests;
