//! A page as an outline, to scale, with places marked. Nothing of the page itself is drawn.

use maud::{Markup, html};
use serde_json::Value;

/// Longest side of an outline, in units of a sixteenth of the text's size, as all lengths in a picture.
const LONGEST: f64 = 208.0;
/// Points; what a page is taken for whose size is not known.
const A4: (f64, f64) = (595.28, 841.89);
/// The longest side of a page, in points (ISO 32000-1, annex C).
const MOST: f64 = 14_400.0;
/// Smallest side of a mark, so that a line or a dot is seen.
const LEAST: f64 = 4.0;
const RADIUS: f64 = 8.0;

/// Size in points and rotation of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Paper {
    width: f64,
    height: f64,
    /// Degrees, clockwise.
    turned: u64,
    is_known: bool,
}

impl Default for Paper {
    fn default() -> Self {
        Self { width: A4.0, height: A4.1, turned: 0, is_known: false }
    }
}

impl Paper {
    /// The first page's, which is the only one that metadata tells.
    pub(super) fn of_first_page(metadata: &Value) -> Self {
        let number = |key: &str| metadata.pointer(&format!("/page/{key}")).and_then(Value::as_f64);
        let side = |key: &str| number(key).filter(|side| (1.0..=MOST).contains(side));
        let (Some(width), Some(height)) = (side("width_pt"), side("height_pt")) else { return Self::default() };
        Self { width, height, turned: number("rotation").map_or(0, |turned| turned as u64), is_known: true }
    }

    /// Large enough for these boxes.
    fn around(self, boxes: &[[f64; 4]]) -> Self {
        let reach = |side: f64, corner: usize| {
            let ends = boxes.iter().filter_map(|bounds| bounds.get(corner)).filter(|end| end.is_finite());
            ends.fold(side, |most, end| most.max(end.min(MOST)))
        };
        Self { width: reach(self.width, 2), height: reach(self.height, 3), ..self }
    }

