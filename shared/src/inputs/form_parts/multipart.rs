//! Parses a complete multipart body (RFC 2046, section 5.1.1) with multer, without copying contents.
//!
//! multer copies its input and refuses headers with bytes other than visible ASCII. So it gets the form without
//! contents, which are returned as views of the body, and only the disposition of each part, percent-encoded.

use std::convert::Infallible;
use std::{future, vec};

use bytes::{Buf, Bytes};
use futures_util::{FutureExt, stream};
use memchr::memmem::{self, Finder};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};

use super::{MAX_PART_HEADERS, MAX_PARTS};

/// The parts of a body, in order.
pub(super) struct Multipart {
    multer: multer::Multipart<'static>,
    contents: vec::IntoIter<Bytes>,
}

/// A part.
#[derive(Debug)]
pub(super) struct FormPart {
    /// The value of its `Content-Disposition`, as sent.
    pub(super) disposition: Vec<u8>,
    /// A view of the body.
    pub(super) content: Bytes,
}

/// Why a body is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FormRefusal {
    /// It is truncated or no multipart body, or a part has no disposition.
    Malformed,
    /// It has too many parts, or a part has too many headers.
    TooMuch,
}

const LINE_END: &[u8] = b"\r\n";
const END_OF_HEADERS: &[u8] = b"\r\n\r\n";
const DISPOSITION: &str = "Content-Disposition";
/// ASCII characters that are percent-encoded in a header's value, including white space, which multer would trim.
const VALUE: &AsciiSet = &CONTROLS.add(b' ').add(b'%');

impl Multipart {
    /// The preamble is skipped.
    pub(super) fn new(mut body: Bytes, boundary: &str) -> Result<Self, FormRefusal> {
        // the first one needs no line end before it
        let first = format!("--{boundary}");
        body.advance(memmem::find(&body, first.as_bytes()).ok_or(FormRefusal::Malformed)? + first.len());
        let delimiter = Finder::new(&format!("\r\n{first}")).into_owned();
        let (mut frame, mut contents) = (first.into_bytes(), Vec::new());
        // there are no headers after the last delimiter
        while let Some(line) = rest_of_line(&body) {
            body.advance(line);
            let length = memmem::find(&body, END_OF_HEADERS).ok_or(FormRefusal::Malformed)?;
            if contents.len() == MAX_PARTS || length > MAX_PART_HEADERS {
                return Err(FormRefusal::TooMuch);
            }
            frame.extend([LINE_END, &header(&body.split_to(length))?, END_OF_HEADERS].concat());
            body.advance(END_OF_HEADERS.len());
            // truncated without a delimiter: so is multer's input
            let end = delimiter.find(&body);
            contents.push(body.split_to(end.unwrap_or_default()));
            if end.is_none() {
                break;
            }
            frame.extend(delimiter.needle());
            body.advance(delimiter.needle().len());
        }
        // two dashes mark the last delimiter
        frame.extend(body.iter().take(2));
        let frame = stream::once(future::ready(Ok::<_, Infallible>(frame)));
        Ok(Self { multer: multer::Multipart::new(frame, boundary), contents: contents.into_iter() })
    }

    /// The next part; `None` after the last. The epilogue is skipped.
    pub(super) fn next_part(&mut self) -> Result<Option<FormPart>, FormRefusal> {
        // the input is complete, so this never waits
        let field = self.multer.next_field().now_or_never().and_then(Result::ok).ok_or(FormRefusal::Malformed)?;
        let Some(field) = field else { return Ok(None) };
        let disposition = field.headers().get(DISPOSITION).ok_or(FormRefusal::Malformed)?;
        let disposition = percent_decode(disposition.as_bytes()).collect();
        let content = self.contents.next().ok_or(FormRefusal::Malformed)?;
        Ok(Some(FormPart { disposition, content }))
    }
}

/// The rest of a delimiter's line, with its end; `None` if it is more than padding.
fn rest_of_line(body: &[u8]) -> Option<usize> {
    let padding = body.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    body.get(padding..)?.starts_with(LINE_END).then_some(padding + LINE_END.len())
}

