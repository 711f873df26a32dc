//! Sources of a file: memory, the local disk, or any reader of ranges.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::Path;

use bytes::Bytes;

use crate::failure::SourceError;

/// Bytes first read at the start: header, linearization dictionary and, often, catalog and first pages.
const HEAD_BYTES: u64 = 16 << 10;
/// Bytes first read at the end: most files have their complete cross-reference there.
const TAIL_BYTES: u64 = 64 << 10;

/// A file of known length that can be read in ranges.
pub trait Source {
    /// The file's length in bytes.
    fn len(&self) -> u64;

    /// Reads all ranges in one round, in order. Each is within the file and yields exactly its length.
    ///
    /// # Errors
    /// When any of them cannot be read.
    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError>;

    /// Returns the complete content, if it is in memory.
    fn whole(&self) -> Option<&[u8]> {
        None
    }

    /// Whether reads are fast, such as from a disk; otherwise the engine makes a copy before it waits too often.
    fn is_near(&self) -> bool {
        false
    }

    /// Bytes first read at start and end. Only the number of reads depends on them, not the results.
    fn ends(&self) -> (u64, u64) {
        (HEAD_BYTES, TAIL_BYTES)
    }

    /// Whether the file is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A file in memory.
#[derive(Debug, Clone)]
pub struct Memory(pub Bytes);

impl Source for Memory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        ranges.iter().map(|range| self.slice(range)).collect()
    }

    fn whole(&self) -> Option<&[u8]> {
        Some(&self.0)
    }
}

impl Memory {
    fn slice(&self, range: &Range<u64>) -> Result<Bytes, SourceError> {
        let (start, end) = (range.start as usize, range.end as usize);
        match self.0.get(start..end) {
            Some(slice) => Ok(self.0.slice_ref(slice)),
            None => Err(SourceError::new(io::Error::from(io::ErrorKind::UnexpectedEof))),
        }
    }
}

/// A file on the local disk, read at positions.
#[derive(Debug)]
pub struct LocalFile {
    file: File,
    len: u64,
}

impl LocalFile {
    /// Opens the file at `path` for reading, `-` is standard input.
    ///
    /// # Errors
    /// When it does not exist or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") { Self::copy_of(io::stdin().lock()) } else { Self::of(File::open(path)?) }
    }

    /// Returns a source for an open file. A pipe is copied to the disk first.
    ///
    /// # Errors
    /// When it is a folder, or cannot be read.
    pub fn of(file: File) -> io::Result<Self> {
        let status = file.metadata()?;
        if status.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if status.is_file() { Ok(Self { file, len: status.len() }) } else { Self::copy_of(file) }
    }

    /// Copies everything to an unnamed file.
    fn copy_of(mut contents: impl Read) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        let len = io::copy(&mut contents, &mut file)?;
        Ok(Self { file, len })
    }

    /// Reads all bytes.
    ///
    /// # Errors
    /// When it cannot be read from its start.
    pub fn contents(&self) -> io::Result<impl Read> {
        let mut file = &self.file;
        file.rewind()?;
        Ok(file)
    }
}

impl Source for LocalFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        let read = |range: &Range<u64>| {
            let mut buffer = vec![0; (range.end - range.start) as usize];
            read_exact_at(&self.file, &mut buffer, range.start)?;
            Ok(Bytes::from(buffer))
        };
        ranges.iter().map(read).collect::<io::Result<_>>().map_err(SourceError::new)
    }

    fn is_near(&self) -> bool {
        true
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        buffer = buffer.get_mut(read..).unwrap_or_default();
    }
    Ok(())
}
