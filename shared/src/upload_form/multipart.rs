//! A multipart body (RFC 2046, section 5.1.1) that is here as a whole, taken apart by multer without copying it.
//!
//! multer refuses headers with bytes that are no visible ASCII, so it is given them percent-encoded. And it copies what it
//! is given: it gets the body in small pieces, and what it finds in them is handed on as a view of the body.

use std::convert::Infallible;
use std::task::Poll;

use bytes::{Buf, Bytes};
use futures_util::{FutureExt, Stream, stream};
use memchr::memchr;
use memchr::memmem::{self, Finder};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode, percent_encode};

use super::{MAX_PART_HEADERS, MAX_PARTS};

/// The parts of a body, one after the other.
pub(super) struct Multipart {
    multer: multer::Multipart<'static>,
    /// How often multer may still be without an answer: once for each piece.
    patience: usize,
    /// The body from where each part's content begins.
    contents: Vec<Bytes>,
}

/// A part.
#[derive(Debug)]
pub(super) struct Part {
    /// The value of its `Content-Disposition`, as it was sent.
    pub(super) disposition: Vec<u8>,
    /// A view of the body.
    pub(super) content: Bytes,
}

/// Why a body is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is cut short, or is no multipart body; a part has no disposition.
    Malformed,
    /// It has too many parts, or a part has too many headers.
    TooMuch,
}

/// What multer may have in memory at once, beside the headers.
const PIECE: usize = 64 * 1024;
/// multer takes no more.
const MAX_LINES: usize = 32;
const LINE_END: &[u8] = b"\r\n";
const END_OF_HEADERS: &[u8] = b"\r\n\r\n";
const DISPOSITION: &str = "Content-Disposition";
/// What is percent-encoded in a header's value, beside all that is no ASCII: also white space, of which multer would take
/// away what is at the ends.
const VALUE: &AsciiSet = &CONTROLS.add(b' ').add(b'%');

impl Multipart {
    /// Whatever is before the first boundary is skipped.
    pub(super) fn new(body: Bytes, boundary: &str) -> Result<Self, Refusal> {
        Self::in_pieces(body, boundary, PIECE)
    }

    fn in_pieces(mut body: Bytes, boundary: &str, size: usize) -> Result<Self, Refusal> {
        let (mut pieces, mut contents) = (Vec::new(), Vec::new());
        // nothing need be before the first, also no line end
        let first = format!("--{boundary}");
        body.advance(memmem::find(&body, first.as_bytes()).ok_or(Refusal::Malformed)?);
        let delimiter = Finder::new(&format!("\r\n{first}")).into_owned();
        let mut behind = first.len();
        // behind the last delimiter there are no headers
        while let Some((start, headers)) = headers(&body, behind) {
            // not for multer to find out, which would search all that came again with each piece
            let length = memmem::find(headers, END_OF_HEADERS).ok_or(Refusal::Malformed)?;
            if contents.len() == MAX_PARTS || length > MAX_PART_HEADERS {
                return Err(Refusal::TooMuch);
            }
            pieces.extend(cut(body.split_to(start), size));
            pieces.push(escape(&body.split_to(length))?);
            body.advance(END_OF_HEADERS.len());
            contents.push(body.clone());
            let Some(end) = delimiter.find(&body) else { break };
            behind = end + delimiter.needle().len();
        }
        pieces.extend(cut(body, size));
        let patience = pieces.len() + 1;
        Ok(Self { multer: multer::Multipart::new(one_by_one(pieces), boundary), patience, contents })
    }

    /// The next part; `None` behind the last. Whatever follows that is skipped.
    pub(super) fn next_part(&mut self) -> Result<Option<Part>, Refusal> {
        let Self { multer, patience, contents } = self;
        let Some(mut field) = answer(patience, || multer.next_field().now_or_never())? else { return Ok(None) };
        let disposition = field.headers().get(DISPOSITION).ok_or(Refusal::Malformed)?;
        let disposition = percent_decode(disposition.as_bytes()).collect();
        let mut content = contents.get(field.index()).cloned().ok_or(Refusal::Malformed)?;
        let mut length = 0;
        while let Some(piece) = answer(patience, || field.chunk().now_or_never())? {
            length += piece.len();
        }
        content.truncate(length);
        Ok(Some(Part { disposition, content }))
    }
}

