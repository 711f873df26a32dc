//! Every form of cross-reference, and what is told of it.

use engine::{Reason, XrefKind};
use samples::pdf::{self, Pdf};

use crate::support::{open, refused, replaced, title};

#[test]
fn every_form_of_cross_reference_tells_the_same() {
    let pdf = Pdf::new(3).info("/Title (Title) /Author (Ada)");
    let forms = [
        (pdf.classic(), XrefKind::Table),
        (pdf.compressed(), XrefKind::Stream),
        (pdf.hybrid(&[pdf::INFO]), XrefKind::Hybrid),
        (pdf.linearized(), XrefKind::Table),
    ];
    let expected = open(&forms[0].0);
    assert_eq!(expected.basic.pages, 3);
    assert_eq!(expected.document.author.as_deref(), Some("Ada"));
    for (file, kind) in forms {
        let metadata = open(&file);
        assert_eq!(metadata.structure.xref, Some(kind));
        assert!(!metadata.structure.repaired, "{kind:?}");
        assert_eq!(metadata.basic, expected.basic, "{kind:?}");
        assert_eq!(metadata.document, expected.document, "{kind:?}");
        assert_eq!(metadata.page, expected.page, "{kind:?}");
    }
}

#[test]
fn an_update_counts_as_a_revision_and_replaces_objects() {
    let first = Pdf::new(1).classic();
    let second = Pdf::new(1).info("/Title (Second)").update(first.clone());
    let third = Pdf::new(2).info("/Title (Third)").update(second.clone());
    assert_eq!(open(&first).structure.revisions, 1);
    assert_eq!(open(&second).structure.revisions, 2);
    let third = open(&third);
    assert_eq!(third.structure.revisions, 3);
    assert_eq!(third.document.title.as_deref(), Some("Third"));
    assert_eq!(third.basic.pages, 2);
}

#[test]
fn a_linearized_file_is_one_revision_until_it_is_updated() {
    let file = Pdf::new(2).linearized();
    let metadata = open(&file);
    assert!(metadata.structure.linearized);
    assert_eq!(metadata.structure.revisions, 1);
    let updated = open(&Pdf::new(2).update(file));
    assert!(!updated.structure.linearized);
    assert_eq!(updated.structure.revisions, 2);
}

#[test]
fn junk_before_the_header_moves_offsets_or_does_not() {
    let pdf = Pdf::new(1);
    let junk = b"HTTP/1.1 200 OK\r\n\r\n";
    let relative = [junk.as_slice(), &pdf.classic()].concat();
    let metadata = open(&relative);
    assert_eq!(metadata.structure.header_offset, junk.len() as u64);
    assert!(!metadata.structure.repaired);

    // comments stand where a header would: the offsets then count from the start of the file
    let absolute = replaced(&pdf.version("1.7\n%PDF-1.5").classic(), "%PDF-1.7\n", "%%%%%%%%\n");
    let metadata = open(&absolute);
    assert_eq!(metadata.structure.header_offset, 9);
    assert_eq!(metadata.basic.pdf_version.as_deref(), Some("1.5"));
    assert!(!metadata.structure.repaired);
}

#[test]
fn a_header_further_in_than_1024_bytes_is_none() {
    let file = Pdf::new(1).classic();
    let with_junk = |length: usize| [vec![b'x'; length], file.clone()].concat();
    assert_eq!(open(&with_junk(1024)).structure.header_offset, 1024);
    assert_eq!(refused(&with_junk(1025), None), Reason::NotAPdf);
}

#[test]
fn what_is_no_pdf_is_refused_as_such() {
    assert_eq!(refused(b"", None), Reason::Empty);
    for file in [b"%".as_slice(), b"hello", b"\x89PNG\r\n\x1a\n", &[0; 5000]] {
        assert_eq!(refused(file, None), Reason::NotAPdf);
    }
    assert_eq!(refused(b"%PDF-1.7", None), Reason::Corrupt);
    assert_eq!(refused(b"%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj trailer <</Root 1 0 R>>", None), Reason::Corrupt);
}

#[test]
fn the_newer_of_header_and_catalog_version_counts() {
    let version =
        |header: &str, catalog: &str| open(&Pdf::new(1).version(header).catalog(catalog).classic()).basic.pdf_version;
    assert_eq!(version("1.4", "").as_deref(), Some("1.4"));
    assert_eq!(version("1.4", "/Version /1.7").as_deref(), Some("1.7"));
    assert_eq!(version("1.7", "/Version /1.4").as_deref(), Some("1.7"));
    assert_eq!(version("2.0", "").as_deref(), Some("2.0"));
    assert_eq!(version("x.y", "/Version /1.5").as_deref(), Some("1.5"));
    assert_eq!(version("x.y", ""), None);
}

