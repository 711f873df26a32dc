//! Hostile files: each runs into a limit, soon, instead of taking time or memory.

use std::time::{Duration, Instant};

use engine::{Failure, Memory, Options, Reason, Source, SourceError, analyze};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, deflate};

use crate::support::{memory, open, open_within, refused_within};

#[test]
fn a_page_tree_without_end_is_too_complex() {
    // 60,000 leaves under a root that does not say how many
    let kids: String = (0..60_000).map(|_| format!("{FIRST_PAGE} 0 R ")).collect();
    let file = Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [{kids}] >>")).classic();
    assert_eq!(refused_within(2_000_000, &file), Reason::TooComplex);
}

#[test]
fn an_object_of_too_many_values_is_too_complex() {
    let file = Pdf::new(1).with(PAGES, format!("<< /Kids [{}] >>", "[]".repeat(600_000))).classic();
    assert_eq!(refused_within(40_000_000, &file), Reason::TooComplex);
}

#[test]
fn a_decompression_bomb_is_too_complex() {
    let bomb = deflate(&vec![b' '; 17 << 20]);
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R");
    let packet = pdf.clone().with_stream(50, "/Type /Metadata /Filter [/FlateDecode /ASCIIHexDecode]", &bomb);
    assert_eq!(refused_within(10_000, &packet.classic()), Reason::TooComplex);
    // a packet is read only so far; what follows is not even inflated
    let packet = pdf.with_stream(50, "/Type /Metadata /Filter /FlateDecode", &bomb);
    assert!(open_within(10_000_000, &packet.classic()).xmp.present);
}

#[test]
fn many_streams_together_are_bounded_too() {
    let body = deflate(&[b"4 0 << /Kids [".as_slice(), &vec![b' '; 15 << 20]].concat());
    let mut pdf = Pdf::new(1);
    let mut kids = String::new();
    for number in 100..120 {
        pdf = pdf.with_stream(number, "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &body);
        kids.push_str(&format!("{number} 0 R "));
    }
    let mut file = pdf.with(PAGES, format!("<< /Kids [{kids}] >>")).classic();
    file.truncate(file.len() - 20);
    open_within(50_000, &file);
}

#[test]
fn deep_nesting_reads_as_null() {
    for (open_mark, close_mark) in [("[", "]"), ("<< /A ", ">>")] {
        let deep = open_mark.repeat(50_000) + &close_mark.repeat(50_000);
        let file = Pdf::new(1).info(format!("/Title (Title) /Deep {deep}")).classic();
        assert_eq!(open_within(1_000_000, &file).basic.pages, 1);
    }
}

#[test]
fn unclosed_objects_do_not_add_up() {
    // every object runs to the end of the file
    let text: String = (1..50_000).map(|number| format!("{number} 0 obj (")).collect();
    let file = format!("%PDF-1.4\n{text}");
    let reason = refused_within(100_000, file.as_bytes());
    assert!(matches!(reason, Reason::Corrupt | Reason::TooComplex), "{reason:?}");
}

#[test]
fn streams_whose_length_leads_in_a_circle_end() {
    let pdf = Pdf::new(1)
        .catalog("/Metadata 50 0 R")
        .with(50, "<< /Type /Metadata /Length 51 0 R >>\nstream\n<a/>\nendstream")
        .with(51, "<< /Length 50 0 R >>\nstream\nx\nendstream");
    assert!(open(&pdf.classic()).xmp.present);
}

#[test]
fn references_in_a_circle_are_null() {
    let pdf = Pdf::new(1).info("/Title 50 0 R").with(50, "51 0 R").with(51, "50 0 R");
    assert_eq!(open(&pdf.classic()).document.title, None);
}

#[test]
fn an_object_stream_inside_itself_is_no_way_in() {
    let text = "<< /Type /ObjStm /N 1 /First 5 /Length 51 0 R >>\nstream\n51 0 12\nendstream";
    let mut file = Pdf::new(1).with(50, text).classic();
    file.truncate(file.len() - 20);
    assert_eq!(open_within(20_000, &file).basic.pages, 1);
}

/// A file that takes a million steps and more.
fn long() -> Vec<u8> {
    let mut file = Pdf::new(1).with_stream(50, "", &vec![b'x'; 3_000_000]).classic();
    file.truncate(file.len() - 20);
    file
}

#[test]
fn a_deadline_that_has_passed_ends_the_work_and_is_not_the_file_s_fault() {
    let options = Options { deadline: Some(Instant::now()), ..Options::default() };
    let result = analyze(&memory(&long()), &options);
    assert!(matches!(result, Err(Failure::Source(_))), "{result:?}");
}

#[test]
fn processor_time_is_the_file_s_own_and_waiting_is_not() {
    /// Memory far away.
    struct Slow(Memory);
    impl Source for Slow {
        fn len(&self) -> u64 {
            self.0.len()
        }
        fn read(&self, ranges: &[std::ops::Range<u64>]) -> Result<Vec<bytes::Bytes>, SourceError> {
            std::thread::sleep(Duration::from_millis(300));
            self.0.read(ranges)
        }
    }
    let options = |processor_time| Options { processor_time: Some(processor_time), ..Options::default() };
    let result = analyze(&memory(&long()), &options(Duration::ZERO));
    assert!(matches!(result, Err(Failure::Rejected(Reason::TooComplex))), "{result:?}");
    let small = Slow(memory(&Pdf::new(1).classic()));
    assert_eq!(analyze(&small, &options(Duration::from_millis(250))).unwrap().basic.pages, 1);
}
