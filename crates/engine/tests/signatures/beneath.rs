//! New appearances over and beside signed content: the words of fields and notes, letters drawn as paint, and words that an
//! appearance hid when the file was signed. Each attack has its honest counterpart at the same place.

use engine::Verdict;
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing, field_number};

use crate::support::metadata;

const CONTENT: u32 = 500;
const FIELD: u32 = 510;
const LOOK: u32 = 511;
const BUTTON: u32 = 520;
const ON: u32 = 521;
const NOTE: u32 = 530;
const WORDS: u32 = 531;
const NEW: u32 = 900;

const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const CHANGED: Verdict = Verdict::ChangedSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;

const FONT: &str = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";

fn look(width: u32, height: u32, content: &str) -> Vec<u8> {
    let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 {width} {height}] {FONT}");
    stream(&entries, content.as_bytes())
}

fn page(annotations: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R {FONT} \
         /Annots [{FIELD} 0 R {BUTTON} 0 R {NOTE} 0 R {annotations}] >>"
    )
}

fn field(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /F 4 /Rect [72 600 172 620] {entries} >>")
}

fn button(place: &str, state: &str) -> String {
    let looks = format!("/AP << /N << /Yes {ON} 0 R /Off {} 0 R >> >>", ON + 1);
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agree) /F 4 /Rect [{place}] /V /{state} /AS /{state} {looks} >>"
    )
}

/// A form with a filled field, a button that is off and a note, and these objects instead.
fn form(others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(""))
        .with_stream(
            CONTENT,
            "",
            b"BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET BT /F 90 Tf 0.7 0.7 -0.7 0.7 420 30 Tm (COPY) Tj ET",
        )
        .with(FIELD, field(&format!("/V (1,250.00) /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(100, 20, "BT /F 10 Tf 2 6 Td (1,250.00) Tj ET"))
        .with(BUTTON, button("300 600 314 614", "Off"))
        .with(ON, look(14, 14, "1 w 2 2 m 12 12 l 12 2 m 2 12 l S"))
        .with(ON + 1, look(14, 14, ""))
        .with(
            NOTE,
            format!("<< /Type /Annot /Subtype /FreeText /F 4 /Rect [72 500 172 520] /AP << /N {WORDS} 0 R >> >>"),
        )
        .with(WORDS, look(100, 20, "BT /F 10 Tf 2 6 Td (Limit 500) Tj ET"));
    let mut document = SignedPdf::new(&others(pdf));
    document.fields = format!("{FIELD} 0 R {BUTTON} 0 R");
    document
}

fn certified(level: u8) -> Signing {
    Signing::by(Key::Ed25519).certifying(level)
}

fn verdict(file: &[u8]) -> (Verdict, String) {
    let found = metadata(file).integrity;
    (found.verdict, format!("{}: {:#?}", found.summary, found.signals))
}

/// The file signed again, with an appearance in this rectangle.
fn countersigned(signed: SignedPdf, [left, bottom, right, top]: [u32; 4], appearance: Vec<u8>) -> Vec<u8> {
    let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("{} 0 R", field_number(1)))).with(NEW, appearance);
    let signing =
        Signing { rectangle: [left, bottom, right, top], changes, ..Signing::by(Key::Ed25519).field("Second") };
    let field_entries = format!("/P {FIRST_PAGE} 0 R /AP << /N {NEW} 0 R >>");
    signed.signed(&Signing { field_entries, ..signing }).file
}

