//! Where each revision begins and ends, and which parts of the cross-reference are its own (ISO 32000-1, 7.5.6).

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::ops::Range;

use memchr::memmem;

use super::end;
use super::indeterminate::Limit;
use crate::document::Document;
use crate::document::objects::State;
use crate::failure::Fault;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Id;
use crate::xref::entries::{Section, XrefEntry};
use crate::xref::object_header::{WORD, starts_with_object};

/// Revisions that are looked into: the newest ones.
pub(crate) const MOST: usize = 256;
/// Object numbers looked at in one revision. Real updates touch hundreds.
const NUMBERS: usize = 50_000;
/// How far behind the last section, or the lines of it, the last `startxref` may stand for nothing to be looked for between.
const NEAR: u64 = 1 << 10;
/// White space by which a signature may end before its revision does: the line end behind `%%EOF`. And behind it: what
/// fills a disk's block.
pub(super) const LINE_END: u64 = 2;
const PADDING: u64 = 512;
/// Bytes before a revision's first object in which the end of the one before stands.
const BEFORE: u64 = 1024;

/// A revision's place in the file.
#[derive(Debug)]
pub(crate) struct Span {
    /// 1 for the oldest.
    pub(crate) number: u32,
    /// Its own parts of the cross-reference, by their indexes.
    pub(crate) parts: Range<usize>,
    /// Numbers of the objects that its parts tell of, in order. Empty for the oldest one that is looked into.
    pub(crate) numbers: Vec<u32>,
    /// Offset of its first byte.
    pub(crate) start: u64,
    /// Offset behind its last byte, which ends the line of its `%%EOF`.
    pub(crate) end: u64,
    /// Whether its `startxref` and `%%EOF` stand right behind its cross-reference and lead to it.
    pub(crate) is_closed: bool,
    pub(crate) root: Option<Id>,
    pub(crate) info: Option<Id>,
    /// The newest document information dictionary that this or an earlier trailer names.
    pub(crate) last_info: Option<Id>,
    /// What tells how the file is encrypted from other ways.
    pub(crate) encryption: u32,
    /// Which limit was reached, if there are more of them.
    pub(crate) limit: Option<Limit>,
    /// Whether it is several saves taken as one.
    pub(crate) is_joined: bool,
}

impl Span {
    /// Several saves on end, oldest first, as if they had been one; none of none.
    pub(crate) fn joined(spans: &[Self]) -> Option<Self> {
        let (first, last) = (spans.first()?, spans.last()?);
        let numbers: BTreeSet<u32> = spans.iter().flat_map(|span| span.numbers.iter().copied()).collect();
        Some(Self {
            number: last.number,
            parts: last.parts.start..first.parts.end,
            numbers: numbers.into_iter().collect(),
            start: first.start,
            end: last.end,
            is_closed: spans.iter().all(|span| span.is_closed),
            root: last.root,
            info: last.info,
            last_info: last.last_info,
            encryption: last.encryption,
            limit: spans.iter().find_map(|span| span.limit),
            is_joined: spans.len() > 1,
        })
    }

    /// Whether a signature whose last range ends there covers it and nothing beyond.
    pub(crate) fn ends_with(&self, signed: u64) -> bool {
        self.is_closed && is_covered(self.end, signed)
    }

    /// The file as this revision left it.
    pub(crate) fn state(&self) -> State {
        State(self.parts.start)
    }

    /// Where it stands, with the end of the one before it.
    pub(crate) fn place(&self) -> Range<u64> {
        self.start.saturating_sub(BEFORE)..self.end
    }

    /// The file as this revision found it.
    pub(crate) fn before(&self) -> State {
        State(self.parts.end)
    }
}

/// Whether a signature whose last range ends there covers a revision with this end and nothing beyond.
pub(crate) fn is_covered(end: u64, signed: u64) -> bool {
    (end.saturating_sub(LINE_END)..=end.saturating_add(PADDING)).contains(&signed)
}