    /// The page as it is shown: width and height.
    fn shown(self) -> (f64, f64) {
        if self.turned % 180 == 90 { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// A box as it is shown, from the top left: left, top, width and height.
    fn place(self, bounds: [f64; 4]) -> [f64; 4] {
        let [left, bottom, right, top] = bounds;
        let within = |at: f64, most: f64| if at.is_finite() { at.clamp(0.0, most) } else { 0.0 };
        let (left, right) = (within(left.min(right), self.width), within(right.max(left), self.width));
        let (bottom, top) = (within(bottom.min(top), self.height), within(top.max(bottom), self.height));
        let (width, height) = (right - left, top - bottom);
        match self.turned {
            90 => [bottom, left, height, width],
            180 => [self.width - right, bottom, width, height],
            270 => [self.height - top, self.width - right, height, width],
            _ => [left, self.height - top, width, height],
        }
    }
}

/// A place on a page: its number and its box.
pub(super) type Spot = (usize, [f64; 4]);

/// The page with these places, which are of `what`; nothing if there are none.
pub(super) fn outline(page: u32, spots: &[Spot], what: &str, first_page: Paper) -> Markup {
    let boxes: Vec<[f64; 4]> = spots.iter().map(|(_, bounds)| *bounds).collect();
    let paper = if page == 1 { first_page } else { Paper::default() }.around(&boxes);
    if boxes.is_empty() {
        return html! {};
    }
    let (width, height) = paper.shown();
    let scale = LONGEST / width.max(height);
    let (width, height) = ((width * scale).max(RADIUS * 2.0), (height * scale).max(RADIUS * 2.0));
    html! {
        figure.outline {
            svg role="img" aria-label=(told(page, spots, what)) viewBox={ "-1 -1 " (short(width + 2.0)) " " (short(height + 2.0)) }
                width={ (short((width + 2.0) / 16.0)) "rem" } height={ (short((height + 2.0) / 16.0)) "rem" } {
                rect.sheet width=(short(width)) height=(short(height)) rx="2" {}
                (marks(spots, paper, scale, (width, height)))
            }
            figcaption.small.muted {
                "Page " (page)
                @if !paper.is_known { ", drawn as A4" }
            }
        }
    }
}

/// What the picture shows, in a sentence.
fn told(page: u32, spots: &[Spot], what: &str) -> String {
    let numbers: Vec<String> = spots.iter().map(|(number, _)| number.to_string()).collect();
    format!("Outline of page {page} with the places of {what}: {}", numbers.join(", "))
}

/// Each place as a rectangle, and above all of them their numbers, beside each other.
fn marks(spots: &[Spot], paper: Paper, scale: f64, size: (f64, f64)) -> Markup {
    let mut numbers: Vec<(f64, f64)> = Vec::new();
    let placed = |(number, bounds): &Spot| (*number, paper.place(*bounds).map(|length| length * scale));
    let marks: Vec<Spot> = spots.iter().map(placed).collect();
    for (_, bounds) in &marks {
        numbers.push(free(*bounds, size, &numbers));
    }
    html! {
        @for (_, [x, y, width, height]) in &marks {
            rect.spot x=(short(*x)) y=(short(*y)) width=(short(width.max(LEAST))) height=(short(height.max(LEAST))) rx="1" {}
        }
        @for ((number, _), (x, y)) in marks.iter().zip(&numbers) {
            circle.spot-number cx=(short(*x)) cy=(short(*y)) r=(RADIUS) {}
            text x=(short(*x)) y=(short(y + 3.6)) { (number) }
        }
    }
}

/// Where a number has room beside its mark: left of it, right, above or below, and not on another one.
fn free([x, y, width, height]: [f64; 4], size: (f64, f64), taken: &[(f64, f64)]) -> (f64, f64) {
    let apart = RADIUS + 2.0;
    let middle = y + height / 2.0;
    let beside = [(x - apart, middle), (x + width + apart, middle)];
    let rows = [y - apart, y + height + apart].into_iter();
    let around = rows.flat_map(|row| (0..6).map(move |step| (x + f64::from(step) * 2.0 * RADIUS, row)));
    let within = |(x, y): (f64, f64)| {
        (x.clamp(RADIUS, (size.0 - RADIUS).max(RADIUS)), y.clamp(RADIUS, (size.1 - RADIUS).max(RADIUS)))
    };
    let is_on_it = |(left, top): (f64, f64)| {
        (x - RADIUS..x + width + RADIUS).contains(&left) && (y - RADIUS..y + height + RADIUS).contains(&top)
    };
    let is_free = |&(x, y): &(f64, f64)| !taken.iter().any(|(left, top)| (x - left).hypot(y - top) < RADIUS * 2.0);
    let mut found = beside.into_iter().chain(around).map(within).filter(is_free);
    let first = found.clone().find(|place| !is_on_it(*place));
    first.or_else(|| found.next()).unwrap_or_else(|| within((x - apart, middle)))
}

/// To a tenth.
fn short(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Paper;

    #[test]
    fn boxes_turn_with_their_page() {
        let paper = |turned: u64| {
            Paper::of_first_page(&json!({ "page": { "width_pt": 100.0, "height_pt": 200.0, "rotation": turned } }))
        };
        // at the bottom left, three times as wide as it is high
        let bounds = [10.0, 20.0, 40.0, 30.0];
        assert_eq!((paper(0).shown(), paper(0).place(bounds)), ((100.0, 200.0), [10.0, 170.0, 30.0, 10.0]));
        assert_eq!((paper(90).shown(), paper(90).place(bounds)), ((200.0, 100.0), [20.0, 10.0, 10.0, 30.0]));
        assert_eq!((paper(180).shown(), paper(180).place(bounds)), ((100.0, 200.0), [60.0, 20.0, 30.0, 10.0]));
        assert_eq!((paper(270).shown(), paper(270).place(bounds)), ((200.0, 100.0), [170.0, 60.0, 10.0, 30.0]));
    }

    #[test]
    fn what_lies_beside_the_page_is_marked_at_its_edge_and_any_size_is_bearable() {
        let paper = Paper::default().around(&[[-50.0, 0.0, 1e300, f64::NAN]]);
        assert_eq!(paper.shown(), (14_400.0, 841.89));
        assert_eq!(paper.place([-50.0, -9.0, 10.0, 10.0]), [0.0, 831.89, 10.0, 10.0]);
        assert!(paper.place([f64::NAN, 0.0, f64::INFINITY, -1.0]).iter().all(|length| length.is_finite()));
        for none in [json!({}), json!({ "page": { "width_pt": 0, "height_pt": 9e9 } })] {
            assert_eq!(Paper::of_first_page(&none), Paper::default());
        }
    }
}
