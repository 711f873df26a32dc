//! Reads what may be pages or text: all but the data of large streams, of a larger file within limits. These hold in memory
//! too, so that the answer depends on the bytes alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Scope;
use crate::hidden::SMALL_FILE_BYTES;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::xref::entries::{LINE, SectionRows, XrefEntry};

/// Maximum bytes, and byte ranges, of a larger file that are read for this search.
const MAX_READ_BYTES: u64 = 4 << 20;
/// The same if not all pages were inspected, whose objects are not read otherwise.
const MAX_FURTHER_READ_BYTES: u64 = 1 << 20;
const MAX_RANGES: usize = 8;
/// Maximum size of a content stream of a small file.
const MAX_CONTENT_BYTES: u64 = 1 << 20;
/// Minimum size of an object that is too large to be a page or text, and the bytes read of its start and end.
const LARGE_OBJECT_BYTES: u64 = 128 << 10;
const LARGE_OBJECT_HEAD_BYTES: u64 = 1 << 10;
const LARGE_OBJECT_TAIL_BYTES: u64 = 128;
/// Maximum objects of a larger file.
const MAX_OBJECTS: usize = 32_768;

/// The parts of a file that are searched.
pub(super) struct NearObjects {
    /// Offsets of large objects of which the data is not read.
    pub(super) large: BTreeSet<u64>,
    /// All bytes but the data of these, in file order.
    pub(super) ranges: Vec<Range<u64>>,
}

impl NearObjects {
    /// Reads the objects of a revision; none if they are too many.
    pub(super) fn read(document: &mut Document, scope: &Scope, numbers: &BTreeSet<u32>) -> Result<Option<Self>, Fault> {
        let is_small = document.reader.file_size() <= SMALL_FILE_BYTES;
        if !is_small && numbers.len() > MAX_OBJECTS {
            return Ok(None);
        }
        // without what was expected to be read with the pages
        document.reader.expect(&[]);
        let starts = starts(document, scope.state, numbers)?;
        let ends = starts.keys().skip(1).copied().chain([document.reader.file_size()]).collect::<Vec<_>>();
        let (mut ranges, mut large): (Vec<Range<u64>>, _) = (Vec::new(), Vec::new());
        for ((start, number), end) in starts.into_iter().zip(ends) {
            if end - start <= LARGE_OBJECT_BYTES {
                ranges.push(start..end);
            } else {
                ranges.extend([start..start + LARGE_OBJECT_HEAD_BYTES, end - LARGE_OBJECT_TAIL_BYTES..end]);
                large.push((start..end, number));
            }
        }
        let most = if scope.inspected.is_some() { MAX_READ_BYTES } else { MAX_FURTHER_READ_BYTES };
        let is_too_much = |ranges: &[Range<u64>]| {
            let total: u64 = ranges.iter().map(|range| range.end - range.start).sum();
            !is_small && (total > most || ranges.len() > MAX_RANGES)
        };
        let mut ranges = merged(ranges);
        if is_too_much(&ranges) {
            return Ok(None);
        }
        document.reader.prefetch(&ranges)?;
        // earlier copies may be behind the data of a stream
        for (place, number) in large.iter().filter(|_| scope.state == State(0)) {
            let data = match number {
                Some(number) => data_end(document, *number, place.start)?,
                None => None,
            };
            ranges.push(data.unwrap_or(place.start).min(place.end)..place.end);
        }
        let ranges = merged(ranges);
        if is_too_much(&ranges) {
            return Ok(None);
        }
        document.reader.prefetch(&ranges)?;
        let is_unread = |place: &Range<u64>| !is_small || place.end - place.start > MAX_CONTENT_BYTES;
        let large = large.into_iter().filter(|(place, _)| is_unread(place)).map(|(place, _)| place.start).collect();
        Ok(Some(Self { large, ranges }))
    }
}

/// Returns the offsets of objects, with their numbers, of cross-reference sections, and of the file's start.
fn starts(document: &mut Document, state: State, numbers: &BTreeSet<u32>) -> Result<BTreeMap<u64, Option<u32>>, Fault> {
    let lines = document.xref.sections.iter().filter_map(|section| match section.rows {
        SectionRows::Lines(start) => Some(start..start.saturating_add(u64::from(section.count) * LINE as u64)),
        _ => None,
    });
    document.reader.prefetch(&lines.collect::<Vec<_>>())?;
    let length = document.reader.file_size();
    let sections = document.xref.parts.iter().map(|part| part.offset);
    let mut starts: BTreeMap<u64, Option<u32>> = sections.chain([0]).map(|offset| (offset, None)).collect();
    for number in numbers {
        document.budget.work(1)?;
        if let XrefEntry::At(place) = document.entry(state, *number)? {
            starts.insert(place, Some(*number));
        }
    }
    starts.retain(|start, _| *start < length);
    Ok(starts)
}

/// Returns the end of a stream's data; none if the object is none, or its length is wrong.
fn data_end(document: &mut Document, number: u32, offset: u64) -> Result<Option<u64>, Fault> {
    let Stored::Object(body) = document.stored(State(0), number, XrefEntry::At(offset))? else { return Ok(None) };
    Ok(document.stream_place(State(0), &body)?.map(|place| place.end))
}

/// Sorts ranges, and merges those that meet.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}
