//! The forms a file can have: cross-reference tables, streams, both, and updates.

use std::collections::BTreeMap;

use super::{Pdf, deflate, stream};

impl Pdf {
    /// With a classic cross-reference table.
    #[must_use]
    pub fn classic(&self) -> Vec<u8> {
        let mut file = self.header();
        let offsets = self.write_objects(&mut file, |_| true);
        self.write_table(&mut file, &offsets, "");
        file
    }

    /// With a cross-reference stream, and all objects that can be in an object stream.
    #[must_use]
    pub fn compressed(&self) -> Vec<u8> {
        let mut file = self.header();
        let mut offsets = self.write_objects(&mut file, |object| object.is_stream);
        let container = self.size();
        let contained = self.write_container(&mut file, container, &mut offsets);
        let own = container + 1;
        let start = file.len();
        offsets.insert(own, start);
        self.write_stream(&mut file, own, &offsets, &contained);
        finish(&mut file, start);
        file
    }

    /// With a classic table for old readers, which hides `hidden` from them, and a stream that tells of these objects.
    #[must_use]
    pub fn hybrid(&self, hidden: &[u32]) -> Vec<u8> {
        let mut file = self.header();
        let mut offsets = self.write_objects(&mut file, |_| true);
        let shown: BTreeMap<u32, usize> = offsets
            .iter()
            .filter(|(number, _)| !hidden.contains(number))
            .map(|(number, offset)| (*number, *offset))
            .collect();
        let own = self.size();
        let start = file.len();
        offsets.insert(own, start);
        self.write_stream(&mut file, own, &offsets, &BTreeMap::new());
        let this = Self { last: own, ..self.clone() };
        this.write_table(&mut file, &shown, &format!("/XRefStm {start}"));
        file
    }

    /// This document with a classic table, behind `file`, to which nothing leads any more.
    #[must_use]
    pub fn behind(&self, mut file: Vec<u8>) -> Vec<u8> {
        let offsets = self.write_objects(&mut file, |_| true);
        self.write_table(&mut file, &offsets, "");
        file
    }

    /// The way a linearized file is arranged: first page and its section in front, the other section behind.
    #[must_use]
    pub fn linearized(&self) -> Vec<u8> {
        let own = self.size();
        let this = Self { last: own, ..self.clone() };
        let write = |length: usize, second: usize| {
            let mut file = self.header();
            let dictionary = format!("<< /Linearized 1 /L {length:010} /N 1 /O 4 /E 0 /T {second:010} /H [0 0] >>");
            let mut first = BTreeMap::from([(own, file.len())]);
            self.write_object(&mut file, own, dictionary.as_bytes());
            // the objects come behind this section: leave room for it, then fill it in
            let start = file.len();
            file.resize(start + 400, b' ');
            file.push(b'\n');
            let offsets = self.write_objects(&mut file, |_| true);
            first.insert(super::CATALOG, offsets[&super::CATALOG]);
            let mut section = Vec::new();
            this.write_table_at(&mut section, &first, &format!("/Prev {second:010}"), 0);
            file[start..start + section.len()].copy_from_slice(&section);
            let behind = file.len();
            this.write_table_at(&mut file, &offsets, "", start);
            (file, behind)
        };
        let (draft, second) = write(0, 0);
        write(draft.len(), second).0
    }

    pub(super) fn write_table(&self, file: &mut Vec<u8>, offsets: &BTreeMap<u32, usize>, entries: &str) {
        let start = file.len();
        self.write_table_at(file, offsets, entries, start);
    }

    /// A table with a subsection for each run of numbers, and the trailer; `start` is what `startxref` says.
    fn write_table_at(&self, file: &mut Vec<u8>, offsets: &BTreeMap<u32, usize>, entries: &str, start: usize) {
        let mut lines = BTreeMap::from([(0, "0000000000 65535 f \n".to_owned())]);
        lines.extend(self.freed.iter().map(|number| (*number, "0000000000 00001 f \n".to_owned())));
        lines.extend(offsets.iter().map(|(number, offset)| (*number, format!("{offset:010} 00000 n \n"))));
        file.extend_from_slice(b"xref\n");
        let numbers: Vec<u32> = lines.keys().copied().collect();
        for run in numbers.chunk_by(|one, next| one + 1 == *next) {
            file.extend_from_slice(format!("{} {}\n", run[0], run.len()).as_bytes());
            for number in run {
                file.extend_from_slice(lines[number].as_bytes());
            }
        }
        let trailer = format!("trailer\n<< /Size {} {} {entries} >>\n", self.size(), self.trailer);
        file.extend_from_slice(trailer.as_bytes());
        finish(file, start);
    }

    /// An object stream; returns the index of each object in it.
    pub(super) fn write_container(
        &self,
        file: &mut Vec<u8>,
        number: u32,
        offsets: &mut BTreeMap<u32, usize>,
    ) -> BTreeMap<u32, (u32, u32)> {
        let (mut index, mut body, mut contained) = (String::new(), Vec::new(), BTreeMap::new());
        for (own, object) in self.objects.iter().filter(|(_, object)| !object.is_stream) {
            contained.insert(*own, (number, contained.len() as u32));
            index.push_str(&format!("{own} {} ", body.len()));
            body.extend_from_slice(&object.text);
            body.push(b'\n');
        }
        let data = [index.as_bytes(), &body].concat();
        let entries = format!("/Type /ObjStm /N {} /First {} /Filter /FlateDecode", contained.len(), index.len());
        offsets.insert(number, file.len());
        self.write_object(file, number, &stream(&entries, &deflate(&data)));
        contained
    }

    /// A cross-reference stream with a PNG predictor, as all writers make them.
    fn write_stream(
        &self,
        file: &mut Vec<u8>,
        own: u32,
        offsets: &BTreeMap<u32, usize>,
        contained: &BTreeMap<u32, (u32, u32)>,
    ) {
        let (mut rows, mut above) = (Vec::new(), [0_u8; 7]);
        for number in 0..=own {
            let mut row = [0_u8; 7];
            if let Some(offset) = offsets.get(&number) {
                row[0] = 1;
                row[1..5].copy_from_slice(&(*offset as u32).to_be_bytes());
            } else if let Some((stream, index)) = contained.get(&number) {
                row[0] = 2;
                row[1..5].copy_from_slice(&stream.to_be_bytes());
                row[5..].copy_from_slice(&(*index as u16).to_be_bytes());
            }
            rows.push(2);
            rows.extend(row.iter().zip(above).map(|(byte, up)| byte.wrapping_sub(up)));
            above = row;
        }
        let entries = format!(
            "/Type /XRef /Size {} /W [1 4 2] /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 7 >> {}",
            own + 1,
            self.trailer
        );
        self.write_object(file, own, &stream(&entries, &deflate(&rows)));
    }
}

/// What the last `startxref` of a file says.
#[must_use]
pub fn start_of_xref(file: &[u8]) -> usize {
    let text = String::from_utf8_lossy(&file[file.len().saturating_sub(64)..]).into_owned();
    let (_, after) = text.rsplit_once("startxref\n").expect("a file of ours");
    after.lines().next().and_then(|line| line.parse().ok()).expect("a number")
}

pub(super) fn finish(file: &mut Vec<u8>, start: usize) {
    file.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
}
