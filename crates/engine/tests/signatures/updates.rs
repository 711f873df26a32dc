//! Incremental updates behind a signature: only one that is what its objects and entries, written again, would be is clean.
//! Whatever else it is, some viewer repairs the file and shows what lies elsewhere in it.

use engine::{Integrity, Verdict};
use samples::pdf::{CATALOG, FIRST_PAGE, Form, INFO, PAGES, Pdf, size, start_of_xref, stream};
use samples::section::{Row, Section, container};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

/// The page's content, and what is free for an update.
const CONTENT: u32 = 500;
const FREE: u32 = 900;

fn integrity(file: &[u8]) -> Integrity {
    metadata(file).integrity
}

fn page(entries: &str) -> String {
    format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R {entries} >>")
}

fn total(amount: &str) -> Vec<u8> {
    format!("BT /F 12 Tf 72 700 Td (Total {amount}) Tj ET").into_bytes()
}

fn invoice() -> Pdf {
    Pdf::new(1).with(FIRST_PAGE, page("")).with_stream(CONTENT, "", &total("1,250.00"))
}

fn certified(document: SignedPdf) -> Vec<u8> {
    document.signed(&Signing::by(Key::Ed25519).certifying(1)).file
}

fn signed(base: &Pdf) -> Vec<u8> {
    certified(SignedPdf::new(base))
}

/// An update of nothing.
fn update() -> Section {
    Section { trailer: format!("/Root {CATALOG} 0 R /Info {INFO} 0 R"), ..Section::default() }
}

/// An invoice that was prepared before it was signed: behind the content that is shown lies another one, listed by an older
/// section.
fn prepared() -> Vec<u8> {
    let mut document = SignedPdf::new(&invoice());
    let header = format!("{CONTENT} 0 obj");
    let good = document.file.windows(header.len()).position(|window| window == header.as_bytes()).expect("content");
    document.file = update().with(CONTENT, stream("", &total("9,250.00"))).write(document.file, Form::Table);
    document.file = update().row(CONTENT, Row::At(good, 0)).write(document.file, Form::Table);
    certified(document)
}

/// What an update's section says, for it to be written wrongly.
#[derive(Clone)]
struct Parts {
    size: String,
    previous: String,
    root: String,
    /// The subsection's header, or `/Index`.
    head: String,
    row: Vec<u8>,
    /// Entries of a stream.
    kind: &'static str,
    widths: &'static str,
    more: &'static str,
    /// Before the section, behind it, and what `startxref` is off by.
    before: &'static str,
    behind: &'static str,
    shift: isize,
}

/// Appends an object that nothing refers to, with a table or a stream in which `change` changed something.
fn appended(file: &[u8], form: Form, change: impl Fn(&mut Parts)) -> Vec<u8> {
    let (own, before) = (size(file), start_of_xref(file));
    let mut written = [file, format!("{own} 0 obj\n<< /Note (nothing refers to it) >>\nendobj\n").as_bytes()].concat();
    let (at, is_table) = (file.len(), form == Form::Table);
    let row = match is_table {
        true => format!("{at:010} 00000 n \n").into_bytes(),
        false => {
            [&[1], &(at as u32).to_be_bytes()[..], &[0, 1], &(written.len() as u32).to_be_bytes()[..], &[0]].concat()
        }
    };
    let mut parts = Parts {
        size: (own + 1 + u32::from(!is_table)).to_string(),
        previous: before.to_string(),
        root: format!("{CATALOG} 0 R"),
        head: if is_table { format!("{own} 1") } else { format!("[{own} 2]") },
        row,
        kind: "/Type /XRef",
        widths: "[1 4 1]",
        more: "",
        before: "",
        behind: "",
        shift: 0,
    };
    change(&mut parts);
    let Parts { size, previous, root, head, row, kind, widths, more, before, behind, shift } = parts;
    written.extend_from_slice(before.as_bytes());
    let start = written.len();
    let trailer = format!("/Size {size} /Root {root} /Info {INFO} 0 R /Prev {previous} {more}");
    if is_table {
        written.extend_from_slice(format!("xref\n{head}\n").as_bytes());
        written.extend_from_slice(&row);
        written.extend_from_slice(format!("trailer\n<< {trailer} >>\n").as_bytes());
    } else {
        written.extend_from_slice(format!("{} 0 obj\n", own + 1).as_bytes());
        written.extend_from_slice(&stream(&format!("{kind} /W {widths} /Index {head} {trailer}"), &row));
        written.extend_from_slice(b"\nendobj\n");
    }
    written.extend_from_slice(format!("{behind}startxref\n{}\n%%EOF\n", start as isize + shift).as_bytes());
    written
}

