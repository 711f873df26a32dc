//! What shows through transparent paint, whatever it lies on: the colors of a picture are not known.

use super::area::{Area, Effect};
use super::blend::{Blend, Parts, parts};
use super::geometry::Rectangle;
use super::page_model::PageText;

/// Minimum share of the contrast below paint that is seen through it.
const MIN_SEEN_CONTRAST: f32 = 0.25;
/// Weights of red, green and blue in the luminance, and the maximum weight of those that are not seen through paint:
/// what differs in blue alone, as yellow letters on white do, is hardly seen without it.
const LUMINANCE: Parts = [0.299, 0.587, 0.114];
const MAX_UNSEEN_LUMINANCE: f32 = 0.15;
/// Minimum overlap of areas that lie over each other, in points: those of neighboring lines touch.
const MIN_OVERLAP_PT: f64 = 1.0;
/// Maximum areas compared with each other.
const MAX_AREAS: usize = 500;

impl Area {
    /// Returns the share of the contrast below it that shows through it, in red, green and blue, whatever is below; none
    /// if that depends on what is below.
    fn seen_contrast(&self) -> Option<Parts> {
        let Effect::Mixed { blend, alpha, .. } = self.effect else { return None };
        match blend {
            Blend::Normal => Some([1.0 - alpha; 3]),
            // the product of both colors: what was darkest stays so (11.3.5.2)
            Blend::Multiply => Some(parts(self.color?).map(|part| 1.0 - alpha * (1.0 - part))),
            _ => None,
        }
    }

    /// Whether the same share of any contrast shows through it, however dark or light it is.
    fn is_see_through(&self) -> bool {
        !self.is_solid && !self.is_sampled() && self.seen_contrast().is_some()
    }
}

impl PageText {
    /// Whether everything in a place is seen through the areas that `is_over` selects, also where they overlap; in a
    /// place that is known to be gray all components have the same contrast.
    pub fn shows_through(&self, place: Rectangle, is_gray: bool, is_over: impl Fn(&Area) -> bool) -> bool {
        let is_over = |area: &&Area| !area.is_off && area.bounds.meets(place) && is_over(area);
        let areas: Vec<&Area> = self.areas.iter().filter(is_over).take(MAX_AREAS + 1).collect();
        let is_seen = |area: &&Area| {
            let bounds = area.bounds.clipped(place);
            let is_on = |other: &&&Area| {
                let both = other.bounds.clipped(bounds);
                other.order == area.order || both.width() > MIN_OVERLAP_PT && both.height() > MIN_OVERLAP_PT
            };
            let mut seen = [1.0; 3];
            for other in areas.iter().filter(is_on) {
                let Some(shares) = other.seen_contrast().filter(|_| other.is_see_through()) else { return false };
                seen.iter_mut().zip(shares).for_each(|(seen, share)| *seen *= share);
            }
            let is_unseen = |share: f32| share < MIN_SEEN_CONTRAST;
            let unseen: f32 =
                seen.iter().zip(LUMINANCE).filter(|(share, _)| is_unseen(**share)).map(|(_, it)| it).sum();
            if is_gray { !seen.into_iter().all(is_unseen) } else { unseen <= MAX_UNSEEN_LUMINANCE }
        };
        areas.len() <= MAX_AREAS && areas.iter().all(is_seen)
    }
}
