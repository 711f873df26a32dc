//! `Content-Disposition` of a form's part (RFC 7578, section 4.2), parsed leniently: any character set, faulty quoting.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use percent_encoding::percent_decode;

use crate::filename;

/// The disposition of a part.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disposition {
    /// The field's name.
    pub(super) name: String,
    /// Plain `filename`, otherwise `filename*` (RFC 8187).
    pub(super) filename: Option<String>,
}

impl Disposition {
    /// Reads the header's value; `None` if it does not name the field. Control characters are ignored.
    pub(super) fn read(value: &[u8]) -> Option<Self> {
        let visible: Vec<u8> =
            value.iter().copied().filter(|byte| *byte == b'\t' || !byte.is_ascii_control()).collect();
        let (mut name, mut plain, mut extended) = (None, None, None);
        for (parameter, value) in HeaderParameters(&visible) {
            let slot = match parameter.to_ascii_lowercase().as_slice() {
                b"name" => &mut name,
                b"filename" => &mut plain,
                b"filename*" => &mut extended,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
        let plain = plain.map(|value| filename::decode(&value).into_owned());
        let filename = plain.or_else(|| extended.map(|value| decode_extended(&value)));
        Some(Self { name: filename::decode(&name?).into_owned(), filename })
    }
}

/// The parameters of a header's value, with or without quotes, as names and values.
struct HeaderParameters<'h>(&'h [u8]);

impl<'h> Iterator for HeaderParameters<'h> {
    type Item = (&'h [u8], Cow<'h, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (_, here) = split(self.0, |byte| byte != b';' && !byte.is_ascii_whitespace());
            if here.is_empty() {
                return None;
            }
            let (name, rest) = split(here, |byte| matches!(byte, b'=' | b';') || byte.is_ascii_whitespace());
            self.0 = rest;
            // the disposition's type, or unparsable
            let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
            let value = value.trim_ascii_start();
            let value = match value.strip_prefix(b"\"") {
                Some(quoted) => {
                    let (value, rest) = unquote(quoted);
                    self.0 = rest;
                    value.into()
                }
                // some clients do not quote spaces
                None => {
                    let (value, rest) = split(value, |byte| byte == b';');
                    self.0 = rest;
                    value.trim_ascii_end().into()
                }
            };
            return Some((name, value));
        }
    }
}

/// Splits before the first byte that is `wanted`.
fn split(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| wanted(*byte)).unwrap_or(bytes.len());
    bytes.split_at_checked(end).unwrap_or((bytes, b""))
}

/// The text up to the closing quote, and the rest; without a closing quote, the complete text. A backslash escapes only
/// a quote or a backslash: browsers that send complete paths do not escape it.
fn unquote(mut quoted: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut text = Vec::new();
    loop {
        let (byte, rest) = match quoted {
            [] => return (text, b""),
            [b'"', rest @ ..] => return (text, rest),
            [b'\\', byte @ (b'"' | b'\\'), rest @ ..] | [byte, rest @ ..] => (*byte, rest),
        };
        text.push(byte);
        quoted = rest;
    }
}

