//! Passes over a damaged file once, in constant memory, and notes every object it comes across.

use std::collections::BTreeMap;

use memchr::memmem::{self, Finder};

use super::entries::Entry;
use super::table::TRAILER;
use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::stream::body::ends_at;
use crate::stream::object_stream;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{Indirect, ParseError, parse_indirect, parse_object};

/// Ends an object's header, and the object: `endobj`.
const WORD: &[u8] = b"obj";
/// The largest part of the file in memory at a time, if it is not there anyway.
const WINDOW: usize = 1 << 20;
/// How much of an object is parsed to learn what it is. Larger ones are no streams of ours, trailers or catalogs.
const PARSED: usize = 64 << 10;
/// Longer than any object header, blanks between its parts included; parts of the file overlap by this much.
const OVERLAP: usize = 512;
/// Where most objects and all dictionaries of streams end.
const NEAR: usize = 512;
/// `trailer<</A 1>>`: shorter ones tell nothing.
const SHORTEST_TRAILER: usize = 15;
/// Trailers kept: the last ones, which count most.
const TRAILERS: usize = 64;

/// What was found, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Every object, by its number.
    pub(crate) objects: Vec<(u32, Entry)>,
    /// Trailers, and the dictionaries of cross-reference streams with their object numbers.
    pub(crate) trailers: Vec<(Picked, Option<Id>)>,
    /// Objects that say they are the catalog.
    pub(crate) catalogs: Vec<Id>,
    /// Object streams, by their numbers, and their offsets.
    pub(crate) object_streams: BTreeMap<u32, u64>,
}

/// What to do after a window.
#[derive(Debug, PartialEq)]
enum Next {
    /// Go on here.
    At(u64),
    /// Come back here with a larger window: an object runs over the end of this one.
    Wider(u64),
    /// Go on at `target` if a stream ends there, else at `body`, where it starts.
    Jump { target: u64, body: u64 },
}

/// Scans the whole file.
pub(crate) fn scan(reader: &mut Reader, budget: &mut Budget) -> Result<Scan, Fault> {
    let mut scanner = Scanner {
        object: Finder::new(WORD),
        stream: Finder::new(b"stream"),
        catalog: Finder::new(b"Catalog"),
        trailer: Finder::new(b"trailer"),
        found: Scan::default(),
    };
    let narrow = reader.read_ahead().max(OVERLAP);
    let wide = narrow.max(WINDOW);
    let (mut at, mut size, mut body) = (0, narrow, None);
    while at < reader.len() {
        let window = reader.pass(at, size)?;
        if let Some(body) = body.take().filter(|_| !ends_at(&window, 0)) {
            at = body;
            continue;
        }
        let last = at + window.len() as u64 >= reader.len();
        match scanner.window(&window, at, last, budget)? {
            Next::At(next) => {
                at = next.max(at + 1);
                size = (size * 2).min(wide);
            }
            Next::Wider(next) if next > at || window.len() < wide => {
                size = if next > at { size } else { (size * 4).min(wide) };
                at = next;
            }
            Next::Wider(next) => at = next + OVERLAP as u64,
            Next::Jump { target, body } if target >= reader.len() => at = body,
            Next::Jump { target, body: start } => {
                (at, body, size) = (target, Some(start), narrow);
            }
        }
    }
    Ok(scanner.found)
}

struct Scanner<'f> {
    object: Finder<'f>,
    stream: Finder<'f>,
    catalog: Finder<'f>,
    trailer: Finder<'f>,
    found: Scan,
}

