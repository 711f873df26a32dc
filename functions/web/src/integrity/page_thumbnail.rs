//! A thumbnail of a page: to scale, its words as gray bars, with the numbered places of findings. It contains no text
//! of the page.

use engine::{PageOutline, Rectangle};
use maud::{Markup, html};
use report::Report;
use serde_json::Value;

/// Longest side of a thumbnail, in 1/16 em.
const LONGEST_SIDE: f64 = 240.0;
/// Page size in points if it is unknown.
const A4: (f64, f64) = (595.28, 841.89);
/// The longest side of a page, in points (ISO 32000-2, annex C).
const MAX_PAGE_SIDE_PT: f64 = 14_400.0;
/// Smallest side of a mark, so that a line or a dot is visible, and the radius of its number, in 1/16 em.
const MIN_MARK_SIDE: f64 = 5.0;
const NUMBER_RADIUS: f64 = 8.0;
/// A bar's height relative to its line.
const BAR_HEIGHT_RATIO: f64 = 0.7;

/// The page of a thumbnail: its size in points, its rotation, and the places of its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PageThumbnail<'r> {
    width: f64,
    height: f64,
    /// Degrees, clockwise.
    turned: u16,
    lines: &'r [Vec<i32>],
    is_known: bool,
}

impl<'r> PageThumbnail<'r> {
    /// The page of this number from the report; the first page's size is in the metadata as well.
    pub(super) fn of(report: &'r Report, metadata: &Value, page: u32) -> Self {
        let unknown = Self { width: A4.0, height: A4.1, turned: 0, lines: &[], is_known: false };
        if let Some(PageOutline { size, rotation, lines, .. }) = report.pages.iter().find(|known| known.page == page) {
            let [width, height] = size.map(|side| f64::from(side).clamp(1.0, MAX_PAGE_SIDE_PT));
            return Self { width, height, turned: *rotation, lines, is_known: true };
        }
        let number = |key: &str| metadata.pointer(&format!("/page/{key}")).and_then(Value::as_f64);
        let side = |key: &str| number(key).filter(|side| page == 1 && (1.0..=MAX_PAGE_SIDE_PT).contains(side));
        match (side("width_pt"), side("height_pt")) {
            (Some(width), Some(height)) => {
                let turned = number("rotation").map_or(0, |turned| turned as u16);
                Self { width, height, turned, is_known: true, ..unknown }
            }
            _ => unknown,
        }
    }

    /// Extended to include these places.
    fn extended_to(self, marks: &[Mark]) -> Self {
        let reach = |side: f64, end: fn(Rectangle) -> f64| {
            let ends = marks.iter().map(|(_, bounds)| end(*bounds)).filter(|end| end.is_finite());
            ends.fold(side, |most, end| most.max(end.min(MAX_PAGE_SIDE_PT)))
        };
        Self {
            width: reach(self.width, |bounds| bounds.right),
            height: reach(self.height, |bounds| bounds.top),
            ..self
        }
    }

