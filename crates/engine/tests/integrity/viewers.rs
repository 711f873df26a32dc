//! Content that viewers read differently: what only some of them show.

use engine::{ExaminedContent, HiddenKind, Memory, Options, Verdict, analyze};
use samples::pdf::{Cipher, FIRST_PAGE, PAGES, encrypted, stream};
use samples::texts::{FREE, drawing, page};

const LINE: &str = "BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td (1,250.00) Tj ET";

/// The verdict about a page with this content, the kinds and texts of what it hides, and how much was examined.
fn shown(content: &str) -> (Verdict, Vec<(HiddenKind, String)>, ExaminedContent) {
    let pdf = drawing(content, "").info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)").classic();
    let metadata = analyze(&Memory(pdf.into()), &Options::default()).expect("the file opens");
    let items = metadata.hidden.items.iter().map(|item| (item.kind, item.text.clone().unwrap_or_default()));
    (metadata.integrity.verdict, items.collect(), metadata.integrity.examined.content)
}

#[test]
fn another_amount_for_some_viewers_is_a_sign_of_change() {
    for (forged, expected) in [
        // MuPDF takes the first operands
        (format!("{LINE} q 1 g 58 97 50 12 0 0 1 1 re f BT 0 g /F 10 Tf 60 100 9 9 Td (9,250.00) Tj ET Q"), "1,250.00"),
        (format!("{LINE} q BT /F 10 Tf 54 100 9 9 Td (9) Tj ET Q"), "1,250.00"),
        // Poppler drops those beyond 33
        (format!("{LINE} q BT /F 10 Tf {}54 100 0 9 9 Td (9) Tj ET Q", "0 ".repeat(31)), "1,250.00"),
        // PDFium restores the position in a text object
        (format!("{LINE} q BT /F 10 Tf 54 100 Td q 0 -60 Td Q (9) Tj ET Q"), "91,250.00"),
        // others are moved or clipped away
        ("q 0 0 1 1 0 0 400 200 re W n BT /F 10 Tf 60 100 Td (1,250.00) Tj ET Q q BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td \
          (9,250.00) Tj ET Q".to_owned(), "1,250.00"),
        // Poppler ends at Q without q
        ("BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td (9,250.00) Tj ET Q BT /F 10 Tf 60 100 Td (1,250.00) Tj ET".to_owned(), "1,250.00"),
        // too few operands
        (format!("{LINE} q BT /F 10 Tf 54 Td 0 100 Td (9) Tj ET Q"), "1,250.00"),
    ] {
        let (verdict, items, _) = shown(&forged);
        assert_eq!(verdict, Verdict::SignsOfChange, "{forged}: {items:?}");
        assert!(items.contains(&(HiddenKind::Retyped, expected.into())), "{forged}: {items:?}");
    }
}

#[test]
fn an_amount_that_some_viewers_do_not_show_is_a_sign_of_change() {
    let hidden = "BT /F 10 Tf 20 100 Td (Total) Tj ET \
        q 1 0 0 1 0 5000 1 0 0 1 0 0 cm BT /F 10 Tf 60 100 Td (1,250.00) Tj ET Q";
    let (verdict, items, _) = shown(hidden);
    assert_eq!((verdict, &items[..]), (Verdict::SignsOfChange, &[(HiddenKind::Covered, "1,250.00".to_owned())][..]));
}

#[test]
fn an_encoding_that_viewers_read_differently_is_a_sign_of_change() {
    let shown = |differences: &str| {
        let font = format!(
            "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
             /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [{differences}] >> >> >>"
        );
        let pdf = page("", &font, LINE).info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)").classic();
        let metadata = analyze(&Memory(pdf.into()), &Options::default()).expect("the file opens");
        (metadata.integrity.verdict, metadata.hidden.items.len())
    };
    // PDFium takes 49.5 for 49, and (x) for 0
    assert_eq!(shown("49.5 /nine"), (Verdict::SignsOfChange, 1));
    assert_eq!(shown("49 (x) /nine"), (Verdict::SignsOfChange, 1));
    assert_eq!(shown("49 /one 50.0 /two"), (Verdict::NoSigns, 0));
    assert_eq!(shown("65 /A 300 /nine"), (Verdict::NoSigns, 0));
}

