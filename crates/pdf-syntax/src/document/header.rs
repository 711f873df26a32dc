//! The file header, `%PDF-1.7` (ISO 32000-1, 7.5.2), possibly after a little junk.

use memchr::memmem;

use crate::xref::object_header::starts_with_object;

/// Maximum offset of the header, by the implementation note that every viewer follows.
const HEADER_MAX_OFFSET: usize = 1024;

/// The header's place and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Bytes before `%PDF`.
    pub offset: u64,
    /// The version in it, if it can be read.
    pub version: Option<Version>,
    /// There is none, but the file starts with objects; viewers open such files.
    pub is_missing: bool,
}

/// A PDF version such as 1.7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u8,
    minor: u8,
}

impl Header {
    /// Finds the header in the first bytes of a file. A missing or mistyped dash is accepted without a version, because
    /// viewers open such files.
    pub fn find(head: &[u8]) -> Option<Self> {
        let searched = head.get(..HEADER_MAX_OFFSET + b"%PDF".len()).unwrap_or(head);
        let offset = if head.starts_with(b"%PDF-") { Some(0) } else { elsewhere(searched) };
        let Some(offset) = offset else {
            let is_headless = starts_with_object(searched) && memmem::find(head, b"%PDF-").is_none();
            return is_headless.then_some(Self { offset: 0, version: None, is_missing: true });
        };
        let version = match head.get(offset + b"%PDF".len()..).unwrap_or_default() {
            [b'-', version @ ..] => Version::parse(version),
            _ => None,
        };
        Some(Self { offset: offset as u64, version, is_missing: false })
    }
}

fn elsewhere(searched: &[u8]) -> Option<usize> {
    memmem::find(searched, b"%PDF-").or_else(|| memmem::find(searched, b"%PDF"))
}

impl Version {
    /// Parses a version: a digit, an optional point, and a digit.
    pub fn parse(text: &[u8]) -> Option<Self> {
        match text {
            [major @ b'0'..=b'9', b'.', minor @ b'0'..=b'9', ..] | [major @ b'0'..=b'9', minor @ b'0'..=b'9', ..] => {
                Some(Self { major: major - b'0', minor: minor - b'0' })
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