    /// Width and height after rotation.
    fn displayed_size(self) -> (f64, f64) {
        if self.turned % 180 == 90 { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// A box after rotation, from the top left: left, top, width and height.
    fn place(self, bounds: Rectangle) -> [f64; 4] {
        let Rectangle { left, bottom, right, top } = bounds;
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

    /// The words as bars: one path per rounded line height.
    fn bars(self) -> Markup {
        let mut paths: Vec<(i32, String)> = Vec::new();
        for line in self.lines {
            let [bottom, top, words @ ..] = line.as_slice() else { continue };
            let bar = (f64::from(top.saturating_sub(*bottom)) * BAR_HEIGHT_RATIO).round().clamp(1.0, 40.0) as i32;
            let middle = short(self.height - f64::from(bottom.saturating_add(*top)) / 2.0);
            let place = paths.iter().position(|(known, _)| *known == bar).unwrap_or(paths.len());
            if place == paths.len() {
                paths.push((bar, String::new()));
            }
            let Some((_, path)) = paths.get_mut(place) else { continue };
            for word in words.chunks_exact(2) {
                let [left, right] = word else { continue };
                *path += &format!("M{left} {middle}h{}", right.saturating_sub(*left).max(1));
            }
        }
        let turn = match self.turned {
            90 => format!("translate({} 0) rotate(90)", short(self.height)),
            180 => format!("translate({} {}) rotate(180)", short(self.width), short(self.height)),
            270 => format!("translate(0 {}) rotate(270)", short(self.width)),
            _ => String::new(),
        };
        html! {
            @if !paths.is_empty() {
                g.words transform=[Some(turn).filter(|turn| !turn.is_empty())] {
                    @for (bar, path) in &paths { path stroke-width=(bar) d=(path) {} }
                }
            }
        }
    }
}

/// A place on a page: its number and its box.
pub(crate) type Mark = (usize, Rectangle);

/// The thumbnail with these places; empty if there are none.
pub(super) fn thumbnail_figure(page: u32, marks: &[Mark], thumbnail: PageThumbnail<'_>) -> Markup {
    if marks.is_empty() {
        return html! {};
    }
    let thumbnail = thumbnail.extended_to(marks);
    let (width, height) = thumbnail.displayed_size();
    // one unit of the drawing, in points
    let unit = width.max(height) / LONGEST_SIDE;
    let (width, height) = (width.max(NUMBER_RADIUS * 2.0 * unit), height.max(NUMBER_RADIUS * 2.0 * unit));
    html! {
        figure.paper {
            svg role="img" aria-label=(description(page, marks)) viewBox={ (short(-unit)) " " (short(-unit)) " " (short(width + 2.0 * unit)) " " (short(height + 2.0 * unit)) }
                width={ (short(width / unit / 16.0)) "rem" } height={ (short(height / unit / 16.0)) "rem" } {
                rect.sheet width=(short(width)) height=(short(height)) stroke-width=(short(unit)) {}
                (thumbnail.bars())
                (numbered(marks, thumbnail, unit, (width, height)))
            }
            figcaption.small.muted {
                "Page " (page)
                @if !thumbnail.is_known { ", drawn as A4" }
            }
        }
    }
}

/// The thumbnail of a page with only these known places.
pub(crate) fn unknown_page(page: u32, marks: &[Mark]) -> Markup {
    thumbnail_figure(page, marks, PageThumbnail::of(&Report::default(), &Value::Null, page))
}

/// The alternative text.
fn description(page: u32, marks: &[Mark]) -> String {
    let numbers: Vec<String> = marks.iter().map(|(number, _)| number.to_string()).collect();
    format!("Page {page} as bars in the place of words, with these places marked: {}", numbers.join(", "))
}

/// Each place as a rectangle, and above them their numbers without overlaps.
fn numbered(marks: &[Mark], thumbnail: PageThumbnail<'_>, unit: f64, size: (f64, f64)) -> Markup {
    let mut numbers: Vec<(f64, f64)> = Vec::new();
    let places: Vec<[f64; 4]> = marks.iter().map(|(_, bounds)| thumbnail.place(*bounds)).collect();
    for place in &places {
        numbers.push(free(*place, size, NUMBER_RADIUS * unit, &numbers));
    }
    html! {
        @for [x, y, width, height] in &places {
            rect.spot x=(short(*x)) y=(short(*y)) width=(short(width.max(MIN_MARK_SIDE * unit))) height=(short(height.max(MIN_MARK_SIDE * unit))) stroke-width=(short(1.5 * unit)) {}
        }
        @for ((number, _), (x, y)) in marks.iter().zip(&numbers) {
            circle.spot-number cx=(short(*x)) cy=(short(*y)) r=(short(NUMBER_RADIUS * unit)) {}
            text x=(short(*x)) y=(short(y + 3.6 * unit)) font-size=(short(10.0 * unit)) { (number) }
        }
    }
}

/// A free position of a number beside its mark: left, right, above or below, and not on another one.
fn free([x, y, width, height]: [f64; 4], size: (f64, f64), radius: f64, taken: &[(f64, f64)]) -> (f64, f64) {
    let apart = radius * 1.25;
    let middle = y + height / 2.0;
    let beside = [(x - apart, middle), (x + width + apart, middle)];
    let rows = [y - apart, y + height + apart].into_iter();
    let around = rows.flat_map(|row| (0..6).map(move |step| (x + f64::from(step) * 2.0 * radius, row)));
    let within = |(x, y): (f64, f64)| {
        (x.clamp(radius, (size.0 - radius).max(radius)), y.clamp(radius, (size.1 - radius).max(radius)))
    };
    let is_on_it = |(left, top): (f64, f64)| {
        (x - radius..x + width + radius).contains(&left) && (y - radius..y + height + radius).contains(&top)
    };
    let is_free = |&(x, y): &(f64, f64)| !taken.iter().any(|(left, top)| (x - left).hypot(y - top) < radius * 2.0);
    let mut found = beside.into_iter().chain(around).map(within).filter(is_free);
    let first = found.clone().find(|place| !is_on_it(*place));
    first.or_else(|| found.next()).unwrap_or_else(|| within((x - apart, middle)))
}

/// Rounds to a tenth.
fn short(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use report::Report;
    use serde_json::json;

    use super::{PageThumbnail, thumbnail_figure};

    #[test]
    fn boxes_turn_with_their_page() {
        let report = Report::default();
        // at the bottom left, three times as wide as it is high
        let bounds = [10.0, 20.0, 40.0, 30.0].into();
        for (turned, size, place) in [
            (0, (100.0, 200.0), [10.0, 170.0, 30.0, 10.0]),
            (90, (200.0, 100.0), [20.0, 10.0, 10.0, 30.0]),
            (180, (100.0, 200.0), [60.0, 20.0, 30.0, 10.0]),
            (270, (200.0, 100.0), [170.0, 60.0, 10.0, 30.0]),
        ] {
            let metadata = json!({ "page": { "width_pt": 100.0, "height_pt": 200.0, "rotation": turned } });
            let thumbnail = PageThumbnail::of(&report, &metadata, 1);
            assert_eq!((thumbnail.displayed_size(), thumbnail.place(bounds)), (size, place), "{turned}");
        }
    }

    #[test]
    fn words_are_bars_where_the_report_says_where_they_stand() {
        let outline =
            json!({ "page": 2, "size": [100, 200], "rotation": 90, "lines": [[20, 30, 5, 25, 30, 60], [], [1]] });
        let report = Report::of(&json!({ "integrity": { "pages": [outline, { "page": "none" }] } })).unwrap();
        let page =
            thumbnail_figure(2, &[(1, [5.0, 20.0, 25.0, 30.0].into())], PageThumbnail::of(&report, &json!({}), 2))
                .into_string();
        assert!(page.contains("d=\"M5 175h20M30 175h30\"") && page.contains("translate(200 0) rotate(90)"), "{page}");
        assert!(!page.contains("drawn as A4"), "{page}");
        assert!(thumbnail_figure(2, &[], PageThumbnail::of(&report, &json!({}), 2)).into_string().is_empty());
    }

    #[test]
    fn what_lies_beside_the_page_is_marked_at_its_edge_and_any_size_is_bearable() {
        let report = Report::default();
        let thumbnail =
            PageThumbnail::of(&report, &json!({}), 1).extended_to(&[(1, [-50.0, 0.0, 1e300, f64::NAN].into())]);
        assert_eq!(thumbnail.displayed_size(), (14_400.0, 841.89));
        assert_eq!(thumbnail.place([-50.0, -9.0, 10.0, 10.0].into()), [0.0, 831.89, 10.0, 10.0]);
        assert!(thumbnail.place([f64::NAN, 0.0, f64::INFINITY, -1.0].into()).iter().all(|length| length.is_finite()));
        for none in [json!({}), json!({ "page": { "width_pt": 0, "height_pt": 9e9 } })] {
            assert!(!PageThumbnail::of(&report, &none, 1).is_known);
        }
    }
}