/// Where the headers begin that follow the delimiter before `behind`, and the body from there on.
fn headers(body: &[u8], behind: usize) -> Option<(usize, &[u8])> {
    let line = body.get(behind..)?;
    let padding = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let headers = line.get(padding..)?.strip_prefix(LINE_END)?;
    Some((body.len() - headers.len(), headers))
}

fn cut(mut view: Bytes, size: usize) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || (!view.is_empty()).then(|| view.split_to(size.min(view.len()))))
}

/// A copy of a part's headers that multer reads whatever bytes are in them, with their end.
fn escape(headers: &[u8]) -> Result<Bytes, Refusal> {
    let mut copy = Vec::with_capacity(headers.len() + END_OF_HEADERS.len());
    let (mut found, mut others) = (false, 0);
    for line in lines(headers) {
        // multer takes a LF alone for a line's end
        if line.iter().any(|byte| b"\0\r\n".contains(byte)) {
            return Err(Refusal::Malformed);
        }
        match memchr(b':', line).and_then(|colon| line.split_at_checked(colon)) {
            Some((name, value)) if !line.starts_with(b" ") && !line.starts_with(b"\t") => {
                if !found && name.trim_ascii().eq_ignore_ascii_case(DISPOSITION.as_bytes()) {
                    found = true;
                    copy.extend(DISPOSITION.bytes());
                } else if others + 1 < MAX_LINES && !name.is_empty() {
                    others += 1;
                    // also the dash of a second disposition: of two headers of a name, multer keeps the last
                    copy.extend(percent_encode(name, NON_ALPHANUMERIC).flat_map(str::bytes));
                } else {
                    // nobody reads it
                    continue;
                }
                copy.extend(percent_encode(value, VALUE).flat_map(str::bytes));
            }
            // a folded line, or one that is no header: multer refuses it
            _ => copy.extend(line),
        }
        copy.extend(LINE_END);
    }
    copy.extend(LINE_END);
    Ok(copy.into())
}

fn lines(headers: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(headers);
    std::iter::from_fn(move || {
        let here = rest?;
        let end = memmem::find(here, LINE_END);
        rest = end.and_then(|end| here.get(end + LINE_END.len()..));
        here.get(..end.unwrap_or(here.len()))
    })
}

/// multer takes all there is before it looks at any of it: after each piece there is nothing for once.
fn one_by_one(pieces: Vec<Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let (mut pieces, mut due) = (pieces.into_iter(), false);
    stream::poll_fn(move |_| {
        due = !due;
        if due { Poll::Ready(pieces.next().map(Ok)) } else { Poll::Pending }
    })
}

