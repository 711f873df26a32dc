//! What pages hide: what is found, with what it stands for; and what looks like it and hides nothing.

use engine::{
    ExaminedContent, HiddenItem, HiddenKind, Memory, Metadata, Options, SignalId, Strength, Verdict, analyze,
};
use samples::pdf::{Cipher, Pdf, encrypted};
use samples::texts::{FREE, drawing, page};

use crate::remote::Remote;
use crate::support::{ids, signal};

/// A line of which the amount is to be hidden, in places that the tests know.
const LINE: &str = "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET";
/// An area over the amount, and another amount upon it.
const PATCH: &str = "44 97 44 12 re f";
const OTHER: &str = "0 g BT /F 10 Tf 46 100 Td (9,250.00) Tj ET";
const RESOURCES: &str = "/ExtGState << /Half << /ca 0.5 >> /None << /ca 0 >> /Multiply << /BM /Multiply >> \
    /Mask << /SMask << /S /Luminosity /G 30 0 R >> >> >> /XObject << /Image 31 0 R /Scan 31 0 R /Glass 33 0 R /Gap 35 0 R >> \
    /Properties << /Off 32 0 R /On 36 0 R >> /Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] \
    /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >> >>";

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
        .with(36, "<< /Type /OCG /Name (Drawing) >>")
        .catalog("/OCProperties << /OCGs [32 0 R 36 0 R] /D << /OFF [32 0 R] >> >>")
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
fn a_mark_that_says_something_stands_in_place_of_what_it_covers() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let marked = |words: &str| {
        let content = format!("1 g 0 0 44 12 re f {words}");
        let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 44 12] /Resources << {helvetica} >>");
        let mark = "<< /Type /Annot /Subtype /Redact /Rect [44 97 88 109] /AP << /N 41 0 R >> >>";
        let pdf = page("/Annots [40 0 R]", helvetica, LINE).with(40, mark);
        analyzed(&described(pdf).with_stream(41, &form, content.as_bytes())).integrity.verdict
    };
    assert_eq!(marked("0 g BT /F 10 Tf 2 3 Td (9,250.00) Tj ET"), Verdict::SignsOfChange);
    assert_eq!(marked(""), Verdict::NoSigns);
}

#[test]
fn the_colorant_none_paints_nothing() {
    let none =
        "/ColorSpace << /N [/Separation /None /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>] >>";
    let painted = |space: &str| {
        let line = LINE.replace("BT", &format!("BT {space}"));
        analyzed(&described(drawing(&format!("{line} {OTHER}"), &format!("{RESOURCES} {none}")))).integrity.verdict
    };
    assert_eq!(painted("/N cs 1 scn"), Verdict::SignsOfChange);
}

/// A patch of the paper's color over one line alone is there to erase it. What is larger, has a color, or belongs to an
/// annotation is layout, a redaction or an annotation.
#[test]
fn an_erased_line_is_a_sign_of_change() {
    let other = "0 g BT /F 10 Tf 20 60 Td (Paid in full) Tj ET";
    for patch in ["18 97 90 12", "12 94 102 18"] {
        let metadata = analyzed(&sheet(&format!("{LINE} {other} 1 g {patch} re f")));
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "Total 1,250.00 EUR".into())], "{patch}");
        let integrity = &metadata.integrity;
        assert_eq!((integrity.verdict, &integrity.because[..]), (Verdict::SignsOfChange, &[SignalId::TextCovered][..]));
        assert_eq!(
            integrity.summary,
            "On page 1, the line 'Total 1,250.00 EUR' is not shown: a white area covers the original text."
        );
        let [evidence] = &signal(integrity, SignalId::TextCovered).evidence[..] else { panic!("one place") };
        assert_eq!((evidence.before.as_deref(), evidence.after.as_deref()), (Some("Total 1,250.00 EUR"), None));
    }
    let table = "1 g 18 97 90 12 re f 18 77 90 12 re f 18 57 90 12 re f";
    for honest in [
        // a panel, a bar, two lines at once, cells of a table
        format!("{LINE} {other} 1 g 0 80 300 50 re f"),
        format!("{LINE} {other} 0 g 18 97 90 12 re f"),
        format!("{LINE} BT /F 10 Tf 20 88 Td (Second line) Tj ET 1 g 12 86 106 24 re f"),
        format!("{LINE} {table}"),
    ] {
        assert_eq!(analyzed(&sheet(&honest)).integrity.verdict, Verdict::NoSigns, "{honest}");
    }
}

#[test]
fn an_erased_line_that_cannot_be_read_as_text_is_a_sign_of_change() {
    let font = "<< /Type /Font /Subtype /Type0 /BaseFont /Custom /Encoding /Identity-H /DescendantFonts [<< /Type /Font \
        /Subtype /CIDFontType2 /BaseFont /Custom /DW 500 /CIDSystemInfo << /Registry (A) /Ordering (Own) /Supplement 0 >> >>] >>";
    let line = "BT /C 10 Tf 20 100 Td <000100020003000400050006000700080009000A> Tj ET";
    let with = |patch: &str| {
        let content = format!("{line} BT /F 10 Tf 20 60 Td (Paid in full) Tj ET 1 g {patch} re f");
        let page = format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents {} 0 R /Resources << /Font << /C 90 0 R \
             /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            samples::pdf::PAGES,
            samples::texts::CONTENT
        );
        analyzed(&sheet(&content).with(90, font).with(samples::pdf::FIRST_PAGE, page)).integrity
    };
    let found = with("18 97 54 12");
    assert_eq!((found.verdict, &found.because[..]), (Verdict::SignsOfChange, &[SignalId::TextCovered][..]));
    assert_eq!(with("200 97 54 12").verdict, Verdict::NoSigns);
    assert_eq!(with("0 80 300 50").verdict, Verdict::NoSigns);
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

/// Samples of text at several scales, each with its own ground, one over the other: none of their lines can be read.
#[test]
fn lines_of_interleaved_words_are_quoted_nowhere() {
    let sample = |ground: &str, x: f64, y: f64, size: u32, text: &str| {
        format!("1 g {ground} re f 0 g BT /F {size} Tf {x} {y} Td ({text}) Tj ET")
    };
    let half = [
        sample("18 98 40 12", 20.0, 100.0, 10, "Relative Width=20%"),
        sample("40 98 30 12", 27.0, 100.0, 10, "Relative Width=30%"),
        sample("60 98 30 12", 33.0, 100.0, 10, "Absolute Width=40%"),
    ];
    let whole = [
        sample("18 98 60 12", 20.0, 100.0, 10, "Relative Width=20%"),
        sample("62 98 70 12", 27.0, 100.0, 10, "Relative Width=30%"),
        sample("100 98 8 12", 33.0, 101.0, 10, "Absolute Width=40%"),
    ];
    // letters that hardly anybody sees do not take a finding away
    let pale = "0.97 g BT /F 10 Tf 44 100 Td (RelativeWidth) Tj ET";
    let pale = [format!("{LINE} 1 g {PATCH}"), pale.to_owned(), OTHER.to_owned()];
    for (samples, verdict) in
        [(half, Verdict::NoSigns), (whole, Verdict::SignsOfChange), (pale, Verdict::SignsOfChange)]
    {
        let metadata = analyzed(&sheet(&samples.join(" ")));
        let integrity = &metadata.integrity;
        assert_eq!(integrity.examined.content, ExaminedContent::Part);
        assert_eq!(integrity.verdict, verdict, "{}", integrity.summary);
        assert!(!integrity.summary.contains("now reads"), "{}", integrity.summary);
        // what is quoted are pieces of one text each, one after the other
        let texts = ["RelativeWidth=20%", "RelativeWidth=30%", "AbsoluteWidth=40%", "1,250.00"];
        let told = metadata.hidden.items.iter().filter_map(|item| item.text.as_deref());
        let quoted = integrity.signals.iter().flat_map(|signal| &signal.evidence);
        let quoted = quoted.filter(|evidence| evidence.page.is_some());
        let quoted = quoted.flat_map(|evidence| [&evidence.before, &evidence.after]);
        for text in told.chain(quoted.flatten().map(String::as_str)) {
            for word in text.split(' ') {
                assert!(texts.iter().any(|whole| whole.contains(word)), "{word} of {text}");
            }
        }
    }
}

