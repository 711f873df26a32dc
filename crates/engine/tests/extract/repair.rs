//! Damaged files: what is there counts, whatever the cross-reference says.

use engine::Reason;
use samples::pdf::{self, Pdf};

use crate::support::{open, open_remote, refused, replaced, title};

/// Cuts off everything from the cross-reference on.
fn truncated(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(pdf::start_of_xref(&file));
    file
}

/// Destroys the pointer to the cross-reference.
fn lost(file: &[u8]) -> Vec<u8> {
    replaced(file, "startxref", "start....")
}

#[test]
fn a_lost_cross_reference_is_rebuilt() {
    let pdf = Pdf::new(3);
    for file in [lost(&pdf.classic()), lost(&pdf.compressed()), lost(&pdf.hybrid(&[]))] {
        let metadata = open(&file);
        assert!(metadata.structure.repaired);
        assert_eq!(metadata.structure.xref, None);
        assert_eq!(metadata.basic.pages, 3);
        assert_eq!(metadata.document.title.as_deref(), Some("Title"));
    }
}

#[test]
fn a_truncated_file_still_has_its_catalog() {
    let metadata = open(&truncated(Pdf::new(2).classic()));
    assert!(metadata.structure.repaired);
    assert_eq!(metadata.basic.pages, 2);
}

#[test]
fn wrong_offsets_are_noticed() {
    let file = Pdf::new(1).classic();
    // one byte more before the objects: every offset is wrong, the table itself is found in time
    let shifted = replaced(&file, "%PDF-1.7\n", "%PDF-1.7\n\n\n\n\n\n");
    let metadata = open(&shifted);
    assert!(metadata.structure.repaired);
    assert_eq!(metadata.document.title.as_deref(), Some("Title"));
}

#[test]
fn of_equal_numbers_the_last_object_wins() {
    let first = Pdf::new(1).info("/Title (Old)").classic();
    let file = Pdf::new(1).info("/Title (New)").update(first);
    let text = String::from_utf8_lossy(&file).replace("startxref", "");
    assert_eq!(title(text.as_bytes()).as_deref(), Some("New"));
}

#[test]
fn a_pdf_embedded_in_a_stream_does_not_win() {
    let inner = Pdf::new(7).info("/Title (Inner)").classic();
    let outer = Pdf::new(1).info("/Title (Outer)").with_stream(50, "/Type /EmbeddedFile", &inner);
    let metadata = open(&truncated(outer.classic()));
    assert_eq!(metadata.basic.pages, 1);
}

#[test]
fn missing_ends_and_missing_spaces_do_no_harm() {
    let file = Pdf::new(2).classic();
    let text = String::from_utf8_lossy(&file).into_owned();
    let glued = text.replace("\nendobj\n", "").replace(" 0 obj\n", " 0 obj").replace("startxref", "");
    let metadata = open(glued.as_bytes());
    assert_eq!(metadata.basic.pages, 2);
    assert_eq!(metadata.document.title.as_deref(), Some("Title"));
}

#[test]
fn a_bad_value_costs_itself_only() {
    let info = "/Author >oops /Title (Title) /Subject [ (a) /Keywords (k) ] /Producer (P)";
    let metadata = open(&Pdf::new(1).info(info).classic());
    assert_eq!(metadata.document.title.as_deref(), Some("Title"));
    assert_eq!(metadata.document.producer.as_deref(), Some("P"));
}

#[test]
fn a_wrong_stream_length_is_corrected() {
    let packet = pdf::packet("<pdf:Producer>Maker</pdf:Producer>");
    let length = format!("/Length {}", packet.len());
    let file = Pdf::new(1).xmp("<pdf:Producer>Maker</pdf:Producer>").classic();
    for wrong in ["/Length 17", "/Length 99999", "/Length -1", "/Length 99 0 R", ""] {
        let padded = format!("{wrong:width$}", width = length.len());
        let metadata = open(&replaced(&file, &length, &padded));
        assert_eq!(metadata.document.producer.as_deref(), Some("Maker"), "{wrong}");
    }
}

