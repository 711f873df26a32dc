//! Incremental updates (ISO 32000-1, 7.5.6) with a table, with a stream, or with both.

use std::collections::BTreeMap;

use super::xref::finish;
use super::{Pdf, start_of_xref, stream};

/// Numbers of an update's own object stream and cross-reference stream, which no test uses otherwise.
const CONTAINER: u32 = 7_000;

/// How an update is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// With a classic table.
    Table,
    /// With a cross-reference stream.
    Stream,
    /// With a cross-reference stream, and all objects but streams in an object stream.
    Compressed,
    /// With a classic table that tells of nothing, and a stream that tells of all.
    Hybrid,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Table, Self::Stream, Self::Compressed, Self::Hybrid];
}

impl Pdf {
    /// Makes an update delete these objects.
    #[must_use]
    pub fn freeing(mut self, numbers: &[u32]) -> Self {
        self.freed.extend(numbers);
        self
    }

    /// This document's objects as an incremental update of `file`, whose newest section is at `previous`.
    #[must_use]
    pub fn update(&self, file: Vec<u8>) -> Vec<u8> {
        self.update_as(file, Form::Table)
    }

    /// This document's objects as an incremental update of `file` in that form.
    #[must_use]
    pub fn update_as(&self, file: Vec<u8>, form: Form) -> Vec<u8> {
        let previous = start_of_xref(&file);
        let this = Self { last: size(&file).saturating_sub(1), ..self.clone() };
        this.append(file, previous, form)
    }

    fn append(&self, mut file: Vec<u8>, previous: usize, form: Form) -> Vec<u8> {
        let mut offsets = self.write_objects(&mut file, |object| form != Form::Compressed || object.is_stream);
        // numbers of its own for every update, so that none hides another's
        let own = CONTAINER + (file.len() / 100) as u32 * 2;
        let mut contained = BTreeMap::new();
        if form == Form::Compressed {
            contained = self.write_container(&mut file, own, &mut offsets);
        }
        if form == Form::Table {
            self.write_table(&mut file, &offsets, &format!("/Prev {previous}"));
            return file;
        }
        let start = file.len();
        offsets.insert(own + 1, start);
        let prev = if form == Form::Hybrid { String::new() } else { format!("/Prev {previous}") };
        self.write_rows(&mut file, own + 1, &offsets, &contained, &prev);
        if form == Form::Hybrid {
            let (freed, last) = (std::collections::BTreeSet::new(), self.last.max(own + 1));
            let table = Self { freed, last, ..self.clone() };
            table.write_table(&mut file, &BTreeMap::new(), &format!("/Prev {previous} /XRefStm {start}"));
        } else {
            finish(&mut file, start);
        }
        file
    }

    /// A cross-reference stream that tells of these objects only.
    fn write_rows(
        &self,
        file: &mut Vec<u8>,
        own: u32,
        offsets: &BTreeMap<u32, usize>,
        contained: &BTreeMap<u32, (u32, u32)>,
        entries: &str,
    ) {
        let mut rows: BTreeMap<u32, [u8; 7]> = self.freed.iter().map(|&number| (number, [0; 7])).collect();
        rows.extend(offsets.iter().map(|(&number, &offset)| (number, row(1, offset as u32, 0))));
        rows.extend(contained.iter().map(|(&number, &(stream, index))| (number, row(2, stream, index as u16))));
        let index: String = rows.keys().map(|number| format!("{number} 1 ")).collect();
        let body: Vec<u8> = rows.into_values().flatten().collect();
        let trailer = &self.trailer;
        let entries =
            format!("/Type /XRef /Size {} /W [1 4 2] /Index [{index}] {trailer} {entries}", self.size().max(own + 1));
        self.write_object(file, own, &stream(&entries, &body));
    }
}

/// What the newest trailer's `/Size` (7.5.5) says; 0 without one.
#[must_use]
pub fn size(file: &[u8]) -> u32 {
    let Some(at) = file.windows(6).rposition(|window| window == b"/Size ") else { return 0 };
    let digits = file[at + 6..].iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
}

fn row(kind: u8, second: u32, third: u16) -> [u8; 7] {
    let mut row = [kind, 0, 0, 0, 0, 0, 0];
    row[1..5].copy_from_slice(&second.to_be_bytes());
    row[5..].copy_from_slice(&third.to_be_bytes());
    row
}