#[test]
fn what_viewers_make_the_look_of_themselves_was_not_read() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    for (note, examined) in [
        ("/Subtype /FreeText /Contents (9,250.00) /C [1 1 1]", ExaminedContent::Part),
        ("/Subtype /Widget /FT /Tx /V (9,250.00)", ExaminedContent::Part),
        ("/Subtype /Square /IC [1 1 1]", ExaminedContent::All),
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
    // a field shows its value over whatever the form has there, but not over another value
    let metadata = notes("/Subtype /Widget /FT /Tx /V (9,250.00)", look);
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    let metadata = notes("/Subtype /Widget /FT /Tx /V (Ann)", &look.replace("9,250.00", "Ann"));
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
    assert_ne!(metadata.integrity.verdict, Verdict::SignsOfChange);
    let metadata = notes("/Subtype /FreeText /F 2", look);
    assert_eq!(told(&metadata.hidden.items), []);
}

#[test]
fn a_redaction_that_only_paints_is_told_and_says_nothing_of_changes() {
    for (patch, place) in [("0 g", "under a black area"), ("0.8 0 0 rg", "under a colored area")] {
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
    let pages = |metadata: &Metadata| metadata.hidden.items.iter().map(|item| item.page).collect::<Vec<_>>();
    let metadata = analyzed(&pdf);
    assert_eq!(metadata.hidden.examined, ExaminedContent::All);
    assert_eq!(pages(&metadata), (1..=25).collect::<Vec<_>>());
    let metadata = analyzed(&pdf.clone().with_stream(900, "", &vec![b'x'; 3 << 20]));
    assert_eq!(metadata.hidden.examined, ExaminedContent::Part);
    assert_eq!(pages(&metadata), (1..=20).collect::<Vec<_>>());
    // where it is not asked for, nothing is said
    let options = Options { skip_content: true, ..Options::default() };
    let metadata = analyze(&Memory(pdf.classic().into()), &options).expect("the file opens");
    assert_eq!((metadata.hidden.examined, metadata.hidden.total), (ExaminedContent::None, 0));
    assert_eq!(ids(&metadata.integrity), []);
}

/// What a program may add to a page with resources of any kind: states, patterns, shadings, forms, images and a Type 3 font.
fn rich(content: &str) -> Pdf {
    const FORM: &str = "/Type /XObject /Subtype /Form /BBox [0 0 400 200] /Group << /S /Transparency >>";
    const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let modes = ["Multiply", "Screen", "Difference", "Exclusion", "Lighten", "HardLight", "Color", "Luminosity"];
    let modes: String = modes.iter().map(|mode| format!("/{mode} << /BM /{mode} >> ")).collect();
    let resources = format!(
        "/ExtGState << {modes} /Half << /ca 0.5 >> /Tenth << /ca 0.1 >> /Nothing << /ca 0.02 >> \
         /Shape << /SMask << /S /Luminosity /G 60 0 R >> >> /Hole << /SMask << /S /Luminosity /G 61 0 R >> >> \
         /Lost << /SMask << /S /Luminosity /G 99 0 R >> >> /Empty << /SMask << /S /Luminosity /G 62 0 R >> >> /All << /SMask /None /ca 1 /BM /Normal >> >> \
         /Pattern << /Full 63 0 R /Gaps 64 0 R /None 65 0 R /Blend << /PatternType 2 /Shading 66 0 R >> >> \
         /Shading << /Mesh 67 0 R >> /XObject << /Twice 68 0 R /Faint 69 0 R /Dense 71 0 R /Bar 73 0 R >> \
         /ColorSpace << /Tint [/Separation /Spot /DeviceGray 74 0 R] >>"
    );
    let fonts = "/Font << /Z << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /T 75 0 R >>";
    let cell = "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>";
    let triangle = [0, 40, 97, 0, 90, 97, 0, 40, 109, 0, 90, 97, 0, 90, 109, 0, 40, 109];
    let axial = "/ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] /Extend [true true]";
    described(page("", &format!("{fonts} {resources}"), content))
        .with_stream(60, FORM, b"1 g 44 97 44 12 re f")
        .with_stream(61, FORM, b"1 g 0 0 400 200 re f 0 g 44 97 44 12 re f")
        .with_stream(62, FORM, b"")
        .with_stream(63, cell, b"1 g 0 0 5 5 re f")
        .with_stream(64, cell, b"1 g 0 0 4.9 4.9 re f")
        .with_stream(65, cell, b"")
        .with(66, format!("<< {axial} /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >>"))
        .with_stream(
            67,
            "/ShadingType 4 /ColorSpace /DeviceGray /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 \
             /Decode [0 255 0 255 0 1]",
            &triangle.chunks(3).flat_map(|point| [point[0], point[1], point[2], 255]).collect::<Vec<u8>>(),
        )
        .with_stream(68, FORM, b"1 g 44 97 44 12 re f 44 97 44 12 re f")
        .with_stream(69, &format!("{IMAGE} /SMask 70 0 R"), b"xy")
        .with_stream(70, IMAGE, &[0x40, 0x80])
        .with_stream(71, &format!("{IMAGE} /SMask 72 0 R"), &[255, 255])
        .with_stream(72, IMAGE, &[0xe0, 0xd0])
        .with_stream(73, IMAGE, &[0, 0])
        .with_stream(74, "/FunctionType 4 /Domain [0 1] /Range [0 1]", b"{pop 1}")
        .with(
            75,
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 900] /FontMatrix [.001 0 0 .001 0 0] \
             /CharProcs << /a 76 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] >>",
        )
        .with_stream(76, "", b"1000 0 0 -200 1000 900 d1 0 -200 1000 1100 re f")
}