/// The `/Index` of a section's two entries, by the number of the first.
fn split_index(parts: &Parts, index: impl Fn(u32) -> String) -> String {
    let (own, _) = parts.head[1..].split_once(' ').expect("a number and a count");
    index(own.parse().expect("a number"))
}

type Change = (&'static str, Form, fn(&mut Parts));

/// Ways to write a section that some viewer does not read.
fn changes() -> Vec<Change> {
    use Form::{Stream, Table};
    fn head(parts: &mut Parts, from: &str, to: &str) {
        parts.head = parts.head.replace(from, to);
    }
    vec![
        ("a huge /Size", Stream, |parts| parts.size = "99999999".into()),
        ("a huge /Size", Table, |parts| parts.size = "99999999".into()),
        ("a /Size that MuPDF refuses", Table, |parts| parts.size = "8388609".into()),
        ("a /Size beyond 31 bits", Table, |parts| parts.size = "2147483648".into()),
        ("a signed /Size", Table, |parts| parts.size = format!("+{}", parts.size)),
        ("a /Size with a zero in front", Table, |parts| parts.size = format!("0{}", parts.size)),
        ("a real /Size", Table, |parts| parts.size.push_str(".0")),
        ("an /Index with a huge count", Stream, |parts| head(parts, "]", " 3 99999999]")),
        ("an /Index with a negative count", Stream, |parts| head(parts, "]", " 3 -4]")),
        ("an /Index that begins at a huge number", Stream, |parts| head(parts, "]", " 99999999 0]")),
        ("an /Index of an odd length", Stream, |parts| head(parts, "]", " 3]")),
        ("an /Index with a real number", Stream, |parts| head(parts, " 2]", " 2.0]")),
        ("an /Index with a text", Stream, |parts| head(parts, "]", " (x)]")),
        ("a number twice in /Index", Stream, |parts| {
            parts.head = split_index(parts, |own| format!("[{own} 1 {} 1 {own} 1]", own + 1));
            let again = parts.row[..6].to_vec();
            parts.row.extend(again);
        }),
        ("a /W with a text", Stream, |parts| parts.widths = "[1 4 1 (x)]"),
        ("a /W with a negative width", Stream, |parts| parts.widths = "[1 4 1 -1]"),
        ("a /W of four widths", Stream, |parts| parts.widths = "[1 4 1 99]"),
        ("another /Type", Stream, |parts| parts.kind = "/Type /ObjStm"),
        ("/Filter /Crypt", Stream, |parts| parts.more = "/Filter /Crypt"),
        ("a filter that does nothing", Stream, |parts| parts.more = "/Filter [null]"),
        ("an external file", Stream, |parts| parts.more = "/F (other.pdf)"),
        ("a row too many", Stream, |parts| parts.row.extend([0; 6])),
        ("half a row more", Stream, |parts| parts.row.extend([0; 3])),
        // Ghostscript
        ("types of two bytes", Stream, |parts| {
            parts.widths = "[2 4 1]";
            parts.row.insert(6, 0);
            parts.row.insert(0, 0);
        }),
        ("a number that is too high", Table, |parts| {
            parts.size = "4000001".into();
            parts.row.extend(b"4000000 1\n0000000000 00001 f \n");
        }),
        // MuPDF
        ("a stream beside a stream", Stream, |parts| parts.more = "/XRefStm 9"),
        ("an unknown type", Stream, |parts| parts.row[0] = 3),
        ("an entry for a member of no stream", Stream, |parts| parts.row[0] = 2),
        ("an entry that leads elsewhere", Stream, |parts| parts.row[4] = parts.row[4].wrapping_add(3)),
        ("two more blanks in the header", Table, |parts| parts.head.push_str("  ")),
        ("a comment in the header", Table, |parts| parts.head.push_str(" % one")),
        ("a zero in front of the number", Table, |parts| parts.head.insert(0, '0')),
        ("a sign in front of the number", Table, |parts| parts.head.insert(0, '+')),
        ("a count that is too large", Table, |parts| head(parts, " 1", " 5")),
        ("a count of nothing", Table, |parts| head(parts, " 1", " 0")),
        ("a row of 19 bytes", Table, |parts| parts.row = parts.row.iter().copied().filter(|it| *it != b'\n').collect()),
        ("a row of 21 bytes", Table, |parts| parts.row.insert(18, b' ')),
        ("letters among digits", Table, |parts| parts.row[14] = b'x'),
        ("a kind that is neither", Table, |parts| parts.row[17] = b'm'),
        ("another generation", Table, |parts| parts.row[15] = b'1'),
        ("an entry that leads elsewhere", Table, |parts| parts.row[..10].copy_from_slice(b"0000000009")),
        ("an entry that leads beyond the file", Table, |parts| parts.row[..10].copy_from_slice(b"0009999999")),
        ("/Prev as a real number", Table, |parts| parts.previous.push_str(".0")),
        ("/Prev with a zero in front", Table, |parts| parts.previous.insert(0, '0')),
        ("/Prev by a reference", Table, |parts| parts.previous = format!("{FREE} 0 R")),
        ("/Prev that is a little off", Table, |parts| parts.previous.push('0')),
        ("/Prev that is a little off", Stream, |parts| parts.previous.push('0')),
        ("another generation of /Root", Table, |parts| parts.root = format!("{CATALOG} 1 R")),
        ("another /Root", Table, |parts| parts.root = format!("{PAGES} 0 R")),
        ("/Root twice", Table, |parts| parts.more = "/#52oot 1 0 R"),
        ("an unknown entry", Table, |parts| parts.more = "/Roots 1 0 R"),
        ("a stream beside the table that is none", Table, |parts| parts.more = "/XRefStm 9"),
        ("a comment in the trailer", Table, |parts| parts.more = "% /Size 7\n"),
        ("words before the section", Table, |parts| parts.before = "words "),
        ("an object that no entry leads to", Table, |parts| parts.before = "990 0 obj\nnull\nendobj\n"),
        ("a comment that holds a keyword", Table, |parts| parts.before = "% startxref\n"),
        ("many blanks behind the trailer", Table, |parts| parts.behind = BLANKS),
        ("a comment that holds a keyword, behind the trailer", Table, |parts| parts.behind = "%startxref 9\n"),
        ("a startxref that is off by one", Table, |parts| parts.shift = 1),
        ("a startxref that is off by one", Stream, |parts| parts.shift = 1),
        ("no line end before the section", Stream, |parts| parts.before = "% "),
    ]
}

const BLANKS: &str = match std::str::from_utf8(&[b' '; 1_100]) {
    Ok(blanks) => blanks,
    Err(_) => "",
};

#[test]
fn only_a_canonical_update_is_clean() {
    let prepared = prepared();
    assert_eq!(integrity(&prepared).verdict, Verdict::UnchangedSinceSigning);
    for form in [Form::Table, Form::Stream] {
        let control = integrity(&appended(&prepared, form, |_| ()));
        assert_eq!(control.verdict, Verdict::UnchangedSinceSigning, "{form:?}: {}", control.summary);
        assert!(control.examined.saves.is_empty());
        // pyHanko counts numbers that it reserved
        let reserved = integrity(&appended(&prepared, form, |parts| parts.size.push('0')));
        assert_eq!(reserved.verdict, Verdict::UnchangedSinceSigning, "{form:?}: {}", reserved.summary);
    }
    // Syncfusion lists numbers in the order of its objects
    let descending = integrity(&appended(&prepared, Form::Stream, |parts| {
        parts.head = split_index(parts, |own| format!("[{} 1 {own} 1]", own + 1));
        parts.row.rotate_left(6);
    }));
    assert_eq!(descending.verdict, Verdict::UnchangedSinceSigning, "{}", descending.summary);
    let honest = signed(&invoice());
    for (name, form, change) in changes() {
        for (file, is_prepared) in [(&prepared, true), (&honest, false)] {
            let answer = integrity(&appended(file, form, change));
            let is_accused = answer.verdict == Verdict::ChangedSinceSigning;
            let is_open = answer.verdict == Verdict::Undetermined;
            assert!(is_open || is_prepared && is_accused, "{name} [{form:?}]: {:?} {}", answer.verdict, answer.summary);
        }
    }
}

/// As pypdf drops /Info from the trailer, and pyHanko names the same dictionary again.
#[test]
fn document_information_that_a_trailer_left_out_may_come_back() {
    let base = signed(&invoice().info("/Title (Invoice 4711)"));
    let dropped = Section { trailer: format!("/Root {CATALOG} 0 R"), ..Section::default() };
    let dropped = dropped.with(PAGES, format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R] /Count 1 >>"));
    let dropped = dropped.write(base, Form::Table);
    let back = |title: &str| {
        let info = format!("<< /Title ({title}) /ModDate (D:20261126140915Z) >>");
        integrity(&update().with(INFO, info).write(dropped.clone(), Form::Table))
    };
    let same = back("Invoice 4711");
    assert!(same.verdict != Verdict::ChangedSinceSigning, "{:?}: {}", same.verdict, same.summary);
    assert_eq!(back("Invoice 4712").verdict, Verdict::ChangedSinceSigning);
}

/// As @signpdf writes it.
#[test]
fn a_section_may_begin_with_the_line_end_before_it() {
    let file = appended(&signed(&invoice()), Form::Table, |parts| {
        parts.before = "\n";
        parts.shift = -1;
    });
    let answer = integrity(&file);
    assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{}", answer.summary);
}

#[test]
fn the_reason_names_the_deviation() {
    let file = appended(&signed(&invoice()), Form::Table, |parts| parts.size = "99999999".into());
    let answer = integrity(&file);
    assert!(
        answer.summary.ends_with("revision 3 does not conform: /Size of its trailer is not exact."),
        "{}",
        answer.summary
    );
}

#[test]
fn what_lies_in_data_does_not_matter_where_no_viewer_repairs() {
    let attached =
        [b"%PDF-1.4\n".as_slice(), &invoice().with_stream(CONTENT, "", &total("9,250.00")).classic()].concat();
    let text = format!("In a PDF, {CONTENT} 0 obj begins an object; endobj ends it.");
    for data in [attached.as_slice(), text.as_bytes()] {
        let names = format!(
            "/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) /EF << /F {FREE} 0 R >> >>] >> >>"
        );
        let base = invoice().catalog(&names).with_stream(FREE, "/Type /EmbeddedFile", data);
        let document = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(2));
        let second = document.signed(&Signing::by(Key::P256).field("Second"));
        assert_eq!(integrity(&second.file).verdict, Verdict::UnchangedSinceSigning);
        // but in an update itself
        let hidden = update().with(size(&second.file), stream("", data)).write(second.file, Form::Table);
        assert_eq!(integrity(&hidden).verdict, Verdict::Undetermined);
    }
}

