//! Object headers in a file's raw bytes, including those in streams and comments, as found by readers that rebuild the
//! cross-reference (ISO 32000-1, 7.3.10 and annex C.2).

use memchr::memmem::{self, Finder};

use super::object_header::{LONGEST, WORD, header};
use crate::syntax::char_class::is_regular;
use crate::syntax::strict::may_end_header;

/// Maximum headers, at 12 bytes each.
const MAX_HEADERS: usize = 1_000_000;
/// Maximum trailers.
const MAX_TRAILERS: usize = 10_000;
const TRAILER: &[u8] = b"trailer";
/// Bytes after a header that show whether the object may be an object stream.
const PROBE_BYTES: usize = 512;

/// All headers found, in file order.
#[derive(Debug, Default)]
pub struct Headers {
    numbers: Vec<u32>,
    offsets: Vec<u64>,
    /// Indexes of headers of possible object streams.
    holders: Vec<usize>,
    /// Offsets of the word `trailer`.
    pub trailers: Vec<u64>,
    /// Offset of the first header that only some readers recognize.
    pub unread: Option<u64>,
    /// Whether the maximum was exceeded.
    pub is_cut: bool,
    /// End of the last piece, and number of bytes searched.
    carried: Vec<u8>,
    at: u64,
}

impl Headers {
    /// Starts a search at this offset.
    pub fn starting_at(at: u64) -> Self {
        Self { at, ..Self::default() }
    }

    /// Searches the next piece of the file.
    pub fn feed(&mut self, piece: &[u8]) {
        // includes the end of the previous piece, where a header may start
        let seam = self.carried.len();
        let head = piece.get(..(LONGEST + PROBE_BYTES).min(piece.len())).unwrap_or_default();
        let joined = [self.carried.as_slice(), head].concat();
        let before = self.at - seam as u64;
        let ends = |word: usize| word + WORD.len();
        for word in memmem::find_iter(&joined, WORD) {
            if ends(word) > seam && ends(word) <= seam + LONGEST + WORD.len() {
                self.note(&joined, word, before);
            }
        }
        let finder = Finder::new(WORD);
        for word in finder.find_iter(piece).filter(|word| ends(*word) > LONGEST + WORD.len()) {
            self.note(piece, word, self.at);
        }
        for word in memmem::find_iter(&joined, TRAILER).filter(|word| word + TRAILER.len() > seam && *word < seam) {
            self.note_trailer(before + word as u64);
        }
        for word in memmem::find_iter(piece, TRAILER) {
            self.note_trailer(self.at + word as u64);
        }
        let kept = joined_tail(&self.carried, piece);
        self.carried = kept;
        self.at += piece.len() as u64;
    }

    fn note_trailer(&mut self, offset: u64) {
        if self.trailers.len() < MAX_TRAILERS {
            self.trailers.push(offset);
        } else {
            self.is_cut = true;
        }
    }

    fn note(&mut self, window: &[u8], word: usize, offset: u64) {
        let Some((number, start)) = header(window, word).or_else(|| header_with_comments(window, word)) else {
            if self.unread.is_none() && may_end_header(window, word) {
                self.unread = Some(offset + word as u64);
            }
            return;
        };
        if self.numbers.len() == MAX_HEADERS {
            self.is_cut = true;
            return;
        }
        if may_hold(window.get(word + WORD.len()..).unwrap_or_default()) {
            self.holders.push(self.numbers.len());
        }
        self.numbers.push(number);
        self.offsets.push(offset + start as u64);
    }

    /// Returns number and offset of all headers.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        self.numbers.iter().copied().zip(self.offsets.iter().copied())
    }

    /// Returns number and offset of possible object streams.
    pub fn holders(&self) -> impl Iterator<Item = (u32, u64)> {
        self.holders.iter().filter_map(|&index| Some((*self.numbers.get(index)?, *self.offsets.get(index)?)))
    }
}

