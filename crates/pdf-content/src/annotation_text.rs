//! Whether the text of an annotation's appearance is seen on its page, as composed by viewers (ISO 32000-1, 12.5.2): in front
//! of what is painted under it, below what is painted above it, and inside the page.

use super::area::Area;
use super::coverage::Visibility;
use super::field_frame::PAPER;
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Run;

impl PageText {
    /// Whether every letter of an annotation's appearance is seen: inside the page, with contrast to what is under it, and
    /// covered by nothing. Viewers paint annotations in different orders, so that another annotation may cover it in any.
    /// False if that takes more than `checks`.
    pub fn shows_text_of(&self, annotation: u32, checks: &mut usize) -> bool {
        let is_own = |run: &Run| run.annotation == Some(annotation) && run.is_painted() && !run.is_off;
        if !self.runs.iter().any(is_own) {
            return true;
        }
        let Some(visibility) = Visibility::of(self, |_| true, checks) else { return false };
        self.runs.iter().enumerate().filter(|(_, run)| is_own(run)).all(|(place, run)| {
            (0..self.glyphs(run).len()).all(|glyph| {
                let Some(bounds) = self.glyph_box(run, glyph) else { return true };
                self.is_on_paper(bounds)
                    && visibility.is_seen(place, glyph)
                    && !self.is_under_annotation(run, bounds, checks)
                    && !run.is_pale_on(self.ground(run, bounds))
            })
        })
    }

    /// Whether the middle of a box is inside the page.
    fn is_on_paper(&self, bounds: Rectangle) -> bool {
        let [width, height] = self.size;
        Rectangle { left: 0.0, bottom: 0.0, right: width, top: height }.has(bounds.middle())
    }

    /// Whether another annotation hides the middle of a box.
    fn is_under_annotation(&self, run: &Run, bounds: Rectangle, checks: &mut usize) -> bool {
        let Some(left) = checks.checked_sub(self.areas.len()) else { return true };
        *checks = left;
        self.areas.iter().any(|area| {
            let is_others = area.annotation.is_some() && area.annotation != run.annotation;
            is_others && hides(area, bounds)
        })
    }

    /// The color of the last area under a box; white paper if there is none or it is unknown.
    fn ground(&self, run: &Run, bounds: Rectangle) -> [u8; 3] {
        let is_under =
            |area: &&Area| area.order < run.order && area.is_opaque && !area.is_off && area.bounds.has(bounds.middle());
        self.areas.iter().rev().find(is_under).and_then(|area| area.color).unwrap_or(PAPER)
    }
}

/// Whether an area hides what is under the middle of a box.
fn hides(area: &Area, bounds: Rectangle) -> bool {
    area.is_opaque && !area.is_off && area.bounds.has(bounds.middle())
}