#[test]
fn an_attachment_is_compared_whatever_else_it_is() {
    let names =
        format!("/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) /EF << /F {FREE} 0 R >> >>] >> >>");
    let attached = |total: &str| stream("/Type /EmbeddedFile /T (x)", total.as_bytes());
    // as a field it is a dictionary, and its data is not compared
    for fields in ["", "900 0 R"] {
        let mut document = SignedPdf::new(&invoice().catalog(&names).with(FREE, attached("Total 1,250.00")));
        document.fields = fields.to_owned();
        let document = document.signed(&Signing::by(Key::Ed25519).certifying(1));
        let answer = integrity(&Pdf::changes().with(FREE, attached("Total 9,250.00")).update(document.file));
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{fields}: {}", answer.summary);
        assert!(answer.summary.starts_with("Attachments were changed"), "{}", answer.summary);
    }
}

#[test]
fn a_reference_that_leads_to_nothing_makes_some_viewers_repair() {
    let file = prepared();
    let page = |entries: &str| Pdf::changes().with(FIRST_PAGE, page(entries));
    for entries in ["/LastModified 9999 0 R", "/PieceInfo 9999 0 R"] {
        for form in [Form::Table, Form::Stream, Form::Compressed] {
            let answer = integrity(&page(entries).update_as(file.clone(), form));
            assert_ne!(answer.verdict, Verdict::UnchangedSinceSigning, "{entries} [{form:?}]");
        }
    }
    let answer = integrity(&page("").update(file));
    assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{}", answer.summary);
    // also where an object that nothing led to stands between
    let prepared = signed(&invoice().with(FREE, "9999 0 R").with(FREE + 1, "[9999 0 R]").with(FREE + 2, "[null]"));
    for (number, is_open) in [(FREE, true), (FREE + 1, true), (FREE + 2, false)] {
        let answer = integrity(&page(&format!("/LastModified {number} 0 R")).update(prepared.clone()));
        assert_eq!(answer.examined.saves.is_empty(), !is_open, "{number}: {}", answer.summary);
    }
}

