//! What the covers of a hidden text are: patches, erasures, letter-like shapes, appearances of fields.

use std::collections::BTreeMap;

use super::hidden_line::{HiddenLine, OVERPRINTED_MIN_PART};
use crate::{AnnotationKind, Area, AreaKind, Covered, PageText, Rectangle};

/// Maximum height (em) of a patch for one line.
const PATCH_MAX_HEIGHT_EM: f64 = 2.5;
/// Maximum margin (em) of a patch around its words.
const PATCH_MAX_MARGIN_EM: f64 = 4.0;
/// Maximum margin (em) of a patch around a complete line that it erases, and minimum letters and digits of such a line.
const ERASED_MAX_MARGIN_EM: f64 = 1.0;
const ERASED_MIN_CHARACTERS: usize = 6;
/// The same margin at the ends of a long line, as a share of its length.
const ERASED_MAX_MARGIN_PART: f64 = 0.1;
/// Minimum height (em) of shapes that may be letters, minimum width of those that are stroked, their distance from a patch
/// that they may leave, and maximum share of its width, as its frame is wider.
const LETTER_SHAPE_MIN_HEIGHT_EM: f64 = 0.4;
const STROKED_LETTER_MIN_WIDTH_EM: f64 = 0.25;
const STROKED_LETTER_MAX_DISTANCE_EM: f64 = 0.1;
const STROKED_LETTER_MAX_PATCH_PART: f64 = 0.95;
/// Minimum share of a text under one of its covers that lies over it.
const LIES_OVER_MIN_PART: f64 = 0.1;
/// Maximum difference of components of equal-looking colors, and minimum component of a light color, of 255.
const COLOR_TOLERANCE: u8 = 8;
const LIGHT_MIN_COMPONENT: u8 = 200;

/// The number of runs of which an area hides complete glyphs, by the area's order.
pub(super) type RunsByCover = BTreeMap<u32, usize>;

pub(super) fn runs_by_cover<'c>(page: &PageText, covered: impl Iterator<Item = &'c Covered>) -> RunsByCover {
    let mut runs = RunsByCover::new();
    for covered in covered.filter(|covered| covered.hides_complete_glyphs()) {
        for area in covered.by.iter().filter_map(|place| page.areas.get(*place)) {
            *runs.entry(area.order).or_default() += 1;
        }
    }
    runs
}