#[test]
fn what_perhaps_covers_an_amount_is_a_finding_where_another_one_stands() {
    for patch in [
        format!("q /Difference gs 1 g {PATCH} Q"),
        format!("q /Exclusion gs 1 g {PATCH} Q"),
        format!("q /Screen gs 1 g {PATCH} Q"),
        format!("q /Multiply gs 0.1 g {PATCH} Q"),
        "q /Difference gs /Twice Do Q".to_owned(),
        format!("q /Half gs 1 g {PATCH} {PATCH} {PATCH} {PATCH} Q"),
        format!("q /Tenth gs 1 g {} Q", format!("{PATCH} ").repeat(24)),
        "q /Shape gs 1 g 0 0 400 200 re f Q".to_owned(),
        "1 G 12 w [.5 .01] 0 d 44 103 m 88 103 l S".to_owned(),
        "/Mesh sh".to_owned(),
        format!("/Pattern cs /Full scn {PATCH}"),
        format!("/Pattern cs /Gaps scn {PATCH}"),
        "1 g BT /F 40 Tf 40 90 Td (MMM) Tj ET".to_owned(),
        "1 g BT /Z 21 Tf 42 98 Td (nnn) Tj ET".to_owned(),
        "1 g BT /T 12 Tf 44 99 Td (aaaa) Tj ET".to_owned(),
        "q 1 g 1 G 2 Tr 8 w BT /F 10 Tf 46 100 Td (HHHHHH) Tj ET Q".to_owned(),
        "q 44 0 0 12 44 97 cm /Dense Do Q".to_owned(),
    ] {
        let metadata = analyzed(&rich(&format!("{LINE} {patch} {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{patch}: {:?}", metadata.hidden);
        let found = told(&metadata.hidden.items);
        assert!(found.contains(&(HiddenKind::Retyped, "1,250.00".into())), "{patch}: {found:?}");
        let found = signal(&metadata.integrity, SignalId::TextRetyped);
        let [before, after] = [&found.evidence[0].before, &found.evidence[0].after].map(|text| text.as_deref());
        assert_eq!((before, after), (Some("Total 1,250.00 EUR"), Some("Total 9,250.00 EUR")), "{patch}");
    }
}

#[test]
fn what_perhaps_covers_words_leaves_it_open_what_is_seen() {
    for (patch, examined) in [
        // on paper it is black in the eyes of some viewers
        (format!("q /Difference gs 0 g {PATCH} Q"), ExaminedContent::Part),
        (format!("q /Half gs 1 1 0 rg {PATCH} Q"), ExaminedContent::All),
        (format!("q /Multiply gs 1 1 0 rg {PATCH} Q"), ExaminedContent::All),
        ("q 44 0 0 12 44 97 cm /Faint Do Q".to_owned(), ExaminedContent::All),
        (format!("q /Difference gs 1 g {PATCH} Q"), ExaminedContent::Part),
        // a mask that is not there
        (format!("q /Lost gs 1 g {PATCH} Q"), ExaminedContent::Part),
        ("/Mesh sh".to_owned(), ExaminedContent::Part),
        ("q 44 0 0 12 44 97 cm /Dense Do Q".to_owned(), ExaminedContent::Part),
        (format!("/Pattern cs /Gaps scn {PATCH}"), ExaminedContent::Part),
    ] {
        let metadata = analyzed(&rich(&format!("{LINE} {patch}")));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{patch}: {:?}", metadata.hidden);
        assert_eq!((told(&metadata.hidden.items), metadata.hidden.examined), (vec![], examined), "{patch}");
    }
    // letters in a pattern that goes everywhere, or that has gaps
    for (pattern, examined) in [("Blend", ExaminedContent::All), ("Gaps", ExaminedContent::Part)] {
        let metadata = analyzed(&rich(&format!("/Pattern cs /{pattern} scn {LINE}")));
        assert_eq!((told(&metadata.hidden.items), metadata.hidden.examined), (vec![], examined), "{pattern}");
    }
}

#[test]
fn an_amount_that_cannot_be_seen_is_retyped_where_another_one_stands() {
    let line = |before: &str, after: &str| {
        format!(
            "q BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td {before} (1,250.00) Tj {after} 42 0 Td 0 g (EUR) Tj ET Q {OTHER}"
        )
    };
    for (before, after) in [
        ("3 Tr", "0 Tr"),
        ("7 Tr", "0 Tr"),
        ("1 g", "0 g"),
        ("0.99 g", "0 g"),
        ("1 Tr 1 G 0 w", "0 Tr"),
        ("2 Tr 1 g 1 G", "0 Tr"),
        ("0 Tz", "100 Tz"),
        ("500 Ts", "0 Ts"),
        ("/Nothing gs", "/All gs"),
        ("/Lighten gs", "/All gs"),
        ("/Screen gs", "/All gs"),
        ("/Empty gs", "/All gs"),
        ("/Pattern cs /None scn", "0 g"),
        ("/Tint cs 0 scn", "0 g"),
        ("/F 0.4 Tf", "/F 10 Tf"),
    ] {
        let metadata = analyzed(&rich(&line(before, after)));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{before}: {:?}", metadata.hidden);
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{before}");
    }
    // by a clip and a mask around the old page
    for around in ["0 0 400 200 re 44 97 44 12 re W* n", "/Hole gs"] {
        let metadata = analyzed(&rich(&format!("q {around} {LINE} Q {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{around}: {:?}", metadata.hidden);
        let found = told(&metadata.hidden.items);
        assert!(
            found.iter().any(|(kind, text)| *kind == HiddenKind::Retyped && text.contains("1,250.00")),
            "{found:?}"
        );
    }
}

#[test]
fn text_of_no_layer_in_place_of_text_in_a_layer_that_is_off_is_an_edit() {
    let off = "/OC /Off BDC";
    let other = "BT /F 10 Tf 20 100 Td (Total 9,250.00 EUR) Tj ET";
    let [head, foot] = [140, 60].map(|y| format!("BT /F 10 Tf 20 {y} Td (Invoice 2026-7) Tj ET"));
    for content in [
        // within its line, of which the rest stays
        format!("BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td {off} (1,250.00) Tj EMC ET {foot} {OTHER}"),
        format!("BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td {off} (1,250.00) Tj EMC 0 0 Td (9,250.00) Tj ET"),
        format!("{off} BT /F 10 Tf 46 100 Td (1,250.00) Tj ET EMC BT /F 10 Tf 88 100 Td (EUR) Tj ET {OTHER}"),
        // the complete line, among others
        format!("{head} {off} {LINE} EMC {foot} {other}"),
        format!("{head} {off} /Span BMC {LINE} EMC EMC {foot} {other}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        let integrity = &metadata.integrity;
        assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{content}: {:?}", metadata.hidden);
        assert!(told(&metadata.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into())), "{content}");
        let evidence = &signal(integrity, SignalId::TextRetyped).evidence[0];
        assert_eq!(evidence.place.as_deref(), Some("in a layer that is off"), "{content}");
        assert!(integrity.summary.ends_with("the original text is in a layer that is off."), "{}", integrity.summary);
    }
}

#[test]
fn a_membership_is_off_by_its_policy_or_expression() {
    let resources = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /Properties << /M 36 0 R >>";
    let content = format!(
        "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td /OC /M BDC (1,250.00) Tj EMC ET \
         BT /F 10 Tf 20 60 Td (Thanks) Tj ET {OTHER}"
    );
    for (membership, expected) in [
        ("/OCGs 32 0 R /P /AllOff", Verdict::SignsOfChange),
        ("/VE [/Not 32 0 R]", Verdict::SignsOfChange),
        ("/VE [/And 32 0 R [/Not [/Or 32 0 R]]]", Verdict::SignsOfChange),
        ("/OCGs 32 0 R /P /AllOn", Verdict::NoSigns),
        ("/OCGs 32 0 R /P /AllOff /VE [/Or 32 0 R]", Verdict::NoSigns),
    ] {
        let pdf = described(page("", resources, &content))
            .with(32, "<< /Type /OCG /Name (Notes) >>")
            .with(36, format!("<< /Type /OCMD {membership} >>"))
            .catalog("/OCProperties << /OCGs [32 0 R] /D << /ON [32 0 R] >> >>");
        let found = analyzed(&pdf);
        let is_told = told(&found.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into()));
        assert_eq!(is_told, expected == Verdict::SignsOfChange, "{membership} {:?}", found.hidden);
    }
}

/// Text in layers neither takes away nor adds to what other invisible text shows.
#[test]
fn text_in_layers_leaves_other_invisible_text_as_it_is() {
    let line = "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td 3 Tr (1,250.00) Tj 0 Tr 42 0 Td (EUR) Tj ET";
    let drawing = "BT /F 10 Tf 120 100 Td (A4) Tj ET";
    for layers in [
        format!("/OC /Off BDC {drawing} EMC /OC /On BDC {} EMC", drawing.replace("A4", "B5")),
        format!("/OC /Off BDC {} EMC", drawing.replace("(A4) Tj", &"(A4) Tj 0 0.1 Td ".repeat(2_100))),
    ] {
        let metadata = analyzed(&sheet(&format!("{line} {layers} {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{:?}", metadata.hidden);
        assert!(told(&metadata.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into())));
        assert_eq!(metadata.integrity.examined.content, ExaminedContent::All);
    }
}

#[test]
fn layers_that_offer_versions_of_a_page_are_no_edits() {
    let [off, on] = ["/OC /Off BDC", "/OC /On BDC"];
    let old = format!("{off} BT /F 10 Tf 46 100 Td (1,250.00) Tj ET EMC");
    let label = "BT /F 10 Tf 20 100 Td (Total) Tj ET";
    let line = |y: u32, text: &str| format!("BT /F 10 Tf 20 {y} Td ({text}) Tj ET");
    let pages = |texts: [&str; 4]| {
        let lines = (1_u32..).zip(texts).map(|(row, text)| line(180 - 20 * row, text));
        lines.collect::<Vec<_>>().join(" ")
    };
    let english = pages(["Invoice", "Amount", "Due on Monday", "Thanks"]);
    let german = pages(["Rechnung", "Betrag", "Zahlbar am Montag", "Danke"]);
    let [head, foot] = [line(140, "Page 1"), line(60, "Page 2")];
    for content in [
        // versions that are both in layers, also where a nested layer or a common base is on
        format!("{label} {old} {on} {OTHER} EMC {foot}"),
        format!("{label} {old} {on} /Span BMC {OTHER} EMC EMC {foot}"),
        format!(
            "{head} {off} {} EMC {on} {} EMC {foot} {off} {} EMC {head} {}",
            line(100, "Betrag"),
            line(100, "Amount"),
            line(80, "Rechnung"),
            line(80, "Invoice"),
        ),
        // a translation or recognized text of a page
        format!("{head} {off} {german} EMC {foot} {english}"),
        format!("{off} {} EMC {LINE}", LINE.replace("Total", "Tota1")),
        // the same text
        format!("{label} {old} {foot} {}", OTHER.replace("9,250.00", "1,250.00")),
        format!("{head} {off} {} EMC {foot} {}", line(100, "TOTAL"), line(100, "Total")),
        // a watermark under the text, and one on another line
        format!("{head} {off} BT /F 18 Tf 20 99 Td (DRAFT) Tj ET EMC {foot} {LINE}"),
        format!("{head} {off} BT /F 10 Tf 20 105 Td (DRAFT) Tj ET EMC {foot} {LINE}"),
        // notes across the text, which replace no word of it
        format!("{head} {off} BT /F 10 Tf 52 100 Td (see the sketch of the annex) Tj ET EMC {foot} {LINE}"),
        // a correction laid over the text, and a layer with its own background
        format!("{head} {LINE} {off} {OTHER} EMC {foot}"),
        format!("{label} {off} 1 g {PATCH} {} EMC {foot} {OTHER}", OTHER.replace("9,250.00", "1,250.00")),
        // a template's sample, with what a program filled in later
        format!("{head} {foot} {off} {} EMC {}", line(100, "John Sample"), line(100, "Ann Example")),
        // for printing only
        format!("{head} {off} {} EMC {foot}", line(100, "Uncontrolled copy")),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}: {:?}", metadata.hidden);
        let found = told(&metadata.hidden.items);
        assert!(!found.is_empty(), "{content}");
        assert!(found.iter().all(|(kind, _)| *kind == HiddenKind::HiddenLayer), "{content}: {found:?}");
    }
}

#[test]
fn the_layer_of_a_form_xobject_and_what_annotations_show_are_known() {
    let resources = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 38 0 R >> \
        /Properties << /Off 32 0 R >>";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 200] \
        /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let verdict = |layer: &str, annotation: &str, after: &str| {
        let content = format!(
            "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td /OC /Off BDC (1,250.00) Tj EMC ET \
             BT /F 10 Tf 20 60 Td (Thanks) Tj ET {after}"
        );
        let pdf = described(page("/Annots [40 0 R]", resources, &content))
            .with(32, "<< /Type /OCG /Name (Notes) >>")
            .with(36, "<< /Type /OCG /Name (Drawing) >>")
            .with_stream(38, &format!("{form} {layer}"), OTHER.as_bytes())
            .with(40, format!("<< /Type /Annot /Rect [0 0 400 200] {annotation} >>"))
            .catalog("/OCProperties << /OCGs [32 0 R 36 0 R] /D << /OFF [32 0 R] >> >>");
        analyzed(&pdf).integrity.verdict
    };
    assert_eq!(verdict("", "/Subtype /Link", "/X Do"), Verdict::SignsOfChange);
    assert_eq!(verdict("/OC 36 0 R", "/Subtype /Link", "/X Do"), Verdict::NoSigns);
    assert_eq!(verdict("", "/Subtype /FreeText /AP << /N 38 0 R >>", ""), Verdict::NoSigns);
    assert_eq!(verdict("", "/Subtype /Widget /FT /Tx /V (9,250.00) /AP << /N 38 0 R >>", ""), Verdict::NoSigns);
}

#[test]
fn what_cannot_be_seen_and_says_the_same_or_nothing_was_not_retyped() {
    let marker = "1 g BT /F 10 Tf 20 60 Td (\\\\s1\\\\) Tj ET 0 g BT /F 10 Tf 20 60 Td (Ann Example) Tj ET";
    for content in [
        // the same once more, for programs; a shadow; an outline; a placeholder that a program writes over
        format!("{LINE} 3 Tr {LINE}"),
        format!("q 1 g 1 G 3 w 2 Tr {LINE} Q 0 g {LINE}"),
        format!("{LINE} {marker}"),
        format!("{LINE} 3 Tr BT /F 10 Tf 20 60 Td (Keywords) Tj ET"),
        format!("{LINE} BT /F 10 Tf 120 100 Td (m) Tj 4 Ts /F 6 Tf (2) Tj ET"),
        // a line drawn in strips, of which the first one has the tops of tall letters
        format!("q 0 106 400 20 re W n BT /F 10 Tf 20 100 Td (T) Tj ET Q q 0 90 400 17 re W n {LINE} Q"),
    ] {
        let metadata = analyzed(&rich(&content));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}: {:?}", metadata.hidden);
        let found = told(&metadata.hidden.items);
        assert!(found.iter().all(|(kind, _)| *kind == HiddenKind::Invisible), "{content}: {found:?}");
    }
}

#[test]
fn shapes_upon_a_patch_are_letters_and_a_bar_is_none() {
    let digit = "50 100 m 56 100 l 56 107 l 50 107 l h 52 102 m 54 102 l 54 105 l 52 105 l h f*";
    let digits: String = (0..5).map(|at| format!("q 1 0 0 1 {} 0 cm {digit} Q ", 7 * at)).collect();
    let metadata = analyzed(&rich(&format!("{LINE} 1 g {PATCH} 0 g {digits}")));
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    // through a clip of their outlines
    let clipped = format!("q {} W* n {PATCH} Q", digit.replace("f*", ""));
    let metadata = analyzed(&rich(&format!("{LINE} 1 g {PATCH} 0 g {clipped}")));
    assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{:?}", metadata.hidden);
    let metadata = analyzed(&rich(&format!("{LINE} q 44 0 0 12 44 97 cm /Bar Do Q")));
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
    assert_eq!(metadata.integrity.verdict, Verdict::NoSigns);
}

#[test]
fn words_in_the_color_of_a_bar_are_told_with_their_signs() {
    let metadata = analyzed(&rich(&format!("{LINE} 0 g 20 57 18 11 re f BT /F 10 Tf 20 60 Td (Yes.) Tj ET")));
    assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Invisible, "Yes.".into())]);
}