#[test]
fn the_words_of_fields_and_notes_are_signed_words() {
    let cover = "1 g 0 0 100 20 re f";
    let digit = "1 g 2 4 5.5 10 re f 0 g BT /F 10 Tf 2 6 Td (9) Tj ET";
    for (place, content, expected) in [
        ([72, 600, 172, 620], cover, CHANGED),
        ([72, 600, 172, 620], digit, CHANGED),
        ([72, 500, 172, 520], cover, CHANGED),
        // beside both
        ([72, 400, 172, 420], cover, PERMITTED),
        ([180, 600, 280, 620], cover, PERMITTED),
        // right before the value, as if it belonged to it
        ([66, 600, 166, 620], "BT /F 10 Tf 2 6 Td (9) Tj ET", UNKNOWN),
        ([190, 600, 290, 620], "BT /F 10 Tf 2 6 Td (9) Tj ET", PERMITTED),
    ] {
        let signed = form(|pdf| pdf).signed(&certified(2));
        let (found, summary) = verdict(&countersigned(signed, place, look(100, 20, content)));
        assert_eq!(found, expected, "{place:?} {content} {summary}");
    }
}

#[test]
fn notes_hide_no_values_and_notes_only_where_these_may_go() {
    for (place, entries, expected) in [
        ("72 600 172 620", "/IC [1 1 1]", CHANGED),
        ("72 500 172 520", "/IC [1 1 1]", UNKNOWN),
        ("72 400 172 420", "/IC [1 1 1]", PERMITTED),
        ("72 500 172 520", "/C [1 0 0]", PERMITTED),
    ] {
        let note = format!("<< /Type /Annot /Subtype /Square /F 4 /Rect [{place}] {entries} >>");
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("{NEW} 0 R"))).with(NEW, note);
        let (found, summary) = verdict(&form(|pdf| pdf).signed(&certified(3)).updated(&changes).file);
        assert_eq!(found, expected, "{place} {entries} {summary}");
    }
    // a note that is changed does not hide itself
    let larger = look(100, 20, "1 1 0 rg 0 0 100 20 re f 0 g BT /F 10 Tf 2 6 Td (Limit 600) Tj ET");
    let (found, summary) =
        verdict(&form(|pdf| pdf).signed(&certified(3)).updated(&Pdf::changes().with(WORDS, larger)).file);
    assert_eq!(found, PERMITTED, "{summary}");
}

#[test]
fn paint_as_small_as_a_letter_is_read_with_the_line() {
    for (place, content, expected) in [
        // a drawn digit and a point, before and within the total, which starts at 102
        ([94, 698, 101, 712], "1 w 3 2 m 3 11 l S", UNKNOWN),
        ([111, 699, 113, 701], "0 0 2 2 re f", UNKNOWN),
        // a pen's strokes right behind the total, which ends at 149, and farther away; a rule and a frame
        ([150, 690, 290, 730], "1 w 2 10 m 10 30 20 2 25 12 c 30 20 32 4 40 10 c 60 25 55 0 95 12 c S", UNKNOWN),
        ([165, 690, 305, 730], "1 w 2 10 m 10 30 20 2 25 12 c 30 20 32 4 40 10 c 60 25 55 0 95 12 c S", PERMITTED),
        ([72, 690, 290, 694], "0.5 w 0 2 m 218 2 l S", PERMITTED),
        ([200, 690, 300, 715], "0.5 w 0.5 0.5 99 24 re S", PERMITTED),
        ([94, 640, 101, 654], "1 w 3 2 m 3 11 l S", PERMITTED),
        // in a watermark
        ([460, 150, 474, 164], "1 w 3 2 m 3 11 l S", PERMITTED),
    ] {
        let [left, bottom, right, top] = place;
        let signed = form(|pdf| pdf).signed(&certified(2));
        let (found, summary) = verdict(&countersigned(signed, place, look(right - left, top - bottom, content)));
        assert_eq!(found, expected, "{place:?} {content} {summary}");
    }
}

