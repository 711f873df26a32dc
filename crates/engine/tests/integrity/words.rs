//! What later revisions changed, in words.

use engine::{ExaminedContent, Integrity, Rectangle, SignalId, Strength, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::texts::{CONTENT, FREE, composite, page, to_unicode};

use crate::support::{examined, signal};

/// Place, before and after of an evidence.
type Words<'w> = (&'w str, Option<&'w str>, Option<&'w str>);

/// What the evidence of a signal says in words.
fn words(integrity: &Integrity, id: SignalId) -> Vec<Words<'_>> {
    let evidence = signal(integrity, id).evidence.iter();
    let told = evidence.map(|told| {
        (told.place.as_deref().unwrap_or_default(), told.before.as_deref(), told.after.as_deref(), told.r#box)
    });
    told.filter(|(place, _, _, bounds)| place.starts_with("text") || place.contains(" and value") && bounds.is_some())
        .map(|(place, before, after, _)| (place, before, after))
        .collect()
}

/// A page with these fonts as its resources.
fn with_font(font: &str, content: &str) -> Pdf {
    page("", &format!("/Font << /F {font} >>"), content)
}

const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// What the content of the only page became.
fn rewritten(before: &Pdf, after: &str) -> Integrity {
    let changes = Pdf::changes().with_compressed(CONTENT, "", after.as_bytes());
    let integrity = examined(&changes.update(before.classic()));
    assert_eq!(integrity.verdict, Verdict::Changed);
    integrity
}

/// Text at a place.
fn at(left: u32, bottom: u32, string: &str) -> String {
    format!("BT /F 10 Tf {left} {bottom} Td {string} Tj ET ")
}

