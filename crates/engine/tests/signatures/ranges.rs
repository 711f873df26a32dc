//! Ranges that lie about what is signed: universal signature forgery and signature wrapping, as Mladenov, Mainka and
//! others published them in 2018, and what else is possible.

use std::ops::Range;

use samples::pdf::Pdf;
use samples::signed::{Key, Signing, byte_range, contents, set_byte_range};

use crate::support::{INTACT, OTHER_CONTENT, OTHER_RANGE, OTHER_VALUE, document, judge, judged, position, usual, with};

fn with_range(numbers: &str) -> Vec<u8> {
    let mut file = usual();
    set_byte_range(&mut file, 0, numbers);
    file
}

#[test]
fn only_the_value_itself_may_be_left_out() {
    let file = usual();
    let hole = contents(&file, 0);
    let (start, end, length) = (hole.start, hole.end, file.len());
    let rest = length - end;
    assert_eq!(judge(&with_range(&byte_range(&hole, length))), INTACT);
    let cases = [
        String::new(),
        "0".to_owned(),
        "0 0 0 0".to_owned(),
        format!("0 {start} {end}"),
        format!("0 {start} {end} {rest} 0 0"),
        format!("0 {} {end} {rest}", start - 1),
        format!("0 {} {end} {rest}", start + 1),
        format!("0 {start} {} {}", end + 1, rest - 1),
        format!("0 {start} {} {}", end - 1, rest + 1),
        format!("1 {start} {end} {rest}"),
        format!("-1 {start} {end} {rest}"),
        format!("0 {start} {end} {}", rest + 1),
        format!("0 {start} {end} -{rest}"),
        format!("0 -{start} {end} {rest}"),
        format!("0 {length} 0 0"),
        format!("0 {length} {length} 0"),
        format!("{end} {rest} 0 {start}"),
        "0 9223372036854775807 1 1".to_owned(),
        "0 0 9223372036854775807 1".to_owned(),
        "null null null null".to_owned(),
        "(0) (1) (2) (3)".to_owned(),
    ];
    for numbers in cases {
        assert_eq!(judge(&with_range(&numbers)), OTHER_RANGE, "[{numbers}]");
    }
}

#[test]
fn the_brackets_of_the_value_may_be_signed() {
    let within = |hole: &Range<usize>| hole.start + 1..hole.end - 1;
    let file = document().signed_around(&Signing::by(Key::Ed25519), within).file;
    assert_eq!(judge(&file), INTACT);
    assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT);
    // nothing but digits may be where nothing is signed
    let hole = contents(&file, 0);
    for (at, text) in [(hole.start + 1, "("), (hole.end - 2, ">"), (hole.end - 40, "/A"), (hole.end - 40, "<")] {
        let mut changed = file.clone();
        changed[at..at + text.len()].copy_from_slice(text.as_bytes());
        assert_eq!(judge(&changed), OTHER_RANGE, "{text} at {at}");
    }
    // and it is no use to sign other brackets
    for (start, end) in [(1, 0), (0, 1), (2, 2), (1, 2)] {
        let other = |hole: &Range<usize>| hole.start + start..hole.end - end;
        let file = document().signed_around(&Signing::by(Key::Ed25519), other).file;
        assert_eq!(judge(&file), OTHER_RANGE, "{start} {end}");
    }
}

#[test]
fn a_range_must_end_with_a_revision() {
    let file = usual();
    let hole = contents(&file, 0);
    for less in [1, 10, 100] {
        let judged = judge(&with_range(&byte_range(&hole, file.len() - less)));
        // without the last line end, or a few more, it is the end all the same: but not what was signed
        let expected = if less == 1 { OTHER_CONTENT } else { OTHER_RANGE };
        assert_eq!(judged, expected, "{less}");
    }
    // more behind it, even where it is no revision, is for others to judge
    let longer = [&file[..], b"\nmore"].concat();
    assert_eq!(judge(&longer), INTACT);
}