/// Asks multer until it has an answer. Each time it takes another piece; what it still waits for then, never comes.
fn answer<T>(patience: &mut usize, mut ask: impl FnMut() -> Option<multer::Result<T>>) -> Result<T, Refusal> {
    while *patience > 0 {
        if let Some(answer) = ask() {
            return answer.map_err(|_| Refusal::Malformed);
        }
        *patience -= 1;
    }
    Err(Refusal::Malformed)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::{Multipart, PIECE, Refusal};

    /// The bytes of disposition and content.
    type Bare = (Vec<u8>, Vec<u8>);

    fn in_pieces(body: &[u8], boundary: &str, size: usize) -> Result<Vec<Bare>, Refusal> {
        let mut form = Multipart::in_pieces(Bytes::copy_from_slice(body), boundary, size)?;
        let mut parts = Vec::new();
        while let Some(part) = form.next_part()? {
            parts.push((part.disposition, part.content.to_vec()));
        }
        Ok(parts)
    }

    /// However the body is cut, the same comes of it.
    fn parts(body: &[u8]) -> Result<Vec<Bare>, Refusal> {
        let parts = in_pieces(body, "b", PIECE);
        for size in 1..9 {
            assert_eq!(in_pieces(body, "b", size), parts, "{} in pieces of {size}", body.escape_ascii());
        }
        parts
    }

    /// A form of one part with these headers.
    fn headed(headers: &[u8]) -> Vec<u8> {
        [b"--b\r\n", headers, b"\r\n\r\nx\r\n--b--"].concat()
    }

    /// The disposition among these headers.
    fn disposition(headers: &[u8]) -> Result<Vec<u8>, Refusal> {
        let mut parts = parts(&headed(headers))?;
        assert_eq!(parts.len(), 1, "{}", headers.escape_ascii());
        let (disposition, content) = parts.remove(0);
        assert_eq!(content, b"x", "{}", headers.escape_ascii());
        Ok(disposition)
    }

    #[test]
    fn parts_are_taken_as_they_are() {
        let d = "Content-Disposition";
        for (body, expected) in [
            ("--b--".to_owned(), vec![]),
            (format!("--b\r\n{d}:1\r\n\r\nx\r\n--b--"), vec![("1", "x")]),
            (format!("--b\r\n{d}:1\r\n\r\n\r\n--b--\r\n"), vec![("1", "")]),
            (format!("before\r\n--b \t\r\n{d}:1\r\nB: 2\r\n\r\nx\r\n--b--behind\r\n--b\r\n"), vec![("1", "x")]),
            (format!("--b\r\n{d}:1\r\n\r\n\r\n\r\n-b\n--b\r\n--\r\n--b--"), vec![("1", "\r\n\r\n-b\n--b\r\n--")]),
            (format!("--b\r\n{d}:1\r\n\r\nx\r\n--b\r\n{d}:2\r\n\r\ny\r\n--b--"), vec![("1", "x"), ("2", "y")]),
        ] {
            let expected = expected.into_iter().map(|(value, content)| (value.into(), content.into())).collect();
            assert_eq!(parts(body.as_bytes()), Ok(expected), "{body:?}");
        }
    }

    #[test]
    fn contents_are_views_of_the_body() {
        let large = [vec![b'-'; PIECE], b"\r\n--".repeat(PIECE)].concat();
        let head = b"--b\r\nContent-Disposition:1\r\n\r\n".as_slice();
        let body = Bytes::from([head, &large, b"\r\n--b--"].concat());
        let part = Multipart::new(body.clone(), "b").unwrap().next_part().unwrap().unwrap();
        assert_eq!(part.content, large);
        assert_eq!(part.content.as_ptr(), body[head.len()..].as_ptr());
    }

    #[test]
    fn what_is_cut_short_is_malformed() {
        let d = "Content-Disposition";
        let whole = format!("--b\r\n{d}:1\r\n\r\nx\r\n--b\r\n{d}:2\r\n\r\ny\r\n--b--").into_bytes();
        assert_eq!(parts(&whole).map(|parts| parts.len()), Ok(2));
        for end in 0..whole.len() {
            assert_eq!(parts(&whole[..end]), Err(Refusal::Malformed), "{}", whole[..end].escape_ascii());
        }
        for bad in ["--b", "--b\n", "--bx\r\nA: 1\r\n\r\nx\r\n--b--", "--b\r\nA: 1\r\n\r\nx\n--b--"] {
            assert_eq!(parts(bad.replace('A', d).as_bytes()), Err(Refusal::Malformed), "{bad:?}");
        }
    }

    #[test]
    fn the_first_disposition_is_found() {
        let many = format!("{}Content-Disposition:1{}", "A: b\r\n".repeat(99), "\r\nA: b".repeat(99));
        for headers in [
            "Content-Disposition:1",
            "CONTENT-disposition:1",
            "Content-Disposition :1\r\nContent-Disposition:2",
            "A: b\r\nContent-Disposition:1\r\ncontent-disposition:2",
            "Content%2DDisposition:2\r\nContent-Disposition:1\r\nContent%2DDisposition:2",
            "A (b): c\r\n: d\r\nContent-Disposition:1",
            &many,
        ] {
            assert_eq!(disposition(headers.as_bytes()), Ok(b"1".to_vec()), "{headers}");
        }
        for headers in [
            "",
            "Content-Type: text/plain",
            "\r\nContent-Disposition:1",
            "Content-Disposition:1;\r\n folded",
            "Content-Disposition:1;\r\n\tfolded: 2",
            " Content-Disposition:1",
            "Content-Disposition:1\r\nX",
            "Content-Disposition:1\r",
            "Content-Disposition:1\nX: y",
            "Content-Disposition:1\r\nX: \0",
            &format!("{many}\r\nX"),
        ] {
            assert_eq!(disposition(headers.as_bytes()), Err(Refusal::Malformed), "{headers:?}");
        }
    }

    #[test]
    fn parts_and_headers_have_limits() {
        let part = "--b\r\nContent-Disposition:1\r\n\r\n\r\n";
        for (count, expected) in [(20, Ok(20)), (21, Err(Refusal::TooMuch))] {
            let form = format!("{}--b--", part.repeat(count));
            assert_eq!(parts(form.as_bytes()).map(|parts| parts.len()), expected);
        }
        for (size, expected) in [(16_384, Ok(b"1".to_vec())), (16_385, Err(Refusal::TooMuch))] {
            let headers = [b"Content-Disposition:1\r\nX: ".as_slice(), &vec![0xff; size - 26]].concat();
            assert_eq!(disposition(&headers), expected);
        }
    }

    proptest! {
        #[test]
        fn a_form_that_is_written_is_read_back(
            written in prop::collection::vec(("[a-z\u{e9}\u{1b}%:]{0,9}", "(\r|\n|-|--b|[\u{0}-\u{ff}]){0,20}"), 0..5),
            before in "[a-z\r\n-]{0,5}",
            behind in "(\r\n|--b|[a-z]){0,5}",
            size in 1_usize..200,
        ) {
            let mut body = before.into_bytes();
            prop_assume!(written.iter().all(|(_, content)| !format!("\r\n{content}\r\n").contains("\r\n--boundary")));
            for (value, content) in &written {
                let part = format!("--boundary\r\nContent-Disposition:{value}\r\nX-\u{e9}: 2\r\n\r\n{content}\r\n");
                body.extend(part.into_bytes());
            }
            body.extend(format!("--boundary--{behind}").into_bytes());
            let expected: Vec<_> =
                written.into_iter().map(|(value, content)| (value.into_bytes(), content.into_bytes())).collect();
            prop_assert_eq!(in_pieces(&body, "boundary", size), Ok(expected));
        }

        #[test]
        fn odd_bytes_in_headers_refuse_nothing(
            name in prop::collection::vec(any::<u8>(), 0..20),
            value in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let whole = [name.as_slice(), b":", &value].concat();
            let headers = [b"X", whole.as_slice(), b"\r\nContent-Disposition:", &whole].concat();
            let broken = whole.iter().any(|byte| b"\0\r\n".contains(byte));
            let expected = if broken { None } else { Some(whole) };
            // not where the headers end earlier
            prop_assume!(!headers.windows(4).any(|end| end == b"\r\n\r\n") && !headers.ends_with(b"\r\n"));
            prop_assert_eq!(disposition(&headers).ok(), expected);
        }

        #[test]
        fn nothing_waits_for_ever(
            body in "(--b|\r\n|\r|--| |Content-Disposition|:|[\u{0}-\u{ff}]){0,30}",
            size in 1_usize..30,
        ) {
            let body = body.into_bytes();
            prop_assert_eq!(in_pieces(&body, "b", size), in_pieces(&body, "b", PIECE));
        }
    }
}
