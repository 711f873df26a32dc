//! Deviations of an incremental update from canonical serialization, as sentences.

use std::fmt;

/// A part of an update that is not canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deviation {
    FileHeader,
    /// There is not exactly one section, or it cannot be serialized again.
    Section,
    Trailer(&'static str),
    /// Unknown trailer entries.
    TrailerKeys,
    /// `startxref`, its offset or `%%EOF`.
    End,
    /// The entry of this object.
    Entry(u32),
    Object(u32),
    Stream(u32),
    ObjectStream(u32),
    /// An entry or a reference with another generation than this object's.
    Generation(u32),
    /// A new reference to this object, which is missing or not exactly at its entry's offset.
    Reference(u32),
    /// Other bytes at this offset.
    Bytes(u64),
    /// An object header at this offset, in data or a string.
    Header(u64),
    /// An entry that points to the line end before this object.
    EarlyEntry(u32),
    /// `startxref` points to the line end before the section.
    EarlySection,
    /// No `endobj` ends its cross-reference stream.
    OpenSection,
    /// Its cross-reference stream has no `/Type` (7.5.8.2, table 17).
    UntypedSection,
    /// `/Size` is too small.
    SmallSize,
    /// Its first object directly follows the previous `%%EOF`.
    NoLineEnd,
}

impl Deviation {
    /// Whether honest programs write it (PDFBox 2, @signpdf, pyHanko behind TCPDF, pypdf 5, PDFium), so that the update
    /// is compared as both kinds of readers read it.
    pub(crate) fn is_read_both_ways(self) -> bool {
        let is_of_section = matches!(self, Self::EarlySection | Self::OpenSection | Self::UntypedSection);
        is_of_section || matches!(self, Self::EarlyEntry(_) | Self::SmallSize | Self::NoLineEnd)
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileHeader => write!(f, "the file does not begin with its header"),
            Self::Section => write!(f, "its cross-reference section does not conform"),
            Self::Trailer(key) => write!(f, "/{key} of its trailer is not exact"),
            Self::TrailerKeys => write!(f, "its trailer has unknown entries"),
            Self::End => write!(f, "its end does not lead to its cross-reference section"),
            Self::Entry(number) => write!(f, "the entry for object {number} does not lead to exactly this object"),
            Self::Object(number) => write!(f, "object {number} is ambiguous"),
            Self::Stream(number) => write!(f, "the length of stream {number} is not exact"),
            Self::ObjectStream(number) => write!(f, "object stream {number} and its entries do not agree"),
            Self::Generation(number) => write!(f, "the generations given for object {number} differ"),
            Self::Reference(number) => {
                write!(f, "it refers to object {number}, which is missing or not exactly where its entry leads")
            }
            Self::Bytes(offset) => write!(f, "the bytes at offset {offset} are no part of it"),
            Self::Header(offset) => write!(f, "some viewers find another object at offset {offset}"),
            Self::EarlyEntry(number) => write!(f, "the entry for object {number} leads to the line end before it"),
            Self::EarlySection => write!(f, "startxref leads to the line end before its cross-reference section"),
            Self::OpenSection => write!(f, "no endobj ends its cross-reference stream"),
            Self::UntypedSection => write!(f, "its cross-reference stream has no /Type"),
            Self::SmallSize => write!(f, "/Size of its trailer is too small"),
            Self::NoLineEnd => write!(f, "no line end separates it from the previous revision"),
        }
    }
}