#[test]
fn a_field_that_hid_words_goes_on_hiding_them() {
    let under = |pdf: Pdf| {
        pdf.with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj 0 -94 Td (Total 9,250.00) Tj ET")
            .with(LOOK, look(100, 20, "1 g 0 0 100 20 re f 0 g BT /F 10 Tf 2 6 Td (1,250.00) Tj ET"))
    };
    let leaders = |pdf: Pdf| {
        pdf.with_stream(CONTENT, "", b"BT /F 12 Tf 72 606 Td (..............) Tj ET")
            .with(LOOK, look(100, 20, "1 g 0 0 100 20 re f 0 g BT /F 10 Tf 2 6 Td (1,250.00) Tj ET"))
    };
    let emptied =
        Pdf::changes().with(FIELD, field(&format!("/V () /AP << /N {LOOK} 0 R >>"))).with(LOOK, look(100, 20, ""));
    let filled = Pdf::changes()
        .with(FIELD, field(&format!("/V (7) /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(100, 20, "1 g 0 0 100 20 re f 0 g BT /F 10 Tf 2 6 Td (7) Tj ET"));
    for (base, changes, expected) in [
        (form(under), &emptied, UNKNOWN),
        (form(under), &filled, PERMITTED),
        (form(leaders), &emptied, PERMITTED),
        (form(|pdf| pdf), &emptied, PERMITTED),
    ] {
        let (found, summary) = verdict(&base.signed(&certified(2)).updated(changes).file);
        assert_eq!(found, expected, "{summary}");
    }
}

/// As the page shows it: digits beyond the page, on a dark bar of it, or below another annotation are no part of the value.
#[test]
fn every_letter_of_a_value_is_seen_on_its_page() {
    let content = |painted: &str| format!("{painted} BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET").into_bytes();
    let bar = |left: u32| content(&format!("{left} 598 8 24 re f"));
    let note = |left: u32| {
        let look = format!("/AP << /N {WORDS} 0 R >>");
        format!("<< /Type /Annot /Subtype /Square /F 4 /Rect [{left} 598 {} 622] {look} >>", left + 8)
    };
    let place = |left: i32| format!("/Rect [{left} 600 {} 620]", left + 100);
    for (left, content, note, expected) in [
        (72, content(""), note(300), PERMITTED),
        (0, content(""), note(300), PERMITTED),
        (-9, content(""), note(300), UNKNOWN),
        (72, bar(62), note(300), PERMITTED),
        (72, bar(72), note(300), UNKNOWN),
        (72, content(""), note(62), PERMITTED),
        (72, content(""), note(72), UNKNOWN),
    ] {
        let field = |value: &str| {
            field(&format!("/V ({value}) /AP << /N {LOOK} 0 R >>")).replace("/Rect [72 600 172 620]", &place(left))
        };
        let base = form(|pdf| {
            pdf.with_stream(CONTENT, "", &content)
                .with(FIELD, field(""))
                .with(LOOK, look(100, 20, ""))
                .with(NOTE, note)
                .with(WORDS, look(8, 24, "1 g 0 0 8 24 re f"))
        });
        let changes = Pdf::changes()
            .with(FIELD, field("91,250.00"))
            .with(LOOK, look(100, 20, "BT /F 10 Tf 2 6 Td (91,250.00) Tj ET"));
        let (found, summary) = verdict(&base.signed(&certified(2)).updated(&changes).file);
        assert_eq!(found, expected, "{left}: {summary}");
    }
}

/// Where notes are permitted they may be removed, unless one covered signed words.
#[test]
fn a_note_that_hid_words_goes_on_hiding_them() {
    let note = |place: &str, flags: u8| {
        let look = format!("/AP << /N {WORDS} 0 R >>");
        format!("<< /Type /Annot /Subtype /FreeText /F {flags} /Rect [{place}] {look} >>")
    };
    let removed = || Pdf::changes().with(FIRST_PAGE, page("").replace(&format!("{NOTE} 0 R"), ""));
    let (over, beside) = ("70 690 180 715", "300 500 410 525");
    for (place, changes, expected) in [
        (over, removed(), UNKNOWN),
        (over, Pdf::changes().with(NOTE, note(over, 2)), UNKNOWN),
        (over, Pdf::changes().with(NOTE, note(beside, 4)), UNKNOWN),
        (beside, removed(), PERMITTED),
        (beside, Pdf::changes().with(NOTE, note("300 400 410 425", 4)), PERMITTED),
    ] {
        let ground = "1 g 0 0 110 25 re f 0 g BT /F 10 Tf 2 6 Td (Total 950.00) Tj ET";
        let base = form(|pdf| pdf.with(NOTE, note(place, 4)).with(WORDS, look(110, 25, ground)));
        let (found, summary) = verdict(&base.signed(&certified(3)).updated(&changes).file);
        assert_eq!(found, expected, "{place}: {summary}");
    }
}

#[test]
fn a_widget_shows_the_value_of_its_field() {
    for (entries, expected) in [("", PERMITTED), ("/V (7)", PERMITTED), ("/V (9)", UNKNOWN)] {
        let parent = |value: &str| format!("<< /FT /Tx /T (a) /V ({value}) /Kids [{FIELD} 0 R] >>");
        let kid = |entries: &str| {
            let looks = format!("/AP << /N {LOOK} 0 R >>");
            format!("<< /Type /Annot /Subtype /Widget /Parent {NEW} 0 R /Rect [72 600 172 620] {looks} {entries} >>")
        };
        let mut document = form(|pdf| pdf.with(FIELD, kid("")).with(NEW, parent("1,250.00")));
        document.fields = format!("{NEW} 0 R");
        let value = if entries.is_empty() { "7" } else { &entries[4..5] };
        let changes = Pdf::changes()
            .with(NEW, parent("7"))
            .with(FIELD, kid(entries))
            .with(LOOK, look(100, 20, &format!("BT /F 10 Tf 2 6 Td ({value}) Tj ET")));
        let (found, summary) = verdict(&document.signed(&certified(2)).updated(&changes).file);
        assert_eq!(found, expected, "{entries} {summary}");
    }
}

#[test]
fn a_button_shows_a_mark() {
    let words = |text: &str| look(200, 14, &format!("BT /F 10 Tf 2 3 Td ({text}) Tj ET"));
    for (place, on, expected) in [
        ("300 600 314 614", look(14, 14, "BT /F 12 Tf 3 3 Td (X) Tj ET"), PERMITTED),
        ("300 600 314 614", look(14, 14, "2 2 10 10 re f"), PERMITTED),
        ("300 600 500 614", words("Yes"), PERMITTED),
        ("300 600 500 614", words("The price is 9,250.00"), UNKNOWN),
        // right before the total
        ("95 697 102 711", look(7, 14, "BT /F 12 Tf 0 3 Td (9) Tj ET"), UNKNOWN),
    ] {
        let signed = form(|pdf| pdf.with(BUTTON, button(place, "Off")).with(ON, on)).signed(&certified(2));
        let (found, summary) = verdict(&signed.updated(&Pdf::changes().with(BUTTON, button(place, "Yes"))).file);
        assert_eq!(found, expected, "{place} {summary}");
    }
}

/// As hyperref prints the caption of a push button on the page.
#[test]
fn a_thin_frame_round_signed_words_hides_none() {
    let frame = |entries: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (Agree) /F 4 /Rect [70 696 200 714] {entries} >>"
        )
    };
    for (entries, is_read) in [
        ("/MK << /BC [1 0 0] >> /BS << /W 1 /S /S >>", true),
        ("/MK << /BC [1 0 0] /R 0 >>", true),
        ("/MK << /BC [1 0 0] >> /BS << /W 30 /S /S >>", false),
        ("/MK << /BC [1 0 0] >> /BS << /W 1 /S /B >>", false),
        ("/MK << /BC [1 0 0] /BG [1 1 1] >>", false),
        ("/MK << /BC [1 0 0] /CA (Send) >>", false),
    ] {
        let signed = form(|pdf| pdf.with(BUTTON, frame(entries))).signed(&certified(2));
        let (found, summary) = verdict(&countersigned(signed, [72, 400, 172, 420], look(100, 20, "0 0 50 10 re f")));
        assert_eq!(found, if is_read { PERMITTED } else { UNKNOWN }, "{entries} {summary}");
    }
}

#[test]
fn a_look_that_comes_with_a_value_shows_it_even_if_viewers_are_asked_to_draw_it() {
    for (changes, expected) in [
        (Pdf::changes().with(LOOK, look(100, 20, "BT /F 10 Tf 2 6 Td (1,300.00) Tj ET")), PERMITTED),
        (Pdf::changes().with(LOOK, look(100, 20, "BT /F 10 Tf 2 6 Td (9,250.00) Tj ET")), CHANGED),
        // the signed look is left to viewers
        (Pdf::changes(), PERMITTED),
    ] {
        let mut document = form(|pdf| pdf);
        document.fields += "] /NeedAppearances true /Unused [";
        let signed = document.signed(&certified(2));
        let changes = changes.with(FIELD, field(&format!("/V (1,300.00) /AP << /N {LOOK} 0 R >>")));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{summary}");
    }
}

#[test]
fn a_lock_covers_the_values_that_its_fields_inherit() {
    for (locked, expected) in [("a.b", CHANGED), ("a.c", CHANGED), ("other", PERMITTED), ("ab", PERMITTED)] {
        let parent = |value: &str| format!("<< /FT /Tx /T (a) /V ({value}) /Kids [{FIELD} 0 R] >>");
        let kid = format!("<< /Type /Annot /Subtype /Widget /T (b) /Parent {NEW} 0 R /Rect [72 600 172 620] >>");
        let mut document = form(|pdf| pdf.with(FIELD, &kid).with(NEW, parent("1,250.00")));
        document.fields = format!("{NEW} 0 R");
        let reference = "/Type /SigRef /TransformMethod /FieldMDP /TransformParams";
        let entries = format!("/Reference [<< {reference} << /Action /Include /Fields [({locked})] /V /1.2 >> >>]");
        let signed = document.signed(&Signing { entries, ..Signing::by(Key::Ed25519) });
        let (found, summary) = verdict(&signed.updated(&Pdf::changes().with(NEW, parent("9,250.00"))).file);
        assert_eq!(found, expected, "{locked} {summary}");
    }
}

/// The verdict after a note was added whose look has these entries, content and resources.
fn stamped(place: &str, entries: &str, content: &str) -> (Verdict, String) {
    let note = format!("<< /Type /Annot /Subtype /Stamp /F 4 /Rect [{place}] /AP << /N {} 0 R >> >>", NEW + 1);
    let changes = Pdf::changes()
        .with(FIRST_PAGE, page(&format!("{NEW} 0 R")))
        .with(NEW, note)
        .with(NEW + 1, stream(&format!("/Type /XObject /BBox [0 0 100 20] {entries}"), content.as_bytes()));
    verdict(&form(|pdf| pdf).signed(&certified(3)).updated(&changes).file)
}

#[test]
fn a_look_is_read_as_all_viewers_read_it_or_not_at_all() {
    let (form, fonts) = ("/Subtype /Form", "/Subtype /Form /Resources << >>");
    let hatching: String = (0..160).map(|line| format!("0 {0} m 100 {0} l S ", f64::from(line) / 8.0)).collect();
    for (entries, content) in [
        // operands and nesting, of which some readers use others
        (fonts, "9 1 0 0 rg 0 0 100 20 re f"),
        (fonts, "1 g 0 0 100 20 9 re f"),
        (fonts, "1 g 0 100 20 re f"),
        (fonts, "BT /F 10 Tf q 1 1 Td (Paid) Tj Q ET"),
        (fonts, "Q 1 g 0 0 100 20 re f"),
        (fonts, "BT /F 10 Tf [(Pa) [9] (id)] TJ ET"),
        (fonts, "BT /F 10 Tf 1-2 0 Td (Paid) Tj ET"),
        (fonts, "BT /F 10 Tf <50zz> Tj ET"),
        (fonts, "BX unheard EX"),
        (fonts, "1 g0 0 100 20 re f"),
        (fonts, "1 g 0 0 100.0.1 20 re f"),
        (fonts, "(a ( b) 1 g 0 0 100 20 re f"),
        (fonts, "<41 1 g 0 0 100 20 re f"),
        (fonts, "/A << /B 1 g 0 0 100 20 re f"),
        (fonts, "[ 1 g 0 0 100 20 re f"),
        (fonts, "unheard 1 g"),
        (fonts, &format!("1 G 0 w {hatching}")),
        (fonts, "1 G -20 w 0 10 m 100 10 l S"),
        (fonts, "BI /W 1 /H 1 /IM true ID \u{0}\nEI\u{1} 1 g 0 0 100 20 re f q EI Q"),
        // entries of another type, in whose place readers have the default or the next value
        ("/Subtype /Form /Resources << >> /Matrix [1 0 0 1 0 0 9]", "1 g 0 0 100 20 re f"),
        ("/Subtype /Form /Resources << >> /Matrix [1 0 0 1 0 /x 0]", "1 g 0 0 100 20 re f"),
        ("/Subtype /Form /Resources << /ExtGState << /G << /ca /x >> >> >>", "/G gs 1 g 0 0 100 20 re f"),
        // drawn as a form, and with the page's resources
        ("/Subtype /PS", "1 g 0 0 100 20 re f"),
        (form, "q 100 0 0 20 0 0 cm /Im1 Do Q"),
    ] {
        let (found, summary) = stamped("72 695 172 715", entries, content);
        assert!(matches!(found, UNKNOWN | CHANGED), "{entries} {content} {summary}");
    }
    for (entries, content) in [
        (fonts, "q 1 0 0 RG 2 w [3 1] 0 d 1 1 98 18 re S Q"),
        (fonts, "/Tag << /MCID 0 >> BDC 1 0 0 rg 2 2 9 9 re f EMC"),
        (fonts, "q BT /F 10 Tf [(Pa) -20 (id)] TJ T* <50> ' ET Q % the end"),
        // Poppler fills no path before the chosen row of a list
        (fonts, "q 0 g f 1 0 0 rg 2 2 9 9 re f Q"),
        (form, "1 0 0 rg 2 2 9 9 re f"),
    ] {
        let (found, summary) = stamped("300 300 400 320", entries, content);
        assert_eq!(found, PERMITTED, "{entries} {content} {summary}");
    }
}

#[test]
fn viewers_make_up_a_look_where_none_fits() {
    for (entries, expected) in [
        ("/Subtype /Square /Rect [72 695 182 715] /IC [1 1 1] /AP << /N << /On 511 0 R >> >>", CHANGED),
        ("/Subtype /FreeText /Rect [72 300 182 320] /CL [70 705 182 705 100 320] /BS << /W 18 >> /C [1 1 1]", CHANGED),
        ("/Subtype /Square /Rect [72 712 182 722] /IC [1 1 1] /C [1 1 1] /BE << /S /C /I 2 >>", CHANGED),
        (
            "/Subtype /FreeText /Rect [300 300 400 320] /CL [260 260 280 290 300 300] /BS << /W 1 >> /C [1 1 1]",
            PERMITTED,
        ),
        ("/Subtype /Square /Rect [300 300 400 320] /IC [1 1 1] /BE << /S /C /I 2 >>", PERMITTED),
        ("/Subtype /Square /Rect [72 712 182 722] /IC [1 1 1] /C [1 1 1]", PERMITTED),
        // points and widths that viewers read differently
        ("/Subtype /Ink /Rect [300 300 400 320] /InkList [[300 300 400 300 400 320]]", PERMITTED),
        ("/Subtype /Ink /Rect [300 300 400 320] /InkList [[300 300 /x 400 300 400 320]]", UNKNOWN),
        ("/Subtype /PolyLine /Rect [300 300 400 320] /Vertices [300 300 null 300 400 320]", UNKNOWN),
        ("/Subtype /Line /Rect [300 300 400 320] /L [300 310 400 310 9]", UNKNOWN),
        ("/Subtype /Line /Rect [300 300 400 320] /L [300 310 400 310] /BS << /W 1 >>", PERMITTED),
        ("/Subtype /Line /Rect [300 300 400 320] /L [300 310 400 310] /BS << /W (9) >>", UNKNOWN),
        ("/Subtype /Line /Rect [300 300 400 320] /L [300 310 400 310] /BS << /S /S >> /Border [0 0 9]", UNKNOWN),
    ] {
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page(&format!("{NEW} 0 R")))
            .with(NEW, format!("<< /Type /Annot /F 4 {entries} >>"));
        let (found, summary) = verdict(&form(|pdf| pdf).signed(&certified(3)).updated(&changes).file);
        assert_eq!(found, expected, "{entries} {summary}");
    }
}