#[test]
fn words_that_changed_are_told_before_and_after() {
    let white = "1 g 60 95 80 14 re f 0 g ";
    let total = at(20, 100, "(Total 1,250.00 EUR)");
    let cases: Vec<(&str, String, String, Vec<Words>)> = vec![
        (
            "an amount",
            total.clone(),
            at(20, 100, "(Total 9,250.00 EUR)"),
            vec![("text", Some("Total 1,250.00 EUR"), Some("Total 9,250.00 EUR"))],
        ),
        (
            "an account",
            at(20, 100, "(IBAN DE02 1203 0000 0000 2020 51)"),
            at(20, 100, "(IBAN DE02 5001 0517 0137 0750 30)"),
            vec![("text", Some("IBAN DE02 1203 0000 0000 2020 51"), Some("IBAN DE02 5001 0517 0137 0750 30"))],
        ),
        (
            "a date and a name, each on its line",
            at(20, 100, "(Due on 1 May 2026)") + &at(20, 80, "(To Ann Example)"),
            at(20, 100, "(Due on 1 May 2027)") + &at(20, 80, "(To Eve Example)"),
            vec![
                ("text", Some("Due on 1 May 2026"), Some("Due on 1 May 2027")),
                ("text", Some("To Ann Example"), Some("To Eve Example")),
            ],
        ),
        (
            "a word that came",
            at(20, 100, "(Total EUR)"),
            at(20, 100, "(Total 500 EUR)"),
            vec![("text", Some("Total EUR"), Some("Total 500 EUR"))],
        ),
        (
            "a word that went",
            at(20, 100, "(not for sale)"),
            at(20, 100, "(for sale)"),
            vec![("text", Some("not for sale"), Some("for sale"))],
        ),
        ("a line that came", total.clone(), total.clone() + &at(20, 60, "(Paid)"), vec![("text", None, Some("Paid"))]),
        ("a line that went", total.clone() + &at(20, 60, "(Paid)"), total.clone(), vec![("text", Some("Paid"), None)]),
        (
            "a line that moved",
            total.clone() + &at(20, 60, "(Paid)"),
            total.clone() + &at(20, 30, "(Paid)"),
            vec![("text moved", Some("Paid"), Some("Paid"))],
        ),
        (
            "lines that moved together",
            at(20, 100, "(One)") + &at(20, 80, "(Two)"),
            at(20, 90, "(One)") + &at(20, 70, "(Two)"),
            vec![("text moved", Some("One Two"), Some("One Two"))],
        ),
        (
            "kerning",
            "BT /F 10 Tf 20 100 Td [(T) 80 (otal ) -40 (1,2) 30 (50.00)] TJ ET".to_owned(),
            "BT /F 10 Tf 20 100 Td [(To) 20 (tal 8,2) 10 (50.00)] TJ ET".to_owned(),
            vec![("text", Some("Total 1,250.00"), Some("Total 8,250.00"))],
        ),
        (
            "kerning alone",
            "BT /F 10 Tf 20 100 Td [(T) 80 (otal ) -40 (1,2) 30 (50.00)] TJ ET".to_owned(),
            "BT /F 10 Tf 20 100 Td [(To) 20 (tal 1,2) 10 (50.00)] TJ ET".to_owned(),
            vec![],
        ),
        (
            "one of two columns",
            at(20, 100, "(We deliver in May to you)") + &at(250, 100, "(You pay in June at once)"),
            at(20, 100, "(We deliver in May to you)") + &at(250, 100, "(You pay in July at once)"),
            vec![("text", Some("You pay in June at once"), Some("You pay in July at once"))],
        ),
        (
            "a cell, with what it is",
            at(20, 100, "(Total)") + &at(300, 100, "(1,250.00)"),
            at(20, 100, "(Total)") + &at(300, 100, "(9,250.00)"),
            vec![("text", Some("Total 1,250.00"), Some("Total 9,250.00"))],
        ),
        (
            "painted over and written again",
            at(20, 100, "(Total)") + &at(70, 100, "(1,250.00)"),
            at(20, 100, "(Total)") + &at(70, 100, "(1,250.00)") + white + &at(70, 100, "(9,250.00)"),
            vec![("text", Some("Total 1,250.00"), Some("Total 9,250.00"))],
        ),
        (
            "painted over",
            total.clone() + &at(20, 60, "(Paid in cash)"),
            total.clone() + &at(20, 60, "(Paid in cash)") + "1 g 10 55 200 20 re f",
            vec![("text", Some("Paid in cash"), None)],
        ),
        (
            "painted over in part",
            at(20, 100, "(Total)") + &at(70, 100, "(1,250.00)"),
            at(20, 100, "(Total)") + &at(70, 100, "(1,250.00)") + "1 g 70 95 15 14 re f",
            vec![("text", Some("Total 1,250.00"), Some("Total 50.00"))],
        ),
        ("a ground painted first", total.clone(), "0.9 g 0 0 400 200 re f 0 g ".to_owned() + &total, vec![]),
        ("a line drawn", total.clone(), total.clone() + "20 90 m 200 90 l S", vec![]),
        ("another colour", total.clone(), "1 0 0 rg ".to_owned() + &total, vec![]),
        ("text that nobody sees", total.clone(), total + "BT /F 10 Tf 3 Tr 20 60 Td (unseen) Tj ET", vec![]),
    ];
    for (name, before, after, expected) in cases {
        let integrity = rewritten(&with_font(HELVETICA, &before), &after);
        assert_eq!(words(&integrity, SignalId::PageContentChanged), expected, "{name}");
        assert_eq!(integrity.examined.content, ExaminedContent::All, "{name}");
        // what else is known stays behind the words
        let evidence = &signal(&integrity, SignalId::PageContentChanged).evidence;
        let last = evidence.last().unwrap();
        assert_eq!((evidence.len(), last.object), (expected.len() + 1, Some(CONTENT)), "{name}");
        assert!(last.before.as_ref().is_some_and(|before| before.starts_with("stream of ")), "{name}: {last:?}");
    }
}

