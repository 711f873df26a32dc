//! Earlier states of pages that nothing leads to.

use engine::{Memory, Options, SignalId, Verdict, analyze};
use samples::pdf::Pdf;
use samples::texts::{FREE, drawing};

use super::{HELVETICA, LINE, analyzed, described, sheet};
use crate::remote::Remote;
use crate::support::{ids, signal};

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
    let appended = |file: &[u8], object: &[u8]| {
        let at = samples::pdf::start_of_xref(file);
        let text = String::from_utf8_lossy(&file[at..])
            .replace(&format!("startxref\n{at}"), &format!("startxref\n{}", at + object.len()));
        [&file[..at], object, text.as_bytes()].concat()
    };
    let with = |object: &[u8]| appended(&file, object);
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
    // viewers repair a file whose entry leads beside the stream, and show one of the copies
    let pages = book(&all("9,250.00"), 2).classic();
    let beside = |file: Vec<u8>, distance: usize| {
        let header = b"\n200 0 obj";
        let at = file.windows(header.len()).position(|text| text == header).expect("the stream") + 1;
        let entry = format!("{at:010} 00000 n");
        let entry_at = file.windows(entry.len()).position(|text| text == entry.as_bytes()).expect("its entry");
        let moved = format!("{:010} 00000 n", at + distance);
        [&file[..entry_at], moved.as_bytes(), &file[entry_at + moved.len()..]].concat()
    };
    for distance in [1, 2] {
        let forged = appended(&pages, &object(200, &all("1,250.00")));
        assert_eq!(verdict(&beside(forged, distance)), Verdict::SignsOfChange, "{distance}");
        let same = appended(&pages, &object(200, &all("9,250.00")));
        assert_eq!(verdict(&beside(same, distance)), Verdict::NoSigns, "{distance}");
        assert_eq!(verdict(&beside(pages.clone(), distance)), Verdict::NoSigns, "{distance}");
    }
    // an attached file has objects of its own
    let attached = now.with_stream(95, "/Type /EmbeddedFile", &object(content, &all("1,250.00")));
    assert_eq!(verdict(&attached.classic()), Verdict::NoSigns);
}

#[test]
fn copies_of_fields_notes_and_appearances_that_nothing_lists_are_an_earlier_state() {
    let look = |amount: &str| format!("BT /F 10 Tf 2 4 Td ({amount}) Tj ET");
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 16] {HELVETICA}");
    let widget = |amount: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (total) /Rect [20 20 120 36] /V ({amount}) /AP << /N 62 0 R >> >>"
        )
    };
    let note = |amount: &str| {
        format!(
            "<< /Type /Annot /Subtype /FreeText /Rect [20 50 120 66] /Contents (Pay {amount}) /AP << /N 63 0 R >> >>"
        )
    };
    let now = |amount: &str| {
        // both amounts are on the page
        let page = samples::texts::page(
            "/Annots [60 0 R 61 0 R]",
            "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>",
            LINE,
        );
        described(page)
            .with(60, widget(amount))
            .with(61, note(amount))
            .with_stream(62, &form, look(amount).as_bytes())
            .with_stream(63, &form, look(amount).as_bytes())
            .classic()
    };
    let file = now("9,250.00");
    let before = |number: u32, text: &[u8]| {
        let at = samples::pdf::start_of_xref(&file);
        let object = [format!("{number} 0 obj\n").as_bytes(), text, b"\nendobj\n"].concat();
        let text = String::from_utf8_lossy(&file[at..])
            .replace(&format!("startxref\n{at}"), &format!("startxref\n{}", at + object.len()));
        let file = [&file[..at], &object, text.as_bytes()].concat();
        analyze(&Memory(file.into()), &Options::default()).expect("the file opens").integrity
    };
    let stream = |amount: &str| samples::pdf::stream(&form, look(amount).as_bytes());
    for (number, amount, expected) in [
        (60, "1,250.00", Verdict::SignsOfChange),
        (60, "9,250.00", Verdict::NoSigns),
        (90, "1,250.00", Verdict::NoSigns),
    ] {
        assert_eq!(before(number, widget(amount).as_bytes()).verdict, expected, "field {number} {amount}");
        assert_eq!(before(number + 2, &stream(amount)).verdict, expected, "appearance {number} {amount}");
    }
    let found = before(61, note("1,250.00").as_bytes());
    assert_eq!(signal(&found, SignalId::HistoryCut).evidence[0].before.as_deref(), Some("Pay 1,250.00"));
}

