//! Texts and times in certificates and signatures: the string types of ASN.1 (X.680, 41), `UTCTime` and
//! `GeneralizedTime` (X.680, 46 and 47).

use chrono::{DateTime, FixedOffset};

use crate::der::{Element, tag};
use pdf_syntax::text::{date, is_unseen};

/// A string of any type without invisible and bidirectional control characters, truncated to `longest` characters;
/// `None` if it is empty.
pub fn decode(element: &Element, longest: usize) -> Option<String> {
    let text = match element.tag {
        tag::BMP_STRING => {
            let units: Vec<u16> = element.content.chunks_exact(2).map(|unit| big_endian(unit) as u16).collect();
            String::from_utf16_lossy(&units)
        }
        tag::UNIVERSAL_STRING => {
            element.content.chunks_exact(4).filter_map(|unit| char::from_u32(big_endian(unit))).collect()
        }
        tag::UTF8_STRING => String::from_utf8_lossy(element.content).into_owned(),
        // Most texts declared with a smaller character set are UTF-8, otherwise Latin-1.
        _ => match str::from_utf8(element.content) {
            Ok(text) => text.to_owned(),
            Err(_) => element.content.iter().copied().map(char::from).collect(),
        },
    };
    let shown: String = text.chars().filter(|character| !is_unseen(*character)).take(longest).collect();
    let shown = shown.trim();
    (!shown.is_empty()).then(|| shown.to_owned())
}

/// An instant. `UTCTime` has a two-digit year, from 1950 to 2049 (RFC 5280, 4.1.2.5.1).
pub fn time(element: &Element) -> Option<DateTime<FixedOffset>> {
    let digits = str::from_utf8(element.content).ok()?;
    match element.tag {
        tag::UTC_TIME => {
            let century = if digits.get(..2)?.parse::<u8>().ok()? < 50 { "20" } else { "19" };
            date::parse(&format!("D:{century}{digits}"))
        }
        // Fractions of a second do not matter here.
        tag::GENERALIZED_TIME => match digits.split_once('.') {
            Some((digits, fraction)) => {
                let zone = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
                date::parse(&format!("D:{digits}{zone}"))
            }
            None => date::parse(&format!("D:{digits}")),
        },
        _ => None,
    }
}

/// At most 64 bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().take(64).map(|byte| format!("{byte:02x}")).collect()
}

fn big_endian(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::der::Elements;

    fn element(bytes: &[u8]) -> Element<'_> {
        Elements::new(bytes).next().expect("an element").expect("one")
    }

    fn text(tag: u8, content: &[u8]) -> Option<String> {
        decode(&element(&[&[tag, content.len() as u8], content].concat()), 5)
    }

    #[test]
    fn every_type_of_string_is_read() {
        assert_eq!(text(0x0c, "Zoë".as_bytes()).as_deref(), Some("Zoë"));
        assert_eq!(text(0x13, b" Ann ").as_deref(), Some("Ann"));
        assert_eq!(text(0x14, b"Zo\xeb").as_deref(), Some("Zoë"), "Latin-1 in a T61String");
        assert_eq!(text(0x1e, &[0, b'Z', 0x20, 0xac, 1]).as_deref(), Some("Z€"));
        assert_eq!(text(0x1c, &[0, 1, 0xf6, 0]).as_deref(), Some("😀"));
        assert_eq!(text(0x0c, b"a\n\x1b[1mb").as_deref(), Some("a[1mb"));
        assert_eq!(text(0x0c, b"abcdefgh").as_deref(), Some("abcde"));
        assert_eq!(text(0x0c, b"\0 "), None);
    }

    #[test]
    fn both_types_of_time_are_read() {
        let time = |tag: u8, content: &[u8]| {
            super::time(&element(&[&[tag, content.len() as u8], content].concat())).map(|time| time.to_rfc3339())
        };
        assert_eq!(time(0x17, b"261104081500Z").as_deref(), Some("2026-11-04T08:15:00+00:00"));
        assert_eq!(time(0x17, b"991104081500Z").as_deref(), Some("1999-11-04T08:15:00+00:00"));
        assert_eq!(time(0x18, b"20261104081500.123Z").as_deref(), Some("2026-11-04T08:15:00+00:00"));
        assert_eq!(time(0x18, b"20261104081500+0100").as_deref(), Some("2026-11-04T08:15:00+01:00"));
        assert_eq!(time(0x17, b"2"), None);
        assert_eq!(time(0x17, "€€€€".as_bytes()), None);
        assert_eq!(time(0x04, b"261104081500Z"), None);
    }
}