#[test]
fn words_have_a_place_and_make_the_sentence() {
    let before = with_font(HELVETICA, &at(20, 100, "(Total 1,250.00 EUR)"));
    let integrity = rewritten(&before, &at(20, 100, "(Total 9,250.00 EUR)"));
    let evidence = &signal(&integrity, SignalId::PageContentChanged).evidence[0];
    let [left, bottom, right, top] = evidence.r#box.unwrap().corners();
    assert!(left > 44.0 && right < 92.0 && bottom < 100.0 && top > 106.0, "the amount alone: {evidence:?}");
    assert_eq!((evidence.page, evidence.revision, evidence.object), (Some(1), Some(2), None));
    assert_eq!(
        integrity.summary,
        "On page 1, 'Total 1,250.00 EUR' became 'Total 9,250.00 EUR' in the second of two saves."
    );
    let integrity = rewritten(&before, "");
    assert_eq!(integrity.summary, "On page 1, 'Total 1,250.00 EUR' was removed in the second of two saves.");
    let integrity = rewritten(&before, &at(20, 40, "(Total 1,250.00 EUR)"));
    assert_eq!(integrity.summary, "On page 1, 'Total 1,250.00 EUR' was moved in the second of two saves.");
}

#[test]
fn what_a_font_does_not_say_is_never_guessed() {
    let (identity, descendant) = composite("/Encoding /Identity-H", "/CIDSystemInfo << /Ordering (Identity) >>");
    let (mapped, _) = composite("/Encoding /Identity-H /ToUnicode 31 0 R", "");
    let map = to_unicode("1 beginbfrange <0001> <000A> <0030> endbfrange 1 beginbfchar <0020> <0041> endbfchar");
    let subset = "/Subtype /TrueType /BaseFont /ABCDEF+Some /FirstChar 1 /LastChar 3 /Widths [500 500 500] \
                  /FontDescriptor << /Flags 4 /FontFile2 33 0 R >>";
    let type3 = "/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 98 \
                 /CharProcs << /one 34 0 R /two 34 0 R /odd 34 0 R >> /Widths [0.5 0.5]";
    let cases: [(&str, String, &str, &str, Vec<Words>); 7] = [
        (
            "TrueType by its encoding",
            "<< /Type /Font /Subtype /TrueType /BaseFont /Arial /Encoding /WinAnsiEncoding >>".to_owned(),
            "(10 \\200)",
            "(90 \\200)",
            vec![("text", Some("10 €"), Some("90 €"))],
        ),
        ("CID with ToUnicode", mapped, "<00020003>", "<00090003>", vec![("text", Some("12"), Some("82"))]),
        (
            "CID without",
            identity,
            "<00020003>",
            "<00090003>",
            vec![("text", Some("[2 characters that cannot be read]"), Some("[2 characters that cannot be read]"))],
        ),
        (
            "a subset that says nothing",
            format!("<< /Type /Font {subset} >>"),
            "(\\001)",
            "(\\001\\002)",
            vec![("text", Some("[1 character that cannot be read]"), Some("[2 characters that cannot be read]"))],
        ),
        (
            "a subset with ToUnicode",
            format!("<< /Type /Font {subset} /ToUnicode 31 0 R >>"),
            "(\\001\\002)",
            "(\\001\\003)",
            vec![("text", Some("01"), Some("02"))],
        ),
        (
            "Type 3 by its encoding",
            format!("<< /Type /Font {type3} /Encoding << /Differences [97 /one /two] >> >>"),
            "(ab)",
            "(bb)",
            vec![("text", Some("12"), Some("22"))],
        ),
        (
            "Type 3 of odd names",
            format!("<< /Type /Font {type3} /Encoding << /Differences [97 /one /odd] >> >>"),
            "(a)",
            "(ab)",
            vec![("text", Some("1"), Some("1[1 character that cannot be read]"))],
        ),
    ];
    for (name, font, before, after, expected) in cases {
        let pdf = with_font(&font, &at(20, 100, before)).with(FREE, &descendant).with_stream(31, "", &map);
        let pdf = pdf.with_stream(34, "", b"0.5 0 0 0 0.5 0.7 d1 0 0 0.4 0.7 re f");
        let integrity = rewritten(&pdf, &at(20, 100, after));
        assert_eq!(words(&integrity, SignalId::PageContentChanged), expected, "{name}");
    }
    // the codes of a byte each
    let hebrew = to_unicode("1 beginbfrange <0001> <001A> <05D0> endbfrange");
    let (font, descendant) = composite("/Encoding /Identity-H /ToUnicode 31 0 R", "");
    let pdf = with_font(&font, &at(20, 100, "<000300020001>")).with(FREE, descendant).with_stream(31, "", &hebrew);
    let integrity = rewritten(&pdf, &at(20, 100, "<000300020004>"));
    assert_eq!(
        words(&integrity, SignalId::PageContentChanged),
        [("text", Some("אבג"), Some("דבג"))],
        "from right to left"
    );
}