#[test]
fn a_mark_can_be_seen() {
    for (on, expected) in [
        ("1 g 0 0 14 14 re f", UNKNOWN),
        ("0.5 0.5 13 13 re S", UNKNOWN),
        ("0.5 0.5 13 13 re S 2 2 m 12 12 l S", PERMITTED),
        ("0 0.5 0 rg 2 2 10 10 re f", PERMITTED),
    ] {
        let base = form(|pdf| pdf.with(ON + 1, look(14, 14, "0.5 0.5 13 13 re S")));
        let ticked = button("300 600 314 614", "Yes").replace(&format!("/Yes {ON} 0 R"), &format!("/Yes {NEW} 0 R"));
        let entries = "/Type /XObject /Subtype /Form /BBox [0 0 14 14] /Resources << >>";
        let changes = Pdf::changes().with(BUTTON, ticked).with(NEW, stream(entries, on.as_bytes()));
        let (found, summary) = verdict(&base.signed(&certified(2)).updated(&changes).file);
        assert_eq!(found, expected, "{on} {summary}");
    }
}

#[test]
fn every_way_of_locking_a_field_locks_it() {
    let filled = Pdf::changes()
        .with(FIELD, field(&format!("/V (7) /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(100, 20, "BT /F 10 Tf 2 6 Td (7) Tj ET"));
    let field_mdp = |parameters: &str| format!("<< /TransformMethod /FieldMDP /TransformParams << {parameters} >> >>");
    let (own, other) = (field_mdp("/Action /Include /Fields [(Sum)]"), field_mdp("/Action /Include /Fields [(Agree)]"));
    for (reference, lock, expected) in [
        (format!("[{own} {other}]"), "", CHANGED),
        (format!("[{other}]"), "/Lock << /Action /Include /Fields [(Sum)] >>", CHANGED),
        (own.clone(), "", CHANGED),
        (format!("[{}]", field_mdp("/Action /Include /Fields (Sum)")), "", CHANGED),
        (format!("[{}]", field_mdp("/Action /Everything")), "", CHANGED),
        ("[<< /TransformMethod (DocMDP) /TransformParams << /P 1 >> >>]".to_owned(), "", CHANGED),
        (format!("[{other} {other}]"), "/Lock << /Action /Include /Fields [(Agree)] >>", PERMITTED),
    ] {
        let signing = Signing { entries: format!("/Reference {reference}"), ..Signing::by(Key::Ed25519) };
        let signing = Signing { field_entries: lock.to_owned(), ..signing };
        let (found, summary) = verdict(&form(|pdf| pdf).signed(&signing).updated(&filled).file);
        assert_eq!(found, expected, "{reference} {lock} {summary}");
    }
}
