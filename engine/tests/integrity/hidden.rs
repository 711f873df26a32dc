//! What pages hide: what is found, with what it stands for; and what looks like it and hides nothing.

use engine::{
    ExaminedContent, HiddenItem, HiddenKind, Memory, Metadata, Options, SignalId, Strength, Verdict, analyze,
};
use samples::pdf::Pdf;
use samples::texts::{FREE, drawing, page};

use crate::support::{ids, signal};

/// A line of which the amount is to be hidden, in places that the tests know.
const LINE: &str = "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET";
/// An area over the amount, and another amount upon it.
const PATCH: &str = "44 97 44 12 re f";
const OTHER: &str = "0 g BT /F 10 Tf 46 100 Td (9,250.00) Tj ET";
const RESOURCES: &str = "/ExtGState << /Half << /ca 0.5 >> /None << /ca 0 >> /Multiply << /BM /Multiply >> \
    /Mask << /SMask << /S /Luminosity /G 30 0 R >> >> >> /XObject << /Image 31 0 R /Scan 31 0 R /Glass 33 0 R /Gap 35 0 R >> \
    /Properties << /Off 32 0 R >>";

fn analyzed(pdf: &Pdf) -> Metadata {
    analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens")
}

/// A page with this content, of a document that says when and by what it was made.
fn sheet(content: &str) -> Pdf {
    const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    described(drawing(content, RESOURCES))
        .with_stream(31, IMAGE, b"x")
        .with(32, "<< /Type /OCG /Name (Notes) >>")
        .with_stream(33, &format!("{IMAGE} /SMask 34 0 R"), b"x")
        .with_stream(34, IMAGE, b"\x80")
        .with_stream(35, "/Type /XObject /Subtype /Image /Width 8 /Height 1 /ImageMask true", b"\xff")
        .catalog("/OCProperties << /OCGs [32 0 R] /D << /OFF [32 0 R] >> >>")
}

fn described(pdf: Pdf) -> Pdf {
    pdf.info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)")
}

/// What is hidden by this content: how, and which text.
fn hidden(content: &str) -> Vec<(HiddenKind, String)> {
    told(&analyzed(&sheet(content)).hidden.items)
}

fn told(items: &[HiddenItem]) -> Vec<(HiddenKind, String)> {
    items.iter().map(|item| (item.kind, item.text.clone().unwrap_or_default())).collect()
}