/// MuPDF and PDFium go by what a group says of viewing (8.11.4.4), Poppler by the configuration; MuPDF ignores visibility
/// expressions.
#[test]
fn an_amount_in_a_layer_that_is_on_in_some_viewers_is_a_sign_of_change() {
    let shown = |group: &str, membership: &str, now: &str| {
        let old = "BT /F 10 Tf 20 100 Td (Total) Tj /OC /L BDC 40 0 Td (1,250.00) Tj EMC ET";
        let resources = format!("/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> {membership}");
        let pdf = page("", &resources, &format!("{old} BT /F 10 Tf 60 100 Td ({now}) Tj ET"))
            .info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)")
            .catalog(&format!("/OCProperties << /OCGs [{FREE} 0 R] /D << /Order [{FREE} 0 R] >> >>"))
            .with(FREE, format!("<< /Type /OCG /Name (Layer) {group} >>"));
        let metadata = analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens");
        metadata.integrity.verdict
    };
    let own = format!("/Properties << /L {FREE} 0 R >>");
    let by_expression = format!("/Properties << /L << /Type /OCMD /VE [/Not {FREE} 0 R] /OCGs {FREE} 0 R >> >>");
    let off = "/Usage << /View << /ViewState /OFF >> >>";
    assert_eq!(shown(off, &own, "9,250.00"), Verdict::SignsOfChange);
    assert_eq!(shown("", &by_expression, "9,250.00"), Verdict::SignsOfChange);
    // nothing is in its place
    assert_eq!(shown(off, &own, ""), Verdict::NoSigns);
    assert_eq!(shown("/Usage << /View << /ViewState /ON >> >>", &own, ""), Verdict::NoSigns);
}

#[test]
fn irregular_content_that_shows_the_same_is_none() {
    for content in [
        format!("{LINE} Q"),
        format!("q {LINE}"),
        format!("{LINE} 1 0 0 1 rg"),
        format!("0 0 0 1 g {LINE}"),
        format!("q 1 0 0 1 0 0 1 0 0 1 0 0 cm {LINE} Q"),
        format!("BT q ET Q {LINE}"),
        format!("5 foo {LINE}"),
        format!("BX 1 bar EX {LINE}"),
        // the rest of a page, which Poppler does not show, is no choice of words
        format!("{LINE} Q BT /F 10 Tf 20 50 Td (Page 1 of 1) Tj ET"),
        format!("{LINE} Q BT /F 10 Tf 120 100 Td (EUR) Tj ET"),
    ] {
        let (verdict, items, examined) = shown(&content);
        assert_eq!((verdict, examined), (Verdict::NoSigns, ExaminedContent::All), "{content}: {items:?}");
    }
}

#[test]
fn an_earlier_amount_that_the_page_does_not_show_is_found() {
    let now = "BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td (9,250.00) Tj ET";
    let comment = format!("% BT /F 10 Tf 60 100 Td (1,250.00) Tj ET\n{now}");
    assert_eq!(shown(&comment).1, [(HiddenKind::Retyped, "1,250.00".to_owned())]);
    let actual = "BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td /Span << /ActualText (1,250.00) >> BDC (9,250.00) Tj EMC ET";
    assert_eq!(shown(actual).1, [(HiddenKind::Retyped, "1,250.00".to_owned())]);
    for content in [
        // the same, elsewhere, and no operation
        format!("% BT /F 10 Tf 60 100 Td (9,250.00) Tj ET\n{now}"),
        format!("% BT /F 10 Tf 60 150 Td (1,250.00) Tj ET\n{now}"),
        format!("% 1,250.00\n{now}"),
        now.replace("(9,250.00) Tj", "/Span << /ActualText (9,250.00) >> BDC (9,2) Tj (50.00) Tj EMC"),
        now.replace("(9,250.00) Tj", "/Span << /ActualText (nine thousand) >> BDC (9,250.00) Tj EMC"),
    ] {
        let (verdict, items, _) = shown(&content);
        assert_eq!((verdict, &items[..]), (Verdict::NoSigns, &[][..]), "{content}");
    }
}

#[test]
fn an_earlier_amount_in_what_no_page_paints_is_an_earlier_state() {
    let verdict = |old: &str, reference: &str| {
        let now = "BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td (9,250.00) Tj ET";
        let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
        let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << {font} >>");
        let entries = if reference == "form" { form.as_str() } else { "" };
        let (page_entries, resources) = match reference {
            "form" => ("", format!("{font} /XObject << /X 40 0 R >>")),
            _ => ("/PieceInfo << /Ed << /LastModified (D:2024) /Private 40 0 R >> >>", font.to_owned()),
        };
        let pdf = page(page_entries, &resources, now).with_stream(40, entries, old.as_bytes());
        let pdf = pdf.info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)").classic();
        analyze(&Memory(pdf.into()), &Options::default()).expect("the file opens").integrity.verdict
    };
    for reference in ["form", "data"] {
        assert_eq!(verdict("BT /F 12 Tf (1,250.00) Tj ET", reference), Verdict::SignsOfChange, "{reference}");
        assert_eq!(verdict("BT /F 12 Tf (9,250.00) Tj ET", reference), Verdict::NoSigns, "{reference}");
        assert_eq!(verdict("BT /F 12 Tf (Confidential 12) Tj ET", reference), Verdict::NoSigns, "{reference}");
    }
}

