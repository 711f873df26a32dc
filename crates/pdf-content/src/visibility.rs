//! Which runs are painted visibly, and an index of runs and areas by position.

use super::area::Area;
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Run;

/// Rendering modes that paint nothing (9.3.6).
const INVISIBLE_MODES: [u8; 2] = [3, 7];
/// The band of a text's height that an area must contain to cover the letters.
const LETTERS_BOTTOM_PART: f64 = 0.3;
const LETTERS_TOP_PART: f64 = 0.7;
/// Number of horizontal bands of the index.
const BAND_COUNT: usize = 64;

impl Run {
    /// Whether its rendering mode and alpha paint anything.
    pub fn paints(&self) -> bool {
        !INVISIBLE_MODES.contains(&self.mode) && self.alpha > 0.0
    }

    /// Whether it is painted inside its clip, and not in a layer that is off.
    pub fn is_painted(&self) -> bool {
        !self.is_off && self.paints() && self.bounds.meets(self.clip)
    }
}

/// Returns the share of a text's width, from 0 to 1, under another box that covers its letters' height.
pub fn covered_part(text: Rectangle, other: Rectangle) -> f64 {
    let height = text.height();
    if other.bottom > text.bottom + LETTERS_BOTTOM_PART * height
        || other.top < text.bottom + LETTERS_TOP_PART * height
        || text.right <= text.left
    {
        return 0.0;
    }
    ((text.right.min(other.right) - text.left.max(other.left)) / text.width()).max(0.0)
}

impl Area {
    /// Whether it hides everything under it.
    pub fn hides(&self) -> bool {
        self.is_opaque && !self.is_off
    }
}

/// A run or an area.
pub trait Placed {
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

/// Index of areas or runs by vertical position.
pub struct Bands<'p, T> {
    /// The entries of each band, in painting order.
    placed: Vec<&'p T>,
    /// Start index of each band, and the end of the last one.
    starts: Vec<usize>,
    height: f64,
}

/// Index of areas by vertical position.
pub type Areas<'p> = Bands<'p, Area>;

impl<'p, T: Placed> Bands<'p, T> {
    /// Returns an index of these areas or runs of a page.
    pub fn new(page: &PageText, all: impl Iterator<Item = &'p T>) -> Self {
        let height = page.size[1].max(1.0);
        let mut places: Vec<(usize, &T)> = Vec::new();
        for placed in all {
            let bounds = placed.bounds();
            let (first, last) = (band(bounds.bottom, height), band(bounds.top, height));
            places.extend((first..=last).map(|band| (band, placed)));
        }
        places.sort_by_key(|(band, _)| *band);
        let starts = (0..=BAND_COUNT).map(|band| places.partition_point(|(place, _)| *place < band)).collect();
        Self { placed: places.into_iter().map(|(_, placed)| placed).collect(), starts, height }
    }

    /// Returns the items that may overlap the center of a box, in painting order.
    pub fn around(&self, bounds: Rectangle) -> &[&'p T] {
        let band = band(bounds.middle().1, self.height);
        let [start, end] = [band, band + 1].map(|band| self.starts.get(band).copied().unwrap_or_default());
        self.placed.get(start..end).unwrap_or_default()
    }

    /// Returns the items near these bounds that were painted later.
    pub fn later(&self, bounds: Rectangle, order: u32) -> &[&'p T] {
        let around = self.around(bounds);
        around.get(around.partition_point(|placed| placed.order() < order)..).unwrap_or_default()
    }

    /// Returns the items near these bounds that were painted earlier.
    pub fn earlier(&self, bounds: Rectangle, order: u32) -> &[&'p T] {
        let around = self.around(bounds);
        around.get(..around.partition_point(|placed| placed.order() < order)).unwrap_or_default()
    }
}

fn band(y: f64, height: f64) -> usize {
    (y / height * BAND_COUNT as f64).clamp(0.0, (BAND_COUNT - 1) as f64) as usize
}

/// Returns a word with its undecoded characters reported in brackets.
pub fn legible(word: &str) -> String {
    let mut text = String::new();
    let mut undecoded = 0_usize;
    for character in word.chars().map(Some).chain([None]) {
        if character == Some(char::REPLACEMENT_CHARACTER) {
            undecoded += 1;
            continue;
        }
        match undecoded {
            0 => {}
            1 => text += "[1 character that cannot be read]",
            count => text += &format!("[{count} characters that cannot be read]"),
        }
        undecoded = 0;
        text.extend(character);
    }
    text
}
