//! Cache of page content, annotations excluded, across revisions: mostly only annotations differ.

use super::geometry::Rectangle;
use super::layer::OptionalContent;
use super::page::ResolvedPage;
use super::page_model::PageText;
use super::painter::Painter;
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Painted page content, and everything that it was painted from.
pub(super) struct PageContentCache {
    contents: Object,
    resources: Dictionary,
    shown: Rectangle,
    layers: OptionalContent,
    lookups: Lookups,
    drawn: PageText,
    content_left: usize,
}

impl PageContentCache {
    /// Returns the content that the painter has just painted.
    pub(super) fn of(painter: &Painter, page: &ResolvedPage, lookups: Lookups) -> Self {
        Self {
            contents: page.dictionary.get(b"Contents").clone(),
            resources: page.resources.clone(),
            shown: page.shown,
            layers: painter.layers.clone(),
            lookups,
            drawn: painter.page.clone(),
            content_left: painter.content_left,
        }
    }

    /// Whether a page has the same content in the painter's revision.
    pub(super) fn matches(&self, painter: &mut Painter, page: &ResolvedPage) -> Result<bool, Fault> {
        let is_same = self.shown == page.shown
            && self.contents == *page.dictionary.get(b"Contents")
            && self.resources == page.resources
            && self.layers == *painter.layers;
        Ok(is_same && painter.view.document.finds(painter.view.state, &self.lookups)?)
    }

    /// Moves the content into a painter that has painted nothing yet.
    pub(super) fn restore(self, painter: &mut Painter) {
        painter.page = self.drawn.within(painter.page.room_left());
        painter.content_left = self.content_left;
    }
}