impl Scanner<'_> {
    /// Notes what is in `window`, which starts at `offset` of the file; `last` if the file ends with it.
    fn window(&mut self, window: &[u8], offset: u64, last: bool, budget: &mut Budget) -> Result<Next, Fault> {
        let (mut at, mut known) = (0, None);
        loop {
            let word = match known.take() {
                Some(word) => Some(word),
                None => self.next_word(window, at, budget)?,
            };
            if let Some(place) = self.trailers(window, at, word.unwrap_or(window.len()), last) {
                return Ok(Next::Wider(offset + place as u64));
            }
            let Some(word) = word else {
                let kept = if last { 0 } else { OVERLAP };
                return Ok(Next::At(offset + window.len().saturating_sub(kept).max(at) as u64));
            };
            at = word + WORD.len();
            let Some((number, start)) = header(window, word) else { continue };
            let (object, end) = self.object(window, start, at, last, budget)?;
            if object == Err(ParseError::Incomplete) {
                return Ok(Next::Wider(offset + start as u64));
            }
            budget.entries(1)?;
            self.found.objects.push((number, Entry::At(offset + start as u64)));
            known = end;
            let Ok(object) = object else { continue };
            budget.work(object.end)?;
            self.note(&object, offset + start as u64);
            let Some((body, target)) = body(&object, start) else { continue };
            if last || target.saturating_add(OVERLAP) <= window.len() {
                at = if ends_at(window, target) { target } else { body };
                known = end.filter(|&end| end >= at);
            } else {
                return Ok(Next::Jump { target: offset + target as u64, body: offset + body as u64 });
            }
        }
    }

    /// The object whose header starts at `start` and ends at `from`, if it is worth parsing, and the next word behind it,
    /// if that had to be looked for.
    fn object(
        &self,
        window: &[u8],
        start: usize,
        from: usize,
        last: bool,
        budget: &mut Budget,
    ) -> Result<(Result<Indirect, ParseError>, Option<usize>), Fault> {
        let near = window.get(from..window.len().min(from + NEAR)).unwrap_or_default();
        let near_end = self.object.find(near).map(|end| from + end);
        if near_end.is_none() && self.stream.find(near).is_some() {
            // a stream: its length may well tell where it ends, so that its body need not be looked at
            let data = bounded(window, start, window.len());
            let object = parse_indirect(data, last || data.len() == PARSED);
            budget.work(object.as_ref().map_or(0, |object| object.end))?;
            let target = object.as_ref().ok().and_then(|object| body(object, start)).map(|(_, target)| target);
            if target.is_some_and(|target| target + OVERLAP > window.len() || ends_at(window, target)) {
                return Ok((object, None));
            }
        }
        let end = match near_end {
            Some(end) => Some(end),
            None => self.next_word(window, from, budget)?,
        };
        // its dictionary, if any, ends before the next such word; in a damaged file it might not end at all
        let data = bounded(window, start, end.unwrap_or(window.len()));
        let whole = last || end.is_some();
        let is_dull = whole && !self.is_of_interest(window.get(from..end.unwrap_or(window.len())));
        let object =
            if is_dull { Err(ParseError::Malformed) } else { parse_indirect(data, whole || data.len() == PARSED) };
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

    /// Notes the trailers between two places of the window; the place of one that runs over its end.
    fn trailers(&mut self, window: &[u8], from: usize, to: usize, last: bool) -> Option<usize> {
        let gap = window.get(from..to).filter(|gap| gap.len() >= SHORTEST_TRAILER)?;
        let Self { trailer: word, found, .. } = self;
        for place in word.find_iter(gap) {
            let place = from + place;
            let data = window.get(place + b"trailer".len()..).unwrap_or_default();
            let data = data.get(..TRAILER).unwrap_or(data);
            let Ok((object, end)) = parse_object(data) else { continue };
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
    fn keep_trailer(&mut self, trailer: Picked, stream: Option<Id>) {
        if self.trailers.len() >= TRAILERS {
            self.trailers.remove(0);
        }
        self.trailers.push((trailer, stream));
    }
}

/// What is parsed of the object that starts at `start`, and at most up to `end`.
fn bounded(window: &[u8], start: usize, end: usize) -> &[u8] {
    let data = window.get(start..end).unwrap_or_default();
    data.get(..PARSED).unwrap_or(data)
}

/// Start and end of a stream's body, as far as its dictionary tells, counted like `start`.
fn body(object: &Indirect, start: usize) -> Option<(usize, usize)> {
    let length = object.object.as_dictionary()?.get(Key::Length).as_integer()?;
    let body = start + object.body?;
    Some((body, body.checked_add(usize::try_from(length).ok()?)?))
}

/// Whether there is an object header in `head`.
pub(crate) fn starts_with_object(head: &[u8]) -> bool {
    memmem::find_iter(head, WORD).any(|word| header(head, word).is_some())
}

/// The object number of the header whose `obj` stands at `word`, and where the header starts.
fn header(window: &[u8], word: usize) -> Option<(u32, usize)> {
    let before = window.get(word.saturating_sub(OVERLAP)..word)?;
    let generation_end = before.trim_ascii_end();
    let number_end = without_digits(generation_end)?;
    let number_end_trimmed = number_end.trim_ascii_end();
    let start = without_digits(number_end_trimmed)?;
    if number_end_trimmed.len() == number_end.len() || start.ends_with(b".") || start.ends_with(b"-") {
        return None;
    }
    let digits = number_end_trimmed.get(start.len()..)?;
    // object 0 is the head of the free list, never an object
    let number = std::str::from_utf8(digits).ok()?.parse().ok().filter(|&number| number > 0)?;
    Some((number, word - before.len() + start.len()))
}

/// The text without the digits at its end; none if there are none.
fn without_digits(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { None } else { text.get(..text.len() - digits) }
}
