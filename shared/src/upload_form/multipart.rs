//! A multipart body (RFC 2046, section 5.1.1) that is here as a whole, taken apart without copying it.

use bytes::{Buf, Bytes};
use memchr::memmem::{self, Finder};

/// The parts of a body, one after the other.
pub(super) struct Multipart {
    /// What is behind the delimiter that was read last.
    rest: Bytes,
    /// The line end that belongs to it, two dashes, the boundary.
    delimiter: Finder<'static>,
}

/// A part, as two views of the body.
#[derive(Debug)]
pub(super) struct Part {
    /// The lines of its headers, without the last one's end.
    pub(super) headers: Bytes,
    pub(super) content: Bytes,
}

/// The body is cut short, or is no multipart body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

const LINE_END: &[u8] = b"\r\n";
const END_OF_HEADERS: &[u8] = b"\r\n\r\n";

impl Multipart {
    /// Whatever is before the first boundary is skipped.
    pub(super) fn new(mut body: Bytes, boundary: &str) -> Result<Self, Malformed> {
        // nothing need be before the first, also no line end
        let first = format!("--{boundary}");
        let before = memmem::find(&body, first.as_bytes()).ok_or(Malformed)?;
        body.advance(before + first.len());
        Ok(Self { rest: body, delimiter: Finder::new(&format!("\r\n{first}")).into_owned() })
    }

    /// The next part; `None` behind the last. Whatever follows that is skipped.
    pub(super) fn next_part(&mut self) -> Result<Option<Part>, Malformed> {
        if self.rest.starts_with(b"--") {
            return Ok(None);
        }
        let padding = self.rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.rest.advance(padding);
        if !self.rest.starts_with(LINE_END) {
            return Err(Malformed);
        }
        self.rest.advance(LINE_END.len());
        let headers = self.take(memmem::find(&self.rest, END_OF_HEADERS), END_OF_HEADERS.len())?;
        let content = self.take(self.delimiter.find(&self.rest), self.delimiter.needle().len())?;
        Ok(Some(Part { headers, content }))
    }

    /// What is before `end`; goes on `width` behind it.
    fn take(&mut self, end: Option<usize>, width: usize) -> Result<Bytes, Malformed> {
        let taken = self.rest.split_to(end.ok_or(Malformed)?);
        self.rest.advance(width);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::{Malformed, Multipart};

    /// The bytes of headers and content.
    type Bare = (Vec<u8>, Vec<u8>);

    fn parts(body: &[u8], boundary: &str) -> Result<Vec<Bare>, Malformed> {
        let mut form = Multipart::new(Bytes::copy_from_slice(body), boundary)?;
        let mut parts = Vec::new();
        while let Some(part) = form.next_part()? {
            parts.push((part.headers.to_vec(), part.content.to_vec()));
        }
        Ok(parts)
    }

    #[test]
    fn parts_are_taken_as_they_are() {
        for (body, expected) in [
            (b"--b--".as_slice(), vec![]),
            (b"--b\r\nA: 1\r\n\r\nx\r\n--b--", vec![("A: 1", "x")]),
            (b"--b\r\nA: 1\r\n\r\n\r\n--b--\r\n", vec![("A: 1", "")]),
            (b"before\r\n--b \t\r\nA: 1\r\nB: 2\r\n\r\nx\r\n--b--behind\r\n--b\r\n", vec![("A: 1\r\nB: 2", "x")]),
            (b"--b\r\nA: 1\r\n\r\n\r\n\r\n-b\n--b\r\n--\r\n--b--", vec![("A: 1", "\r\n\r\n-b\n--b\r\n--")]),
            (b"--b\r\nA: 1\r\n\r\nx\r\n--b\r\nB: 2\r\n\r\ny\r\n--b--", vec![("A: 1", "x"), ("B: 2", "y")]),
        ] {
            let expected = expected.into_iter().map(|(headers, content)| (headers.into(), content.into())).collect();
            assert_eq!(parts(body, "b"), Ok(expected), "{}", body.escape_ascii());
        }
    }

    #[test]
    fn what_is_cut_short_is_malformed() {
        let whole = b"--b\r\nA: 1\r\n\r\nx\r\n--b\r\nB: 2\r\n\r\ny\r\n--b--";
        for end in 0..whole.len() {
            assert_eq!(parts(&whole[..end], "b"), Err(Malformed), "{}", whole[..end].escape_ascii());
        }
        for bad in [b"--b".as_slice(), b"--b\n", b"--bx\r\nA: 1\r\n\r\nx\r\n--b--", b"--b\r\nA: 1\r\n\r\nx\n--b--"] {
            assert_eq!(parts(bad, "b"), Err(Malformed), "{}", bad.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn a_form_that_is_written_is_read_back(
            written in prop::collection::vec(("[A-Z]: [a-z\u{e9}\u{1b}]{0,9}", "(\r|\n|-|--b|[\u{0}-\u{ff}]){0,20}"), 0..5),
            before in "[a-z\r\n-]{0,5}",
            behind in "(\r\n|--b|[a-z]){0,5}",
        ) {
            let mut body = before.into_bytes();
            prop_assume!(written.iter().all(|(_, content)| !format!("\r\n{content}\r\n").contains("\r\n--boundary")));
            for (headers, content) in &written {
                body.extend(format!("--boundary\r\n{headers}\r\n\r\n{content}\r\n").into_bytes());
            }
            body.extend(format!("--boundary--{behind}").into_bytes());
            let expected: Vec<_> =
                written.into_iter().map(|(headers, content)| (headers.into_bytes(), content.into_bytes())).collect();
            prop_assert_eq!(parts(&body, "boundary"), Ok(expected));
        }
    }
}
