//! Appearances of annotations and form fields.

use samples::texts::page;

use crate::support::drawn;

const FONT: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

/// What a page shows of one annotation, object 30, whose appearance, object 31, says `Hello` at 20, 20 of 100 × 100.
fn shown(annotation: &str, form: &str) -> Vec<(String, [f64; 4], Option<u32>)> {
    let pdf = page("/Annots [30 0 R]", FONT, "BT /F 10 Tf 20 20 Td (Page) Tj ET")
        .with(30, format!("<< /Type /Annot {annotation} >>"))
        .with_stream(
            31,
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << {FONT} >> {form}"),
            b"BT /F 10 Tf 20 20 Td (Hello) Tj ET",
        );
    let page = drawn(&pdf);
    let own = page.runs.iter().skip(1);
    own.map(|run| (page.text(run).to_owned(), run.bounds.corners(), run.annotation)).collect()
}

#[test]
fn an_appearance_fills_the_rectangle() {
    let hello = |bounds| vec![("Hello".to_owned(), bounds, Some(30))];
    for (annotation, form, expected) in [
        ("/Subtype /Widget /Rect [100 50 200 150] /AP << /N 31 0 R >>", "", [120.0, 68.0, 142.78, 78.0]),
        ("/Subtype /Stamp /Rect [100 50 300 150] /AP << /N 31 0 R >>", "", [140.0, 68.0, 185.56, 78.0]),
        (
            "/Subtype /FreeText /Rect [100 50 200 150] /AP << /N 31 0 R >>",
            "/Matrix [0 1 -1 0 0 0]",
            [172.0, 70.0, 182.0, 92.78],
        ),
        (
            "/Subtype /Widget /Rect [100 50 200 150] /AS /On /AP << /N << /On 31 0 R /Off 32 0 R >> >>",
            "",
            [120.0, 68.0, 142.78, 78.0],
        ),
        ("/Subtype /Widget /F 4 /Rect [100 50 200 150] /AP << /N 31 0 R >>", "", [120.0, 68.0, 142.78, 78.0]),
    ] {
        assert_eq!(shown(annotation, form), hello(expected), "{annotation}");
    }
}

#[test]
fn what_is_not_shown_is_not_there() {
    for annotation in [
        "/Subtype /Widget /F 2 /Rect [100 50 200 150] /AP << /N 31 0 R >>",
        "/Subtype /Widget /F 32 /Rect [100 50 200 150] /AP << /N 31 0 R >>",
        "/Subtype /Popup /Rect [100 50 200 150] /AP << /N 31 0 R >>",
        "/Subtype /Widget /Rect [100 50 200 150] /AS /Off /AP << /N << /On 31 0 R >> >>",
        "/Subtype /Widget /Rect [100 50 200 150] /AP << /D 31 0 R >>",
        "/Subtype /Widget /AP << /N 31 0 R >>",
        "/Subtype /Link /Rect [100 50 200 150]",
    ] {
        assert_eq!(shown(annotation, ""), [], "{annotation}");
    }
}
