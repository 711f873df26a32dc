//! The file name of an analysis: the client's, sanitized.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Longest name in bytes: the limit of common file systems.
const MAX_BYTES: usize = 255;
const FALLBACK: &str = "document.pdf";

/// Decodes a name's bytes as UTF-8, otherwise as Windows-1252, in which every byte is valid.
#[must_use]
pub fn decode(sent: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(sent) {
        Ok(text) => Cow::Borrowed(text),
        // it has no byte order mark
        Err(_) => WINDOWS_1252.decode_without_bom_handling(sent).0,
    }
}

/// The last segment of `sent` (both slashes separate) without Unicode Cc and Cf, at most
/// 255 bytes cut on a character boundary; `document.pdf` if nothing, `.` or `..` is left.
#[must_use]
pub fn clean(sent: &str) -> String {
    let segment = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = segment.chars().filter(|c| is_visible(*c)).collect();
    name.truncate(name.floor_char_boundary(MAX_BYTES));
    if matches!(name.trim(), "" | "." | "..") { FALLBACK.to_owned() } else { name }
}

/// Neither a control (Cc) nor a format character (Cf: bidi overrides, zero-width joiners).
#[must_use]
pub fn is_visible(c: char) -> bool {
    !matches!(c.general_category(), GeneralCategory::Control | GeneralCategory::Format)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{clean, decode};

    #[test]
    fn bytes_are_read_as_utf_8_or_else_as_windows_1252() {
        for (sent, expected) in [
            (b"".as_slice(), ""),
            (b"caf\xc3\xa9", "caf\u{e9}"),
            (b"caf\xe9", "caf\u{e9}"),
            (b"\x80\x93\x99", "\u{20ac}\u{201c}\u{2122}"),
            (b"\xff\xfea", "\u{ff}\u{fe}a"),
            (b"\xef\xbb\xbfa\xe9", "\u{ef}\u{bb}\u{bf}a\u{e9}"),
            // bytes without a character in Windows-1252 become control characters, which are removed
            (b"a\x81\x8d\x8f\x90\x9db\xe9", "ab\u{e9}"),
        ] {
            assert_eq!(clean(&decode(sent)), if sent.is_empty() { "document.pdf" } else { expected });
        }
    }

    #[test]
    fn names_are_made_harmless() {
        for (sent, expected) in [
            ("report.pdf", "report.pdf"),
            ("C:\\Users\\me\\report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("a/b\\c", "c"),
            ("r\u{e9}sum\u{e9} \u{1f600}.pdf", "r\u{e9}sum\u{e9} \u{1f600}.pdf"),
            ("evil\u{202e}fdp.exe", "evilfdp.exe"),
            ("a\0b\nc", "abc"),
            ("", "document.pdf"),
            ("dir/", "document.pdf"),
            ("..", "document.pdf"),
            ("\u{200b}", "document.pdf"),
        ] {
            assert_eq!(clean(sent), expected, "{sent:?}");
        }
    }

    proptest! {
        #[test]
        fn any_name_is_short_and_visible(sent in "\\PC{0,400}") {
            let name = clean(&sent);
            prop_assert!(!name.is_empty() && name.len() <= 255);
            prop_assert_eq!(clean(&name), name.clone());
        }
    }
}