#[test]
fn universal_forgery_by_the_value_is_noticed() {
    let file = usual();
    let hole = contents(&file, 0);
    let replaced = |value: &str| {
        let mut file = [&file[..hole.start], value.as_bytes(), &file[hole.end..]].concat();
        let place = hole.start..hole.start + value.len();
        let numbers = byte_range(&place, file.len());
        set_byte_range(&mut file, 0, &numbers);
        // objects of the update stand before it, so that only the table has moved
        let table = file.len() - (file.len() - position_of_last(&file, "xref\n0"));
        let at = position_of_last(&file, "startxref\n") + "startxref\n".len();
        let digits = file[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = format!("{table:0digits$}");
        file[at..at + digits].copy_from_slice(number.as_bytes());
        judge(&file)
    };
    assert_eq!(replaced("<>"), OTHER_VALUE);
    assert_eq!(replaced("<00>"), OTHER_VALUE);
    assert_eq!(replaced("<0>"), OTHER_VALUE);
    assert_eq!(replaced("null"), OTHER_RANGE);
    assert_eq!(replaced("()"), OTHER_RANGE);
    assert_eq!(replaced("(0000)"), OTHER_RANGE);
    assert_eq!(replaced("/Name"), OTHER_RANGE);
    assert_eq!(replaced("4 0 R"), OTHER_RANGE);
    assert_eq!(replaced("<00zz>"), OTHER_RANGE);
}

#[test]
fn universal_forgery_by_missing_entries_is_noticed() {
    let file = usual();
    assert_eq!(judge(&with(&file, "/ByteRange", "/BiteRange")), OTHER_RANGE);
    assert_eq!(judge(&with(&file, "/Contents <", "/Kontents <")), OTHER_RANGE);
    assert_eq!(judge(&with(&file, "/SubFilter", "/SobFilter")), OTHER_CONTENT);
}

#[test]
fn a_signature_that_was_wrapped_is_noticed() {
    // the signed end is moved behind new objects, and a second range, found last, tells where it is now
    let file = usual();
    let hole = contents(&file, 0);
    let tail = &file[hole.end..];
    let evil = b"/ByteRange [0 0000000000 0000000000 0000000000] >>\nendobj\n3 0 obj\n<< /Title (Evil) >>\nendobj\n";
    let mut wrapped = [&file[..hole.end], evil].concat();
    let moved = wrapped.len();
    wrapped.extend_from_slice(tail);
    let second = hole.end;
    let numbers = format!("0 {:010} {moved:010} {:010}", hole.start, tail.len());
    set_byte_range(&mut wrapped, second, &numbers);
    let judged = judged(&wrapped);
    assert!(judged.iter().all(|judged| *judged == OTHER_RANGE) && !judged.is_empty(), "{judged:?}");
}

#[test]
fn a_second_value_is_no_hiding_place() {
    // the last one counts, so that what is left out is not the value
    let file = usual();
    let hole = contents(&file, 0);
    let end = hole.end;
    let changed = [&file[..end], b"/Contents <3000>", &file[end + 16..]].concat();
    assert_eq!(judge(&changed).0, engine::SignatureStatus::Broken);
}

#[test]
fn a_value_in_an_object_stream_has_no_place() {
    let signature = format!(
        "<< /Type /Sig /Filter /F /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 30] /Contents <{}> >>",
        "00".repeat(40)
    );
    let field = "<< /FT /Sig /T (S) /V 11 0 R >>";
    let pdf = Pdf::new(1).catalog("/AcroForm << /Fields [10 0 R] /SigFlags 3 >>").with(10, field).with(11, &signature);
    assert_eq!(judge(&pdf.compressed()), OTHER_RANGE);
    let direct = format!("<< /FT /Sig /T (S) /V {signature} >>");
    let pdf = Pdf::new(1).catalog("/AcroForm << /Fields [10 0 R] /SigFlags 3 >>").with(10, direct);
    assert_eq!(judge(&pdf.classic()), OTHER_RANGE);
}

#[test]
fn a_value_of_which_only_a_part_is_left_out_is_noticed() {
    let first = document().signed(&Signing::by(Key::Ed25519).field("First"));
    let start = first.file.len();
    let mut file = first.signed(&Signing::by(Key::Ed25519).field("Second")).file;
    // the second one borrows the range of the first
    let hole = contents(&file, 0);
    let numbers = byte_range(&hole, start);
    set_byte_range(&mut file, start, &numbers);
    assert_eq!(judged(&file), [INTACT, OTHER_RANGE]);
}

fn position_of_last(file: &[u8], text: &str) -> usize {
    let mut from = 0;
    while let Some(next) = file[from + 1..].windows(text.len()).position(|window| window == text.as_bytes()) {
        from += 1 + next;
    }
    assert!(from > 0 && position(file, text) <= from);
    from
}
