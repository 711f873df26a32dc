//! More file than the cross-reference explains: an earlier state that nothing leads to any more (ISO 32000-1, 7.5.6).

use std::ops::Range;

use memchr::memmem;

use crate::document::Document;
use crate::document::objects::State;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Object;
use crate::syntax::parser::{Value, parse_object};
use crate::xref::entries::{LINE, SectionRows, XrefEntry};
use crate::xref::object_header::starts_with_object;

/// How far behind the header the first object may stand.
const GAP: u64 = 1024;
/// Entries looked at.
const ENTRIES: usize = 100_000;
/// How much of the gap is looked at, in bytes, and how much of two copies is compared at once.
const LOOKED: u64 = 16 << 10;
const COMPARED: u64 = 256 << 10;

pub(super) fn examine(document: &mut Document, history: &History, findings: &mut Findings) -> Result<(), Fault> {
    if let Some(lost) = history.lost.clone()
        && holds_state(document, &lost)?
        && !is_written_twice(document, &lost)?
    {
        let place = format!("offsets {} to {}", lost.start, lost.end);
        let evidence = Evidence::of(place, Some("objects"), None);
        findings.add(SignalId::HistoryCut, Strength::Strong, evidence);
    }
    let header = document.header.offset;
    // nearly always the first object in the file is one that counts
    let head = document.reader.view(header, GAP as usize)?;
    let mut lexer = Lexer::new(head);
    lexer.skip_space();
    let at = header + lexer.position() as u64;
    let number = lexer.take_integer().and_then(|number| u32::try_from(number).ok());
    if let Some(number) = number {
        let oldest = State(document.xref.parts.len().saturating_sub(1));
        for state in [State(0), oldest] {
            if document.entry(state, number)? == XrefEntry::At(at) {
                return Ok(());
            }
        }
    }
    let Some(first) = first_used(document)? else { return Ok(()) };
    if first <= header + GAP {
        return Ok(());
    }
    let size = (first - at).min(LOOKED) as usize;
    let gap = document.reader.view(at, size)?;
    let has_end = memmem::find(gap, b"startxref")
        .is_some_and(|start| gap.get(start..).is_some_and(|rest| memmem::find(rest, b"%%EOF").is_some()));
    if has_end || starts_with_object(gap) {
        let found = if has_end { "a file's end" } else { "objects" };
        let evidence = Evidence::of(format!("offsets {at} to {first}"), Some(found), None);
        findings.add(SignalId::HistoryCut, Strength::Strong, evidence);
    }
    Ok(())
}

/// Whether something of a state stands there: a trailer dictionary alone, as some writers leave behind a cross-reference
/// stream, leads to nothing.
fn holds_state(document: &mut Document, place: &Range<u64>) -> Result<bool, Fault> {
    let size = (place.end - place.start).min(LOOKED) as usize;
    let view = document.reader.view(place.start, size)?;
    let Some(rest) = view.trim_ascii_start().strip_prefix(b"trailer") else { return Ok(true) };
    let Ok(Value { object: Object::Dictionary(_), end, .. }) = parse_object(rest) else { return Ok(true) };
    Ok(rest.get(end..).is_none_or(|behind| !behind.trim_ascii().is_empty()))
}

/// Whether what stands there is the file itself once more, as a program leaves it that writes its output twice.
fn is_written_twice(document: &mut Document, place: &Range<u64>) -> Result<bool, Fault> {
    let header = document.header.offset;
    let mut at = 0;
    while at < place.end - place.start {
        let size = (place.end - place.start - at).min(COMPARED) as usize;
        let one = document.reader.view(place.start + at, size)?.to_vec();
        if one.is_empty() || document.reader.view(header + at, size)? != one {
            return Ok(false);
        }
        at += size as u64;
    }
    Ok(true)
}

/// The smallest offset that the cross-reference leads to, its own included; none if there are too many entries.
fn first_used(document: &mut Document) -> Result<Option<u64>, Fault> {
    let mut first = document.xref.parts.iter().map(|part| part.offset).min();
    let mut looked = 0;
    for section in &document.xref.sections {
        looked += section.entries().min(u64::from(u32::MAX)) as usize;
        if looked > ENTRIES {
            return Ok(None);
        }
        if let SectionRows::Lines(start) = section.rows {
            let length = u64::from(section.count) * LINE as u64;
            let lines = start..start.saturating_add(length);
            document.reader.prefetch(std::slice::from_ref(&lines))?;
        }
        for number in section.numbers() {
            document.budget.work(1)?;
            let index = number.saturating_sub(section.first);
            if let Some(XrefEntry::At(offset)) = section.rows.entry(number, index, &mut document.reader)? {
                let offset = offset.saturating_add(document.xref.base);
                first = Some(first.map_or(offset, |first| first.min(offset)));
            }
        }
    }
    Ok(first)
}