#[test]
fn objects_written_again_are_the_same_in_every_form() {
    let base = invoice();
    let file = signed(&base);
    for form in Form::ALL {
        let again = Pdf::changes().with(FIRST_PAGE, page("")).with_stream(CONTENT, "", &total("1,250.00"));
        let answer = integrity(&again.update_as(file.clone(), form));
        assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{form:?}: {}", answer.summary);
        assert!(answer.examined.saves.is_empty(), "{form:?}");
    }
    // the free list in another order, and entries repeated as they were
    let free = update().row(990, Row::Free(7)).row(991, Row::Free(0));
    assert_eq!(integrity(&free.write(file.clone(), Form::Table)).verdict, Verdict::UnchangedSinceSigning);
}

#[test]
fn an_object_stream_and_its_entries_agree() {
    let file = signed(&invoice());
    let number = size(&file);
    let member = b"<< /Note (nothing refers to it) >>".as_slice();
    let write = |data: &[u8], rows: &[(u32, Row)]| {
        let mut section = update().with(number, data);
        for (number, row) in rows {
            section = section.row(*number, *row);
        }
        integrity(&section.write(file.clone(), Form::Stream))
    };
    let [one, two] = [number + 1, number + 2];
    let sound = container(&[(one, member), (two, member)]);
    let listed = [(one, Row::Member(number, 0)), (two, Row::Member(number, 1))];
    assert_eq!(write(&sound, &listed).verdict, Verdict::UnchangedSinceSigning);
    let plain = |entries: &str, data: &str| stream(&format!("/Type /ObjStm {entries}"), data.as_bytes());
    // Spire ends the line of the index
    let blank = plain("/N 1 /First 10", &format!("{one:<4} 2\r\n  \r\nnull"));
    assert_eq!(write(&blank, &listed[..1]).verdict, Verdict::UnchangedSinceSigning);
    let twice = container(&[(one, member), (one, member)]);
    for (name, data, rows) in [
        ("a member that is not listed", sound.clone(), &listed[..1]),
        ("members in another order", sound.clone(), &[(one, Row::Member(number, 1)), (two, Row::Member(number, 0))]),
        ("a member twice", twice, &listed[..1]),
        ("a /First that is off", plain("/N 1 /First 9", &format!("{one} 0  null")), &listed[..1]),
        ("an /N that is off", plain("/N 2 /First 9", &format!("{one} 0    null")), &listed[..1]),
        ("a value before the first member", plain("/N 1 /First 9", &format!("{one:<4} 2  7 null")), &listed[..1]),
        ("two values", plain("/N 1 /First 9", &format!("{one:<4} 0   null null")), &listed[..1]),
        ("a word behind the value", plain("/N 1 /First 9", &format!("{one:<4} 0   null endobj")), &listed[..1]),
        ("a sign in the index", plain("/N 1 /First 9", &format!("{one:<4} +0  null")), &listed[..1]),
    ] {
        assert_eq!(write(&data, rows).verdict, Verdict::Undetermined, "{name}");
    }
}

