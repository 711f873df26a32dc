//! What a page draws itself, kept while another state of it is read: mostly only its annotations are other ones there.

use super::geometry::Rectangle;
use super::layer::OptionalContent;
use super::page::ResolvedPage;
use super::page_model::PageText;
use super::painter::Painter;
use crate::document::trace::Lookups;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// What was painted of a page's content, and from what.
pub(super) struct Own {
    contents: Object,
    resources: Dictionary,
    shown: Rectangle,
    layers: OptionalContent,
    lookups: Lookups,
    drawn: PageText,
    content_left: usize,
}

impl Own {
    /// What the painter has just drawn of a page.
    pub(super) fn of(painter: &Painter, page: &ResolvedPage, layers: &OptionalContent, lookups: Lookups) -> Self {
        Self {
            contents: page.dictionary.get(b"Contents").clone(),
            resources: page.resources.clone(),
            shown: page.shown,
            layers: layers.clone(),
            lookups,
            drawn: painter.page.clone(),
            content_left: painter.content_left,
        }
    }

    /// Whether that is what a page draws in the state that the painter looks at.
    pub(super) fn is_of(
        &self,
        painter: &mut Painter,
        page: &ResolvedPage,
        layers: &OptionalContent,
    ) -> Result<bool, Fault> {
        let is_same = self.shown == page.shown
            && self.contents == *page.dictionary.get(b"Contents")
            && self.resources == page.resources
            && self.layers == *layers;
        Ok(is_same && painter.view.document.finds(painter.view.state, &self.lookups)?)
    }

    /// Hands it over to a painter that has drawn nothing yet.
    pub(super) fn hand_over(self, painter: &mut Painter) {
        painter.page = self.drawn.within(painter.page.room_left());
        painter.content_left = self.content_left;
    }
}