/// A page with one text field, filled in.
fn filled(entries: &str, value: &str, shown: &str, changes: Pdf) -> Pdf {
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F {HELVETICA} >> >>");
    changes
        .with(
            40,
            format!(
                "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /Rect [50 50 150 70] \
                 /P {FIRST_PAGE} 0 R /AP << /N 41 0 R >> {entries} >>"
            ),
        )
        .with_stream(41, &form, format!("/Tx BMC BT /F 10 Tf 2 5 Td ({shown}) Tj ET EMC").as_bytes())
}

#[test]
fn a_field_is_told_by_its_value_and_by_what_it_shows() {
    let base = || {
        let page = page("/Annots [40 0 R]", "", "").catalog("/AcroForm << /Fields [40 0 R] >>");
        filled("", "100.00", "100.00", page)
    };
    let after = |entries: &str, value: &str, shown: &str| {
        examined(&filled(entries, value, shown, Pdf::changes()).update(base().classic()))
    };
    let integrity = after("", "900.00", "900.00");
    assert_eq!(words(&integrity, SignalId::FormChanged), [("text", Some("100.00"), Some("900.00"))]);
    assert_eq!(integrity.summary, "On page 1, '100.00' became '900.00' in the second of two saves.");
    let values = signal(&integrity, SignalId::FormChanged).evidence.iter();
    assert!(values.clone().any(|told| told.place.as_deref() == Some("amount /V")), "the value itself as well");
    // it says one thing and shows another
    let integrity = after("", "900.00", "100.00");
    let differs = ("amount appearance and value", Some("100.00"), Some("900.00"));
    assert_eq!(words(&integrity, SignalId::FormChanged), [differs]);
    let integrity = after("", "100.00", "900.00");
    let differs = ("amount appearance and value", Some("900.00"), Some("100.00"));
    assert_eq!(words(&integrity, SignalId::FormChanged), [("text", Some("100.00"), Some("900.00")), differs]);
    // a password is nobody's business
    let secret = after("/Ff 8192", "900.00", "900.00");
    assert!(words(&secret, SignalId::FormChanged).is_empty(), "{secret:#?}");
}

#[test]
fn an_annotation_is_told_by_what_it_shows() {
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 60 14] /Resources << /Font << /F {HELVETICA} >> >>");
    let note =
        |text: &str, ground: &str, changes: Pdf| {
            changes
                .with(40, "<< /Type /Annot /Subtype /FreeText /Rect [60 95 120 109] /AP << /N 41 0 R >> >>")
                .with_stream(41, &form, format!("{ground} 0 g BT /F 10 Tf 2 5 Td ({text}) Tj ET").as_bytes())
        };
    let content = at(20, 100, "(Total)") + &at(65, 100, "(1,250.00)");
    let bare = page("", &format!("/Font << /F {HELVETICA} >>"), &content);
    let annotated = page("/Annots [40 0 R]", &format!("/Font << /F {HELVETICA} >>"), &content);
    let page_alone = format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 400 200] /Contents {CONTENT} 0 R \
         /Resources << /Font << /F {HELVETICA} >> >> /Annots [40 0 R] >>"
    );
    let came = |ground: &str| {
        examined(&note("9,250.00", ground, Pdf::changes().with(FIRST_PAGE, &page_alone)).update(bare.classic()))
    };
    assert_eq!(words(&came(""), SignalId::AnnotationsChanged), [("text", None, Some("9,250.00"))]);
    // one that lies over words stands in their place
    let over = came("1 g 0 0 60 14 re f");
    assert_eq!(words(&over, SignalId::AnnotationsChanged), [("text", Some("1,250.00"), Some("9,250.00"))]);
    let rewritten = note("Void", "", Pdf::changes()).update(note("Paid", "", annotated).classic());
    assert_eq!(words(&examined(&rewritten), SignalId::AnnotationsChanged), [("text", Some("Paid"), Some("Void"))]);
}