#[test]
fn some_libraries_write_things_that_are_read_both_ways() {
    let file = signed(&invoice());
    let early = appended(&file, Form::Table, |parts| {
        let at: usize = std::str::from_utf8(&parts.row[..10]).expect("digits").parse().expect("a number");
        parts.row[..10].copy_from_slice(format!("{:010}", at - 1).as_bytes());
    });
    let small = appended(&file, Form::Table, |parts| parts.size = "1".into());
    // without a line end behind the previous marker, as behind TCPDF's
    let first = appended(&file, Form::Table, |_| ());
    let joined = appended(first.trim_ascii_end(), Form::Table, |_| ());
    // without a type, as PDFium writes its cross-reference streams
    let untyped = appended(&file, Form::Stream, |parts| parts.kind = "");
    for (file, save) in [(early, 3), (small, 3), (joined, 4), (untyped, 3)] {
        let answer = integrity(&file);
        assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{}", answer.summary);
        assert_eq!(answer.examined.saves, [save]);
    }
    // where something else could be read it is not
    let small = appended(&prepared(), Form::Table, |parts| parts.size = "1".into());
    let untyped = appended(&prepared(), Form::Stream, |parts| parts.kind = "");
    for file in [small, untyped] {
        assert_ne!(integrity(&file).verdict, Verdict::UnchangedSinceSigning);
    }
}

