//! Updates made to take time, memory or the ground from under the verdict.

use engine::{ExaminedRevisions, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::{CONTENT, NOTE, examined_within, page, typical};

#[test]
fn ten_thousand_updates_are_looked_into_from_the_newest_on() {
    let mut file = typical().classic();
    for index in 0..10_000 {
        file = Pdf::changes().with(60, format!("<< /A {index} >>")).update(file);
    }
    let integrity = examined_within(20_000_000, &file);
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::Newest);
    assert_eq!(integrity.verdict, Verdict::Undetermined);
    assert_eq!(integrity.revisions.len(), 50);
    assert_eq!(integrity.revisions[49].number, 10_001);
}

#[test]
fn a_chain_in_a_circle_ends() {
    let file = typical().classic();
    let start = samples::pdf::start_of_xref(&file);
    let length = file.len();
    let update = Pdf::changes().with_stream(CONTENT, "", b"(other) Tj").update(file);
    // the oldest section goes on at the newest one
    let newest = samples::pdf::start_of_xref(&update);
    let text = String::from_utf8_lossy(&update[start..length]).replace("/Root 1", &format!("/Prev {newest} /Root 1"));
    let circle = [&update[..start], text.as_bytes(), &update[length..]].concat();
    examined_within(10_000, &circle);
}

#[test]
fn more_objects_than_are_compared_are_said_to_be() {
    let mut base = Pdf::new(1);
    let mut changes = Pdf::changes();
    let mut contents = String::new();
    for number in 100..2_400 {
        base = base.with_stream(number, "", b"q Q");
        changes = changes.with_stream(number, "", b"q (x) Tj Q");
        contents += &format!("{number} 0 R ");
    }
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] /Contents [{contents}] >>");
    let file = changes.update(base.with(FIRST_PAGE, page).classic());
    let integrity = examined_within(2_000_000, &file);
    assert_eq!(integrity.verdict, Verdict::Changed);
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::Newest);
    assert_eq!(integrity.signals[0].evidence.len(), 10);
    assert_eq!(integrity.signals[0].evidence_total, 2_000);
}

#[test]
fn huge_objects_in_updates_are_bounded() {
    let wide = format!("<< {} >>", (0..40_000).map(|index| format!("/K{index} {index} ")).collect::<String>());
    let other = wide.replacen("/K0 0", "/K0 1", 1);
    let base = typical().catalog("/Huge 70 0 R").with(70, wide).classic();
    examined_within(3_000_000, &Pdf::changes().with(70, other).update(base));
    let deep = "[".repeat(90) + &"1 ".repeat(90_000) + &"]".repeat(90);
    let base = typical().catalog("/Deep 70 0 R").with(70, &deep).classic();
    examined_within(2_000_000, &Pdf::changes().with(70, format!("{deep} ")).update(base));
}

#[test]
fn validation_data_in_circles_ends() {
    let base =
        typical().catalog("/DSS 70 0 R").with(70, "<< /Certs [70 0 R] /VRI 71 0 R >>").with(71, "<< /A 70 0 R >>");
    let changes = Pdf::changes()
        .with(70, "<< /Certs [71 0 R 70 0 R] /VRI 71 0 R /DSS 70 0 R >>")
        .with(71, "<< /A 71 0 R /B 70 0 R >>");
    examined_within(10_000, &changes.update(base.classic()));
}

#[test]
fn appearances_in_circles_end() {
    let base = Pdf::new(2)
        .with(FIRST_PAGE, page(""))
        .with_stream(CONTENT, "", b"BT /F1 12 Tf 72 700 Td (Total due: 100) Tj ET")
        .with(NOTE, "<< /Type /Annot /Subtype /Text /Rect [0 0 20 20] /Contents (A note) >>");
    let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(3));
    let form = "/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A 80 0 R >> /ExtGState 80 0 R >>";
    let draws = b"/A Do ".repeat(10_000);
    let mut annotations = String::new();
    let mut changes = Pdf::changes().with_stream(80, form, &draws);
    for number in 1_000..1_500 {
        annotations += &format!("{number} 0 R ");
        changes.set(number, "<< /Type /Annot /Subtype /Square /Rect [0 0 900 900] /AP << /N 80 0 R >> >>");
    }
    let page = page("").replace(&format!("/Annots [{NOTE} 0 R"), &format!("/Annots [{annotations} {NOTE} 0 R"));
    let file = signed.updated(&changes.with(FIRST_PAGE, page)).file;
    let integrity = examined_within(100_000_000, &file);
    // how much of it a reader draws, nobody knows: whether it was permitted, neither
    assert_eq!(
        (integrity.verdict, integrity.signatures[0].after),
        (Verdict::Undetermined, None),
        "{:?}",
        integrity.because
    );
}

#[test]
fn fields_and_pages_in_circles_end() {
    let base = typical().with(PAGES, format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R {PAGES} 0 R] /Count 2 >>"));
    let changes = Pdf::changes()
        .with(23, "<< /FT /Tx /T (a) /Parent 23 0 R /Kids [23 0 R] /V (x) >>")
        .with(PAGES, format!("<< /Type /Pages /Kids [{PAGES} 0 R {FIRST_PAGE} 0 R] /Count 2 /Parent {PAGES} 0 R >>"));
    examined_within(20_000, &changes.update(base.classic()));
}

#[test]
fn pages_that_hide_as_much_as_they_can_are_bounded() {
    let text = |index: u32| format!("BT /F 2 Tf {} {} Td (9) Tj ET ", index % 97 * 4, index / 97 % 60 * 3);
    let area = |index: u32| format!("{} {} 3 3 re f ", index % 97 * 4, index / 97 % 60 * 3);
    let many = |count: u32, one: &dyn Fn(u32) -> String| (0..count).map(one).collect::<String>();
    let whole = |_: u32| "0 0 400 200 re f ".to_owned();
    let white = |index: u32| format!("1 g {}", text(index));
    let contents = [
        // every text under every area, under one of its own, and many under one
        many(12_000, &text) + &many(12_000, &whole),
        many(12_000, &text) + &many(12_000, &area),
        many(20_000, &text) + &whole(0) + &many(4_000, &text),
        many(6_000, &|index| format!("0 g {} 1 g {} 0 g {}", text(index), area(index), text(index + 1))),
        // in the colour of all that lies beneath
        many(12_000, &|index| format!("1 g {}", area(index))) + &many(12_000, &white),
        "1 g ".to_owned() + &many(6_000, &whole) + &many(12_000, &white),
        // outlines, strokes and dots, side by side and apart
        many(12_000, &|index| format!("{0} {0} m {1} 9 l 9 {1} l h f ", index % 400, index % 7)),
        many(12_000, &|index| format!("9 w {} 9 m {0} 9 l S ", index % 400)) + &many(12_000, &white),
        // words of every look
        many(20_000, &|index| {
            format!("BT /{} {} Tf 9 {} Td (7 words) Tj ET ", ["F", "G"][index as usize % 2], 2 + index % 3, index % 190)
        }),
        many(12_000, &|_| "3 Tr BT /F 9 Tf 9 9 Td (9) Tj ET ".to_owned()),
    ];
    for content in contents {
        let pdf = samples::texts::page(
            "/Annots [40 0 R]",
            "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /G << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >>",
            &content,
        );
        let corners = "0 0 400 0 0 200 400 200 ".repeat(2_000);
        let file = pdf.with(40, format!("<< /Type /Annot /Subtype /Redact /Rect [0 0 9 9] /QuadPoints [{corners}] >>"));
        examined_within(6_000_000, &file.classic());
    }
}
