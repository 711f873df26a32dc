//! Text strings in every encoding.

use samples::pdf::{Pdf, utf16};

use crate::support::title;

/// How a title reads that is written as this object.
fn read(object: impl AsRef<[u8]>) -> Option<String> {
    title(&Pdf::new(1).info([b"/Title ", object.as_ref()].concat()).classic())
}

#[test]
fn every_encoding_is_told_by_its_mark() {
    assert_eq!(read("(plain)").as_deref(), Some("plain"));
    assert_eq!(read(utf16("Übung 🥚")).as_deref(), Some("Übung 🥚"));
    assert_eq!(read("<FFFE6100DC00>").as_deref(), Some("aÜ"));
    assert_eq!(read("(\u{feff}Übung 🥚)").as_deref(), Some("Übung 🥚"));
    assert_eq!(read(b"(\x84 \x8d\xdc\x8e \xa0 \x18)").as_deref(), Some("— “Ü” € ˘"));
}

#[test]
fn strings_are_unescaped() {
    assert_eq!(read(r"(a\(b\)c\\ (nested (twice)) \101\7x)").as_deref(), Some(r"a(b)c\ (nested (twice)) Ax"));
    assert_eq!(read("(two\\\nlines)").as_deref(), Some("twolines"));
    assert_eq!(read("<5 46\n5 7>").as_deref(), Some("Tep"));
}

#[test]
fn broken_text_is_no_failure() {
    assert_eq!(read("<FEFFD800>").as_deref(), Some("\u{fffd}"));
    assert_eq!(read("<FEFFDC000041>").as_deref(), Some("\u{fffd}A"));
    assert_eq!(read("<FEFF004100>").as_deref(), Some("A"));
    assert_eq!(read("<FEFF004100000042>").as_deref(), Some("AB"));
    assert_eq!(read("<EFBBBFFF41>").as_deref(), Some("\u{fffd}A"));
}

#[test]
fn text_is_one_line() {
    assert_eq!(read("( a\\r\\n\\tb\\000c\\007 )").as_deref(), Some("a bc"));
    assert_eq!(read("(two  spaces)").as_deref(), Some("two  spaces"));
}

#[test]
fn language_codes_are_left_out() {
    assert_eq!(read(utf16("\u{1b}en-US\u{1b}Egg \u{1b}de\u{1b}Ei")).as_deref(), Some("Egg Ei"));
}

#[test]
fn nothing_is_null() {
    for object in ["()", "( \\n )", "<FEFF>", "null", "/Name", "12", "[(a)]", "99 0 R"] {
        assert_eq!(read(object), None, "{object}");
    }
}

#[test]
fn long_text_is_cut_at_4096_characters() {
    let text = read(utf16(&"Ü".repeat(5000))).expect("a title");
    assert_eq!(text.chars().count(), 4096);
    let text = read(format!("({})", "x".repeat(5000))).expect("a title");
    assert_eq!(text.len(), 4096);
}

#[test]
fn a_raw_line_end_is_part_of_a_character_of_two_bytes() {
    // U+010D, U+0D0A and U+0A0D, as Pillow writes them
    for (text, title) in [
        (b"\xfe\xff\x01\x0d\x00a".as_slice(), "\u{10d}a"),
        (b"\xfe\xff\x0d\x0a\x00a", "\u{d0a}a"),
        (b"\xfe\xff\x0a\x0d\x00a", "\u{a0d}a"),
        (b"\xfe\xff\x0d\x0d\x00a\x20\x0d\x0a\x09", "\u{d0d}a\u{200d}\u{a09}"),
        (b"\xff\xfe\x0d\x01a\x00", "\u{10d}a"),
        (b"\xff\xfe\x0d\x0aa\x00", "\u{a0d}a"),
    ] {
        assert_eq!(read([b"(", text, b")"].concat()).as_deref(), Some(title), "{text:x?}");
    }
    // of one byte each, it is white space
    assert_eq!(read(b"(one\rtwo\r\nthree\nfour)").as_deref(), Some("one two three four"));
}