#[test]
fn the_stream_that_only_the_hidden_part_of_a_hybrid_file_lists_is_an_earlier_state() {
    let all =
        |amount: &str| format!("BT /F 10 Tf 20 100 Td (Total {amount} EUR) Tj 0 50 Td (Invoice 4711 of Example) Tj ET");
    let content = samples::texts::CONTENT;
    let hybrid = |amount: &str| {
        let file = sheet(&all("9,250.00")).classic();
        let at = samples::pdf::start_of_xref(&file);
        let copy =
            [format!("{content} 0 obj\n").as_bytes(), &samples::pdf::stream("", all(amount).as_bytes()), b"\nendobj\n"]
                .concat();
        let row = [&[1][..], &u32::try_from(at).expect("a small file").to_be_bytes(), &[0, 0]].concat();
        let entries = format!("/Type /XRef /Size 99 /W [1 4 2] /Index [{content} 1] /Root 1 0 R");
        let section = [&b"98 0 obj\n"[..], &samples::pdf::stream(&entries, &row), b"\nendobj\n"].concat();
        let table = String::from_utf8_lossy(&file[at..])
            .replacen("trailer\n<<", &format!("trailer\n<< /XRefStm {}", at + copy.len()), 1)
            .replace(&format!("startxref\n{at}"), &format!("startxref\n{}", at + copy.len() + section.len()));
        assert!(table.contains("/XRefStm"), "{table}");
        let file = [&file[..at], &copy, &section, table.as_bytes()].concat();
        analyze(&Memory(file.into()), &Options::default()).expect("the file opens").integrity
    };
    let found = hybrid("1,250.00");
    assert_eq!(found.verdict, Verdict::SignsOfChange, "{}", found.summary);
    assert_eq!(hybrid("9,250.00").verdict, Verdict::NoSigns);
}

#[test]
fn a_structure_element_with_nearly_the_number_that_is_shown_has_an_earlier_one() {
    let line = "BT /F 10 Tf 20 100 Td (Total) Tj ET /Span << /MCID 0 >> BDC BT /F 10 Tf 60 100 Td (9,250.00) Tj ET EMC";
    let says = |text: &str, kids: &str| {
        described(drawing(line, ""))
            .with(70, "<< /Type /StructTreeRoot /K 71 0 R >>")
            .with(
                71,
                format!("<< /S /Span /P 70 0 R /Pg {} 0 R /ActualText ({text}) /K {kids} >>", samples::pdf::FIRST_PAGE),
            )
            .with(72, "<< /S /Span /P 71 0 R /K 0 >>")
            .catalog("/StructTreeRoot 70 0 R /MarkInfo << /Marked true >>")
    };
    for kids in ["0", "[0]", "<< /Type /MCR /MCID 0 >>", "[72 0 R]"] {
        let integrity = analyzed(&says("1,250.00", kids)).integrity;
        assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{kids}");
        let evidence = &signal(&integrity, SignalId::TextRetyped).evidence[0];
        assert_eq!(evidence.place.as_deref(), Some("the replacement text of other words"));
        assert_eq!(analyzed(&says("9,250.00", kids)).integrity.verdict, Verdict::NoSigns, "{kids}");
    }
    // of other content, and another text
    assert_eq!(analyzed(&says("1,250.00", "1")).integrity.verdict, Verdict::NoSigns);
    assert_eq!(analyzed(&says("nine thousand", "0")).integrity.verdict, Verdict::NoSigns);
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
    // the pages of a table, which repeat cells, and those of a form, which are counted
    let table = |numbers: [&str; 4]| {
        let row = |(place, number): (usize, &&str)| {
            let y = 150 - 20 * place;
            format!("BT /F 10 Tf 20 {y} Td ({number}) Tj 100 0 Td (pump) Tj 100 0 Td (1250.00) Tj ET ")
        };
        numbers.iter().enumerate().map(row).collect::<String>()
    };
    let heading = |part: &str| format!("BT /F 10 Tf 20 150 Td (Application part {part}) Tj 0 -20 Td (Name) Tj ET");
    for (now, old, expected) in [
        (table(["1501", "1502", "1503", "1504"]), table(["1401", "1402", "1403", "1404"]), Verdict::NoSigns),
        (table(["1501", "1502", "1503", "1504"]), table(["1501", "1402", "1503", "1504"]), Verdict::SignsOfChange),
        (heading("2"), heading("1"), Verdict::NoSigns),
        (heading("for 9,250"), heading("for 1,250"), Verdict::SignsOfChange),
    ] {
        let pdf = sheet(&now).with(91, kept.as_str()).with_stream(90, "", old.as_bytes());
        let found = analyzed(&pdf.catalog("/StructTreeRoot << /K << /S /P /Pg 91 0 R >> >>")).integrity;
        assert_eq!(found.verdict, expected, "{old}: {:?}", ids(&found));
    }
}

