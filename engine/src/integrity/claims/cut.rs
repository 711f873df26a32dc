//! More file than the cross-reference explains: an earlier state that nothing leads to any more (ISO 32000-1, 7.5.6).

use memchr::memmem;

use crate::document::Document;
use crate::document::objects::State;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use crate::syntax::lexer::Lexer;
use crate::syntax::parser::parse_indirect;
use crate::xref::entries::{LINE, SectionRows, XrefEntry};
use crate::xref::object_header::starts_with_object;

/// How far behind the header the first object may stand.
const GAP: u64 = 1024;
/// Entries looked at.
const ENTRIES: usize = 100_000;
/// How much of the gap is looked at, in bytes.
const LOOKED: u64 = 16 << 10;

pub(super) fn examine(document: &mut Document, history: &History, findings: &mut Findings) -> Result<(), Fault> {
    if let Some(lost) = &history.lost {
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
    let linearization = linearization(lexer.rest());
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
    // what a program that linearizes writes there is no earlier state
    let at = (at + linearization as u64).min(first);
    let size = (first - at).min(LOOKED) as usize;
    let mut lexer = Lexer::new(document.reader.view(at, size)?);
    lexer.skip_space();
    let gap = lexer.rest();
    let has_end = memmem::find(gap, b"startxref")
        .is_some_and(|start| gap.get(start..).is_some_and(|rest| memmem::find(rest, b"%%EOF").is_some()));
    if has_end || starts_with_object(gap) {
        let found = if has_end { "a file's end" } else { "objects" };
        let evidence = Evidence::of(format!("offsets {at} to {first}"), Some(found), None);
        findings.add(SignalId::HistoryCut, Strength::Strong, evidence);
    }
    Ok(())
}

/// The length of a linearization dictionary (annex F) with its header; 0 if that is not what comes first.
fn linearization(text: &[u8]) -> usize {
    let parsed = parse_indirect(text, true).ok();
    parsed.filter(|parsed| !parsed.object.entry(b"Linearized").is_null()).map_or(0, |parsed| parsed.end)
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
