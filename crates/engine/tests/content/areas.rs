//! What is filled: rectangles, images and shadings, and whether they hide what lies beneath.

use engine::AreaKind;
use samples::texts::drawing;

use crate::support::drawn;

#[test]
fn rectangles_are_found_however_they_are_outlined() {
    for (content, expected) in [
        ("10 20 30 40 re f", &[[10.0, 20.0, 40.0, 60.0]][..]),
        ("40 60 -30 -40 re f*", &[[10.0, 20.0, 40.0, 60.0]]),
        ("25 20 m 10 20 l 10 60 l 40 60 l 40 20 l 25 20 l h f", &[[10.0, 20.0, 40.0, 60.0]]),
        ("10 20 m 40 20 l 40 60 l 10 60 l h f", &[[10.0, 20.0, 40.0, 60.0]]),
        ("q 0 2 -2 0 100 0 cm 10 10 5 20 re f Q", &[[40.0, 20.0, 80.0, 30.0]]),
        ("0 0 5 5 re 10 0 5 5 re f", &[[0.0, 0.0, 5.0, 5.0], [10.0, 0.0, 15.0, 5.0]]),
        ("q 0 0 20 20 re W n 10 10 50 50 re f Q", &[[10.0, 10.0, 20.0, 20.0]]),
        ("10 20 30 40 re n", &[]),
        ("10 20 m 40 20 m f", &[]),
        ("4 w 10 20 m 40 20 l S", &[[10.0, 18.0, 40.0, 22.0]]),
        ("q 2 0 0 2 0 0 cm 2 w 10 20 m 10 30 l S Q", &[[18.0, 40.0, 22.0, 60.0]]),
        ("500 500 10 10 re f", &[]),
    ] {
        let found: Vec<_> = drawn(&drawing(content, "")).areas.iter().map(|area| area.bounds.corners()).collect();
        assert_eq!(found, expected, "{content}");
    }
}

#[test]
fn other_paths_are_shapes() {
    let shapes = |content: &str| {
        let page = drawn(&drawing(content, ""));
        let kind = if content.ends_with('S') { AreaKind::Stroke } else { AreaKind::Shape };
        assert!(page.areas.iter().all(|area| area.kind == kind && area.is_solid && !area.is_opaque), "{content}");
        page.areas.iter().map(|area| (area.bounds.corners(), area.color)).collect::<Vec<_>>()
    };
    let black = Some([0; 3]);
    let red = Some([255, 0, 0]);
    for (content, expected) in [
        ("1 0 0 rg 10 20 m 40 20 l 25 60 l h f", &[([10.0, 20.0, 40.0, 60.0], red)][..]),
        ("1 0 0 rg 10 20 m 40 20 40 60 10 60 c f", &[([10.0, 20.0, 32.5, 60.0], red)]),
        ("1 0 0 rg 10 20 m 40 20 20 60 v f", &[([10.0, 20.0, 26.66, 60.0], red)]),
        ("10 20 m 40 20 l 25 60 l h S", &[([9.5, 19.5, 40.5, 60.5], black)]),
        ("10 20 30 40 re S", &[([9.5, 19.5, 40.5, 60.5], black)]),
        ("1 w 10 20 m 40 20 l S", &[([9.5, 19.5, 40.5, 20.5], black)]),
        ("4 w 10 20 m 40 60 l S", &[([8.0, 18.0, 42.0, 62.0], black)]),
        // one beside the other is one, unless something is painted in between
        ("10 20 m 20 20 l 10 40 l h f 1 0 0 rg 21 20 m 30 20 l 30 40 l h f", &[([10.0, 20.0, 30.0, 40.0], None)]),
        (
            "1 0 0 rg 10 20 m 20 20 l 10 40 l h f 90 20 m 99 20 l 99 40 l h f",
            &[([10.0, 20.0, 20.0, 40.0], red), ([90.0, 20.0, 99.0, 40.0], red)],
        ),
    ] {
        assert_eq!(shapes(content), expected, "{content}");
    }
}

/// An axial shading from black to white that is extended so.
fn axial(extended: &str) -> String {
    let function = "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>";
    format!("<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 5 0] /Extend {extended} /Function {function} >>")
}