#[test]
fn an_amount_that_is_moved_off_its_line_and_the_page_is_a_sign_of_change() {
    let forged = "BT /F 10 Tf 20 100 Td (Total) Tj 40 0 Td 5000 Ts (1,250.00) Tj ET";
    let (verdict, items, _) = shown(forged);
    assert_eq!((verdict, &items[..]), (Verdict::SignsOfChange, &[(HiddenKind::Covered, "1,250.00".to_owned())][..]));
    // a note beside the page, alone on its line
    assert_eq!(shown(&format!("{LINE} BT /F 10 Tf 60 50 Td 5000 Ts (1,250.00) Tj ET")).0, Verdict::NoSigns);
}

#[test]
fn an_amount_under_a_blank_annotation_is_a_sign_of_change() {
    let verdict = |annotation: &str, line: &str| {
        let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
        let annotation = format!("/Annots [<< /Type /Annot /F 4 {annotation} >>]");
        let pdf = page(&annotation, font, line).info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)");
        analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens").integrity.verdict
    };
    let field = "/Subtype /Widget /FT /Tx /T (t) /MK << /BG [1] >> /Rect [58 97 110 110]";
    let ink = "/Subtype /Ink /C [1] /InkList [[58 103 110 103]] /Border [0 0 40] /Rect [58 100 110 106]";
    assert_eq!(verdict(ink, LINE), Verdict::SignsOfChange);
    // words of a form under its field
    assert_eq!(verdict(field, LINE), Verdict::NoSigns);
    for annotation in [field, ink] {
        // a placeholder, and a text alone on its line
        let other = LINE.replace("1,250.00", "amount");
        assert_eq!(verdict(annotation, &other), Verdict::NoSigns, "{annotation}");
        let alone = LINE.replace("(Total)", "()");
        assert_eq!(verdict(annotation, &alone), Verdict::NoSigns, "{annotation}");
    }
}

#[test]
fn a_note_that_keeps_its_size_hides_where_viewers_place_it() {
    let verdict = |flags: u32, content: &str| {
        let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
        let note = format!("/Subtype /Stamp /F {flags} /Rect [58 112 59 113] /AP << /N 95 0 R >>");
        let look = format!("/Type /XObject /Subtype /Form /BBox [0 0 52 15] /Resources << {font} >>");
        let pdf = page(&format!("/Annots [<< /Type /Annot {note} >>]"), font, LINE);
        let pdf = pdf.with(95, stream(&look, content.as_bytes()));
        let pdf = pdf.info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)");
        analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens").integrity
    };
    for content in ["1 g 0 0 52 15 re f", "1 g 0 0 52 15 re f BT 0 g /F 10 Tf 2 2 Td (9,250.00) Tj ET"] {
        let (plain, fixed) = (verdict(4, content), verdict(12, content));
        assert_eq!(plain.verdict, Verdict::NoSigns, "{content}: {}", plain.summary);
        assert_eq!(fixed.verdict, Verdict::SignsOfChange, "{content}: {}", fixed.summary);
    }
}