/// The first disposition among a part's headers, for multer; a placeholder if there is none or a line is no header.
fn header(headers: &[u8]) -> Result<Vec<u8>, FormRefusal> {
    let (mut disposition, mut are_sound) = (None, true);
    for line in [headers, b"\r"].concat().split(|byte| *byte == b'\n') {
        // multer accepts a single LF as a line end
        let line = line.strip_suffix(b"\r").filter(|line| !line.iter().any(|byte| b"\0\r".contains(byte)));
        let line = line.ok_or(FormRefusal::Malformed)?;
        // folded, or without a colon
        let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
        let mut pieces = line.splitn(2, |byte| *byte == b':');
        match (pieces.next(), pieces.next()) {
            (Some(name), Some(value)) if !is_folded => {
                if name.trim_ascii().eq_ignore_ascii_case(DISPOSITION.as_bytes()) {
                    disposition.get_or_insert_with(|| format!("{DISPOSITION}:{}", percent_encode(value, VALUE)));
                }
            }
            _ => are_sound = false,
        }
    }
    Ok(disposition.filter(|_| are_sound).unwrap_or_else(|| "X:".to_owned()).into_bytes())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future;

    use bytes::Bytes;
    use futures_util::{FutureExt, stream};
    use proptest::prelude::*;

    use super::{DISPOSITION, FormRefusal, Multipart};

    /// Disposition and content as bytes.
    type Bare = (Vec<u8>, Vec<u8>);

    fn of(body: &[u8], boundary: &str) -> Result<Vec<Bare>, FormRefusal> {
        let mut form = Multipart::new(Bytes::copy_from_slice(body), boundary)?;
        let mut parts = Vec::new();
        while let Some(part) = form.next_part()? {
            parts.push((part.disposition, part.content.to_vec()));
        }
        Ok(parts)
    }

    fn parts(body: &[u8]) -> Result<Vec<Bare>, FormRefusal> {
        of(body, "b")
    }

    /// The parts that multer parses from the whole body, if it accepts it and each part has a disposition.
    fn by_multer_alone(body: &[u8]) -> Option<Vec<Bare>> {
        let body = Bytes::copy_from_slice(body);
        let mut form = multer::Multipart::new(stream::once(future::ready(Ok::<_, Infallible>(body))), "b");
        let mut parts = Vec::new();
        while let Some(field) = form.next_field().now_or_never()?.ok()? {
            let disposition = field.headers().get(DISPOSITION)?.as_bytes().to_vec();
            parts.push((disposition, field.bytes().now_or_never()?.ok()?.to_vec()));
        }
        Some(parts)
    }

    /// A form of one part with these headers.
    fn headed(headers: &[u8]) -> Vec<u8> {
        [b"--b\r\n", headers, b"\r\n\r\nx\r\n--b--"].concat()
    }

    /// The disposition among these headers.
    fn disposition(headers: &[u8]) -> Result<Vec<u8>, FormRefusal> {
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
        let large = [vec![b'-'; 64 * 1024], b"\r\n--".repeat(64 * 1024)].concat();
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
            assert_eq!(parts(&whole[..end]), Err(FormRefusal::Malformed), "{}", whole[..end].escape_ascii());
        }
        for bad in ["--b", "--b\n", "--bx\r\nA: 1\r\n\r\nx\r\n--b--", "--b\r\nA: 1\r\n\r\nx\n--b--"] {
            assert_eq!(parts(bad.replace('A', d).as_bytes()), Err(FormRefusal::Malformed), "{bad:?}");
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
            assert_eq!(disposition(headers.as_bytes()), Err(FormRefusal::Malformed), "{headers:?}");
        }
    }

    #[test]
    fn parts_and_headers_have_limits() {
        let part = "--b\r\nContent-Disposition:1\r\n\r\n\r\n";
        for (count, expected) in [(20, Ok(20)), (21, Err(FormRefusal::TooMuch))] {
            let form = format!("{}--b--", part.repeat(count));
            assert_eq!(parts(form.as_bytes()).map(|parts| parts.len()), expected);
        }
        for (size, expected) in [(16_384, Ok(b"1".to_vec())), (16_385, Err(FormRefusal::TooMuch))] {
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
            prop_assert_eq!(of(&body, "boundary"), Ok(expected));
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
        fn what_multer_reads_by_itself_is_read_alike(
            body in "(--b|--b--|\r\n|\r|--| |Content-Disposition:1|:|\r\n--b\r\nContent-Disposition:1\r\n\r\n|[\u{0}-\u{ff}]){0,30}",
        ) {
            let read = parts(body.as_bytes());
            if let Some(expected) = by_multer_alone(body.as_bytes()) {
                prop_assert_eq!(read, Ok(expected));
            }
        }
    }
}