#[test]
fn what_several_pages_show_is_told_of_each() {
    let mut pdf = Pdf::new(3).with(FREE, HELVETICA);
    for number in FIRST_PAGE..FIRST_PAGE + 3 {
        let resources = format!("/Resources << /Font << /F {FREE} 0 R >> >> /MediaBox [0 0 400 200]");
        pdf.set(number, format!("<< /Type /Page /Parent {PAGES} 0 R /Contents {CONTENT} 0 R {resources} >>"));
    }
    let file = pdf.with_compressed(CONTENT, "", at(20, 100, "(Page of 10)").as_bytes()).classic();
    let changes = Pdf::changes().with_compressed(CONTENT, "", at(20, 100, "(Page of 90)").as_bytes());
    let integrity = examined(&changes.update(file));
    let told = &signal(&integrity, SignalId::PageContentChanged).evidence;
    let pages: Vec<_> =
        told.iter().filter(|told| told.place.as_deref() == Some("text")).map(|told| told.page).collect();
    assert_eq!(pages, [Some(1), Some(2), Some(3)]);
    assert_eq!(integrity.revisions[1].pages, [1, 2, 3]);
}

#[test]
fn an_image_that_is_exchanged_has_no_words() {
    const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let content = at(20, 100, "(Total)") + "q 40 0 0 30 200 100 cm /I Do Q";
    let base = page("", &format!("/Font << /F {HELVETICA} >> /XObject << /I {FREE} 0 R >>"), &content);
    let file = Pdf::changes().with_stream(FREE, IMAGE, b"y").update(base.with_stream(FREE, IMAGE, b"x").classic());
    let integrity = examined(&file);
    let told = &signal(&integrity, SignalId::PageContentChanged).evidence;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].object, told[0].place.as_deref()), (Some(FREE), Some("Image XObject")));
    assert_eq!(told[0].r#box, Some([200.0, 100.0, 240.0, 130.0].into()));
    assert_eq!(integrity.summary, "Page 1 was changed in the second of two saves.");
}