/// The verdict about an encrypted page of which this stream draws the amount, and the texts that it hides; `patched` words
/// of the encrypted file are replaced by others.
fn shown_encrypted(cipher: Cipher, amount: &[u8], patched: [&str; 2]) -> (Verdict, Vec<String>) {
    let label = "BT /F 10 Tf 20 100 Td (Total) Tj ET";
    let pdf = drawing("", "").info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)");
    let pdf = pdf.with(90, stream("", label.as_bytes())).with(91, amount);
    let pdf = pdf.with(20, "[90 0 R 91 0 R]");
    let mut file = encrypted(&pdf.classic(), cipher, "", "owner");
    let [old, new] = patched;
    assert_eq!(old.len(), new.len(), "nothing moves");
    while let Some(at) = file.windows(old.len()).position(|window| window == old.as_bytes() && old != new) {
        file[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    let metadata = analyze(&Memory(file.into()), &Options::default()).expect("the file opens");
    let items = metadata.hidden.items.iter().map(|item| item.text.clone().unwrap_or_default());
    (metadata.integrity.verdict, items.collect())
}

#[test]
fn an_amount_that_only_some_viewers_decrypt_is_a_sign_of_change() {
    let amount = b"BT /F 10 Tf 60 100 Td (1,250.00) Tj ET";
    for (cipher, entries, patched) in [
        // MuPDF and Poppler read it as it is, PDFium decrypts it
        (Cipher::Rc4Of128, "/Filter /Crypt", ["/Crypt", "/Crypt"]),
        (Cipher::Rc4ByFilter, "/Filter [/Crypt] /DecodeParms [<< /Name /Identity >>]", ["/Crypt", "/Crypt"]),
        // only PDFium decrypts it
        (Cipher::Rc4Of128, "/Xilter /Crypt", ["/Xilter", "/Filter"]),
        // only Poppler does not decrypt it
        (Cipher::Rc4ByFilter, "/Xilter /Crypt /DecodeParms << /Name /StdCF >>", ["/Xilter", "/Filter"]),
    ] {
        let (verdict, items) = shown_encrypted(cipher, &stream(entries, amount), patched);
        assert_eq!(
            (verdict, &items[..]),
            (Verdict::SignsOfChange, &["1,250.00".to_owned()][..]),
            "{cipher:?} {entries}"
        );
    }
}

#[test]
fn content_is_decrypted_whatever_type_it_states() {
    let covered =
        b"BT /F 10 Tf 60 100 Td (1,250.00) Tj ET 1 g 58 97 50 12 re f 0 g BT /F 10 Tf 60 100 Td (9,250.00) Tj ET";
    for (cipher, kind) in [
        (Cipher::Rc4Of128, ["/Type/Some", "/Type/XRef"]),
        (Cipher::Aes256, ["/Type/Some", "/Type/XRef"]),
        (Cipher::Aes256ClearMetadata, ["/Type/SomeData", "/Type/Metadata"]),
    ] {
        let [some, _] = kind;
        let entries = some.replace("/Some", " /Some");
        let (verdict, items) = shown_encrypted(cipher, &stream(&entries, covered), kind);
        assert_eq!(
            (verdict, &items[..]),
            (Verdict::SignsOfChange, &["1,250.00".to_owned()][..]),
            "{cipher:?} {kind:?}"
        );
    }
}

/// Which page has number 1 depends on the viewer: MuPDF enters no node that says to have no pages, Poppler no page that is
/// written into the list, and PDFium follows no reference to a reference.
#[test]
fn a_page_that_only_some_viewers_find_is_compared_with_the_one_that_the_others_show() {
    let page = |content: u32| {
        format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 400 200] /Contents {content} 0 R \
             /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
    };
    let node = |count: i64| format!("<< /Type /Pages /Parent {PAGES} 0 R /Kids [91 0 R] /Count {count} >>");
    let text = |number: &str, total: &str| {
        format!(
            "BT /F 10 Tf 20 150 Td (Invoice {number}) Tj 0 -20 Td (Total {total} EUR) Tj 0 -20 Td (Payable at once) Tj ET"
        )
    };
    let examined = |first: &str, (kid, extra): (&str, Option<&str>)| {
        let mut pdf = drawing(&text("4711", "9,250.00"), "")
            .info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)")
            .with(PAGES, format!("<< /Type /Pages /Kids [{kid} {FIRST_PAGE} 0 R] /Count 2 >>"))
            .with_stream(FREE, "", first.as_bytes())
            .with(91, page(FREE));
        if let Some(extra) = extra {
            pdf = pdf.with(92, extra);
        }
        let metadata = analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens");
        let items = metadata.hidden.items.iter().map(|item| item.text.clone().unwrap_or_default());
        let integrity = metadata.integrity;
        (integrity.verdict, items.collect::<Vec<_>>(), integrity.examined.content, integrity.summary)
    };
    let inline = page(FREE);
    let (none, negative, one) = (node(0), node(-1), node(1));
    for kid in [
        ("92 0 R", Some(none.as_str())),
        ("92 0 R", Some(negative.as_str())),
        (inline.as_str(), None),
        ("92 0 R", Some("91 0 R")),
    ] {
        let (verdict, items, _, summary) = examined(&text("4711", "1,250.00"), kid);
        assert_eq!((verdict, &items[..]), (Verdict::SignsOfChange, &["1,250.00".to_owned()][..]), "{kid:?}");
        assert_eq!(
            summary, "On page 1, some viewers show 'Total 1,250.00 EUR', and others 'Total 9,250.00 EUR'.",
            "{kid:?}"
        );
        // another page, of which it is not certain whether it is there
        let (verdict, items, content, _) = examined("BT /F 10 Tf 20 150 Td (Terms of delivery) Tj ET", kid);
        assert_eq!((verdict, items.len(), content), (Verdict::NoSigns, 0, ExaminedContent::Part), "{kid:?}");
    }
    // two versions as two pages that all viewers show
    for kid in [("92 0 R", Some(one.as_str())), ("91 0 R", None)] {
        let (verdict, items, content, _) = examined(&text("4711", "1,250.00"), kid);
        assert_eq!((verdict, items.len(), content), (Verdict::NoSigns, 0, ExaminedContent::All), "{kid:?}");
    }
}
