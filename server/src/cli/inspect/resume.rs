//! A results file: one line of JSON for each file, by which a run that was cut short goes on.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::outcome::InspectOutcome;
use super::row::FileRow;

/// The file that results are added to, and what earlier runs have written.
pub(super) struct ResultsFile {
    file: File,
    known: BTreeMap<String, FileRow>,
}

impl ResultsFile {
    /// Opens the file, or makes it. A line that was cut short goes.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let (mut known, mut whole) = (BTreeMap::new(), 0);
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            whole += line.len() as u64;
            let answer = serde_json::from_slice(&line);
            let Some(row) = answer.ok().as_ref().and_then(FileRow::of) else {
                let kind = io::ErrorKind::InvalidData;
                return Err(io::Error::new(kind, format!("{} has lines that are no results", path.display())));
            };
            known.insert(row.path.clone(), row);
            line.clear();
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, known })
    }

    /// What is known of a file already. One that could not be read is tried again.
    pub(super) fn known(&self, path: &str) -> Option<&FileRow> {
        self.known.get(path).filter(|row| row.outcome != InspectOutcome::Unreadable)
    }

    /// Adds a line, which is on its way to the disk then.
    pub(super) fn add(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.write_all(line)
    }
}