#[test]
fn what_changed_without_words_has_a_place() {
    let text = at(20, 100, "(Total)");
    for (before, after, place) in [
        ("", "1 0 0 rg 200 50 40 30 re f", Some([200.0, 50.0, 240.0, 80.0])),
        ("1 0 0 rg 200 50 40 30 re f", "", Some([200.0, 50.0, 240.0, 80.0])),
        ("1 0 0 rg 200 50 40 30 re f", "0 1 0 rg 200 50 40 30 re f", Some([200.0, 50.0, 240.0, 80.0])),
        ("1 0 0 rg 200 50 40 30 re f", "1 0 0 rg 250 50 40 30 re f", Some([250.0, 50.0, 290.0, 80.0])),
        ("", "0 0 m 9 9 l S", Some([0.0, 0.0, 9.5, 9.5])),
    ] {
        let base = with_font(HELVETICA, &format!("{text} {before}"));
        let integrity = rewritten(&base, &format!("{text} {after}"));
        let told = &signal(&integrity, SignalId::PageContentChanged).evidence;
        assert_eq!((told.len(), told[0].r#box.map(Rectangle::corners)), (1, place), "{before} → {after}: {told:?}");
    }
}

/// As programs do that clean up content, or write it again to append something.
#[test]
fn rewritten_content_that_shows_the_same_is_inconclusive() {
    let text = at(20, 100, "(Total 1,250.00)");
    let base = with_font("90 0 R", &text).with(90, HELVETICA).classic();
    let encoded = HELVETICA.replace(">>", "/Encoding /WinAnsiEncoding >>");
    for (content, font) in [
        (format!("q {text} Q"), HELVETICA),
        (format!("{text} 0 0 m 9 9 l n"), HELVETICA),
        // it could draw other letters
        (text.clone(), &encoded),
    ] {
        let changes = Pdf::changes().with_compressed(CONTENT, "", content.as_bytes()).with(90, font);
        let integrity = examined(&changes.update(base.clone()));
        assert_eq!(integrity.verdict, Verdict::Undetermined, "{content} {font}: {:#?}", integrity.signals);
        assert_eq!(
            integrity.summary,
            "It is inconclusive whether the file was changed: the content of page 1 was rewritten without another \
             difference of words or paint."
        );
    }
}

/// As PDF::API2 does that opens a turned page: it writes the page upright, and its content turned.
#[test]
fn a_page_that_is_turned_with_its_content_shows_the_same() {
    let content = format!("{} 1 0 0 rg 100 50 40 30 re f", at(20, 100, "(Total 1,250.00)"));
    let leaf = |entries: &str| {
        let fonts = format!("/Resources << /Font << /F {HELVETICA} >> >>");
        format!("<< /Type /Page /Parent {PAGES} 0 R {fonts} /Contents {CONTENT} 0 R {entries} >>")
    };
    for (before, after, matrix, verdict) in [
        (
            "/Rotate 90 /MediaBox [0 0 300 200]",
            "/Rotate 0 /MediaBox [0 0 200 300]",
            "0 -1 1 0 0 300",
            Verdict::Undetermined,
        ),
        ("/Rotate 270 /MediaBox [0 0 300 200]", "/MediaBox [0 0 200 300]", "0 1 -1 0 200 0", Verdict::Undetermined),
        ("/Rotate 180 /MediaBox [10 0 310 200]", "/MediaBox [0 0 300 200]", "-1 0 0 -1 310 200", Verdict::Undetermined),
        // the wrong way, another place and another size
        ("/Rotate 90 /MediaBox [0 0 300 200]", "/Rotate 0 /MediaBox [0 0 200 300]", "0 1 -1 0 200 0", Verdict::Changed),
        ("/Rotate 90 /MediaBox [0 0 300 200]", "/Rotate 0 /MediaBox [0 0 200 300]", "0 -1 1 0 9 300", Verdict::Changed),
        ("/Rotate 90 /MediaBox [0 0 300 200]", "/Rotate 0 /MediaBox [0 0 200 310]", "0 -1 1 0 0 300", Verdict::Changed),
        ("/Rotate 90 /MediaBox [0 0 300 200]", "/Rotate 0 /MediaBox [0 0 300 200]", "1 0 0 1 0 0", Verdict::Changed),
    ] {
        let base = with_font(HELVETICA, &content).with(FIRST_PAGE, leaf(before)).classic();
        let turned = format!("{matrix} cm {content}");
        let changes = Pdf::changes().with(FIRST_PAGE, leaf(after)).with_stream(CONTENT, "", turned.as_bytes());
        let found = examined(&changes.update(base));
        assert_eq!(found.verdict, verdict, "{before} {after} {matrix}: {} {:#?}", found.summary, found.signals);
        let said = "page 1 was turned together with its content, without another difference of words or paint";
        assert_eq!(found.summary.contains(said), verdict == Verdict::Undetermined, "{}", found.summary);
    }
    // of which words were exchanged as well
    let base = with_font(HELVETICA, &content).with(FIRST_PAGE, leaf("/Rotate 90 /MediaBox [0 0 300 200]")).classic();
    let turned = format!("0 -1 1 0 0 300 cm {}", content.replace("1,250", "9,250"));
    let upright = leaf("/Rotate 0 /MediaBox [0 0 200 300]");
    let changes = Pdf::changes().with(FIRST_PAGE, upright).with_stream(CONTENT, "", turned.as_bytes());
    let found = examined(&changes.update(base));
    assert_eq!(found.verdict, Verdict::Changed, "{}", found.summary);
}

#[test]
fn words_weigh_as_much_as_what_told_of_them() {
    let integrity = rewritten(&with_font(HELVETICA, &at(20, 100, "(1)")), &at(20, 100, "(2)"));
    assert_eq!(signal(&integrity, SignalId::PageContentChanged).strength, Strength::Conclusive);
    assert_eq!(integrity.because, [SignalId::PageContentChanged]);
    assert!(integrity.signals.iter().all(|signal| signal.id != SignalId::ShadowContent), "{:?}", integrity.signals);
}

#[test]
fn what_is_too_much_is_left_out_and_said_to_be() {
    let single = examined(&with_font(HELVETICA, &at(20, 100, "(1)")).classic());
    assert_eq!(single.examined.content, ExaminedContent::All);
    // more than a page may have
    let long = at(20, 100, "(1)") + &"% much ado\n".repeat(200_000);
    let integrity = rewritten(&with_font(HELVETICA, &at(20, 100, "(2)")), &long);
    assert_eq!(integrity.examined.content, ExaminedContent::Part);
    assert!(words(&integrity, SignalId::PageContentChanged).is_empty(), "a part of a page says nothing");
    assert_eq!(integrity.summary, "Page 1 was changed in the second of two saves.");
    // more pages than are read
    let mut pdf = Pdf::new(30);
    let mut changes = Pdf::changes();
    for number in 0..30 {
        let page = format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 400 200] /Contents {} 0 R \
             /Resources << /Font << /F {HELVETICA} >> >> >>",
            100 + number
        );
        pdf = pdf.with(FIRST_PAGE + number, page).with_stream(100 + number, "", at(20, 100, "(1)").as_bytes());
        changes = changes.with_stream(100 + number, "", at(20, 100, "(2)").as_bytes());
    }
    let integrity = examined(&changes.update(pdf.classic()));
    assert_eq!(integrity.examined.content, ExaminedContent::Part);
    assert_eq!(integrity.verdict, Verdict::Changed);
    assert_eq!(integrity.summary, "On page 1, '1' became '2' in the second of two saves.");
}