impl HiddenLine<'_> {
    /// Whether all its covers are appearances of form fields, which show values there.
    pub(super) fn is_field_appearance(&self) -> bool {
        self.is_appearance_of(|kind| matches!(kind, AnnotationKind::Widget | AnnotationKind::PushButton))
    }

    /// Whether all its covers are appearances of push buttons.
    pub(super) fn is_push_button(&self) -> bool {
        self.is_appearance_of(|kind| matches!(kind, AnnotationKind::PushButton))
    }

    fn is_appearance_of(&self, is_wanted: fn(&AnnotationKind) -> bool) -> bool {
        let is_one = |number: u32| {
            let mut annotations = self.visible.page.annotations.iter();
            annotations.any(|found| found.number == number && is_wanted(&found.kind))
        };
        self.covers.iter().all(|area| area.annotation.is_some_and(is_one))
    }

    /// Whether letter-like shapes of another color were drawn over the cover, in place of the text.
    pub(super) fn has_letter_shapes(&self) -> bool {
        let Some(first) = self.covers.first() else { return false };
        let differs = |area: &Area| match (area.color, first.color) {
            (Some(one), Some(other)) => one.iter().zip(other).any(|(one, other)| one.abs_diff(other) > COLOR_TOLERANCE),
            _ => area.color.is_some(),
        };
        // lines on a patch in the color of the background, as wide as the text, neither straight ones nor its frame
        let is_stroked = |area: &Area| {
            let widths = STROKED_LETTER_MIN_WIDTH_EM * self.size..=STROKED_LETTER_MAX_PATCH_PART * first.bounds.width();
            area.kind == AreaKind::Stroke
                && widths.contains(&area.bounds.width())
                && first.bounds.grown(STROKED_LETTER_MAX_DISTANCE_EM * self.size).holds(area.bounds)
                && self.overlap(self.bounds, area.bounds) >= OVERPRINTED_MIN_PART
                && self.have_color_of_background(&[first])
        };
        let is_shape = |area: &&Area| {
            let is_outlined = matches!(area.kind, AreaKind::Shape | AreaKind::Stencil) || area.is_clipped();
            let is_outlined = is_outlined || is_stroked(area);
            let is_as_high = (LETTER_SHAPE_MIN_HEIGHT_EM * self.size..=PATCH_MAX_HEIGHT_EM * self.size)
                .contains(&area.bounds.height());
            area.order > first.order
                && is_outlined
                && is_as_high
                && !area.is_off
                && differs(area)
                && self.overlap(area.bounds, self.bounds) >= OVERPRINTED_MIN_PART
        };
        self.level.is_upright() && self.visible.areas.around(self.bounds).iter().any(|area| is_shape(&&**area))
    }

    /// Whether flattened transparency may show the text again: a picture over it, and pictures through the outlines of its
    /// letters over that.
    pub(super) fn may_be_repainted(&self) -> bool {
        let Some((first, later)) = self.covers.split_first() else { return false };
        let is_outlined = |area: &&Area| area.kind == AreaKind::Image && area.is_clipped();
        let is_in_place = |area: &&Area| {
            area.bounds.height() <= PATCH_MAX_HEIGHT_EM * self.size
                && self.overlap(area.bounds, self.bounds) >= OVERPRINTED_MIN_PART
        };
        first.kind == AreaKind::Image
            && !later.is_empty()
            && later.iter().all(|area| is_outlined(area) && is_in_place(area))
    }

    /// Whether all its covers are as high as one line.
    pub(super) fn is_patch(&self) -> bool {
        let height = |bounds: Rectangle| {
            if self.level.is_upright() { bounds.height() } else { bounds.height().min(bounds.width()) }
        };
        self.covers.iter().all(|area| height(area.bounds) <= PATCH_MAX_HEIGHT_EM * self.size)
    }

    /// Whether all its covers are as wide as the hidden words.
    pub(super) fn is_narrow(&self) -> bool {
        let around = self.bounds.grown(PATCH_MAX_MARGIN_EM * self.size);
        self.covers.iter().all(|area| around.holds(area.bounds))
    }

    /// Whether a complete line was erased: under a patch of the page's own content that is hardly larger, has the color of
    /// the background, and covers no other line. Panels, banners and table cells are larger or cover several.
    pub(super) fn is_erased(&self, runs: &RunsByCover) -> bool {
        let mut around = self.bounds.grown(ERASED_MAX_MARGIN_EM * self.size);
        if self.level.is_upright() {
            let margin = ERASED_MAX_MARGIN_PART * self.bounds.width();
            around.left = around.left.min(self.bounds.left - margin);
            around.right = around.right.max(self.bounds.right + margin);
        }
        let is_tight = |area: &Area| area.annotation.is_none() && around.holds(area.bounds);
        let is_alone = || {
            let covered = self.runs.iter().filter_map(|place| self.visible.visibility.covered_run(*place));
            let own = runs_by_cover(self.visible.page, covered);
            self.covers.iter().all(|area| runs.get(&area.order) == own.get(&area.order))
        };
        // codes that cannot be decoded are letters as well
        let is_letter = |letter: &char| letter.is_alphanumeric() || *letter == char::REPLACEMENT_CHARACTER;
        self.text.chars().filter(is_letter).count() >= ERASED_MIN_CHARACTERS
            && self.covers.iter().all(|area| is_tight(area))
            && self.matches_background()
            && !self.is_laid_out()
            && is_alone()
    }

    /// Whether the cover matches the background. The border of a patch lies around the text, not over it.
    pub(super) fn matches_background(&self) -> bool {
        let (page, mut covers) = (self.visible.page, self.covers.clone());
        let lies_over = |area: &&Area| {
            page.covered_part(self.bounds, |other| other.order == area.order, true) >= LIES_OVER_MIN_PART
        };
        if self.level.is_upright() && covers.iter().any(lies_over) {
            covers.retain(lies_over);
        }
        self.have_color_of_background(&covers)
    }

    /// Whether covers, in painting order, have the color of what is under the first one.
    fn have_color_of_background(&self, covers: &[&Area]) -> bool {
        let Some(first) = covers.first() else { return false };
        let mut earlier = self.visible.areas.earlier(self.bounds, first.order).iter().rev();
        let background_area = earlier.find(|area| area.is_solid && area.bounds.has(self.bounds.middle()));
        let background = background_area.map_or(Some([255; 3]), |area| area.color);
        let is_alike = |color: [u8; 3]| match background {
            Some(background) => color.iter().zip(background).all(|(one, other)| one.abs_diff(other) <= COLOR_TOLERANCE),
            // a picture, whose color there is unknown
            None => color.iter().all(|part| *part >= LIGHT_MIN_COMPONENT),
        };
        covers.iter().all(|area| area.color.is_some_and(is_alike))
    }
}
