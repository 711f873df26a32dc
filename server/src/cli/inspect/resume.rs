//! A results file: one line of JSON per file, with which an interrupted run continues.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::outcome::InspectOutcome;
use super::row::FileRow;

/// The results file, and the results of earlier runs.
pub(super) struct ResultsFile {
    file: File,
    known: BTreeMap<String, FileRow>,
}

impl ResultsFile {
    /// Opens or creates the file. An incomplete last line is removed.
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

    /// The earlier result of a file. An unreadable one is tried again.
    pub(super) fn known(&self, path: &str) -> Option<&FileRow> {
        self.known.get(path).filter(|row| row.outcome != InspectOutcome::Unreadable)
    }

    /// Appends a line and flushes it.
    pub(super) fn add(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.write_all(line)
    }
}