#[test]
fn identifiers_are_shown_in_hexadecimal_digits() {
    let file = Pdf::new(1).trailer("/ID [<00ABff> (z)]").classic();
    let id = open(&file).structure.document_id;
    assert_eq!(id.original.as_deref(), Some("00abff"));
    assert_eq!(id.current.as_deref(), Some("7a"));
}

#[test]
fn objects_are_counted_without_the_head_of_the_free_list() {
    // catalog, page tree, Info and two pages
    let file = Pdf::new(2).classic();
    assert_eq!(open(&file).structure.objects, 5);
    assert_eq!(open(&replaced(&file, "startxref", "")).structure.objects, 5);
}

#[test]
fn tables_that_break_the_format_are_read_all_the_same() {
    let file = Pdf::new(1).classic();
    let (body, table) = file.split_at(pdf::start_of_xref(&file));
    let table = String::from_utf8(table.to_vec()).expect("a table is text");
    let variants = [
        table.replace(" n \n", " n\n").replace(" f \n", " f\n"),
        table.replace(" n \n", "  n  \r\n"),
        table.replace("0 5\n", "0 5 \r\n"),
        table.replace("xref\n0 5", "xref 0 5"),
        table.replace("xref\n0 5\n", "xref\n1 5\n"),
        table.replace("xref\n0 5\n", "xref\n0 9\n"),
        table.replace("trailer\n", "trailer"),
    ];
    for variant in variants {
        let metadata = open(&[body, variant.as_bytes()].concat());
        assert_eq!(metadata.document.title.as_deref(), Some("Title"), "{variant}");
        assert!(!metadata.structure.repaired, "{variant}");
    }
}

#[test]
fn startxref_may_be_a_little_off_and_junk_may_follow_the_end() {
    let file = Pdf::new(1).classic();
    let start = pdf::start_of_xref(&file);
    let off = replaced(&file, &format!("startxref\n{start}"), &format!("startxref\n{}", start - 7));
    assert!(!open(&off).structure.repaired);
    let with_junk = [file, vec![b'\n'; 60_000]].concat();
    assert!(!open(&with_junk).structure.repaired);
}

#[test]
fn a_chain_of_sections_that_bites_its_tail_ends() {
    let file = Pdf::new(1).classic();
    let start = pdf::start_of_xref(&file);
    let looped = replaced(&file, "/Root", &format!("/Prev {start} /Root"));
    assert_eq!(open(&looped).structure.revisions, 1);
}

#[test]
fn the_root_and_info_may_be_behind_several_references() {
    let pdf = Pdf::new(1).with(20, "21 0 R").with(21, "1 0 R").with(22, "23 0 R").with(23, "3 0 R");
    let file = pdf.only_trailer("/Root 20 0 R /Info 22 0 R").classic();
    assert_eq!(title(&file).as_deref(), Some("Title"));
}

#[test]
fn a_file_that_lacks_its_end_says_so() {
    let page = |number: u32| Pdf::new(1).with_stream(20 + number, "", &[b' '; 300]);
    let file = page(1).classic();
    let end = pdf::start_of_xref(&file);
    let updated = page(2).info("/Title (Second)").update(file.clone());
    let linearized = Pdf::new(3).linearized();
    let cut = |file: &[u8], end: usize| file[..end].to_vec();
    let long = Pdf::changes().with(500, format!("<< /Note ({}) >>", "text ".repeat(2_000))).update(file.clone());
    for (what, file, expected) in [
        ("whole", file.clone(), false),
        ("updated", updated.clone(), false),
        ("linearized", linearized.clone(), false),
        ("with blanks behind", [file.clone(), vec![b'\n'; 60_000]].concat(), false),
        ("with words behind", [file.as_slice(), b"<!-- served in 12 ms -->"].concat(), false),
        ("without the last line", cut(&file, file.len() - "%%EOF\n".len()), false),
        ("without its cross-reference", cut(&file, end), true),
        ("cut in a stream", cut(&file, end - 100), true),
        ("cut in an update", cut(&updated, file.len() + 200), true),
        ("cut in a long update", cut(&long, file.len() + 4_000), true),
        ("linearized, half of it", cut(&linearized, linearized.len() * 2 / 3), true),
    ] {
        assert_eq!(open(&file).structure.truncated, expected, "{what}");
    }
}

#[test]
fn the_catalogs_version_may_stand_elsewhere() {
    let version = |object: &str| {
        open(&Pdf::new(1).version("1.4").catalog("/Version 50 0 R").with(50, object).classic()).basic.pdf_version
    };
    assert_eq!(version("/1.7").as_deref(), Some("1.7"));
    assert_eq!(version("/1.3").as_deref(), Some("1.4"));
    assert_eq!(version("1.7").as_deref(), Some("1.4"));
}
