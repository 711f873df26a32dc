//! Dark grounds: light paint on them is seen, on paper it is not.

use super::area::{Area, AreaKind};
use super::geometry::Rectangle;
use super::page_model::PageText;

/// Maximum luminance of ink on paper.
const INK_MAX_LUMINANCE: f32 = 0.75;
/// Maximum grounds that are examined.
const MAX_GROUNDS: usize = 1_000;

/// The areas of a page on which light paint is seen.
#[derive(Debug)]
pub struct DarkGrounds<'p> {
    areas: Vec<&'p Area>,
    is_cut: bool,
}

impl PageText {
    /// Returns the areas on which light paint is seen: dark ones, and those of unknown colors.
    pub fn dark_grounds(&self) -> DarkGrounds<'_> {
        let is_ground =
            |area: &&Area| !matches!(area.kind, AreaKind::Stroke | AreaKind::Block) && !area.is_off && area.is_ink();
        let mut grounds = self.areas.iter().filter(is_ground);
        let areas = grounds.by_ref().take(MAX_GROUNDS).collect();
        DarkGrounds { areas, is_cut: grounds.next().is_some() }
    }
}

impl DarkGrounds<'_> {
    /// Whether there is one, or may be, under a box that is painted at a position in the painting order.
    pub fn is_under(&self, bounds: Rectangle, order: u32) -> bool {
        self.is_cut || self.areas.iter().any(|ground| ground.order < order && ground.bounds.holds(bounds))
    }

    /// Whether an area is seen as ink, by its color on paper or on such a ground.
    pub fn is_ink(&self, area: &Area) -> bool {
        area.is_ink() || self.is_under(area.bounds, area.order)
    }
}

impl Area {
    /// Whether it is drawn darkly enough not to be the ground of what is written on it.
    pub fn is_ink(&self) -> bool {
        self.color_on_paper().is_none_or(|color| luminance(color) <= INK_MAX_LUMINANCE)
    }
}

/// Returns the luminance of a color, from 0 to 1.
pub(super) fn luminance([red, green, blue]: [u8; 3]) -> f32 {
    (0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue)) / f32::from(u8::MAX)
}
