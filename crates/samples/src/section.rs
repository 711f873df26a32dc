//! Incremental updates whose cross-reference says whatever it is told to, right or wrong (ISO 32000-1, 7.5.4 to 7.5.8).

use crate::pdf::{Form, deflate, size, start_of_xref, stream};

/// The first number of an update's own object stream and cross-reference stream.
const OWN: u32 = 7_000;

/// An update to be written.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Objects that are written and listed: number, generation, text.
    pub bodies: Vec<(u32, u16, Vec<u8>)>,
    /// Bytes that are written in front of them, and not listed.
    pub loose: Vec<Vec<u8>>,
    /// What is listed beside the bodies, in this order where a number comes again.
    pub rows: Vec<(u32, Row)>,
    /// Entries of the trailer beside `/Size` and `/Prev`.
    pub trailer: String,
    /// The least that `/Size` says; 0 for what it has to say.
    pub size: u32,
    /// What `/Prev` says, if not where the newest section is.
    pub previous: Option<usize>,
}

/// What a cross-reference says of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// Free, with the next generation.
    Free(u16),
    /// In use at an offset, with a generation.
    At(usize, u16),
    /// In use so many bytes behind the start of one of the [`Section::loose`].
    Loose(usize, usize),
    /// In an object stream, with an index.
    Member(u32, u32),
    /// Of a type that the standard does not know.
    Unknown,
}

/// A row's type, second and third field (7.5.8.3).
type Entry = (u32, [u32; 3]);

impl Section {
    /// Writes an object.
    #[must_use]
    pub fn with(mut self, number: u32, text: impl AsRef<[u8]>) -> Self {
        self.bodies.push((number, 0, text.as_ref().to_vec()));
        self
    }

    /// Says this of an object.
    #[must_use]
    pub fn row(mut self, number: u32, row: Row) -> Self {
        self.rows.push((number, row));
        self
    }

    /// Writes these bytes; the first are those that [`Row::Loose`] calls 0.
    #[must_use]
    pub fn loose(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.loose.push(bytes.as_ref().to_vec());
        self
    }

    /// The file with this update in that form. A table cannot speak of members of object streams: it becomes a hybrid.
    #[must_use]
    pub fn write(&self, mut file: Vec<u8>, form: Form) -> Vec<u8> {
        if self.size == 0 {
            return Self { size: size(&file), ..self.clone() }.write(file, form);
        }
        let previous = self.previous.unwrap_or_else(|| start_of_xref(&file));
        // numbers of its own for every update, so that none hides another's
        let own = OWN + (file.len() / 100) as u32 * 2;
        let entries = self.write_objects(&mut file, form, own);
        let speaks_of_members = entries.iter().any(|(_, [kind, ..])| *kind >= 2);
        match form {
            Form::Table if !speaks_of_members => self.write_table(&mut file, &entries, &format!("/Prev {previous}")),
            Form::Table | Form::Hybrid => {
                let start = self.write_stream(&mut file, own + 1, entries, "");
                // both trailers speak of the same numbers
                let table = Self { size: self.size.max(own + 2), ..self.clone() };
                table.write_table(&mut file, &[], &format!("/Prev {previous} /XRefStm {start}"));
            }
            Form::Stream | Form::Compressed => {
                let start = self.write_stream(&mut file, own + 1, entries, &format!("/Prev {previous}"));
                file.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
            }
        }
        file
    }