/// As Pdftools writes the catalog: readers that rebuild the cross-reference take the last object of a number as well.
#[test]
fn an_object_that_its_update_writes_again_counts_for_nothing() {
    let file = signed(&invoice());
    let own = size(&file);
    let again = |loose: &str| {
        let update = update().loose(loose).with(own, "<< /Note (new) >>");
        integrity(&update.write(file.clone(), Form::Table)).verdict
    };
    let object = |number: u32, generation: u8| format!("{number} {generation} obj\n<< /Note (old) >>\nendobj\n");
    assert_eq!(again(&object(own, 0)), Verdict::UnchangedSinceSigning);
    assert_eq!(again(&object(own, 0).repeat(2)), Verdict::UnchangedSinceSigning);
    for loose in [object(own + 1, 0), object(own, 1), object(own, 0) + "9 ", object(own, 0).replace("endobj", "")] {
        assert_eq!(again(&loose), Verdict::Undetermined, "{loose}");
    }
}

/// As SAMBox writes it (7.3.8.2, table 5).
#[test]
fn a_cross_reference_stream_may_say_its_decoded_length() {
    let file = appended(&signed(&invoice()), Form::Stream, |parts| parts.more = "/DL 14");
    assert_eq!(integrity(&file).verdict, Verdict::UnchangedSinceSigning);
}

/// As LibreOffice signs.
#[test]
fn a_signature_may_be_the_default_value_of_its_field() {
    let second = |default: u32| {
        let field_entries = format!("/DV {default} 0 R");
        let document = SignedPdf::new(&invoice()).signed(&Signing::by(Key::Ed25519).field("First"));
        integrity(&document.signed(&Signing { field_entries, ..Signing::by(Key::P256).field("Second") }).file).verdict
    };
    assert_eq!(second(samples::signed::value_number(1)), Verdict::UnchangedSinceSigning);
    assert_ne!(second(samples::signed::value_number(0)), Verdict::UnchangedSinceSigning);
}

/// As pypdf 5 writes it: readers look up a cross-reference stream by its offset and need no `endobj`.
#[test]
fn a_cross_reference_stream_may_lack_its_endobj() {
    let open = |file: &[u8], behind: &str| {
        let file = appended(file, Form::Stream, |_| ());
        let at = file.windows(16).rposition(|window| window == b"endobj\nstartxref").expect("an end");
        integrity(&[&file[..at], behind.as_bytes(), &file[at + 7..]].concat())
    };
    let honest = open(&signed(&invoice()), "");
    assert_eq!(honest.verdict, Verdict::UnchangedSinceSigning, "{}", honest.summary);
    assert_eq!(honest.examined.saves, [3]);
    // viewers that repair the file show other content
    assert_ne!(open(&prepared(), "").verdict, Verdict::UnchangedSinceSigning);
    for behind in ["990 0 obj\nnull\n", "% 990 0 obj\n", "null\n"] {
        assert_ne!(open(&signed(&invoice()), behind).verdict, Verdict::UnchangedSinceSigning, "{behind}");
    }
}

/// As programs that write PDFs to be read comment them; the update makes viewers compare what they may repair.
#[test]
fn words_between_numbers_and_obj_make_no_object() {
    for (comment, expected) in [
        ("% Page object", Verdict::UnchangedSinceSigning),
        ("%% Original object ID: 500 0", Verdict::UnchangedSinceSigning),
        ("500 0\u{a0}obj", Verdict::Undetermined),
        ("500 0 %x\n obj", Verdict::Undetermined),
        ("500 0 +obj", Verdict::Undetermined),
    ] {
        let base = signed(&invoice().with(FREE, format!("{comment}\n<< /A 1 >>")));
        let file = appended(&base, Form::Table, |parts| (parts.before, parts.shift) = ("\n", -1));
        let answer = integrity(&file);
        assert_eq!(answer.verdict, expected, "{comment}: {}", answer.summary);
    }
}

