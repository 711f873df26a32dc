//! Cross-reference streams (ISO 32000-1, 7.5.8).

use bytes::Bytes;

use super::Trailer;
use super::entries::{Section, SectionRows, Widths};
use crate::budget::{Budget, SECTION};
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::stream::{body, filter, placed};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Reads the stream at `offset`, appends its sections to `sections` and returns its dictionary, which is a trailer.
pub(super) fn read(
    reader: &mut Reader,
    budget: &mut Budget,
    offset: u64,
    sections: &mut Vec<Section>,
) -> Result<Trailer, Fault> {
    let stream = placed::object_at(reader, budget, offset)?;
    let (Object::Dictionary(dictionary), Some(body)) = (stream.object, stream.body) else {
        return Err(Fault::Damaged);
    };
    let widths = Widths::parse(dictionary.get(b"W")).ok_or(Fault::Damaged)?;
    let encoded = body::body(reader, budget, body, dictionary.get(b"Length").as_integer())?;
    let wanted = widths.row().saturating_add(1).saturating_mul(entries(&dictionary));
    let rows = Bytes::from(filter::decode(&dictionary, encoded, wanted, budget)?);
    if rows.len() < widths.row() {
        return Err(Fault::Damaged);
    }
    budget.entries(SECTION * (1 + dictionary.get(b"Index").elements().len() / 2))?;
    append(&dictionary, &rows, widths, sections);
    Ok(Trailer { dictionary, has_stray_tokens: stream.has_stray_tokens })
}

/// Whether the contents of a stream with this dictionary are invalid: undecodable, or rows of an unknown type.
pub(crate) fn is_garbage(dictionary: &Dictionary, rows: &[u8]) -> bool {
    let unknown = |widths: Widths| rows.chunks_exact(widths.row()).any(|row| widths.kind(row) > 2);
    rows.is_empty() || Widths::parse(dictionary.get(b"W")).is_some_and(unknown)
}

/// Returns the expected number of entries (table 17).
fn entries(dictionary: &Dictionary) -> usize {
    let number = |object: &Object| object.as_integer().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    match dictionary.get(b"Index").elements() {
        [] => dictionary.get(b"Size").as_integer().and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX),
        index => index.iter().skip(1).step_by(2).map(number).fold(0, usize::saturating_add),
    }
}

fn append(dictionary: &Dictionary, rows: &Bytes, widths: Widths, sections: &mut Vec<Section>) {
    let size = dictionary.get(b"Size").as_integer().unwrap_or(i64::MAX);
    let all = [Object::Integer(0), Object::Integer(size)];
    let index = match dictionary.get(b"Index").elements() {
        [] => &all,
        index => index,
    };
    let mut rest = rows.clone();
    for pair in index.chunks_exact(2) {
        let [Some(first), Some(count)] = [pair.first(), pair.last()].map(|number| number.and_then(Object::as_integer))
        else {
            break;
        };
        let Ok(first) = u32::try_from(first) else { break };
        let present = rest.len() / widths.row();
        let count = usize::try_from(count).unwrap_or(0).min(present);
        let rows = rest.split_to(count * widths.row());
        sections.push(Section { first, count: count as u32, rows: SectionRows::Packed(rows, widths) });
    }
}
