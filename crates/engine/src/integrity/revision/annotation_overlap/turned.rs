//! Annotations that are not turned with their page (12.5.3, NoRotate): of the rectangle the upper-left corner keeps its
//! place, in the coordinates of the page or as it is shown, and the annotation is upright on the screen; some viewers
//! turn it with the page all the same.

use pdf_content::{Area, PageText, Rectangle};

/// Maximum width and height of an icon, in points.
const MAX_ICON_PT: f64 = 40.0;
/// Minimum distance of an icon from words, in font sizes.
const MIN_DISTANCE_EM: f64 = 0.6;

/// Whether an icon is on blank paper wherever viewers place it on a page that is turned clockwise by `angle`.
pub(super) fn is_blank(below: &PageText, place: Rectangle, angle: i64) -> bool {
    place.width().max(place.height()) <= MAX_ICON_PT
        && upright(place, angle).is_some_and(|places| places.into_iter().all(|place| is_paper(below, place)))
}

/// The places of a rectangle that is upright on the screen, by the corner that keeps its place; none if the page is not
/// turned by quarters.
fn upright(place: Rectangle, angle: i64) -> Option<[Rectangle; 2]> {
    let Rectangle { left, bottom, right, top } = place;
    let (width, height) = (place.width(), place.height());
    // the corner that is shown at the upper left, and where the right and the bottom of the screen are from there
    let (shown, along, down) = match angle.rem_euclid(360) {
        90 => ((left, bottom), (0.0, 1.0), (1.0, 0.0)),
        180 => ((right, bottom), (-1.0, 0.0), (0.0, 1.0)),
        270 => ((right, top), (0.0, -1.0), (-1.0, 0.0)),
        _ => return None,
    };
    Some([shown, (left, top)].map(|(x, y)| {
        let far = (x + along.0 * width + down.0 * height, y + along.1 * width + down.1 * height);
        Rectangle::around([(x, y), far])
    }))
}

/// Whether nothing is painted in a place and beside it, but for a ground of one color.
fn is_paper(below: &PageText, place: Rectangle) -> bool {
    let is_ground = |area: &Area| area.is_opaque && area.color.is_some() && area.bounds.holds(place);
    let is_near = |size: f64, bounds: Rectangle| bounds.grown(MIN_DISTANCE_EM * size).meets(place);
    !below.runs.iter().any(|run| run.is_painted() && is_near(run.size, run.bounds))
        && !below.areas.iter().any(|area| !area.is_off && area.bounds.meets(place) && !is_ground(area))
}

#[cfg(test)]
mod tests {
    use super::{Rectangle, upright};

    #[test]
    fn an_annotation_is_upright_from_its_upper_left_corner() {
        let places = |angle| {
            let place = Rectangle { left: 10.0, bottom: 20.0, right: 40.0, top: 30.0 };
            upright(place, angle).map(|places| places.map(Rectangle::corners))
        };
        assert_eq!(places(0), None);
        assert_eq!(places(90), Some([[10.0, 20.0, 20.0, 50.0], [10.0, 30.0, 20.0, 60.0]]));
        assert_eq!(places(180), Some([[10.0, 20.0, 40.0, 30.0], [-20.0, 30.0, 10.0, 40.0]]));
        assert_eq!(places(-90), Some([[30.0, 0.0, 40.0, 30.0], [0.0, 0.0, 10.0, 30.0]]));
        assert_eq!(places(45), None);
    }
}