/// However many lines of a short page are replaced: its number and its labels stay.
#[test]
fn a_short_page_to_which_an_action_leads_is_an_earlier_state_whatever_part_was_replaced() {
    let page = |[first, second, third]: [&str; 3]| {
        format!("BT /F 10 Tf 20 150 Td ({first}) Tj 0 -20 Td ({second}) Tj 0 -20 Td ({third}) Tj ET")
    };
    let kept = |content: u32| {
        format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 400 200] /Contents {content} 0 R \
             /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            samples::pdf::PAGES
        )
    };
    let now = page(["Invoice 4711", "Pay to Mallory, account 4242", "Total 9,250.00"]);
    let with = |old: [&str; 3], further: Option<[&str; 3]>| {
        let mut pdf = sheet(&now).with(91, kept(90)).with_stream(90, "", page(old).as_bytes());
        if let Some(further) = further {
            pdf = pdf.with(93, kept(92)).with_stream(92, "", page(further).as_bytes());
        }
        let names = if further.is_some() { "/Names << /Pages << /Names [(other) 93 0 R] >> >>" } else { "" };
        analyzed(&pdf.catalog(&format!("/OpenAction [91 0 R /FitH null] {names}"))).integrity
    };
    let replaced = with(["Invoice 4711", "Pay to Brandt GmbH, account 1234", "Total 1,250.00"], None);
    assert_eq!(replaced.verdict, Verdict::SignsOfChange);
    let found = signal(&replaced, SignalId::HistoryCut).evidence[0].before.clone().unwrap_or_default();
    assert!(found.contains("Brandt") && found.contains("1,250.00"), "{found}");
    for (old, further) in [
        // the first page of a series, from which another one was extracted
        (["Invoice 4710", "Pay to Brandt GmbH, account 1234", "Total 1,250.00"], None),
        (["Payslip of March", "Pay to Brandt GmbH, account 1234", "Total 1,250.00"], None),
        // a series in which each page has the number
        (
            ["Order 4711", "Pay to Brandt GmbH, account 1234", "Total 1,250.00"],
            Some(["Order 4711", "Pay to Example Ltd, account 5678", "Total 2,250.00"]),
        ),
        (
            ["Invoice 4711", "Pay to Brandt GmbH, account 1234", "Total 1,250.00"],
            Some(["Invoice 4711", "Pay to Example Ltd, account 5678", "Total 2,250.00"]),
        ),
        // another page of the same document
        (["Invoice 4711", "Terms of delivery", "Goods remain ours until paid"], None),
    ] {
        let left = with(old, further);
        assert_eq!(left.verdict, Verdict::NoSigns, "{old:?}: {:?}", ids(&left));
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
fn what_a_hidden_button_would_show_is_no_earlier_state() {
    let text = "BT /F 10 Tf 20 100 Td (Total 1,250.01 EUR) Tj ET";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 200]";
    let verdict = |resources: &str, look: &str| {
        let widget =
            "<< /Type /Annot /Subtype /Widget /FT /Btn /T (Frame) /Ff 65536 /F 2 /Rect [0 0 9 9] /AP 94 0 R >>";
        let pdf = described(samples::texts::drawing(LINE, resources));
        let pdf = pdf.catalog("/AcroForm << /Fields [90 0 R] >>").with(90, widget).with(94, "<< /N 91 0 R >>");
        let pdf = pdf.with_stream(91, &format!("{form} /Resources << {look} >>"), b"/Im Do");
        analyzed(&pdf.with_stream(92, &format!("{form} {HELVETICA}"), text.as_bytes())).integrity.verdict
    };
    let drawing = "/XObject << /Im 92 0 R >>";
    assert_eq!(verdict("", drawing), Verdict::NoSigns);
    // a drawing of the page that the page does not paint
    assert_eq!(verdict(drawing, ""), Verdict::SignsOfChange);
}

#[test]
fn two_complete_files_in_one_that_show_the_same_lines_are_no_earlier_state() {
    let lines = |first: &str, second: &str| {
        let at = |bottom: u32, text: &str| format!("BT /F 10 Tf 20 {bottom} Td ({text}) Tj ET ");
        described(samples::texts::drawing(&(at(100, first) + &at(80, second)), "")).classic()
    };
    let (draft, result) = (lines("Total 1,250.00", "Thank you"), lines("Thank you", "Total 1,250.00"));
    assert_eq!(draft.len(), result.len());
    // the second one's last offset leads into the first one
    let verdict = |one: &[u8], other: &[u8]| {
        let file = [one, other].concat();
        analyze(&Memory(file.into()), &Options::default()).expect("the file opens").integrity.verdict
    };
    assert_eq!(verdict(&draft, &result), Verdict::NoSigns);
    assert_eq!(verdict(&draft, &lines("Thank you", "Total 9,250.00")), Verdict::SignsOfChange);
}