#[test]
fn what_follows_the_signed_end_is_an_update_or_not_understood() {
    let file = signed(&invoice());
    for (bytes, reason) in [
        (b"\n".as_slice(), "1 byte follows"),
        (b"\0\0\0\0", "4 bytes follow"),
        (b"% signed\n", "9 bytes follow"),
        (&file[file.len() - 700..], "700 bytes follow"),
        (&file, "bytes follow"),
        // an object that the file did not have
        (b"500 0 obj\n<< /Length 3 >>\nstream\n0 g\nendstream\nendobj\n", "bytes follow"),
    ] {
        let answer = integrity(&[&file, bytes].concat());
        assert_eq!(answer.verdict, Verdict::Undetermined, "{:?}", answer.signals);
        assert!(answer.summary.contains(reason), "{}", answer.summary);
    }
}

#[test]
fn a_linearized_file_has_its_length_when_it_is_signed() {
    let linearized = invoice().linearized();
    let signed = |length: usize| {
        let text = String::from_utf8_lossy(&linearized).into_owned();
        let at = text.find("/L ").expect("a length") + 3;
        let mut base = linearized.clone();
        let at = base.windows(3).position(|window| window == b"/L ").map_or(at, |at| at + 3);
        base[at..at + 10].copy_from_slice(format!("{length:010}").as_bytes());
        let mut document = SignedPdf::new(&invoice());
        document.file = base;
        certified(document)
    };
    let honest = signed(linearized.len());
    let update = |file: &[u8]| integrity(&appended(file, Form::Table, |_| ())).verdict;
    assert_eq!(integrity(&honest).verdict, Verdict::UnchangedSinceSigning);
    assert_eq!(update(&honest), Verdict::UnchangedSinceSigning);
    for more in [0, 1, 300] {
        let prepared = signed(honest.len() + more);
        assert_eq!(integrity(&prepared).verdict, Verdict::UnchangedSinceSigning);
        assert_eq!(integrity(&[&prepared[..], b"\n"].concat()).verdict, Verdict::Undetermined);
        assert_eq!(update(&prepared), Verdict::Undetermined);
    }
}

#[test]
fn a_linearization_dictionary_counts_however_far_in_the_file_it_is() {
    let padded = |pad: usize, length: usize| {
        let entries = format!("/Pad ({}) /Linearized 1 /L {length:010}", "x".repeat(pad));
        certified(SignedPdf::new(&invoice().catalog(&entries)))
    };
    for pad in [0, 2_000, 100_000] {
        let honest = padded(pad, 0);
        let prepared = padded(pad, honest.len() + 300);
        assert_eq!(integrity(&prepared).verdict, Verdict::UnchangedSinceSigning);
        let answer = integrity(&appended(&prepared, Form::Table, |_| ()));
        assert_eq!(answer.verdict, Verdict::Undetermined, "{pad}");
        let reason = if pad > 1 << 16 { "length of the first object" } else { "linearization dictionary" };
        assert!(answer.summary.contains(reason), "{}", answer.summary);
    }
    // Poppler goes on behind a keyword
    let prepared = certified(SignedPdf::new(&invoice().catalog("/Pad [endobj] /Linearized 1 /L 9000")));
    let answer = integrity(&appended(&prepared, Form::Table, |_| ()));
    assert!(answer.verdict == Verdict::Undetermined, "{:#?}", answer.signals);
}

#[test]
fn what_was_saved_before_the_signature_decides_nothing() {
    let many = |note: &str| {
        (0..2_100).fold(Pdf::changes(), |pdf, index| pdf.with(10_000 + index, format!("<< /Note ({note}) >>")))
    };
    let names: String = (0..2_100).map(|index| format!("{} 0 R ", 10_000 + index)).collect();
    let base = many("one").update(invoice().catalog(&format!("/PieceInfo << /A [{names}] >>")).classic());
    let mut document = SignedPdf::new(&invoice());
    document.file = many("two").update(base);
    let signed = document.signed(&Signing::by(Key::Ed25519));
    let answer = integrity(&signed.file);
    assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{}", answer.summary);
    // but afterwards it does
    let since = integrity(&many("three").update(signed.file));
    assert!(!matches!(since.verdict, Verdict::UnchangedSinceSigning | Verdict::PermittedChangesSinceSigning));
}