/// Returns the end of a piece that a header in the next one may need.
fn joined_tail(carried: &[u8], piece: &[u8]) -> Vec<u8> {
    let kept = LONGEST + WORD.len();
    match piece.len().checked_sub(kept) {
        Some(from) => piece.get(from..).unwrap_or_default().to_vec(),
        None => {
            let all = [carried, piece].concat();
            all.get(all.len().saturating_sub(kept)..).unwrap_or_default().to_vec()
        }
    }
}

/// A header with comments between its parts.
fn header_with_comments(window: &[u8], word: usize) -> Option<(u32, usize)> {
    let from = word.saturating_sub(LONGEST);
    let mut before = window.get(from..word)?.to_vec();
    memchr::memchr(b'%', &before)?;
    let mut is_comment = false;
    for byte in &mut before {
        is_comment = (is_comment || *byte == b'%') && !matches!(*byte, b'\r' | b'\n');
        if is_comment {
            *byte = b' ';
        }
    }
    before.extend_from_slice(WORD);
    let (number, start) = header(&before, before.len() - WORD.len())?;
    Some((number, from + start))
}

/// Whether an object may be an object stream: by its `/Type`, possibly escaped or a reference, or because its
/// dictionary is too long to decide.
fn may_hold(rest: &[u8]) -> bool {
    let near = rest.get(..PROBE_BYTES).unwrap_or(rest);
    let [object, stream] = [b"endobj".as_slice(), b"stream"].map(|word| memmem::find(near, word));
    let Some(end) = object.into_iter().chain(stream).min() else { return true };
    let text = near.get(..end).unwrap_or_default();
    let says = |word: &[u8]| memmem::find(text, word).is_some();
    let has = |key: &[u8]| {
        let is_whole = |at| !text.get(at + key.len()).is_some_and(|&byte| is_regular(byte));
        memmem::find_iter(text, key).any(is_whole)
    };
    says(b"ObjStm") || says(b"#") || stream == Some(end) && (has(b"/First") || has(b"/N"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(pieces: &[&[u8]]) -> Vec<(u32, u64)> {
        let mut headers = Headers::default();
        pieces.iter().for_each(|piece| headers.feed(piece));
        headers.all().collect()
    }

    #[test]
    fn headers_are_found_whatever_stands_around_them() {
        let text =
            b"%PDF-1.7\n1 0 obj\n<</A 2>>\nendobj\nstream 7 0 obj endstream % 8 0 obj\n9%x\n0 % y\nobj 10\x000 obj";
        assert_eq!(found(&[text]).iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 7, 8, 9, 10]);
    }

    #[test]
    fn what_says_in_escapes_that_it_holds_objects_is_looked_into() {
        let by_reference = "<</Type 7 0 R/N 1/First 8 0 R>>stream";
        for text in ["<</Type/ObjStm/N 1>>stream", "<</Type/Obj#53tm/N 1>>stream", by_reference, &" ".repeat(600)] {
            assert!(may_hold(text.as_bytes()), "{text}");
        }
        for text in [
            "<</Type/Page>>endobj 5 0 obj <</Type/ObjStm>>",
            "<</AP<</N 5 0 R>>>>endobj",
            "<</Length 9/Name/Im0>>stream",
        ] {
            assert!(!may_hold(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn how_a_file_is_cut_into_pieces_does_not_matter(
            gaps in prop::collection::vec(0..700_usize, 1..8), size in 1..900_usize,
        ) {
            let mut text = Vec::new();
            for (number, gap) in gaps.iter().enumerate() {
                text.extend(" ".repeat(*gap).bytes());
                text.extend(format!("{} 0 obj<</Type/X>>endobj", number + 1).bytes());
            }
            let pieces: Vec<&[u8]> = text.chunks(size).collect();
            prop_assert_eq!(found(&pieces), found(&[&text]));
        }
    }
}
