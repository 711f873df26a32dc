//! Cross-reference streams (ISO 32000-1, 7.5.8).

use bytes::Bytes;

use crate::budget::{Budget, SECTION};
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::stream::body as stream;
use crate::stream::filter;
use crate::syntax::object::{Dictionary, Object};
use crate::xref::{Entry, Rows, Section};

/// How many bytes the three fields of a row take (table 17, `/W`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Widths([usize; 3]);

/// Reads the stream at `offset`, appends its sections to `sections` and returns its dictionary, which is a trailer.
pub(crate) fn read(
    reader: &mut Reader,
    budget: &mut Budget,
    offset: u64,
    sections: &mut Vec<Section>,
) -> Result<Dictionary, Fault> {
    let stream = stream::indirect_at(reader, budget, offset)?;
    let (Object::Dictionary(dictionary), Some(body)) = (stream.object, stream.body) else {
        return Err(Fault::Damaged);
    };
    let widths = Widths::parse(dictionary.get(b"W")).ok_or(Fault::Damaged)?;
    let encoded = stream::body(reader, budget, body, dictionary.get(b"Length").as_integer())?;
    let wanted = widths.row().saturating_add(1).saturating_mul(entries(&dictionary));
    let rows = Bytes::from(filter::decode(&dictionary, encoded, wanted, budget)?);
    if rows.len() < widths.row() {
        return Err(Fault::Damaged);
    }
    budget.entries(SECTION * (1 + dictionary.get(b"Index").elements().len() / 2))?;
    append(&dictionary, &rows, widths, sections);
    Ok(dictionary)
}

/// Whether what is in a stream with this dictionary are no rows: nothing that could be decoded, or of a type that there
/// is not.
pub(crate) fn is_garbage(dictionary: &Dictionary, rows: &[u8]) -> bool {
    let unknown = |widths: Widths| rows.chunks_exact(widths.row()).any(|row| widths.kind(row) > 2);
    rows.is_empty() || Widths::parse(dictionary.get(b"W")).is_some_and(unknown)
}

/// How many entries there should be (table 17).
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
        sections.push(Section { first, count: count as u32, rows: Rows::Packed(rows, widths) });
    }
}

impl Widths {
    fn parse(object: &Object) -> Option<Self> {
        let mut widths = [0; 3];
        for (width, element) in widths.iter_mut().zip(object.elements()) {
            *width = usize::try_from(element.as_integer()?).ok().filter(|&width| width <= 8)?;
        }
        let [_, second, _] = widths;
        (object.elements().len() >= 3 && second > 0).then_some(Self(widths))
    }

    /// Length of a row in bytes; at least 1.
    fn row(self) -> usize {
        self.0.iter().sum()
    }

    /// The type of a row (table 18); 1 where it is left out.
    fn kind(self, row: &[u8]) -> u64 {
        let [width, _, _] = self.0;
        if width == 0 { 1 } else { big_endian(row.get(..width).unwrap_or_default()) }
    }

    /// The entry in row `index`; none if there is no such row.
    pub(crate) fn entry(self, rows: &[u8], index: u32) -> Option<Entry> {
        let start = index as usize * self.row();
        let row = rows.get(start..start + self.row())?;
        let [kind_width, second_width, _] = self.0;
        let (second, third) = row.get(kind_width..)?.split_at_checked(second_width)?;
        Some(match (self.kind(row), big_endian(second)) {
            (1, offset) if offset > 0 => Entry::At(offset),
            (2, stream) => Entry::In { stream: u32::try_from(stream).ok()?, index: big_endian(third) as u32 },
            _ => Entry::Free,
        })
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