#[test]
fn a_retyped_amount_is_a_sign_of_change() {
    let metadata = analyzed(&sheet(&format!("{LINE} 1 g {PATCH} {OTHER}")));
    let [item] = &metadata.hidden.items[..] else { panic!("{:?}", metadata.hidden) };
    assert_eq!((item.page, item.kind, item.characters), (1, HiddenKind::Retyped, 8));
    assert_eq!((item.text.as_deref(), metadata.hidden.total), (Some("1,250.00"), 1));
    let [left, bottom, right, top] = item.r#box.corners();
    assert!(left > 44.0 && right < 88.0 && bottom > 97.0 && top < 110.0, "{:?}", item.r#box);
    let integrity = &metadata.integrity;
    assert_eq!((integrity.verdict, &integrity.because[..]), (Verdict::SignsOfChange, &[SignalId::TextRetyped][..]));
    assert_eq!(
        integrity.summary,
        "On page 1, 'Total 1,250.00 EUR' now reads 'Total 9,250.00 EUR': a white area covers the original text."
    );
    let [evidence] = &signal(integrity, SignalId::TextRetyped).evidence[..] else { panic!("one place") };
    assert_eq!(
        (evidence.before.as_deref(), evidence.after.as_deref()),
        (Some("Total 1,250.00 EUR"), Some("Total 9,250.00 EUR"))
    );
    assert_eq!((evidence.page, evidence.r#box), (Some(1), Some(item.r#box)));
    assert_eq!(integrity.examined.content, ExaminedContent::All);
}

#[test]
fn an_amount_is_retyped_however_that_is_drawn() {
    for patch in [
        "1 g 44 97 m 88 97 l 88 109 l 44 109 l h f",
        "1 g q 44 0 0 12 44 97 cm 0 0 1 1 re f Q",
        "1 G 12 w 44 103 m 88 103 l S",
        "0 0 0 0 k 44 97 44 12 re B",
        "q 44 0 0 12 44 97 cm /Image Do Q",
        "q 44 97 44 12 re W n 1 g 0 0 400 200 re f Q",
        // several times
        "1 g 44 97 44 12 re f 44 97 44 12 re f 44 97 44 12 re f",
    ] {
        assert_eq!(hidden(&format!("{LINE} {patch} {OTHER}")), [(HiddenKind::Retyped, "1,250.00".into())], "{patch}");
    }
    // by its signs alone
    let moved = format!("{LINE} 1 g {PATCH} 0 g BT /F 10 Tf 46 100 Td (125,000) Tj ET");
    assert_eq!(hidden(&moved), [(HiddenKind::Retyped, "1,250.00".into())]);
    // on a ground of its own colour
    let tinted = format!("0.9 g 0 90 400 30 re f 0 g {LINE} 0.9 g {PATCH} {OTHER}");
    assert_eq!(hidden(&tinted), [(HiddenKind::Retyped, "1,250.00".into())]);
    let again = format!("{LINE} 1 g {PATCH} 0 g BT /F 10 Tf 46 100 Td (5,250.00) Tj ET 1 g {PATCH} {OTHER}");
    let found = hidden(&again);
    assert!(found.contains(&(HiddenKind::Retyped, "1,250.00".into())), "{found:?}");
}

#[test]
fn what_encloses_nothing_hides_nothing() {
    let forged = format!("{LINE} 1 g {PATCH} {OTHER}");
    let over_all = "q 400 0 0 200 0 0 cm";
    for nothing in [
        "0 0 m 400 200 m S".to_owned(),
        "0 0 m 400 200 m f".to_owned(),
        // half transparent, transparent, and never begun
        format!("{over_all} /Glass Do Q"),
        format!("{over_all} /Gap Do Q"),
        format!("{over_all} BI /W 1"),
    ] {
        assert_eq!(hidden(&format!("{forged} {nothing}")), [(HiddenKind::Retyped, "1,250.00".into())], "{nothing}");
        let over_line = nothing.replace("400 0 0 200 0 0 cm", "44 0 0 12 44 97 cm");
        assert_eq!(hidden(&format!("{LINE} {over_line}")), [], "{over_line}");
    }
}

/// A page with this content that refers to these objects, of which that with number 40 is the external object `/X`.
fn with_objects(content: &str, objects: &[(u32, &str, &str)]) -> Pdf {
    let resources =
        "/XObject << /X 40 0 R >> /ExtGState << /G 50 0 R >> /Properties << /L 51 0 R >> /Shading << /S 52 0 R >>";
    objects.iter().fold(described(drawing(content, resources)), |pdf, (number, entries, stream)| {
        if stream.is_empty() {
            pdf.with(*number, *entries)
        } else {
            pdf.with_stream(*number, entries, stream.as_bytes())
        }
    })
}

#[test]
fn an_amount_is_retyped_with_what_references_in_arrays_say() {
    let drawn = format!("{LINE} 1 g /X Do {OTHER}");
    let form = "/Type /XObject /Subtype /Form /BBox [-1000 -1000 -900 -900] /Matrix [1 0 0 1 41 0 R 42 0 R]";
    let pdf = with_objects(&drawn, &[(40, form, "-1000 -1000 44 12 re f"), (41, "1044", ""), (42, "1097", "")]);
    assert_eq!(told(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
}

#[test]
fn an_amount_is_retyped_by_a_path_that_was_moved_before_it_was_painted() {
    for moved in [
        "1 g -1000 -1000 44 12 re 1 0 0 1 1044 1097 cm f 1 0 0 1 -1044 -1097 cm",
        "1 g q 1 0 0 1 -900 -900 cm 44 97 44 12 re Q f",
        "1 g q 1 0 0 1 -900 -900 cm 44 97 m 88 97 l 88 109 l Q 44 109 l h f",
    ] {
        assert_eq!(hidden(&format!("{LINE} {moved} {OTHER}")), [(HiddenKind::Retyped, "1,250.00".into())], "{moved}");
    }
}

#[test]
fn an_amount_is_retyped_by_lines_as_wide_as_a_graphics_state_makes_them() {
    for (state, line) in
        [("/LW 12", "1 G /G gs 44 103 m 88 103 l S"), ("/D [[1000] 0]", "1 G 12 w /G gs 44 103 m 88 103 l S")]
    {
        let pdf = with_objects(&format!("{LINE} {line} {OTHER}"), &[(50, &format!("<< {state} >>"), "")]);
        assert_eq!(told(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{state}");
    }
}

#[test]
fn modes_and_masks_that_do_not_exist_change_nothing() {
    for state in ["/BM /Unheard", "/BM [/Unheard /Normal]", "/SMask /Unheard"] {
        let pdf = with_objects(&format!("{LINE} /G gs 1 g {PATCH} {OTHER}"), &[(50, &format!("<< {state} >>"), "")]);
        assert_eq!(told(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{state}");
    }
}

#[test]
fn what_lies_over_a_whole_page_takes_nothing_of_what_was_retyped_beneath() {
    let forged = format!("{LINE} 1 g {PATCH} {OTHER}");
    for over in [
        "1 g 0 0 400 200 re f",
        // which no viewer draws
        "BT /F 10 Tf 7 Tr 20 20 Td (.) Tj ET 1 g 0 0 400 200 re f",
        "0 0 m 400 200 m 1 1 1 1 re W n 1 g 0 0 400 200 re f",
        "1 g 0 0 l 400 0 l 400 200 l 0 200 l f",
        "/S sh",
    ] {
        let metadata = analyzed(&with_objects(&format!("{forged} {over}"), &[]));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{over}");
        let found = told(&metadata.hidden.items);
        assert!(found.contains(&(HiddenKind::Retyped, "1,250.00".into())), "{over}: {found:?}");
    }
    // a page that is painted over and written anew
    let anew = format!("{LINE} 1 g 0 0 400 200 re f 0 g {LINE}");
    assert_eq!(hidden(&anew), []);
}

#[test]
fn words_across_others_were_not_read() {
    let examined = |content: &str| analyzed(&sheet(content)).integrity.examined.content;
    assert_eq!(examined(&format!("{LINE} {OTHER}")), ExaminedContent::Part);
    // the same once more, and words beside others
    let again = LINE.replace("20 100", "20.3 100");
    let beside = OTHER.replace("46 100", "120 100");
    for content in [format!("{LINE} {again}"), format!("{LINE} {beside}")] {
        assert_eq!(examined(&content), ExaminedContent::All, "{content}");
    }
}

#[test]
fn what_viewers_make_the_look_of_themselves_was_not_read() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    for (note, examined) in [
        ("/Subtype /FreeText /Contents (9,250.00) /C [1 1 1]", ExaminedContent::Part),
        ("/Subtype /Square /IC [1 1 1]", ExaminedContent::Part),
        ("/Subtype /Square /C [1 0 0]", ExaminedContent::All),
        ("/Subtype /Link", ExaminedContent::All),
    ] {
        let note = format!("<< /Type /Annot /Rect [20 97 110 109] {note} >>");
        let metadata = analyzed(&described(page("/Annots [40 0 R]", helvetica, LINE)).with(40, note));
        assert_eq!(metadata.integrity.examined.content, examined);
    }
}

#[test]
fn a_text_that_breaks_off_within_a_word_is_too_long_for_its_place() {
    let long = "BT /F 10 Tf 20 100 Td (Consulting services for the extended project) Tj ET";
    let cell = |left: f64, text: &str| {
        format!("{long} 1 g {left} 97 60 12 re f 0 g BT /F 10 Tf {} 100 Td ({text}) Tj ET", left + 3.0)
    };
    // over the second half of `services`, and of `extended`
    for left in [90.0, 150.0] {
        let metadata = analyzed(&sheet(&cell(left, "12.50")));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{left}: {:?}", metadata.hidden.items);
    }
}

#[test]
fn an_amount_is_retyped_at_whatever_scale() {
    let scaled = "q .0000000000000000001 0 0 .0000000000000000001 0 0 cm 1000000000 0 0 1000000000 0 0 cm \
        1000000000 0 0 1000000000 0 0 cm 10 0 0 10 0 0 cm";
    assert_eq!(hidden(&format!("{LINE} {scaled} 1 g {PATCH} {OTHER} Q")), [(HiddenKind::Retyped, "1,250.00".into())]);
}

#[test]
fn an_amount_is_retyped_in_the_head_of_an_inline_image_which_not_all_viewers_read() {
    let metadata = analyzed(&sheet(&format!("{LINE} BI /W 1 1 g {PATCH} {OTHER} /H 1 ID x EI")));
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange);
    assert_eq!(metadata.integrity.examined.content, ExaminedContent::Part);
}

#[test]
fn a_note_over_the_page_retypes_as_well() {
    let notes = |entries: &str, look: &str| {
        let note = format!("<< /Type /Annot /Rect [44 97 88 109] /AP << /N 41 0 R >> {entries} >>");
        let form = "/Type /XObject /Subtype /Form /BBox [0 0 44 12] \
            /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
        let pdf = described(page("/Annots [40 0 R]", helvetica, LINE));
        analyzed(&pdf.with(40, note).with_stream(41, form, look.as_bytes()))
    };
    let look = "1 g 0 0 44 12 re f 0 g BT /F 10 Tf 2 3 Td (9,250.00) Tj ET";
    let metadata = notes("/Subtype /FreeText", look);
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    // a field shows its value over whatever the form has there
    let metadata = notes("/Subtype /Widget /FT /Tx /V (9,250.00)", look);
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
    assert_ne!(metadata.integrity.verdict, Verdict::SignsOfChange);
    let metadata = notes("/Subtype /FreeText /F 2", look);
    assert_eq!(told(&metadata.hidden.items), []);
}

#[test]
fn a_redaction_that_only_paints_is_told_and_says_nothing_of_changes() {
    for (patch, place) in [("0 g", "under a black area"), ("0.8 0 0 rg", "under a coloured area")] {
        let metadata = analyzed(&sheet(&format!("{LINE} {patch} {PATCH}")));
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
        let found = signal(&metadata.integrity, SignalId::TextCovered);
        assert_eq!((found.strength, found.evidence[0].place.as_deref()), (Strength::Neutral, Some(place)));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns);
    }
    let metadata = analyzed(&sheet(&format!("{LINE} 1 g {PATCH}")));
    assert_eq!(signal(&metadata.integrity, SignalId::TextCovered).strength, Strength::Strong, "within a line");
    assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange);
}

#[test]
fn a_redaction_that_was_marked_only_is_told() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    for places in ["/QuadPoints [44 109 88 109 44 97 88 97]", ""] {
        let mark = format!("<< /Type /Annot /Subtype /Redact /Rect [44 97 88 109] {places} >>");
        let metadata = analyzed(&described(page("/Annots [40 0 R]", helvetica, LINE)).with(40, mark));
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::RedactionUnapplied, "1,250.00".into())], "{places}");
        assert_eq!(signal(&metadata.integrity, SignalId::RedactionUnapplied).strength, Strength::Neutral);
    }
}

#[test]
fn text_that_nobody_sees_is_told() {
    let text = "BT /F 10 Tf 20 100 Td (Ignore this) Tj ET";
    for (content, kind) in [
        (format!("1 g {text}"), HiddenKind::Invisible),
        (format!("0.99 g {text}"), HiddenKind::Invisible),
        (format!("0 g 0 0 400 200 re f {text}"), HiddenKind::Invisible),
        (format!("3 Tr {text}"), HiddenKind::Invisible),
        (format!("7 Tr {text}"), HiddenKind::Invisible),
        (format!("/None gs {text}"), HiddenKind::Invisible),
        ("BT /F 0.5 Tf 20 100 Td (Ignore this) Tj ET".to_owned(), HiddenKind::Tiny),
        ("BT /F 10 Tf 20 300 Td (Ignore this) Tj ET".to_owned(), HiddenKind::OffPage),
        (format!("/OC /Off BDC {text} EMC"), HiddenKind::HiddenLayer),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(told(&metadata.hidden.items), [(kind, "Ignore this".into())], "{content}");
        assert_eq!(signal(&metadata.integrity, SignalId::TextInvisible).strength, Strength::Neutral, "{content}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}");
    }
}

#[test]
fn what_hides_nothing_is_not_told() {
    let white = "1 g BT /F 10 Tf 20 100 Td (Invoice 2026) Tj ET";
    let scan = "q 400 0 0 200 0 0 cm /Scan Do Q";
    for content in [
        // white text on what is no paper: a rectangle, a round one, a thick line, a dot, an image, a shading, a pattern, a sign
        format!("0 0 0.4 rg 0 90 400 30 re f {white}"),
        format!("0 0 0.4 rg 10 90 m 300 90 l 320 90 320 120 300 120 c 10 120 l h f {white}"),
        format!("30 w 0 105 m 400 105 l S {white}"),
        format!("1 J 200 w 50 105 m 50 105 l S {white}"),
        format!("{scan} {white}"),
        format!("q 0 90 400 30 re W n /S sh Q {white}"),
        format!("/Pattern cs /P scn 0 90 400 30 re f {white}"),
        "BT /F 90 Tf 15 70 Td (MM) Tj ET 1 g BT /F 10 Tf 30 100 Td (Invoice) Tj ET".to_owned(),
        // white letters with an outline, and a text that is the clip of what is painted then
        format!("2 Tr {white}"),
        "q 7 Tr BT /F 40 Tf 20 90 Td (Clip) Tj ET 0.5 g 0 80 400 60 re f Q".to_owned(),
        // what lies beneath: stripes, backgrounds, a page painted white
        format!("1 g 0 0 400 200 re f 0.9 g 0 95 400 14 re f 0 g {LINE}"),
        format!("q 0 90 400 30 re W n /S sh Q {LINE}"),
        // lines under and through it, and a frame
        format!("{LINE} 20 98 90 0.7 re f"),
        format!("{LINE} 20 103 90 0.7 re f"),
        format!("{LINE} 6 w 10 90 100 30 re S"),
        // what it shines through
        format!("{LINE} /Half gs 1 1 0 rg 15 95 90 14 re f"),
        format!("{LINE} /Multiply gs 1 1 0 rg 15 95 90 14 re f"),
        format!("{LINE} /Mask gs 1 g 15 95 90 14 re f"),
        format!("{LINE} 20 0 m 400 0 l 400 50 l h W n 1 g 15 95 90 14 re f"),
        // the same text once more: bold, a shadow, a new look
        format!("{LINE} 1 0 0 1 0.3 0 cm {LINE}"),
        "0.7 g BT /F 10 Tf 21 99 Td (Total) Tj ET 0 g BT /F 10 Tf 20 100 Td (Total) Tj ET".to_owned(),
        format!("{LINE} 1 g 15 95 90 14 re f 0 g {LINE}"),
        // a stamp over white paper, and lines to write on
        format!("{LINE} 1 g 200 50 90 30 re f 1 0 0 rg BT /F 20 Tf 205 55 Td (PAID) Tj ET"),
        "BT /F 10 Tf 20 100 Td (________) Tj ET 1 g 15 95 90 14 re f 0 g BT /F 10 Tf 20 100 Td (Ann) Tj ET".to_owned(),
        // text that was recognised under a scan, over it, and beside an image
        format!("{LINE} {scan}"),
        format!("3 Tr {LINE} {scan}"),
        format!("{scan} 3 Tr {LINE}"),
        format!("q 100 0 0 20 15 95 cm /Image Do Q 3 Tr {LINE}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(told(&metadata.hidden.items), [], "{content}");
        let others = ids(&metadata.integrity).into_iter().filter(|id| *id != SignalId::PagesAreImages);
        assert_eq!((metadata.integrity.verdict, others.collect()), (Verdict::NoSigns, vec![]), "{content}");
        assert_eq!(metadata.hidden.examined, ExaminedContent::All, "{content}");
    }
}

#[test]
fn what_is_too_long_for_its_cell_was_not_retyped() {
    // each cell is painted before its text, and the text of the one before it runs on beneath
    let cells = |texts: [&str; 3]| -> String {
        let cell = |(row, text): (usize, &&str)| {
            let y = 150 - 14 * row;
            format!(
                "1 g 20 {} 60 14 re f 0 g BT /F 10 Tf 22 {y} Td ({text}) Tj ET \
                 1 g 80 {} 60 14 re f 0 g BT /F 10 Tf 82 {y} Td ({}) Tj ET ",
                y - 3,
                y - 3,
                10 + row
            )
        };
        texts.iter().enumerate().map(cell).collect()
    };
    let metadata = analyzed(&sheet(&cells(["Short", "Much longer than it may be", "Short"])));
    assert!(metadata.hidden.items.iter().all(|item| item.kind == HiddenKind::Covered), "{:?}", metadata.hidden);
    assert_eq!(metadata.integrity.verdict, Verdict::NoSigns);
}

#[test]
fn only_the_first_pages_are_looked_at_and_the_rest_is_said() {
    let helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    let mut pdf = described(Pdf::new(25)).with(FREE, helvetica);
    for number in 0..25 {
        let page = samples::pdf::FIRST_PAGE + number;
        pdf.set(
            page,
            format!(
                "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents {} 0 R \
                 /Resources << /Font << /F {FREE} 0 R >> >> >>",
                samples::pdf::PAGES,
                100 + number
            ),
        );
        pdf = pdf.with_stream(100 + number, "", format!("{LINE} 0 g {PATCH}").as_bytes());
    }
    let metadata = analyzed(&pdf);
    assert_eq!(metadata.hidden.examined, ExaminedContent::Part);
    assert_eq!(metadata.hidden.items.iter().map(|item| item.page).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    // where it is not asked for, nothing is said
    let options = Options { skip_content: true, ..Options::default() };
    let metadata = analyze(&Memory(pdf.classic().into()), &options).expect("the file opens");
    assert_eq!((metadata.hidden.examined, metadata.hidden.total), (ExaminedContent::None, 0));
    assert_eq!(ids(&metadata.integrity), []);
}
