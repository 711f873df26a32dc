//! Scans a damaged file once, in constant memory, and records every object.

use std::collections::BTreeMap;

use memchr::memmem::Finder;

use super::entries::XrefEntry;
use super::object_header::{LONGEST, WORD, header};
use super::table::TRAILER;
use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::{PIECE, Reader};
use crate::stream::body::ends_at;
use crate::stream::object_stream;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{Indirect, ParseError, Value, parse_indirect, parse_object};

/// Bytes of an object parsed to determine its type. Larger ones are neither object streams, trailers nor catalogs.
const MAX_PARSED_BYTES: usize = 64 << 10;
/// Length that most objects and all stream dictionaries stay below.
const USUAL_OBJECT_BYTES: usize = 512;
/// `trailer<</A 1>>`, the shortest trailer with an entry.
const MIN_TRAILER_BYTES: usize = 15;
/// Maximum streams with a wrong length beyond the window; later ones are scanned.
const MAX_WRONG_LENGTHS: usize = 2;
/// Maximum trailers kept: the last ones, which have precedence.
const MAX_TRAILERS: usize = 64;

/// Everything found, in file order.
#[derive(Debug, Default)]
pub struct Scan {
    /// Every object, by its number.
    pub objects: Vec<(u32, XrefEntry)>,
    /// Trailers, and the dictionaries of cross-reference streams with their object numbers.
    pub trailers: Vec<(Dictionary, Option<Id>)>,
    /// Objects with `/Type /Catalog`.
    pub catalogs: Vec<Id>,
    /// Object streams, by their numbers, and their offsets.
    pub(crate) object_streams: BTreeMap<u32, u64>,
}

/// What to do after a window.
#[derive(Debug, PartialEq)]
enum Next {
    /// Go on here.
    At(u64),
    /// Continue at `target` if a stream ends there, otherwise at `body`, where it starts.
    Jump { target: u64, body: u64 },
}

/// Scans the complete file.
pub fn scan(reader: &mut Reader, budget: &mut Budget) -> Result<Scan, Fault> {
    let mut scanner = Scanner {
        object: Finder::new(WORD),
        stream: Finder::new(b"stream"),
        catalog: Finder::new(b"Catalog"),
        trailer: Finder::new(b"trailer"),
        length: reader.file_size(),
        false_lengths: 0,
        found: Scan::default(),
    };
    reader.begin_pass()?;
    let (mut at, mut body) = (0, None);
    while at < reader.file_size() {
        let window = reader.pass(at, PIECE)?;
        if let Some(body) = body.take().filter(|_| !ends_at(&window, 0)) {
            scanner.false_lengths += 1;
            at = body;
            continue;
        }
        let last = at + window.len() as u64 >= reader.file_size();
        match scanner.window(&window, at, last, budget)? {
            // an object larger than a window is ignored
            Next::At(next) => at = if next > at { next } else { at + LONGEST as u64 },
            Next::Jump { target, body: start } => (at, body) = (target, Some(start)),
        }
    }
    Ok(scanner.found)
}

struct Scanner<'f> {
    object: Finder<'f>,
    stream: Finder<'f>,
    catalog: Finder<'f>,
    trailer: Finder<'f>,
    /// Length of the file.
    length: u64,
    false_lengths: usize,
    found: Scan,
}