#[test]
fn words_that_are_clipped_away_are_told() {
    for clip in ["0 0 5 5 re W n", "0 0 m 5 0 l 0 5 l h W n", "0 0 400 200 re 10 90 200 30 re W* n"] {
        let metadata = analyzed(&rich(&format!("q {clip} {LINE} Q")));
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Invisible, "Total 1,250.00 EUR".into())], "{clip}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{clip}");
    }
}

#[test]
fn a_bar_over_a_scan_leaves_the_text_that_was_recognised() {
    let scan = "q 400 0 0 200 0 0 cm /Scan Do Q";
    for content in [
        format!("{scan} 0 g {PATCH} 3 Tr {LINE}"),
        format!("{scan} 3 Tr {LINE} 0 g {PATCH}"),
        format!("{LINE} {scan} 0 g {PATCH}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())], "{content}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}");
    }
}

#[test]
fn viewers_draw_annotations_without_an_appearance() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let noted = |notes: &[&str]| {
        let references: String = (0..notes.len()).map(|at| format!("{} 0 R ", 40 + at)).collect();
        let pdf = described(page(&format!("/Annots [{references}]"), helvetica, LINE));
        let rectangle = "/Type /Annot /Rect [44 97 88 109]";
        let add = |pdf: Pdf, (at, note): (usize, &&str)| pdf.with(40 + at as u32, format!("<< {rectangle} {note} >>"));
        analyzed(&notes.iter().enumerate().fold(pdf, add))
    };
    let covered = [(HiddenKind::Covered, "1,250.00".to_owned())];
    for note in [
        "/Subtype /Highlight /C [0 0 0] /QuadPoints [44 109 88 109 44 97 88 97]",
        "/Subtype /Square /C [0 0 0] /IC [0 0 0]",
        "/Subtype /Line /C [0 0 0] /L [44 103 88 103] /BS << /W 12 >>",
        "/Subtype /Ink /C [0 0 0] /InkList [[50 103 82 103]] /BS << /W 12 >>",
        "/Subtype /Polygon /IC [1 0 0] /Vertices [44 97 88 97 88 109 44 109]",
        "/Subtype /PolyLine /C [0 0 0] /Vertices [44 103 88 103] /Border [0 0 12]",
    ] {
        let metadata = noted(&[note]);
        assert_eq!(told(&metadata.hidden.items), covered, "{note}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{note}");
    }
    for note in [
        "/Subtype /Highlight /C [1 1 0] /QuadPoints [44 109 88 109 44 97 88 97]",
        "/Subtype /Square /C [1 0 0]",
        "/Subtype /Line /C [1 0 0] /L [44 98 88 98]",
        "/Subtype /Link /Border [0 0 1]",
        "/Subtype /Ink /C [0 0 1] /InkList [[44 97 60 109 88 97]]",
        "/Subtype /Square /IC [1 1 1] /CA 0.3",
    ] {
        assert_eq!(told(&noted(&[note]).hidden.items), [], "{note}");
    }
    let text = "/Subtype /FreeText /Contents (9,250.00) /DA (/Helv 10 Tf 0 g)";
    for notes in [
        &["/Subtype /FreeText /Contents (9,250.00) /DA (/Helv 10 Tf 0 g) /C [1 1 1]"][..],
        &["/Subtype /Ink /C [1 1 1] /InkList [[50 103 82 103]] /BS << /W 12 >>", text],
    ] {
        let metadata = noted(notes);
        assert_eq!(told(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{notes:?}");
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{notes:?}");
    }
}

#[test]
fn viewers_draw_fields_without_an_appearance() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let shown = |content: &str, field: &str| {
        let field = format!("<< /Type /Annot /Subtype /Widget /T (Sum) /Rect [44 97 88 109] /F 4 {field} >>");
        let pdf = described(page("/Annots [40 0 R]", helvetica, content));
        let metadata = analyzed(&pdf.with(40, field).catalog("/AcroForm << /Fields [40 0 R] /DA (/Helv 10 Tf 0 g) >>"));
        (told(&metadata.hidden.items), metadata.integrity.verdict)
    };
    let ground = "/MK << /BG [1 1 1] >>";
    let amount = |kind: HiddenKind| vec![(kind, "1,250.00".to_owned())];
    for field in [
        format!("/FT /Tx /V (9,250.00) {ground}"),
        format!("/FT /Tx /V (9,250.00) /DA (/Helv 0 Tf 0 g) {ground}"),
        format!("/FT /Ch /Ff 131072 /V (9,250.00) /Opt [(9,250.00)] {ground}"),
        format!("/FT /Ch /Ff 131072 /V (a) /Opt [[(a) (9,250.00)]] {ground}"),
        format!("/FT /Ch /Opt [(1,250.00) (9,250.00)] /TI 1 {ground}"),
        format!("/FT /Tx /Ff 16777216 /MaxLen 8 /V (9,250.00) {ground}"),
        format!("/FT /Tx /Ff 4096 /V (9,250.00) {ground}"),
        "/FT /Btn /Ff 65536 /MK << /BG [1 1 1] /CA (9,250.00) >>".to_owned(),
    ] {
        assert_eq!(shown(LINE, &field), (amount(HiddenKind::Retyped), Verdict::SignsOfChange), "{field}");
    }
    // another text than an amount, or none: words of a form under its field
    for field in [
        format!("/FT /Tx {ground}"),
        format!("/FT /Tx /V (Ann) {ground}"),
        format!("/FT /Tx /Ff 8192 /V (9,250.00) {ground}"),
        "/FT /Tx /MK << /BC [1 1 1] >> /BS << /W 12 >>".to_owned(),
    ] {
        let (found, verdict) = shown(LINE, &field);
        assert_eq!(found.first().map(|(kind, _)| *kind), Some(HiddenKind::Covered), "{field}");
        assert_eq!(verdict, Verdict::NoSigns, "{field}");
    }
    let dots = LINE.replace("1,250.00 EUR", "................");
    for (content, field) in [
        (LINE, "/FT /Tx".to_owned()),
        (LINE, "/FT /Btn /MK << /CA (4) >>".to_owned()),
        (LINE, "/FT /Tx /MK << /BC [0 0 0] >>".to_owned()),
        (dots.as_str(), format!("/FT /Tx /V (9,250.00) {ground}")),
    ] {
        assert_eq!(shown(content, &field), (Vec::new(), Verdict::NoSigns), "{field}");
    }
}