#[test]
fn a_stream_length_may_be_elsewhere() {
    let packet = pdf::packet("<pdf:Producer>Maker endstream endobj</pdf:Producer>");
    let body = pdf::stream("/Type /Metadata", packet.as_bytes());
    let text = String::from_utf8(body).expect("text").replace(&format!("/Length {}", packet.len()), "/Length 60 0 R");
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with(50, text).with(60, packet.len().to_string());
    let producer = open(&pdf.classic()).document.producer;
    assert_eq!(producer.as_deref(), Some("Maker endstream endobj"));
}

#[test]
fn what_cannot_be_repaired_is_corrupt() {
    let file = Pdf::new(1).classic();
    assert_eq!(refused(&file[..40], None), Reason::Corrupt);
    assert_eq!(
        refused(&lost(&replaced(&file, "/Type /Catalog /Pages", "/Type /Xatalog /Xages")), None),
        Reason::Corrupt
    );
}

#[test]
fn a_file_without_header_gets_a_chance_but_is_no_pdf_when_that_fails() {
    let file = Pdf::new(2).classic();
    let headless = replaced(&file, "%PDF-1.7", "%%%%%%%%");
    let metadata = open(&headless);
    assert_eq!(metadata.basic.pages, 2);
    assert_eq!(metadata.basic.pdf_version, None);
    assert_eq!(refused(b"1 0 obj << /Type /Page >> endobj", None), Reason::NotAPdf);
}

/// Destroys all pointers to cross-references.
fn without_pointers(file: &[u8]) -> Vec<u8> {
    let text: String = file.iter().map(|&byte| char::from(byte)).collect();
    text.replace("startxref", "start....").chars().map(|character| character as u8).collect()
}

/// A document with another title in its second revision, whose Info dictionary is a new object.
fn revised(trailer: &str) -> Vec<u8> {
    let first = Pdf::new(1).info("/Title (Old) /Author (Old)").classic();
    Pdf::new(1).with(9, "<< /Title (New) >>").only_trailer(trailer).update(first)
}

#[test]
fn texts_are_those_of_the_newest_trailer_that_can_be_read() {
    for trailer in ["/Root 1 0 R /Info 9 0 R", "/Info 9 0 R", "/Root 99 0 R /Info 9 0 R", "/Root 9 0 R /Info 9 0 R"] {
        let metadata = open(&without_pointers(&revised(trailer)));
        assert!(metadata.structure.repaired);
        assert_eq!(metadata.document.title.as_deref(), Some("New"), "{trailer}");
        assert_eq!(metadata.document.author, None, "{trailer}");
    }
    let lost_info = revised("/Root 1 0 R /Info 99 0 R");
    assert_eq!(title(&without_pointers(&lost_info)).as_deref(), Some("Title"));
}

#[test]
fn texts_of_the_newest_revision_count_however_it_is_written() {
    let first = Pdf::new(1).info("/Title (Old)");
    let second = Pdf::new(1).with(9, "<< /Title (New) >>").only_trailer("/Root 1 0 R /Info 9 0 R");
    for old in [first.classic(), first.compressed(), first.hybrid(&[]), first.linearized()] {
        let file = without_pointers(&second.update(old));
        assert_eq!(title(&file).as_deref(), Some("New"), "{}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn an_object_header_may_be_spread_over_many_blanks() {
    for blanks in [1, 20, 50, 75, 150] {
        let pdf = Pdf::new(2).spread(blanks);
        for intact in [pdf.classic(), pdf.compressed(), pdf.hybrid(&[3])] {
            assert!(!open(&intact).structure.repaired, "{blanks}");
            for file in [lost(&intact), intact] {
                let metadata = open(&file);
                assert_eq!(open_remote(&file), metadata, "{blanks}");
                assert_eq!((metadata.basic.pages, metadata.document.title.as_deref()), (2, Some("Title")), "{blanks}");
            }
        }
    }
}