impl Scanner<'_> {
    /// Records the objects in `window`, which starts at `offset` in the file; `last`: the file ends with it.
    fn window(&mut self, window: &[u8], offset: u64, last: bool, budget: &mut Budget) -> Result<Next, Fault> {
        let (mut at, mut known) = (0, None);
        loop {
            let word = match known.take() {
                Some(word) => Some(word),
                None => self.next_word(window, at, budget)?,
            };
            if let Some(place) = self.trailers(window, at, word.unwrap_or(window.len()), last) {
                return Ok(Next::At(offset + place as u64));
            }
            let Some(word) = word else {
                let kept = if last { 0 } else { LONGEST };
                return Ok(Next::At(offset + window.len().saturating_sub(kept).max(at) as u64));
            };
            at = word + WORD.len();
            let Some((number, start)) = header(window, word) else { continue };
            let (object, end) = self.object(window, start, at, last, budget)?;
            if object == Err(ParseError::Incomplete) {
                return Ok(Next::At(offset + start as u64));
            }
            budget.entries(1)?;
            self.found.objects.push((number, XrefEntry::At(offset + start as u64)));
            known = end;
            let Ok(object) = object else { continue };
            budget.work(object.end)?;
            self.note(&object, offset + start as u64);
            let Some((body, target)) = body(&object, start) else { continue };
            let is_here = last || target.saturating_add(LONGEST) <= window.len();
            let is_false =
                self.false_lengths >= MAX_WRONG_LENGTHS || offset.saturating_add(target as u64) >= self.length;
            if is_here || is_false {
                at = if ends_at(window, target) { target } else { body };
                known = end.filter(|&end| end >= at);
            } else {
                return Ok(Next::Jump { target: offset + target as u64, body: offset + body as u64 });
            }
        }
    }

    /// Returns the object whose header is from `start` to `from`, if relevant, and the next word after it, if that was
    /// searched.
    fn object(
        &self,
        window: &[u8],
        start: usize,
        from: usize,
        last: bool,
        budget: &mut Budget,
    ) -> Result<(Result<Indirect, ParseError>, Option<usize>), Fault> {
        let near = window.get(from..window.len().min(from + USUAL_OBJECT_BYTES)).unwrap_or_default();
        let near_end = self.object.find(near).map(|end| from + end);
        if near_end.is_none() && self.stream.find(near).is_some() {
            // a stream: its length usually gives its end, so that its body is skipped
            let data = bounded(window, start, window.len());
            let object = parse_indirect(data, last || data.len() == MAX_PARSED_BYTES);
            budget.work(object.as_ref().map_or(0, |object| object.end))?;
            let target = object.as_ref().ok().and_then(|object| body(object, start)).map(|(_, target)| target);
            if target.is_some_and(|target| target + LONGEST > window.len() || ends_at(window, target)) {
                return Ok((object, None));
            }
        }
        let end = match near_end {
            Some(end) => Some(end),
            None => self.next_word(window, from, budget)?,
        };
        // its dictionary, if any, ends before the next such keyword; in a damaged file it may be unclosed
        let data = bounded(window, start, end.unwrap_or(window.len()));
        let whole = last || end.is_some();
        let is_dull = whole && !self.is_of_interest(window.get(from..end.unwrap_or(window.len())));
        let object = if is_dull {
            Err(ParseError::Malformed)
        } else {
            parse_indirect(data, whole || data.len() == MAX_PARSED_BYTES)
        };
        Ok((object, end))
    }

    /// The next place at or after `from` where an object may begin or end.
    fn next_word(&self, window: &[u8], from: usize, budget: &mut Budget) -> Result<Option<usize>, Fault> {
        let rest = window.get(from..).unwrap_or_default();
        let word = self.object.find(rest);
        budget.work(word.map_or(rest.len(), |word| word + 1))?;
        Ok(word.map(|word| from + word))
    }

    /// Whether an object is worth parsing: only streams and catalogs are.
    fn is_of_interest(&self, text: Option<&[u8]>) -> bool {
        text.is_some_and(|text| self.stream.find(text).is_some() || self.catalog.find(text).is_some())
    }

    /// Records the trailers in a range of the window; returns the offset of one that exceeds it.
    fn trailers(&mut self, window: &[u8], from: usize, to: usize, last: bool) -> Option<usize> {
        let gap = window.get(from..to).filter(|gap| gap.len() >= MIN_TRAILER_BYTES)?;
        let Self { trailer: word, found, .. } = self;
        for place in word.find_iter(gap) {
            let place = from + place;
            let data = window.get(place + b"trailer".len()..).unwrap_or_default();
            let data = data.get(..TRAILER).unwrap_or(data);
            let Ok(Value { object, end, .. }) = parse_object(data) else { continue };
            if end == data.len() && data.len() < TRAILER && !last {
                return Some(place);
            }
            if let Object::Dictionary(trailer) = object {
                found.keep_trailer(trailer, None);
            }
        }
        None
    }

    fn note(&mut self, object: &Indirect, offset: u64) {
        let Some(dictionary) = object.object.as_dictionary() else { return };
        if dictionary.is_type(b"Catalog") {
            self.found.catalogs.push(object.id);
        } else if object.body.is_some() && (dictionary.is_type(b"ObjStm") || object_stream::first(dictionary) > 0) {
            self.found.object_streams.insert(object.id.number, offset);
        } else if object.body.is_some() && dictionary.is_type(b"XRef") {
            self.found.keep_trailer(dictionary.clone(), Some(object.id));
        }
    }
}

impl Scan {
    fn keep_trailer(&mut self, trailer: Dictionary, stream: Option<Id>) {
        if self.trailers.len() >= MAX_TRAILERS {
            self.trailers.remove(0);
        }
        self.trailers.push((trailer, stream));
    }
}

/// Parses the object at `start`, at most up to `end`.
fn bounded(window: &[u8], start: usize, end: usize) -> &[u8] {
    let data = window.get(start..end).unwrap_or_default();
    data.get(..MAX_PARSED_BYTES).unwrap_or(data)
}

/// Returns start and end of a stream's body by its dictionary, relative to the same base as `start`.
fn body(object: &Indirect, start: usize) -> Option<(usize, usize)> {
    let length = object.object.as_dictionary()?.get(b"Length").as_integer()?;
    let body = start + object.body?;
    Some((body, body.checked_add(usize::try_from(length).ok()?)?))
}