#[test]
fn runs_of_any_length_that_lie_across_others_were_not_read() {
    for length in [100, 127, 129, 600] {
        let digits = |digit: &str| format!("BT /F 1 Tf 20 100 Td ({}) Tj ET", digit.repeat(length));
        let metadata = analyzed(&sheet(&format!("{} {}", digits("1"), digits("7"))));
        assert_eq!(metadata.hidden.examined, ExaminedContent::Part, "{length}");
    }
}

#[test]
fn letters_stroked_with_gaps_alone_are_not_seen() {
    let stroked = |dashes: &str| format!("BT /F 10 Tf 1 Tr {dashes} d 20 100 Td (Total 1,250.00 EUR) Tj ET");
    assert_eq!(hidden(&stroked("[0 99] 0")), [(HiddenKind::Invisible, "Total 1,250.00 EUR".to_owned())]);
    for dashes in ["[] 0", "[2 1] 0", "[0 0] 0"] {
        assert_eq!(hidden(&stroked(dashes)), [], "{dashes}");
    }
}

#[test]
fn copies_that_nothing_lists_are_an_earlier_state() {
    let all = |amount: &str| {
        format!(
            "BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj ET BT /F 10 Tf 20 150 Td (Invoice 4711 of Example) Tj ET"
        )
    };
    let now = sheet(&all("9,250.00"));
    let file = now.classic();
    let content = samples::texts::CONTENT;
    // the copy stands before the cross-reference, which moves
    let with = |object: &[u8]| {
        let at = samples::pdf::start_of_xref(&file);
        let text = String::from_utf8_lossy(&file[at..])
            .replace(&format!("startxref\n{at}"), &format!("startxref\n{}", at + object.len()));
        [&file[..at], object, text.as_bytes()].concat()
    };
    let object = |number: u32, text: &str| {
        [format!("{number} 0 obj\n").as_bytes(), &samples::pdf::stream("", text.as_bytes()), b"\nendobj\n"].concat()
    };
    let verdict = |file: &[u8]| {
        analyze(&Memory(file.to_vec().into()), &Options::default()).expect("the file opens").integrity.verdict
    };
    assert_eq!(verdict(&with(&object(content, &all("1,250.00")))), Verdict::SignsOfChange);
    for (name, other) in [
        ("the same words", object(content, &all("9,250.00"))),
        ("another number", object(9_000, &all("1,250.00"))),
        ("other words", object(content, "BT /F 10 Tf 20 100 Td (Something else) Tj ET")),
    ] {
        assert_eq!(verdict(&with(&other)), Verdict::NoSigns, "{name}");
    }
    // an attached file has objects of its own
    let attached = now.with_stream(95, "/Type /EmbeddedFile", &object(content, &all("1,250.00")));
    assert_eq!(verdict(&attached.classic()), Verdict::NoSigns);
}

#[test]
fn a_field_that_another_one_replaced_is_an_earlier_state() {
    let field = |name: &str, place: &str, value: &str| {
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T ({name}) /Rect [{place}] /V ({value}) >>")
    };
    let form = |old: String| {
        sheet("BT /F 10 Tf 20 100 Td (Total) Tj ET")
            .catalog("/AcroForm << /Fields [90 0 R] >>")
            .with(90, field("Sum", "60 95 160 110", "9,250.00"))
            .with(91, old)
    };
    for (old, expected) in [
        (field("Sum", "60 95 160 110", "1,250.00"), Verdict::SignsOfChange),
        (field("Sum", "60 95 160 110", ""), Verdict::NoSigns),
        (field("Sum", "60 95 160 110", "9,250.00"), Verdict::NoSigns),
        (field("Other", "60 95 160 110", "1,250.00"), Verdict::NoSigns),
        (field("Sum", "60 55 160 70", "1,250.00"), Verdict::NoSigns),
    ] {
        assert_eq!(analyzed(&form(old.clone())).integrity.verdict, expected, "{old}");
    }
}