#[test]
fn pages_of_alike_lines_take_no_more_than_their_budget() {
    // as many lines and areas as there may be, all the same, and every one moved
    let lines = |left: u32| -> String {
        let one = |row: u32| format!("1 0 0 1 {left} {} Tm (0) Tj ", row % 190);
        let text: String = (0..9_000).map(one).collect();
        format!("BT /F 1 Tf {text} ET {}", "0 0 1 1 re f ".repeat(9_000))
    };
    let integrity = rewritten(&with_font(HELVETICA, &lines(20)), &lines(90));
    assert_eq!(integrity.verdict, Verdict::Changed);
}

#[test]
fn a_line_across_turned_words_changes_none_of_them() {
    let turned = "q 0.8 -0.6 0.6 0.8 20 150 cm BT /F 12 Tf (ABCDEF) Tj /F 24 Tf (PQR) Tj ET Q ";
    let integrity = rewritten(&with_font(HELVETICA, turned), &format!("{turned} 0.3 w 53 119 m 65 135 l S"));
    assert_eq!(words(&integrity, SignalId::PageContentChanged), []);
    let covered = rewritten(&with_font(HELVETICA, turned), &format!("{turned} 1 G 9 w 53 119 m 65 135 l S"));
    assert_ne!(words(&covered, SignalId::PageContentChanged), []);
}