    /// Writes what is loose, and all objects; returns what there is to be listed, by number.
    fn write_objects(&self, file: &mut Vec<u8>, form: Form, own: u32) -> Vec<Entry> {
        let mut starts = Vec::new();
        for bytes in &self.loose {
            starts.push(file.len());
            file.extend_from_slice(bytes);
        }
        let is_inside =
            |text: &[u8], generation: u16| form == Form::Compressed && generation == 0 && !text.ends_with(b"endstream");
        let (inside, outside): (Vec<_>, Vec<_>) =
            self.bodies.iter().partition(|(_, generation, text)| is_inside(text, *generation));
        let mut entries = Vec::new();
        for (number, generation, text) in outside {
            entries.push((*number, [1, put(file, *number, *generation, text), u32::from(*generation)]));
        }
        if !inside.is_empty() {
            let members: Vec<_> = inside.iter().map(|(number, _, text)| (*number, text.as_slice())).collect();
            entries.push((own, [1, put(file, own, 0, &container(&members)), 0]));
            entries.extend(members.iter().zip(0..).map(|((number, _), index)| (*number, [2, own, index])));
        }
        entries.extend(self.rows.iter().map(|(number, row)| {
            let entry = match *row {
                Row::Free(generation) => [0, 0, u32::from(generation)],
                Row::At(offset, generation) => [1, offset as u32, u32::from(generation)],
                Row::Loose(index, shift) => [1, (starts[index] + shift) as u32, 0],
                Row::Member(container, index) => [2, container, index],
                Row::Unknown => [3, 0, 0],
            };
            (*number, entry)
        }));
        entries.sort_by_key(|(number, _)| *number);
        entries
    }

    fn trailer(&self, size: u32, entries: &str) -> String {
        format!("/Size {} {} {entries}", size.max(self.size), self.trailer)
    }

    /// A table with a subsection for each run of numbers, and the end of the file.
    fn write_table(&self, file: &mut Vec<u8>, entries: &[Entry], trailer: &str) {
        let start = file.len();
        file.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
        for run in entries.chunk_by(|(one, _), (next, _)| one + 1 == *next) {
            file.extend_from_slice(format!("{} {}\n", run[0].0, run.len()).as_bytes());
            for (_, [kind, second, third]) in run {
                let letter = if *kind == 0 { 'f' } else { 'n' };
                file.extend_from_slice(format!("{second:010} {third:05} {letter} \n").as_bytes());
            }
        }
        let size = entries.last().map_or(1, |(number, _)| number + 1);
        let trailer = self.trailer(size, trailer);
        file.extend_from_slice(format!("trailer\n<< {trailer} >>\nstartxref\n{start}\n%%EOF\n").as_bytes());
    }

    /// A cross-reference stream; returns where it is.
    fn write_stream(&self, file: &mut Vec<u8>, own: u32, mut entries: Vec<Entry>, trailer: &str) -> usize {
        entries.push((own, [1, file.len() as u32, 0]));
        let index: String = entries.iter().map(|(number, _)| format!("{number} 1 ")).collect();
        let mut rows = Vec::new();
        for (_, [kind, second, third]) in &entries {
            rows.push(*kind as u8);
            rows.extend_from_slice(&second.to_be_bytes());
            rows.extend_from_slice(&(*third as u16).to_be_bytes());
        }
        let size = entries.iter().map(|(number, _)| number + 1).max().unwrap_or(1);
        let trailer = self.trailer(size, trailer);
        let text = stream(&format!("/Type /XRef /W [1 4 2] /Index [{index}] {trailer}"), &rows);
        put(file, own, 0, &text) as usize
    }
}

/// Writes an object; returns where it is.
fn put(file: &mut Vec<u8>, number: u32, generation: u16, text: &[u8]) -> u32 {
    let offset = file.len() as u32;
    file.extend_from_slice(format!("{number} {generation} obj\n").as_bytes());
    file.extend_from_slice(text);
    file.extend_from_slice(b"\nendobj\n");
    offset
}

/// The text of an object stream with these members (7.5.7).
#[must_use]
pub fn container(members: &[(u32, &[u8])]) -> Vec<u8> {
    let (mut index, mut body) = (String::new(), Vec::new());
    for (number, text) in members {
        index.push_str(&format!("{number} {} ", body.len()));
        body.extend_from_slice(text);
        body.push(b'\n');
    }
    let data = [index.as_bytes(), &body].concat();
    let entries = format!("/Type /ObjStm /N {} /First {} /Filter /FlateDecode", members.len(), index.len());
    stream(&entries, &deflate(&data))
}