#[test]
fn pages_and_content_that_nothing_leads_to_are_an_earlier_state() {
    let line = |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj ET");
    let now = || sheet(&line("9,250.00"));
    let old = line("1,250.00");
    let state = |pdf: &Pdf| {
        let metadata = analyzed(pdf);
        let found = metadata.integrity.signals.iter().find(|signal| signal.id == SignalId::HistoryCut);
        let texts = found.map(|signal| signal.evidence.iter().filter_map(|it| it.before.clone()).collect::<Vec<_>>());
        (metadata.integrity.verdict, texts.unwrap_or_default())
    };
    let left = (Verdict::SignsOfChange, vec!["Total 1,250.00 EUR".to_owned()]);
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 200] \
        /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let page = format!(
        "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents 90 0 R \
         /Resources << /Font << /G << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        samples::pdf::PAGES
    );
    assert_eq!(state(&now().with_stream(90, "", old.as_bytes())), left);
    assert_eq!(state(&now().with_compressed(90, "", old.as_bytes())), left);
    let all = |amount: &str| format!("{} BT /F 10 Tf 20 150 Td (Invoice 4711 of Example) Tj ET", line(amount));
    assert_eq!(state(&sheet(&all("9,250.00")).with_stream(90, form, all("1,250.00").as_bytes())), left);
    let own_font = old.replace("/F", "/G");
    assert_eq!(state(&now().with(91, page.as_str()).with_stream(90, "", own_font.as_bytes())), left);
    // the same words, no words, what something leads to, and what cannot be read
    let none = (Verdict::NoSigns, vec![]);
    assert_eq!(state(&now().with_stream(90, "", line("9,250.00").as_bytes())), none);
    assert_eq!(state(&now().with_stream(90, "", b"BT ET 0 0 9 9 re f")), none);
    let part = form.replace("400 200", "99 20");
    assert_eq!(state(&now().with_stream(90, &part, b"BT /F 10 Tf 20 100 Td (Default) Tj ET")), none);
    let data = |old: &str| now().with_stream(90, form, old.as_bytes()).catalog("/PieceInfo << /X 90 0 R >>");
    assert_eq!(state(&data(&old.replace("1,250.00", "some"))), none);
    // an application's data with nearly the number that the page shows
    assert_eq!(state(&data(&old)), left);
    assert_eq!(state(&now().with_stream(90, "", own_font.as_bytes())), none);
    // a page whose content was drawn on a sheet, without its form field; but not one with other words of its own
    let field =
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (France) /Rect [20 20 99 40] /AP << /N 93 0 R >> >>";
    let imposed = |words: &str| {
        let copied = page.replacen(" /Contents", " /Annots [92 0 R] /Contents", 1);
        let look = b"BT /F 10 Tf 2 2 Td (France) Tj ET";
        now().with(91, copied).with_stream(90, "", words.as_bytes()).with(92, field).with_stream(93, &part, look)
    };
    assert_eq!(state(&imposed(&line("9,250.00").replace("/F", "/G"))), none);
    assert_eq!(state(&imposed(&own_font)), left);
}

/// AES adds a vector and padding: what counts is what was decrypted.
#[test]
fn an_empty_drawing_is_read_completely_unless_it_cannot_be_decrypted() {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]";
    let pdf = drawing(&format!("{LINE} /E Do"), "/XObject << /E 90 0 R >>").with_compressed(90, form, b"");
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        let file = encrypted(&pdf.classic(), cipher, "", "owner");
        let examined = |file: &[u8]| {
            let metadata = analyze(&Memory(file.to_vec().into()), &Options::default()).expect("the file opens");
            metadata.hidden.examined
        };
        assert_eq!(examined(&file), ExaminedContent::All, "{cipher:?}");
        let find = |text: &[u8], from: usize| {
            from + file[from..].windows(text.len()).position(|window| window == text).expect("it is there")
        };
        let start = find(b"stream\n", find(b"\n90 0 obj", 0)) + b"stream\n".len();
        // the vector's first byte, which changes the first one that is decrypted, and the padding
        for at in [start, find(b"endstream", start) - 2] {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            assert_eq!(examined(&damaged), ExaminedContent::Part, "{cipher:?} {at}");
        }
    }
}

/// As CUPS and Poppler extract pages: tags, outlines and names still refer to the others.
#[test]
fn pages_that_something_refers_to_are_an_earlier_state_if_another_one_replaced_them() {
    let page = |lines: [&str; 3]| {
        let [first, second, third] = lines;
        format!("BT /F 10 Tf 20 150 Td ({first}) Tj 0 -20 Td ({second}) Tj 0 -20 Td ({third}) Tj ET")
    };
    let kept = format!(
        "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents 90 0 R \
         /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        samples::pdf::PAGES
    );
    let now = page(["Invoice 4711 of Example", "Total 9,250.00 EUR", "Payable at once"]);
    let with = |old: [&str; 3]| {
        let pdf = sheet(&now).with(91, kept.as_str()).with_stream(90, "", page(old).as_bytes());
        let tags = "/StructTreeRoot << /K << /S /P /Pg 91 0 R >> >>";
        analyzed(&pdf.catalog(tags)).integrity
    };
    let replaced = with(["Invoice 4711 of Example", "Total 1,250.00 EUR", "Payable at once"]);
    assert_eq!(replaced.verdict, Verdict::SignsOfChange);
    assert_eq!(signal(&replaced, SignalId::HistoryCut).evidence[0].before.as_deref(), Some("Total 1,250.00 EUR"));
    // in another layout
    let elsewhere = with(["Payable at once", "Total 1,250.00 EUR", "Invoice 4711 of Example"]);
    assert_eq!(elsewhere.verdict, Verdict::SignsOfChange);
    for other in [
        ["Terms of delivery", "Goods remain ours", "until they are paid for"],
        // another page of the same kind
        ["Invoice 4712 of Example", "Total 1,250.00 EUR", "Payable at once"],
    ] {
        let left = with(other);
        assert_eq!(left.verdict, Verdict::NoSigns, "{other:?}: {:?}", ids(&left));
    }
}

/// Flattening leaves the marks of buttons, whose fonts have signs for letters.
#[test]
fn a_mark_that_nothing_leads_to_is_no_earlier_state() {
    let drawing = |text: &str| {
        let form = "/Type /XObject /Subtype /Form /BBox [0 0 14 14] \
            /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> >> >>";
        let content = format!("BT /F 14 Tf 2 2 Td ({text}) Tj ET");
        analyzed(&sheet(LINE).with_stream(90, form, content.as_bytes())).integrity
    };
    assert_eq!(drawing("3").verdict, Verdict::NoSigns);
}

/// A file of this many pages, the first one with this content and the others with their numbers.
fn book(first: &str, pages: u32) -> Pdf {
    let mut pdf = described(Pdf::new(pages)).with(FREE, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    for number in 0..pages {
        let page = format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents {} 0 R \
             /Resources << /Font << /F {FREE} 0 R >> >> >>",
            samples::pdf::PAGES,
            200 + number
        );
        let content = format!("BT /F 10 Tf 20 150 Td (Chapter {number}) Tj ET");
        let content = if number == 0 { first } else { &content };
        pdf = pdf.with(samples::pdf::FIRST_PAGE + number, page).with_stream(200 + number, "", content.as_bytes());
    }
    pdf
}

fn earlier_state(file: &[u8]) -> Vec<String> {
    let metadata = analyze(&Memory(file.to_vec().into()), &Options::default()).expect("the file opens");
    let found = metadata.integrity.signals.iter().find(|signal| signal.id == SignalId::HistoryCut);
    assert_eq!(found.is_some(), metadata.integrity.verdict == Verdict::SignsOfChange);
    let ranged = analyze(&Remote(file), &Options::default()).expect("the file opens");
    assert_eq!(serde_json::to_value(&ranged).ok(), serde_json::to_value(&metadata).ok());
    found.map(|found| found.evidence.iter().filter_map(|it| it.before.clone()).collect()).unwrap_or_default()
}

