//! Text that other text or paint replaces on a page, and what looks like it.

use engine::{ExaminedContent, HiddenKind, SignalId, Verdict};
use samples::pdf::Pdf;
use samples::texts::{drawing, page};

use super::{LINE, OTHER, PATCH, RESOURCES, analyzed, described, hidden, reported, rich, sheet};
use crate::support::signal;

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
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Covered, "Total 1,250.00 EUR".into())], "{patch}");
        let integrity = &metadata.integrity;
        assert_eq!((integrity.verdict, &integrity.because[..]), (Verdict::SignsOfChange, &[SignalId::TextCovered][..]));
        assert_eq!(
            integrity.summary,
            "On page 1, the line 'Total 1,250.00 EUR' is not shown: a white area covers the original text."
        );
        let [evidence] = &signal(integrity, SignalId::TextCovered).evidence[..] else { panic!("one place") };
        assert_eq!((evidence.before.as_deref(), evidence.after.as_deref()), (Some("Total 1,250.00 EUR"), None));
    }
    // a long line, at whose ends a patch may be wider
    let long = "BT /F 10 Tf 40 100 Td (Payable within thirty days to the account that is stated above.) Tj ET";
    let metadata = analyzed(&sheet(&format!("{long} {other} 1 g 16 97 316 12 re f")));
    assert_eq!(metadata.integrity.because, [SignalId::TextCovered]);
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
    assert_eq!(reported(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
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
        assert_eq!(reported(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{state}");
    }
}

#[test]
fn modes_and_masks_that_do_not_exist_change_nothing() {
    for state in ["/BM /Unheard", "/BM [/Unheard /Normal]", "/SMask /Unheard"] {
        let pdf = with_objects(&format!("{LINE} /G gs 1 g {PATCH} {OTHER}"), &[(50, &format!("<< {state} >>"), "")]);
        assert_eq!(reported(&analyzed(&pdf).hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{state}");
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
        let found = reported(&metadata.hidden.items);
        assert!(found.contains(&(HiddenKind::Retyped, "1,250.00".into())), "{over}: {found:?}");
    }
    // a page that is covered and painted again
    let again = format!("{LINE} 1 g 0 0 400 200 re f 0 g {LINE}");
    assert_eq!(hidden(&again), []);
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
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
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
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    // a field shows its value over whatever the form has there, but not over another value
    let metadata = notes("/Subtype /Widget /FT /Tx /V (9,250.00)", look);
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    let metadata = notes("/Subtype /Widget /FT /Tx /V (Ann)", &look.replace("9,250.00", "Ann"));
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
    assert_ne!(metadata.integrity.verdict, Verdict::SignsOfChange);
    // one that is hidden covers nothing
    let metadata = notes("/Subtype /FreeText /F 2", look);
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Invisible, "9,250.00".into())]);
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
fn shapes_upon_a_patch_are_letters_and_a_bar_is_none() {
    let digit = "50 100 m 56 100 l 56 107 l 50 107 l h 52 102 m 54 102 l 54 105 l 52 105 l h f*";
    let digits: String = (0..5).map(|at| format!("q 1 0 0 1 {} 0 cm {digit} Q ", 7 * at)).collect();
    let metadata = analyzed(&rich(&format!("{LINE} 1 g {PATCH} 0 g {digits}")));
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
    // a digit of stroked lines on a patch over one digit, and the frame of a patch
    let one = "1 g 44.5 98 6.5 10 re f";
    let stroked = "0 G 1.4 w 46 100 m 50 100 l 50 107 l 46 107 l 46 103.5 l 50 103.5 l S";
    for pen in ["0 J", "1 J 1 j", "2 J 2 j"] {
        let metadata = analyzed(&rich(&format!("{LINE} {one} {pen} {stroked}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{pen}: {:?}", metadata.hidden);
    }
    for honest in [
        // on an area of another color: lines of a drawing, a frame, a straight line
        format!("{LINE} 0.8 1 0.8 rg {PATCH} {stroked}"),
        format!("{LINE} 0.8 1 0.8 rg {PATCH} 0 G 1 w 44 97 44 12 re S"),
        format!("{LINE} 0.8 1 0.8 rg {PATCH} 0 G 1 w 46 99 m 46 107 l S"),
    ] {
        assert_eq!(analyzed(&rich(&honest)).integrity.verdict, Verdict::NoSigns, "{honest}");
    }
    // through a clip of their outlines
    let clipped = format!("q {} W* n {PATCH} Q", digit.replace("f*", ""));
    let metadata = analyzed(&rich(&format!("{LINE} 1 g {PATCH} 0 g {clipped}")));
    assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{:?}", metadata.hidden);
    let metadata = analyzed(&rich(&format!("{LINE} q 44 0 0 12 44 97 cm /Bar Do Q")));
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
    assert_eq!(metadata.integrity.verdict, Verdict::NoSigns);
}

#[test]
fn a_hidden_number_of_which_the_page_shows_a_near_copy_was_replaced() {
    let verdict = |content: &str| analyzed(&sheet(content)).integrity.verdict;
    let tiny = |number: &str| format!("q 0.05 0 0 0.05 300 20 cm BT /F 10 Tf ({number}) Tj ET Q");
    assert_eq!(verdict(&format!("{OTHER} {}", tiny("1,250.00"))), Verdict::SignsOfChange);
    assert_eq!(verdict(&format!("{LINE} {OTHER} {}", tiny("1,250.00"))), Verdict::NoSigns);
    assert_eq!(verdict(&format!("{OTHER} {}", tiny("12"))), Verdict::NoSigns);
    // the rows of a table that continues on other pages, of which the edge of the page cuts off one
    let at = |y: u32, number: &str| format!("BT /F 10 Tf 300 {y} Td ({number}) Tj ET");
    let rows: String = (0..40).map(|row| at(215 + 14 * row, &format!("{}.50", 2_000 + row))).collect();
    assert_eq!(verdict(&format!("{OTHER} {} {rows}", at(201, "1,250.00"))), Verdict::NoSigns);
    assert_eq!(verdict(&format!("{OTHER} q 0 0 9 9 re W n {} Q {rows}", at(150, "1,250.00"))), Verdict::SignsOfChange);
    // in a note off the page
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 44 12] /Resources << {helvetica} >>");
    let note = "<< /Type /Annot /Subtype /Stamp /Rect [900 900 944 912] /AP << /N 41 0 R >> >>";
    let pdf = described(page("/Annots [40 0 R]", helvetica, OTHER).with(40, note));
    let pdf = pdf.with_stream(41, &form, b"BT /F 10 Tf 2 3 Td (1,250.00) Tj ET");
    assert_eq!(analyzed(&pdf).integrity.verdict, Verdict::SignsOfChange);
    // pale, with another number in its place
    let pale = |color: &str| format!("{color} rg BT /F 10 Tf 46 100 Td (1,250.00) Tj ET {OTHER}");
    assert_eq!(verdict(&pale("0.95 0.96 0.99")), Verdict::SignsOfChange);
    assert_eq!(verdict(&pale("0.5 0.5 0.5")), Verdict::NoSigns);
}

#[test]
fn words_are_replaced_however_neatly_the_patch_was_cut() {
    let verdict = |content: &str| analyzed(&sheet(content)).integrity.verdict;
    // from within the word before, and the new words a little apart
    let amount =
        |left: f64, now: &str| format!("{LINE} 1 g 38 97 47 12 re f 0 g BT /F 10 Tf {left} 100 Td ({now}) Tj ET");
    for (left, now) in
        [(45.0, "9,250.00"), (47.0, "9,250.00"), (52.0, "9,250.00"), (47.0, "98,765.00"), (47.0, "EUR 98,765.00")]
    {
        assert_eq!(verdict(&amount(left, now)), Verdict::SignsOfChange, "{left} {now}");
    }
    let name = |left: f64, now: &str| {
        format!(
            "BT /F 10 Tf 20 100 Td (Pay to Alice Miller today) Tj ET 1 g 45 97 55 12 re f \
             0 g BT /F 10 Tf {left} 100 Td ({now}) Tj ET"
        )
    };
    assert_eq!(verdict(&name(51.2, "Mallory")), Verdict::SignsOfChange);
    // the next cell has words of its own, at its own place
    let cell = |text: &str, now: &str| {
        format!("BT /F 10 Tf 20 100 Td ({text}) Tj ET 1 g 90 97 60 12 re f 0 g BT /F 10 Tf 93 100 Td ({now}) Tj ET")
    };
    for (text, now) in [
        ("Consulting services of 2026 for the extended project", "12.50"),
        ("Consulting services for the extended project", "Berlin"),
        // labels of a diagram over each other, each on its ground
        ("Observation of item 9 6", "Item 11 33"),
    ] {
        assert_eq!(verdict(&cell(text, now)), Verdict::NoSigns, "{text} {now}");
    }
}

#[test]
fn a_push_button_over_a_number_hides_it_whatever_its_caption() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 44 12] /Resources << {helvetica} >>");
    let pressed = |flags: &str, content: &str, caption: &str| {
        let widget = "<< /Type /Annot /Subtype /Widget /Rect [44 97 88 109] /Parent 42 0 R /AP << /N 41 0 R >> >>";
        let field = format!("<< /FT /Btn /T (Send) {flags} /Kids [40 0 R] >>");
        let border = "0 0 m 0 12 l 44 12 l 43 11 l 1 11 l 1 1 l f 0.5 g 0 0 m 1 1 l 43 1 l 43 11 l 44 12 l 44 0 l f";
        let look = format!("1 g 0 0 44 12 re f {border} 0 g BT {caption} Tj ET");
        let pdf = described(page("/Annots [40 0 R]", helvetica, content)).with(40, widget).with(42, field);
        analyzed(&pdf.with_stream(41, &form, look.as_bytes())).integrity.verdict
    };
    let push = "/Ff 65536";
    for caption in ["/F 2 Tf 20 5 Td (9,250.00)", "/F 8 Tf 4 3 Td (Paid)"] {
        assert_eq!(pressed(push, LINE, caption), Verdict::SignsOfChange, "{caption}");
    }
    let words = "BT /F 10 Tf 20 100 Td (Press here to send it) Tj ET";
    assert_eq!(pressed(push, words, "/F 8 Tf 4 3 Td (Send)"), Verdict::NoSigns);
    assert_eq!(pressed("", LINE, "/F 2 Tf 20 5 Td (9,250.00)"), Verdict::NoSigns);
}

#[test]
fn a_picture_and_pictures_through_outlines_over_it_may_show_the_same_text() {
    let image = "/Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let analyzed = |content: &str| analyzed(&with_objects(content, &[(40, image, "xy")]));
    let picture = "q 44 0 0 12 44 97 cm /X Do Q";
    let outlined = "q 46 99 m 84 99 l 84 107 l 65 103 l 46 107 l h W n 44 0 0 12 44 97 cm /X Do Q";
    let metadata = analyzed(&format!("{LINE} {picture} {outlined}"));
    assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{:?}", metadata.hidden);
    assert_eq!(metadata.hidden.examined, ExaminedContent::Part);
    for forged in [picture.to_owned(), format!("{picture} {outlined} {OTHER}")] {
        assert_eq!(analyzed(&format!("{LINE} {forged}")).integrity.verdict, Verdict::SignsOfChange, "{forged}");
    }
}

#[test]
fn layers_of_a_text_that_differ_in_hyphens_have_the_same_text() {
    let verdict = |hidden: &str, shown: &str| {
        let text = |text: &str| format!("BT /F 10 Tf 20 100 Td ({text}) Tj ET");
        analyzed(&sheet(&format!("q 3 Tr {} Q {}", text(hidden), text(shown)))).integrity.verdict
    };
    assert_eq!(verdict("They used MIB 1 there", "They used MIB-1 there"), Verdict::NoSigns);
    for (hidden, shown) in
        [("Total -5 EUR", "Total 5 EUR"), ("Total 12.50 EUR", "Total 1250 EUR"), ("Item B 1", "Item B 7")]
    {
        assert_eq!(verdict(hidden, shown), Verdict::SignsOfChange, "{hidden} {shown}");
    }
}