/// The value of `filename*`: character set, language and text between apostrophes. With an unknown character set, or
/// without one, it is decoded like any other name.
fn decode_extended(value: &[u8]) -> String {
    let mut pieces = value.splitn(3, |byte| *byte == b'\'');
    let (charset, text) = match (pieces.next(), pieces.next(), pieces.next()) {
        (Some(charset), Some(_language), Some(text)) => (charset, text),
        _ => (b"".as_slice(), value),
    };
    let bytes: Cow<'_, [u8]> = percent_decode(text).into();
    match Encoding::for_label_no_replacement(charset) {
        Some(encoding) if encoding != UTF_8 => encoding.decode_without_bom_handling(&bytes).0.into_owned(),
        _ => filename::decode(&bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Disposition;

    fn filename(parameters: &[u8]) -> Option<String> {
        let value = [b"form-data; name=\"file\"; ", parameters].concat();
        let read = Disposition::read(&value)?;
        assert_eq!(read.name, "file", "{}", value.escape_ascii());
        read.filename
    }

    #[test]
    fn names_are_found_where_they_are() {
        for (value, name, filename) in [
            ("form-data; name=\"a\"", "a", None),
            (" form-data; name=a", "a", None),
            ("form-data;NAME = \"a\" ; FileName = b", "a", Some("b")),
            ("form-data; filename=\"; name=b\"; name=\"a\"", "a", Some("; name=b")),
            ("name=a", "a", None),
            ("form-data; name=\"\"", "", None),
            ("form-data; name=\"a\" filename=\"b\"", "a", Some("b")),
            (";;form-data;; = ;x;=y; name=a", "a", None),
            ("form-data; file-name=b; name=a; xname=b; name=b", "a", None),
        ] {
            let expected = Disposition { name: name.to_owned(), filename: filename.map(str::to_owned) };
            assert_eq!(Disposition::read(value.as_bytes()), Some(expected), "{value}");
        }
        for value in ["", "form-data", "form-data; filename=\"; name=a\""] {
            assert_eq!(Disposition::read(value.as_bytes()), None, "{value:?}");
        }
    }

    #[test]
    fn quotes_are_undone() {
        for (parameters, expected) in [
            (r#"filename="a\"b""#, r#"a"b"#),
            (r#"filename="a\\""#, r"a\"),
            (r#"filename="C:\a\b.pdf""#, r"C:\a\b.pdf"),
            (r#"filename="C:\\a\\b.pdf""#, r"C:\a\b.pdf"),
            (r#"filename="a\"#, r"a\"),
            (r#"filename="a\""#, r#"a""#),
            (r#"filename="a"#, "a"),
            (r#"filename=""#, ""),
            (r#"filename="""#, ""),
            (r#"filename=a b ; x"#, "a b"),
            (r#"filename="a" b; filename="c""#, "a"),
        ] {
            assert_eq!(filename(parameters.as_bytes()).as_deref(), Some(expected), "{parameters}");
        }
    }

    #[test]
    fn character_sets_are_guessed_or_told() {
        for (parameters, expected) in [
            (b"filename=\"\xe9\"".as_slice(), "\u{e9}"),
            (b"filename=\"\xc3\xa9\"", "\u{e9}"),
            (b"filename=\"a\x1b\x7f\tb\"", "a\tb"),
            (b"filename*=UTF-8''%C3%A9", "\u{e9}"),
            (b"filename*=UTF-8''%E9", "\u{e9}"),
            (b"filename*=iso-8859-1'en'%E9%27", "\u{e9}'"),
            (b"filename*=shift_jis''%83%65", "\u{30c6}"),
            (b"filename*=none''%C3%A9", "\u{e9}"),
            (b"filename*=%C3%A9", "\u{e9}"),
            (b"filename*=''", ""),
            (b"filename*=UTF-8''a; filename=b", "b"),
        ] {
            assert_eq!(filename(parameters).as_deref(), Some(expected), "{}", parameters.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn a_name_refuses_no_file(name in prop::collection::vec(any::<u8>(), 0..40)) {
            for (before, behind) in [("filename=\"", "\""), ("filename=", ""), ("filename*=", "")] {
                let parameters = [before.as_bytes(), name.as_slice(), behind.as_bytes()].concat();
                prop_assert!(filename(&parameters).is_some());
            }
        }

        #[test]
        fn an_escaped_name_is_read_back(name in "[^\u{0}-\u{1f}\u{7f}]{0,40}") {
            let escaped = name.replace('\\', r"\\").replace('"', "\\\"");
            let read = filename(format!("filename=\"{escaped}\"; x=y").as_bytes());
            prop_assert_eq!(read, Some(name));
        }
    }
}
