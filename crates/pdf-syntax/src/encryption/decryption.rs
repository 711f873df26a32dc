//! How streams of an encrypted file are decrypted. Which ones are exempt follows from where they are reached from, never
//! from their own `/Type`; crypt filters, which viewers honor differently, are read as each viewer does.

use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// How the body of a stream is decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decryption {
    /// By the crypt filter that it names (ISO 32000-2, 7.4.10), as in MuPDF.
    #[default]
    ByFilter,
    /// By the filter for all streams, whatever it names, as in PDFium.
    Always,
    /// Not if it names any crypt filter, as in Poppler.
    UnlessFiltered,
    /// Not at all: cross-reference streams (7.5.8.2), and the XMP of the document if it is not encrypted (7.6.3).
    None,
}

impl Decryption {
    /// As the viewers do.
    pub(crate) const VIEWERS: [Self; 3] = [Self::ByFilter, Self::Always, Self::UnlessFiltered];
}

/// The crypt filter of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamFilter<'d> {
    Absent,
    /// The first one of its filters, with its name.
    First(&'d [u8]),
    /// One behind others, which is not conforming (7.4.10).
    Later,
}

impl<'d> StreamFilter<'d> {
    /// Reads it from resolved filters and their parameters.
    pub(crate) fn of(coding: &'d Dictionary) -> Self {
        let first = |key: &[u8]| match coding.get(key) {
            Object::Array(elements) => elements.first(),
            object => Some(object),
        };
        if first(b"Filter").is_some_and(|filter| filter.is_name(b"Crypt")) {
            return Self::First(
                first(b"DecodeParms").and_then(|it| it.entry(b"Name").as_name()).unwrap_or(b"Identity"),
            );
        }
        let is_later = coding.get(b"Filter").elements().iter().any(|filter| filter.is_name(b"Crypt"));
        if is_later { Self::Later } else { Self::Absent }
    }
}
