//! Content that is not read with certainty, and what is said of it.

use engine::{ExaminedContent, HiddenKind, Memory, Metadata, Options, SignalId, Verdict, analyze};
use samples::pdf::{Cipher, Pdf, encrypted};
use samples::texts::{FREE, drawing, page};

use super::{LINE, OTHER, PATCH, analyzed, described, reported, rich, sheet};
use crate::support::{ids, signal};

#[test]
fn words_across_others_were_not_read() {
    let examined = |content: &str| analyzed(&sheet(content)).integrity.examined.content;
    assert_eq!(examined(&format!("{LINE} {OTHER}")), ExaminedContent::Part);
    // the same text twice, and words beside others
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
        let reported = metadata.hidden.items.iter().filter_map(|item| item.text.as_deref());
        let quoted = integrity.signals.iter().flat_map(|signal| &signal.evidence);
        let quoted = quoted.filter(|evidence| evidence.page.is_some());
        let quoted = quoted.flat_map(|evidence| [&evidence.before, &evidence.after]);
        for text in reported.chain(quoted.flatten().map(String::as_str)) {
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
        // the same glyphs in the color of the paper, filled, and stroked as well
        "1 g BT /F 10 Tf 45.01 100 Td (1,250.00) Tj ET".to_owned(),
        "q 1 g 1 G 2 Tr 1 w BT /F 10 Tf 45.01 100 Td (1,250.00) Tj ET Q".to_owned(),
        // a glyph of its own that paints a box, in its color and in the current one, whatever its advance
        "BT /Box 1 Tf 44 100 Td (a) Tj ET".to_owned(),
        "1 g BT /Box 1 Tf 44 100 Td (b) Tj ET".to_owned(),
        "BT /Box 1 Tf 44 100 Td (c) Tj ET".to_owned(),
        "1 g BT /Box 1 Tf 44 100 Td (d) Tj ET".to_owned(),
    ] {
        let metadata = analyzed(&rich(&format!("{LINE} {patch} {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{patch}: {:?}", metadata.hidden);
        let found = reported(&metadata.hidden.items);
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
        ("1 g BT /F 10 Tf 45.01 100 Td (1,250.00) Tj ET".to_owned(), ExaminedContent::Part),
        ("BT /Box 1 Tf 44 100 Td (a) Tj ET".to_owned(), ExaminedContent::Part),
    ] {
        let metadata = analyzed(&rich(&format!("{LINE} {patch}")));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{patch}: {:?}", metadata.hidden);
        assert_eq!((reported(&metadata.hidden.items), metadata.hidden.examined), (vec![], examined), "{patch}");
    }
    // letters in a pattern that goes everywhere, or that has gaps
    for (pattern, examined) in [("Blend", ExaminedContent::All), ("Gaps", ExaminedContent::Part)] {
        let metadata = analyzed(&rich(&format!("/Pattern cs /{pattern} scn {LINE}")));
        assert_eq!((reported(&metadata.hidden.items), metadata.hidden.examined), (vec![], examined), "{pattern}");
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
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{before}");
    }
    // by a clip and a mask around the old page
    for around in ["0 0 400 200 re 44 97 44 12 re W* n", "/Hole gs"] {
        let metadata = analyzed(&rich(&format!("q {around} {LINE} Q {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{around}: {:?}", metadata.hidden);
        let found = reported(&metadata.hidden.items);
        assert!(
            found.iter().any(|(kind, text)| *kind == HiddenKind::Retyped && text.contains("1,250.00")),
            "{found:?}"
        );
    }
}

#[test]
fn what_cannot_be_seen_and_says_the_same_or_nothing_was_not_retyped() {
    let marker = "1 g BT /F 10 Tf 20 60 Td (\\\\s1\\\\) Tj ET 0 g BT /F 10 Tf 20 60 Td (Ann Example) Tj ET";
    for content in [
        // the same text twice, for programs; a shadow; an outline; a placeholder that a program writes over
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
        let found = reported(&metadata.hidden.items);
        assert!(found.iter().all(|(kind, _)| *kind == HiddenKind::Invisible), "{content}: {found:?}");
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