/// The parts of each revision, newest first.
fn groups(document: &Document) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, part) in document.xref.parts.iter().enumerate() {
        let newer = index.checked_sub(1).and_then(|newer| document.xref.parts.get(newer));
        // An update follows what it updates. What stands before it was written along with it: the first page's part of a
        // linearized file (annex F), or the stream that a supplement leads to.
        let is_same = newer.is_some_and(|newer| newer.supplement.map_or(newer.offset, NonZeroU64::get) < part.offset);
        match groups.last_mut() {
            Some(group) if is_same => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// How many revisions there are, and the newest of them, oldest first.
pub(crate) fn spans(document: &mut Document) -> Result<(usize, Vec<Span>), Fault> {
    let groups = groups(document);
    let total = groups.len();
    let mut spans = Vec::new();
    let oldest = |span: &Range<usize>| span.end == document.xref.parts.len();
    let is_alone = groups.first().is_some_and(oldest);
    // the one before the oldest that is looked into is what that is compared with
    for (index, parts) in groups.into_iter().enumerate().take(MOST + 1) {
        // a trailer that does not say is as the one before it
        let all = document.xref.parts.get(parts.start..).unwrap_or_default();
        let root = all.iter().find_map(|part| part.root);
        let info = all.first().and_then(|part| part.info);
        let last_info = all.iter().find_map(|part| part.info);
        let encryption = all.first().map_or(0, |part| part.encryption);
        let number = (total - index) as u32;
        let (numbers, start, end) = (Vec::new(), 0, 0);
        spans.push(Span {
            number,
            parts,
            numbers,
            start,
            end,
            is_closed: false,
            root,
            info,
            last_info,
            encryption,
            limit: None,
            is_joined: false,
        });
    }
    for index in 0..spans.len() {
        let is_last = index + 1 == spans.len();
        let end = match index.checked_sub(1).and_then(|newer| spans.get(newer)) {
            Some(newer) => newer.start,
            None => document.reader.len(),
        };
        let Some(span) = spans.get_mut(index) else { break };
        span.end = end;
        if !is_last && !is_alone {
            numbers(document, span)?;
            locate(document, span)?;
        }
    }
    spans.reverse();
    Ok((total, spans))
}

/// Reads ahead where revisions end, and finds it.
pub(crate) fn find_ends(document: &mut Document, spans: &mut [Span], is_signed: bool) -> Result<(), Fault> {
    // where the end follows the newest section at once, nothing is between
    let is_alone = !is_signed && spans.len() == 1 && follows_at_once(document)?;
    for span in spans {
        if !is_alone && let Some(end) = end::behind(document, span.parts.clone())? {
            span.end = end;
            span.is_closed = true;
            continue;
        }
        let from = span.end.saturating_sub(BEFORE).max(span.start);
        let view = document.reader.view(from, (span.end - from) as usize)?;
        // junk behind the file's end, or none before an update's first object
        let Some(place) = memmem::rfind(view, b"%%EOF") else { continue };
        let behind = place + b"%%EOF".len();
        span.end = from + behind as u64 + end::line_end(view.get(behind..).unwrap_or_default());
    }
    Ok(())
}

/// Whether the last `startxref` stands near the newest section, with no object or other end between. That is read anyway.
fn follows_at_once(document: &mut Document) -> Result<bool, Fault> {
    let from = last_row(document);
    let size = document.xref.last_end.saturating_sub(from);
    if size >= NEAR {
        return Ok(false);
    }
    let view = document.reader.view(from, size as usize)?;
    // a section that is a stream has a header of its own
    let mut lexer = Lexer::new(view);
    let is_stream = lexer.take_integer().is_some() && lexer.take_integer().is_some() && lexer.take_word(WORD);
    let others = if is_stream { lexer.rest() } else { view };
    let ends: [&[u8]; 2] = [b"startxref", b"%%EOF"];
    Ok(!starts_with_object(others) && ends.iter().all(|word| memmem::find(others, word).is_none()))
}

/// Where the last line of all tables ends, or the last section starts if it has no lines.
fn last_row(document: &Document) -> u64 {
    let lines = document.xref.sections.iter().filter_map(Section::end);
    document.xref.parts.iter().map(|part| part.offset).chain(lines).max().unwrap_or(0)
}

/// The numbers that a revision's parts tell of.
fn numbers(document: &mut Document, span: &mut Span) -> Result<(), Fault> {
    for part in document.xref.parts.get(span.parts.clone()).unwrap_or_default() {
        for section in document.xref.sections.get(part.sections.clone()).unwrap_or_default() {
            let left = NUMBERS - span.numbers.len().min(NUMBERS);
            let before = span.numbers.len();
            span.numbers.extend(section.numbers().take(left));
            document.budget.work(span.numbers.len() - before)?;
            if section.entries() > left as u64 {
                span.limit = Some(Limit::Entries);
            }
        }
    }
    span.numbers.sort_unstable();
    span.numbers.dedup();
    Ok(())
}

/// Where a revision starts: at its first object that lies behind everything older.
fn locate(document: &mut Document, span: &mut Span) -> Result<(), Fault> {
    let older = document.xref.parts.get(span.parts.end..).unwrap_or_default();
    let floor = older.iter().map(|part| part.offset).max().unwrap_or(0);
    let own = document.xref.parts.get(span.parts.clone()).unwrap_or_default();
    let places = own.iter().flat_map(|part| [Some(part.offset), part.supplement.map(NonZeroU64::get)]).flatten();
    let mut start = places.filter(|&offset| offset > floor).min().unwrap_or(span.end);
    let state = span.state();
    for &number in &span.numbers {
        if let XrefEntry::At(offset) = document.entry(state, number)?
            && offset > floor
        {
            start = start.min(offset);
        }
    }
    span.start = start;
    Ok(())
}
