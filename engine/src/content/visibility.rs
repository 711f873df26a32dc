//! What is seen of what a page draws: what is painted at all, and what lies under something that was painted later.

use super::area::Area;
use super::geometry::Rectangle;
use super::page_model::{PageText, Run};

/// Rendering modes that paint nothing (9.3.6).
const UNPAINTED: [u8; 2] = [3, 7];
/// The parts of a text's height between which most letters are, and which an area must lie over to cover it.
const BELOW: f64 = 0.3;
const ABOVE: f64 = 0.7;
/// Parts of the page from bottom to top, by which areas are found.
const BANDS: usize = 64;

impl Run {
    /// Whether its glyphs are painted with anything.
    pub(crate) fn paints(&self) -> bool {
        !UNPAINTED.contains(&self.mode) && self.alpha > 0.0
    }

    /// Whether it is painted at all, where it can be seen.
    pub(crate) fn is_painted(&self) -> bool {
        !self.is_off && self.paints() && self.bounds.meets(self.clip)
    }
}

/// Which part of a text lies within another box, from 0 to 1.
pub(crate) fn covered_part(text: Rectangle, other: Rectangle) -> f64 {
    let height = text.height();
    if other.bottom > text.bottom + BELOW * height
        || other.top < text.bottom + ABOVE * height
        || text.right <= text.left
    {
        return 0.0;
    }
    ((text.right.min(other.right) - text.left.max(other.left)) / text.width()).max(0.0)
}

impl Area {
    /// Whether it hides what lies beneath.
    pub(crate) fn hides(&self) -> bool {
        self.is_opaque && !self.is_off
    }
}

/// Something with a place on the page and in its painting order.
pub(crate) trait Placed {
    fn bounds(&self) -> Rectangle;
    fn order(&self) -> u32;
}

impl Placed for Area {
    fn bounds(&self) -> Rectangle {
        self.bounds
    }

    fn order(&self) -> u32 {
        self.order
    }
}

impl Placed for Run {
    fn bounds(&self) -> Rectangle {
        self.bounds
    }

    fn order(&self) -> u32 {
        self.order
    }
}

/// Areas or runs by where they lie, to look them up.
pub(crate) struct Bands<'p, T> {
    /// Band by band those that reach into it, in painting order.
    placed: Vec<&'p T>,
    /// Where each band begins among them, and the last one ends.
    starts: Vec<usize>,
    height: f64,
}

/// Areas by where they lie.
pub(crate) type Areas<'p> = Bands<'p, Area>;

impl<'p, T: Placed> Bands<'p, T> {
    /// Of these of a page.
    pub(crate) fn new(page: &PageText, all: impl Iterator<Item = &'p T>) -> Self {
        let height = page.size[1].max(1.0);
        let mut places: Vec<(usize, &T)> = Vec::new();
        for placed in all {
            let bounds = placed.bounds();
            let (first, last) = (band(bounds.bottom, height), band(bounds.top, height));
            places.extend((first..=last).map(|band| (band, placed)));
        }
        places.sort_by_key(|(band, _)| *band);
        let starts = (0..=BANDS).map(|band| places.partition_point(|(place, _)| *place < band)).collect();
        Self { placed: places.into_iter().map(|(_, placed)| placed).collect(), starts, height }
    }

    /// Those that may lie over or under the middle of a box, in painting order.
    pub(crate) fn around(&self, bounds: Rectangle) -> &[&'p T] {
        let band = band(bounds.middle().1, self.height);
        let [start, end] = [band, band + 1].map(|band| self.starts.get(band).copied().unwrap_or_default());
        self.placed.get(start..end).unwrap_or_default()
    }

    /// Those of them that were painted later than this.
    pub(crate) fn later(&self, bounds: Rectangle, order: u32) -> &[&'p T] {
        let around = self.around(bounds);
        around.get(around.partition_point(|placed| placed.order() < order)..).unwrap_or_default()
    }

    /// Those of them that were painted earlier.
    pub(crate) fn earlier(&self, bounds: Rectangle, order: u32) -> &[&'p T] {
        let around = self.around(bounds);
        around.get(..around.partition_point(|placed| placed.order() < order)).unwrap_or_default()
    }
}

fn band(y: f64, height: f64) -> usize {
    (y / height * BANDS as f64).clamp(0.0, (BANDS - 1) as f64) as usize
}

/// A word with what cannot be read of it told as such.
pub(crate) fn legible(word: &str) -> String {
    let mut text = String::new();
    let mut unread = 0_usize;
    for character in word.chars().map(Some).chain([None]) {
        if character == Some(char::REPLACEMENT_CHARACTER) {
            unread += 1;
            continue;
        }
        match unread {
            0 => {}
            1 => text += "[1 character that cannot be read]",
            count => text += &format!("[{count} characters that cannot be read]"),
        }
        unread = 0;
        text.extend(character);
    }
    text
}