#[test]
fn only_what_hides_all_beneath_is_opaque() {
    let resources = "/ExtGState << /Half << /ca 0.5 >> /Nearly << /ca 0.95 >> /Blend << /BM /Multiply >> /Mask << /SMask << /S /Luminosity >> >> \
        /Plain << /ca 1 /BM /Normal /SMask /None >> >> /Shading << /S 35 0 R /Ends 36 0 R >> \
        /XObject << /Image 30 0 R /Masked 31 0 R /Stencil 32 0 R /Group 33 0 R >>";
    let draw = |content: &str| {
        let image = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray";
        let group = "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Group << /S /Transparency >>";
        let pdf = drawing(content, resources)
            .with_stream(30, image, b"x")
            .with_stream(31, &format!("{image} /SMask 30 0 R"), b"x")
            .with_stream(32, &format!("{image} /ImageMask true"), b"x")
            .with_stream(33, group, b"0 0 9 9 re f")
            .with(35, axial("[true true]"))
            .with(36, axial("[true false]"));
        let page = drawn(&pdf);
        page.areas.iter().map(|area| (area.kind, area.is_opaque)).collect::<Vec<_>>()
    };
    for (content, expected) in [
        ("0 0 9 9 re f", (AreaKind::Rectangle, true)),
        ("/Half gs 0 0 9 9 re f", (AreaKind::Rectangle, false)),
        // black upon anything is black in this mode
        ("/Blend gs 0 0 9 9 re f", (AreaKind::Rectangle, true)),
        ("/Blend gs 0.5 g 0 0 9 9 re f", (AreaKind::Rectangle, false)),
        ("/Nearly gs 0 0 9 9 re f", (AreaKind::Rectangle, true)),
        ("/Mask gs 0 0 9 9 re f", (AreaKind::Rectangle, false)),
        ("/Half gs /Blend gs /Plain gs /Mask gs /Plain gs 0 0 9 9 re f", (AreaKind::Rectangle, true)),
        ("q /Half gs Q 0 0 9 9 re f", (AreaKind::Rectangle, true)),
        ("0 0 m 90 0 l 0 90 l h W n 0 0 9 9 re f", (AreaKind::Rectangle, false)),
        ("/Pattern cs /P scn 0 0 9 9 re f", (AreaKind::Rectangle, false)),
        ("9 0 0 9 0 0 cm /Image Do", (AreaKind::Image, true)),
        ("9 9 -9 9 20 20 cm /Image Do", (AreaKind::Image, false)),
        ("9 0 0 9 0 0 cm /Masked Do", (AreaKind::Image, false)),
        ("9 0 0 9 0 0 cm /Stencil Do", (AreaKind::Stencil, false)),
        ("9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI", (AreaKind::Image, true)),
        ("9 0 0 9 0 0 cm BI /W 1 /H 1 /IM true ID x EI", (AreaKind::Stencil, false)),
        ("q 0 0 9 9 re W n /S sh Q", (AreaKind::Shading, true)),
        // which ends somewhere within
        ("q 0 0 9 9 re W n /Ends sh Q", (AreaKind::Shading, false)),
        // dash by dash
        ("9 w [3 .1] 0 d 0 9 m 9 9 l S", (AreaKind::Shape, false)),
        ("9 w 0 9 m 9 9 l S", (AreaKind::Rectangle, true)),
        ("9 w [3] 0 d 0 9 m 9 9 l S", (AreaKind::Shape, false)),
        ("1 w [3] 0 d 0 9 m 9 9 l S", (AreaKind::Stroke, false)),
        // a sharp corner, and lines under an uneven scale
        ("3 w 0 9 m 9 9 l 0 12 l S", (AreaKind::Shape, false)),
        ("3 w 1 j 0 9 m 9 9 l 0 12 l S", (AreaKind::Stroke, false)),
        ("1 0 0 9 0 0 cm 1 w 0 1 m 9 2 l S", (AreaKind::Shape, false)),
        ("9 w [3] 0 d [] 0 d 0 9 m 9 9 l S", (AreaKind::Rectangle, true)),
        ("9 w 9 9 m 9 9 l S", (AreaKind::Stroke, false)),
        ("/Group Do", (AreaKind::Rectangle, true)),
        ("/Half gs /Group Do", (AreaKind::Rectangle, false)),
        ("/Blend gs /Group Do", (AreaKind::Rectangle, true)),
        ("/Blend gs 0.5 g /Group Do", (AreaKind::Rectangle, false)),
    ] {
        assert_eq!(draw(content), [expected], "{content}");
    }
    // what is no shading
    assert_eq!(draw("q 0 0 9 9 re W n /None sh Q"), []);
    let frame = draw("0 0 90 90 re 10 10 70 70 re f*");
    assert!(frame.iter().all(|(_, is_opaque)| !is_opaque), "{frame:?}");
}

#[test]
fn areas_and_runs_have_one_order() {
    let page = drawn(&drawing("1 g 0 0 99 99 re f BT /F 10 Tf 20 50 Td (a) Tj ET 0.5 g 0 0 99 99 re f", ""));
    let orders = [page.areas[0].order, page.runs[0].order, page.areas[1].order];
    assert!(orders.is_sorted() && orders[0] < orders[2]);
    assert_eq!((page.areas[0].color, page.areas[1].color), (Some([255; 3]), Some([128; 3])));
}