#[test]
fn a_signature_on_a_page_is_one_though_the_form_has_lost_its_field() {
    let first = SignedPdf::new(&invoice()).signed(&Signing::by(Key::Ed25519).field("First")).file;
    let header = format!("{} 0 obj\n", samples::signed::value_number(0));
    let value = crate::support::position(&first, &header) + header.len();
    let length = crate::support::position(&first[value..], "\nendobj");
    let widget = format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (First) /V {} 0 R /Rect [0 0 9 9] >>", FREE + 1);
    let base = invoice()
        .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]")))
        .with(FREE, widget)
        .with(FREE + 1, &first[value..value + length]);
    let file = SignedPdf::new(&base).signed(&Signing::by(Key::P256).field("Second")).file;
    let Integrity { verdict, signatures, .. } = integrity(&file);
    let found: Vec<_> = signatures.iter().map(|signature| signature.field.as_deref()).collect();
    assert!(found.contains(&Some("First")), "{found:?}");
    assert_eq!(verdict, Verdict::ChangedSinceSigning);
}

#[test]
fn a_signature_on_a_page_is_checked_in_a_file_without_a_form() {
    // as programs leave it that copy pages with their annotations into a new file
    let value = format!(
        "<< /Type /Sig /Filter /F /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 900 30] /Contents <{}> >>",
        "30".repeat(80)
    );
    let widget = |entries: &str| {
        format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /Rect [0 0 0 0] /P {FIRST_PAGE} 0 R {entries} >>")
    };
    let copied = |widget: String| {
        let copied = Pdf::new(1).with(FIRST_PAGE, page("/Annots [600 0 R]")).with(600, widget).with(601, &value);
        metadata(&copied.classic())
    };
    let signed = copied(widget("/V 601 0 R"));
    assert_eq!(signed.integrity.verdict, Verdict::ChangedSinceSigning, "{:#?}", signed.integrity.signals);
    assert_eq!(signed.integrity.signatures.len(), 1);
    assert!(signed.features.signatures);
    // an empty field is no signature, and neither is a value that is none
    for entries in ["", "/V 602 0 R", "/V null"] {
        let empty = copied(widget(entries));
        assert_eq!(empty.integrity.verdict, Verdict::NoSigns, "{entries}: {:#?}", empty.integrity.signals);
        assert!(empty.integrity.signatures.is_empty() && !empty.features.signatures);
    }
}

#[test]
fn entries_that_draw_nothing_may_be_null_or_new() {
    // document information as MuPDF writes it, and the integrity protection of encrypted files (ISO/TS 32004)
    let null = Pdf::changes().with(INFO, "<< /Title (Contract) /Author null /Keywords (kept) >>");
    let base = signed(&invoice().info("/Title (Contract)"));
    let approved = SignedPdf::new(&invoice().info("/Title (Contract)")).signed(&Signing::by(Key::Ed25519)).file;
    assert_eq!(integrity(&null.update(approved)).verdict, Verdict::PermittedChangesSinceSigning);
    let code = Section {
        trailer: format!("/Root {CATALOG} 0 R /Info {INFO} 0 R /AuthCode << /MACLocation /AttachedToSig >>"),
        ..Section::default()
    };
    assert_eq!(integrity(&code.write(base.clone(), Form::Table)).verdict, Verdict::UnchangedSinceSigning);
    // a page with such an entry is read differently
    let page = Pdf::changes().with(FIRST_PAGE, page("/Rotate null"));
    assert_eq!(integrity(&page.update(base)).verdict, Verdict::Undetermined);
}

#[test]
fn a_page_tree_that_was_ambiguous_when_it_was_signed_stays_inconclusive() {
    let kids = format!("/Kids [{FIRST_PAGE} 0 R {} 0 R]", FIRST_PAGE + 1);
    for (count, is_clean) in [(2, true), (1, false)] {
        let node = format!("<< /Type /Pages {kids} /Count {count} >>");
        let base = Pdf::new(2).with(PAGES, node);
        let file = signed(&base);
        let moved = Pdf::changes()
            .with(PAGES, format!("<< /Type /Pages /Kids {FREE} 0 R /Count {count} >>"))
            .with(FREE, format!("[{FIRST_PAGE} 0 R {} 0 R]", FIRST_PAGE + 1));
        for (file, clean) in [(file, Verdict::UnchangedSinceSigning), (base.classic(), Verdict::NoSigns)] {
            let answer = integrity(&moved.update(file));
            let expected = if is_clean { clean } else { Verdict::Undetermined };
            assert_eq!(answer.verdict, expected, "{count}: {}", answer.summary);
        }
    }
}
