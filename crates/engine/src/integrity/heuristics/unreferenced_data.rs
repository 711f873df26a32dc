//! Data before the first referenced object: an earlier state that nothing references any more (ISO 32000-1, 7.5.6).

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;

use super::second_file;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::lexer::Lexer;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_indirect;
use pdf_syntax::xref::entries::{LINE, SectionRows, XrefEntry};
use pdf_syntax::xref::headers::Headers;
use pdf_syntax::xref::object_header::starts_with_object;

/// Maximum distance of the first object from the header, in bytes.
const MAX_GAP_BYTES: u64 = 1024;
/// Maximum cross-reference entries examined.
const MAX_ENTRIES: usize = 100_000;
/// Maximum bytes of the gap that are examined.
const MAX_EXAMINED_BYTES: u64 = 16 << 10;
/// Maximum bytes of a file whose gap is compared with the rest.
const MAX_COMPARED_BYTES: u64 = 4 << 20;
/// Keys of the texts that fields and annotations show.
const TEXT_KEYS: [&[u8]; 4] = [b"V", b"Contents", b"RC", b"CA"];

pub(super) fn examine(document: &mut Document, history: &History, findings: &mut Findings) -> Result<(), Fault> {
    if let Some(unreferenced) = &history.unreferenced {
        let place = format!("offsets {} to {}", unreferenced.start, unreferenced.end);
        let evidence = Evidence::of(place, Some("objects"), None);
        let is_same = second_file::shows_the_same(document, unreferenced.start)?;
        let strength = if is_same { Strength::Neutral } else { Strength::Strong };
        findings.add(SignalId::HistoryCut, strength, evidence);
    }
    let header = document.header.offset;
    // in most files the first object is a referenced one
    let head = document.reader.view(header, MAX_GAP_BYTES as usize)?;
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
    if first <= header + MAX_GAP_BYTES {
        return Ok(());
    }
    // the part that linearization writes there is no earlier state
    let at = (at + linearization as u64).min(first);
    let size = (first - at).min(MAX_EXAMINED_BYTES) as usize;
    let mut lexer = Lexer::new(document.reader.view(at, size)?);
    lexer.skip_space();
    let gap = lexer.rest();
    let has_end = memmem::find(gap, b"startxref")
        .is_some_and(|start| gap.get(start..).is_some_and(|rest| memmem::find(rest, b"%%EOF").is_some()));
    if has_end || starts_with_object(gap) {
        let found = if has_end { "a file's end" } else { "objects" };
        let strength = if !has_end && is_repeated(document, at..first)? { Strength::Neutral } else { Strength::Strong };
        let evidence = Evidence::of(format!("offsets {at} to {first}"), Some(found), None);
        findings.add(SignalId::HistoryCut, strength, evidence);
    }
    Ok(())
}

/// Whether the data in front of the first object shows nothing that the file does not: its streams, and the texts of its
/// fields and notes, are repeated. Programs that write to a file that they have begun to read leave such data.
fn is_repeated(document: &mut Document, place: Range<u64>) -> Result<bool, Fault> {
    let size = document.reader.file_size();
    if document.security.is_some() || size > MAX_COMPARED_BYTES {
        return Ok(false);
    }
    let numbers: BTreeSet<u32> = document.xref.sections.iter().flat_map(|section| section.numbers()).collect();
    let mut known = BTreeSet::new();
    for number in numbers.into_iter().take(MAX_ENTRIES) {
        document.budget.work(1)?;
        if let Some(body) = document.newest().object(number)? {
            collect_texts(&body.object, &mut known);
        }
    }
    document.budget.work(size as usize / 8)?;
    let all = document.reader.view(0, size as usize)?;
    let (front, rest) = all.split_at_checked(place.end as usize).unwrap_or_default();
    let gap = front.get(place.start as usize..).unwrap_or_default();
    let (mut texts, mut headers) = (BTreeSet::new(), Headers::default());
    headers.feed(gap);
    let mut work = 0;
    for (_, offset) in headers.all() {
        let text = gap.get(offset as usize..).unwrap_or_default();
        let Ok(parsed) = parse_indirect(text, true) else { return Ok(false) };
        collect_texts(&parsed.object, &mut texts);
        let Some(data) = text.get(parsed.end..).and_then(|text| text.trim_ascii_start().strip_prefix(b"stream")) else {
            continue;
        };
        let end = memmem::find(data, b"endstream").unwrap_or(data.len());
        let data = data.get(..end).unwrap_or_default().trim_ascii();
        work += rest.len() / 8;
        if memmem::find(rest, data).is_none() {
            return Ok(false);
        }
    }
    document.budget.work(work)?;
    Ok(!headers.is_cut && texts.is_subset(&known))
}

/// Adds the texts that fields and annotations show.
fn collect_texts(object: &Object, texts: &mut BTreeSet<Vec<u8>>) {
    match object {
        Object::Array(elements) => elements.iter().for_each(|element| collect_texts(element, texts)),
        Object::Dictionary(entries) => {
            for (key, value) in entries.iter() {
                match value.as_string().filter(|_| TEXT_KEYS.contains(&key.as_bytes())) {
                    Some(text) => {
                        texts.insert(text.to_vec());
                    }
                    None => collect_texts(value, texts),
                }
            }
        }
        _ => {}
    }
}

/// The length of a linearization dictionary (annex F) with its object header; 0 if the file starts otherwise.
fn linearization(text: &[u8]) -> usize {
    let parsed = parse_indirect(text, true).ok();
    parsed.filter(|parsed| !parsed.object.entry(b"Linearized").is_null()).map_or(0, |parsed| parsed.end)
}

/// The smallest offset in the cross-reference, its own sections included; `None` if there are too many entries.
fn first_used(document: &mut Document) -> Result<Option<u64>, Fault> {
    let mut first = document.xref.parts.iter().map(|part| part.offset).min();
    let mut examined = 0;
    for section in &document.xref.sections {
        examined += section.entries().min(u64::from(u32::MAX)) as usize;
        if examined > MAX_ENTRIES {
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