#[test]
fn earlier_content_is_found_in_files_of_any_kind() {
    let line = |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj 0 20 Td (Invoice 4711) Tj ET");
    let (now, old) = (line("9,250.00"), line("1,250.00"));
    let left = |content: &str| content.as_bytes().to_vec();
    // of many pages, with a large picture, among many other streams, of many objects, behind much paint
    let long = book(&now, 40);
    let pictured = sheet(&now).with_stream(300, "/Type /XObject /Subtype /Image", &vec![b'x'; 5 << 20]);
    let mut crowded = sheet(&now);
    for number in 300..400 {
        crowded.set(number, "<< /Length 1 >>");
        crowded = crowded.with_stream(number, "", format!("BT (x) Tj ET % {number}").as_bytes());
    }
    let mut many = sheet(&now);
    for number in 1_000..22_000 {
        many.set(number, "null");
    }
    let painted = "0 0 1 1 re f ".repeat(30 << 10);
    for (name, pdf, before) in [
        ("long", long, ""),
        ("pictured", pictured, ""),
        ("crowded", crowded, ""),
        ("many", many, ""),
        ("painted", sheet(&now), painted.as_str()),
    ] {
        let with = |content: &str| pdf.clone().with_stream(90, "", &left(&format!("{before}{content}"))).classic();
        assert_eq!(earlier_state(&with(&old)), ["Total 1,250.00 EUR"], "{name}");
        assert_eq!(earlier_state(&with(&now)), [""; 0], "{name}");
    }
    // a page that was taken out of a long file
    let page = format!(
        "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents 90 0 R \
         /Resources << /Font << /F {FREE} 0 R >> >> >>",
        samples::pdf::PAGES
    );
    let with = |content: &str| book(&now, 40).with(91, page.as_str()).with_stream(90, "", &left(content)).classic();
    assert_eq!(earlier_state(&with(&old)), ["Total 1,250.00 EUR"]);
    assert_eq!(earlier_state(&with("BT /F 10 Tf 20 100 Td (Chapter 30) Tj ET")), [""; 0]);
    // and before a file was saved again
    let update = |content: &str| {
        let file = sheet(&now).with_stream(90, "", &left(content)).classic();
        Pdf::changes().with(samples::pdf::FIRST_PAGE + 5_000, "<< /Other 1 >>").update(file)
    };
    assert_eq!(earlier_state(&update(&old)), ["Total 1,250.00 EUR"]);
    assert_eq!(earlier_state(&update(&now)), [""; 0]);
}

#[test]
fn earlier_content_is_found_alike_in_memory_and_from_ranges() {
    let line = |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj ET");
    let (now, old) = (line("9,250.00"), line("1,250.00"));
    let blank = vec![b' '; 100 << 10];
    for (streams, expected) in [(15, &["Total 1,250.00 EUR"][..]), (30, &[])] {
        // three megabytes of streams that may be text are more than a search reads
        let mut pdf = book(&now, 40).with_stream(90, "", old.as_bytes());
        for number in 300..300 + streams {
            pdf = pdf.with_stream(number, "", &blank);
        }
        assert_eq!(earlier_state(&pdf.classic()), expected, "{streams}");
    }
    // an earlier copy that no cross-reference lists, behind a large stream
    let file = book(&now, 40).with_stream(300, "", &vec![b' '; 5 << 20]).classic();
    let copy = format!("200 0 obj\n<< /Length {} >>\nstream\n{old}\nendstream\nendobj\n", old.len());
    let at = memchr::memmem::rfind(&file, b"xref\n0 ").expect("a cross-reference table");
    let end = memchr::memmem::rfind(&file, b"startxref").expect("a trailer");
    let trailer = format!("startxref\n{}\n%%EOF\n", at + copy.len());
    let file = [&file[..at], copy.as_bytes(), &file[at..end], trailer.as_bytes()];
    assert_eq!(earlier_state(&file.concat()), ["Total 1,250.00 EUR"]);
}

#[test]
fn earlier_words_count_by_their_lines_and_places() {
    let all = |[one, two, three, four]: [&str; 4]| {
        format!(
            "BT /F 10 Tf 20 150 Td ({one} pays {two}) Tj ET BT /F 10 Tf 20 100 Td (Total {three} EUR) Tj ET \
             BT /F 10 Tf 20 60 Td (Term {four} years) Tj ET"
        )
    };
    let now = ["Ann", "Bob", "2,345.00", "5"];
    for (old, expected) in [
        (["Bob", "Ann", "2,345.00", "5"], "Bob pays Ann"),
        (["Ann", "Bob", "234,500", "5"], "Total 234,500 EUR"),
        (["Ann", "Bob", "2,345.00", "9"], "Term 9 years"),
    ] {
        let file = sheet(&all(now)).with_stream(90, "", all(old).as_bytes()).classic();
        assert_eq!(earlier_state(&file), [expected]);
    }
    // the same lines elsewhere, and parts of them in their places
    let moved = all(now).replace("20 150 Td", "60 170 Td");
    let file = sheet(&all(now)).with_stream(90, "", moved.as_bytes()).classic();
    assert_eq!(earlier_state(&file), [""; 0]);
    let file = sheet(&all(now)).with_stream(90, "", b"BT /F 10 Tf 20 100 Td (Total) Tj ET").classic();
    assert_eq!(earlier_state(&file), [""; 0]);
    // words in streams of their own
    let piece = |place: &str, words: &str| format!("BT /F 10 Tf {place} Td ({words}) Tj ET");
    let rows = |[one, two]: [&str; 2]| {
        [("20 150", "Deposit"), ("90 150", one), ("20 130", "Total"), ("90 130", two)].map(|(at, text)| piece(at, text))
    };
    for (old, expected) in [(["1,250.00", "9,250.00"], &["1,250.00 9,250.00"][..]), (["9,250.00", "1,250.00"], &[])] {
        let mut pdf = sheet(&rows(["9,250.00", "1,250.00"]).join(" "));
        for (number, piece) in (90..).zip(rows(old)) {
            pdf = pdf.with_stream(number, "", piece.as_bytes());
        }
        assert_eq!(earlier_state(&pdf.classic()), expected);
    }
    // where something of the page is unknown, another text must be in their place
    let stamp = "/Annots [<< /Type /Annot /Subtype /Stamp /Rect [20 50 99 70] >>] /Contents";
    let part = |content: &str| {
        let page = format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] {stamp} {} 0 R {HELVETICA} >>",
            samples::pdf::PAGES,
            samples::texts::CONTENT
        );
        sheet(&all(now)).with(samples::pdf::FIRST_PAGE, page).with_stream(90, "", content.as_bytes()).classic()
    };
    assert_eq!(earlier_state(&part(&all(["Ann", "Bob", "9,345.00", "5"]))), ["Total 9,345.00 EUR"]);
    assert_eq!(earlier_state(&part("BT /F 10 Tf 20 20 Td (Perhaps shown) Tj ET")), [""; 0]);
}

