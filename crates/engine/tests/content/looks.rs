//! How text looks: colours, modes, clips, layers; and text that stands for what is drawn.

use samples::pdf::CATALOG;
use samples::texts::{FREE, drawing};

use crate::support::{drawn, lines, word};

const LAYERS: &str = "/Properties << /On 30 0 R /Off 31 0 R /Both 32 0 R >> /XObject << /X 33 0 R >>";

#[test]
fn runs_say_how_they_look() {
    let resources = "/ExtGState << /G << /ca 0.25 >> >> /ColorSpace << /S [/Separation /Spot /DeviceCMYK \
        << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>] /P /Pattern >>";
    let content = "BT /F 10 Tf 20 150 Td 1 0 0 rg (red) Tj 0 -20 Td 0 0 0 1 k /G gs (black) Tj \
        0 -20 Td /S cs 1 scn 3 Tr (spot) Tj 0 -20 Td 1 Tr 0 0 1 RG (stroked) Tj 0 -20 Td /P cs /N scn 0 Tr (pattern) Tj ET \
        q 0 0 30 100 re W n BT /F 20 Tf 1 0 0 1 200 20 Tm (out) Tj ET Q";
    let page = drawn(&drawing(content, resources));
    let looks = page.runs.iter().map(|run| (page.text(run), run.color, run.alpha, run.mode, run.size));
    let expected = [
        ("red", Some([255, 0, 0]), 1.0, 0, 10.0),
        ("black", Some([0, 0, 0]), 0.25, 0, 10.0),
        ("spot", Some([255, 0, 0]), 0.25, 3, 10.0),
        ("stroked", Some([0, 0, 255]), 1.0, 1, 10.0),
        ("pattern", None, 0.25, 0, 10.0),
        ("out", None, 0.25, 0, 20.0),
    ];
    assert_eq!(looks.collect::<Vec<_>>(), expected);
    assert_eq!(
        (page.runs[0].clip, page.runs[5].clip),
        ([0.0, 0.0, 400.0, 200.0].into(), [0.0, 0.0, 30.0, 100.0].into())
    );
    assert!(page.runs.windows(2).all(|pair| pair[0].order < pair[1].order));
}

#[test]
fn layers_that_are_off_are_told() {
    let content = "/OC /On BDC BT /F 10 Tf 20 150 Td (on) Tj ET EMC /OC /Off BDC /Span BMC \
        BT /F 10 Tf 20 130 Td (off) Tj ET EMC EMC /OC /Both BDC BT /F 10 Tf 20 110 Td (both) Tj ET EMC \
        BT /F 10 Tf 20 90 Td (none) Tj ET /X Do";
    let pdf = drawing(content, LAYERS)
        .with(30, "<< /Type /OCG /Name (On) >>")
        .with(31, "<< /Type /OCG /Name (Off) >>")
        .with(32, "<< /Type /OCMD /OCGs [30 0 R 31 0 R] /P /AllOn >>")
        .with_stream(
            33,
            "/Type /XObject /Subtype /Form /BBox [0 0 400 200] /OC 31 0 R",
            b"BT /F 10 Tf 20 70 Td (form) Tj ET",
        )
        .with(
            CATALOG,
            "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [30 0 R 31 0 R] /D << /OFF [31 0 R] >> >> >>",
        );
    let page = drawn(&pdf);
    let found: Vec<_> = page.runs.iter().map(|run| (page.text(run), run.is_off)).collect();
    assert_eq!(found, [("on", false), ("off", true), ("both", true), ("none", false), ("form", true)]);
    let shown: Vec<_> = page.runs.iter().filter(|run| !run.is_off).cloned().collect();
    let seen: Vec<_> = page.lines_of(&shown).iter().map(engine::Line::text).collect();
    assert_eq!(seen, ["on", "none"]);
}

#[test]
fn actual_text_stands_for_what_is_drawn() {
    for (content, expected) in [
        ("/Span << /ActualText (right) >> BDC (wrong) Tj EMC ( next) Tj", "right next"),
        ("/Span << /ActualText <FEFF00660069> >> BDC (x) Tj EMC (sh) Tj", "fish"),
        ("/Span /P BDC (wrong) Tj EMC", "by name"),
        ("/Span << /ActualText (two words) >> BDC (a b) Tj EMC", "two words"),
        ("/Span << /ActualText () >> BDC (--) Tj EMC (stays) Tj", "stays"),
        ("/Span << /ActualText () >> BDC (there) Tj EMC ( too) Tj", "there too"),
        ("/Span << /ActualText (EUR 12) >> BDC (EUR 95) Tj EMC", "EUR 95"),
        ("/Span << /ActualText (outer) >> BDC /Span << /ActualText (inner) >> BDC (x) Tj EMC EMC", "outer"),
        ("/Span << /MCID 0 >> BDC (plain) Tj EMC EMC EMC", "plain"),
    ] {
        let content = format!("BT /F 10 Tf 20 150 Td {content} ET");
        let pdf = drawing(&content, "/Properties << /P << /ActualText (by name) >> >>");
        assert_eq!(lines(&pdf), [expected], "{content}");
    }
    let pdf = drawing("BT /F 10 Tf 20 100 Td /Span << /ActualText (fi) >> BDC (ab) Tj EMC (cd) Tj ET", "");
    let page = drawn(&pdf);
    assert_eq!(page.runs.iter().map(|run| run.is_actual).collect::<Vec<_>>(), [true, false]);
    assert_eq!(word(&page, "ficd").bounds, [20.0, 98.0, 41.68, 108.0].into());
}

#[test]
fn forms_have_matrices_clips_and_resources_of_their_own() {
    let form = format!(
        "/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [1 0 0 1 100 0] /Resources << /Font << /F {FREE} 0 R >> \
         /XObject << /Inner 34 0 R >> >>"
    );
    let pdf = drawing("q 1 0 0 1 0 40 cm /Outer Do Q BT /F 10 Tf 20 20 Td (a) Tj ET", "/XObject << /Outer 33 0 R >>")
        .with(FREE, "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>")
        .with_compressed(33, &form, b"BT /F 10 Tf 20 20 Td (a) Tj ET /Inner Do")
        // without resources: those of what draws it
        .with_stream(34, "/Type /XObject /Subtype /Form /BBox [0 0 9 9]", b"BT /F 10 Tf 80 20 Td (b) Tj ET");
    let page = drawn(&pdf);
    assert_eq!((word(&page, "α").bounds.left, word(&page, "α").bounds.bottom), (120.0, 58.0));
    assert_eq!(page.runs[0].clip, [100.0, 40.0, 150.0, 90.0].into());
    assert_eq!((page.text(&page.runs[1]), page.runs[1].clip), ("β", [100.0, 40.0, 109.0, 49.0].into()));
    assert_eq!(page.text(&page.runs[2]), "a");
}