#[test]
fn drawings_that_no_page_paints_are_an_earlier_state() {
    let line = |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj 0 20 Td (Invoice 4711) Tj ET");
    let (now, old) = (line("9,250.00"), line("1,250.00"));
    let pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 400 200] /XStep 400 /YStep 200 /Resources << >>";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 200]";
    let with = |resources: &str, entries: &str, content: &str| {
        let page = format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents {} 0 R /Resources << {resources} \
             /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            samples::pdf::PAGES,
            samples::texts::CONTENT
        );
        sheet(&now).with(samples::pdf::FIRST_PAGE, page).with_stream(90, entries, content.as_bytes()).classic()
    };
    let mask = "/ExtGState << /G << /SMask << /S /Luminosity /G 90 0 R >> >> >>";
    for (resources, entries) in
        [("/Pattern << /P 90 0 R >>", pattern), ("/XObject << /X 90 0 R >>", form), (mask, form)]
    {
        assert_eq!(earlier_state(&with(resources, entries, &old)), ["Total 1,250.00 EUR"], "{resources}");
        assert_eq!(earlier_state(&with(resources, entries, &now)), [""; 0], "{resources}");
        let other = "BT /F 10 Tf 20 20 Td (Draft of the invoice) Tj ET";
        assert_eq!(earlier_state(&with(resources, entries, other)), [""; 0], "{resources}");
    }
    // a form as large as a page is its earlier content, the variable text of a field is not
    let form = format!("{form} {HELVETICA}");
    let form_left = |entries: &str, content: &str| sheet(&now).with_stream(90, entries, content.as_bytes()).classic();
    assert_eq!(earlier_state(&form_left(&form, "BT /F 10 Tf 20 100 Td (Other words) Tj ET")), ["Other words"]);
    let list = "/Tx BMC BT /F 10 Tf 2 20 Td (Total) Tj 0 -9 Td (Invoice) Tj 0 -9 Td (Books) Tj ET EMC";
    assert_eq!(earlier_state(&form_left(&form.replace("400 200", "99 40"), list)), [""; 0]);
}

const HELVETICA: &str = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";

/// A page with these annotations.
fn annotated(content: &str, annotations: &str) -> Pdf {
    let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    described(page(&format!("/Annots [{annotations}]"), font, content)).with_stream(
        61,
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 100 16] {HELVETICA}"),
        b"BT /F 10 Tf 2 4 Td (1,250.00) Tj ET",
    )
}

#[test]
fn a_stamp_that_no_page_shows_is_a_sign_of_change() {
    let stamp = |entries: &str| {
        let stamp = format!("<< /Type /Annot /Subtype /Stamp /Contents (REJECTED) {entries} >>");
        let look = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 16] {HELVETICA}");
        annotated(LINE, "60 0 R")
            .with(60, stamp)
            .with_stream(62, &look, b"BT /F 10 Tf 2 4 Td (REJECTED) Tj ET")
            .with_stream(63, &look, b"q Q")
    };
    for (name, entries, expected) in [
        ("shown", "/F 4 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("hidden", "/F 2 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        ("not viewed", "/F 32 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        ("printed only", "/F 36 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("emptied", "/F 4 /Rect [20 20 120 36] /AP << /N 63 0 R >>", Verdict::SignsOfChange),
        ("shrunk", "/F 4 /Rect [20 20 20 20] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        // drawn by viewers, and placed for a larger page
        ("no appearance", "/F 4 /Rect [20 20 120 36]", Verdict::NoSigns),
        ("partly", "/F 4 /Rect [390 20 490 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("beside the page", "/F 4 /Rect [2000 20 2120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
    ] {
        let integrity = analyzed(&stamp(entries)).integrity;
        assert_eq!(integrity.verdict, expected, "{name}");
        if expected == Verdict::SignsOfChange {
            let evidence = &signal(&integrity, SignalId::TextInvisible).evidence;
            assert!(evidence.iter().all(|evidence| evidence.before.as_deref() == Some("REJECTED")), "{name}");
        }
    }
    // its words are on the page
    let flattened = "BT /F 10 Tf 20 24 Td (REJECTED) Tj ET";
    let kept = "<< /Type /Annot /Subtype /Stamp /Contents (REJECTED) /F 2 /Rect [20 20 120 36] >>";
    assert_eq!(analyzed(&annotated(flattened, "60 0 R").with(60, kept)).integrity.verdict, Verdict::NoSigns);
}

#[test]
fn a_field_whose_place_shows_another_value_is_a_sign_of_change() {
    let form = |shown: &str, value: &str, entries: &str, annotations: &str| {
        let content = format!("BT /F 10 Tf 20 100 Td (Total) Tj ET BT /F 10 Tf 62 99 Td ({shown}) Tj ET");
        let field = format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /V ({value}) {entries} >>");
        annotated(&content, annotations).catalog("/AcroForm << /Fields [60 0 R] >>").with(60, field)
    };
    let place = "/Rect [60 95 160 111]";
    let look = "/AP << /N 61 0 R >>";
    for (name, shown, value, entries, annotations, expected) in [
        ("hidden", "9,250.00", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::SignsOfChange),
        ("unlisted", "9,250.00", "1,250.00", format!("{place} {look} /F 4"), "", Verdict::SignsOfChange),
        ("moved", "9,250.00", "1,250.00", format!("/Rect [2000 95 2100 111] {look}"), "60 0 R", Verdict::SignsOfChange),
        // flattened honestly
        ("the same", "1,250.00", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("formatted", "1,250.00", "1250", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("another order", "05.01.2025", "2025-01-05", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("a label", "Total", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
    ] {
        let integrity = analyzed(&form(shown, value, &entries, annotations)).integrity;
        assert_eq!(integrity.verdict, expected, "{name}");
        if expected == Verdict::SignsOfChange {
            let [evidence] = &signal(&integrity, SignalId::TextRetyped).evidence[..] else { panic!("{name}") };
            let words = (evidence.before.as_deref(), evidence.after.as_deref());
            assert_eq!(words, (Some("1,250.00"), Some("9,250.00")), "{name}");
        }
    }
}

#[test]
fn a_signatures_appearance_without_a_signature_is_a_sign_of_change() {
    let look = |text: &str| {
        let field = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /F 4 /Rect [20 20 220 36] /AP << /N 62 0 R >> >>";
        let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 200 16] {HELVETICA}");
        let content = format!("BT /F 10 Tf 2 4 Td ({text}) Tj ET");
        let pdf = annotated(LINE, "60 0 R").catalog("/AcroForm << /Fields [60 0 R] >>").with(60, field);
        analyzed(&pdf.with_stream(62, &form, content.as_bytes())).integrity
    };
    let signed = look("Digitally signed by A. Date: 2026-11-27 06:57:21");
    assert_eq!((signed.verdict, &signed.because[..]), (Verdict::SignsOfChange, &[SignalId::SignatureRemoved][..]));
    assert_eq!(look("Sign here").verdict, Verdict::NoSigns);
}

#[test]
fn pages_that_viewers_do_not_show_are_an_earlier_state() {
    let page = |entries: &str, parent: u32| {
        format!("<< /Type /Page /Parent {parent} 0 R {entries} /Contents 90 0 R {HELVETICA} >>")
    };
    let old = |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj ET");
    let state = |amount: &str| {
        let pdf = sheet(&old("9,250.00")).with(91, page("/MediaBox [0 0 400 200]", samples::pdf::PAGES));
        let pdf = pdf.with_stream(90, "", old(amount).as_bytes());
        analyzed(&pdf.catalog("/Names << /Templates << /Names [(T) 91 0 R] >> >>")).integrity
    };
    let found = state("1,250.00");
    assert_eq!((found.verdict, &found.because[..]), (Verdict::SignsOfChange, &[SignalId::HistoryCut][..]));
    assert_eq!(state("9,250.00").verdict, Verdict::NoSigns);
}

#[test]
fn a_hidden_number_of_which_the_page_shows_a_near_copy_was_replaced() {
    let verdict = |content: &str| analyzed(&sheet(content)).integrity.verdict;
    let tiny = |number: &str| format!("q 0.05 0 0 0.05 300 20 cm BT /F 10 Tf ({number}) Tj ET Q");
    assert_eq!(verdict(&format!("{OTHER} {}", tiny("1,250.00"))), Verdict::SignsOfChange);
    assert_eq!(verdict(&format!("{LINE} {OTHER} {}", tiny("1,250.00"))), Verdict::NoSigns);
    assert_eq!(verdict(&format!("{OTHER} {}", tiny("12"))), Verdict::NoSigns);
    // pale, with another number in its place
    let pale = |color: &str| format!("{color} rg BT /F 10 Tf 46 100 Td (1,250.00) Tj ET {OTHER}");
    assert_eq!(verdict(&pale("0.95 0.96 0.99")), Verdict::SignsOfChange);
    assert_eq!(verdict(&pale("0.5 0.5 0.5")), Verdict::NoSigns);
}
