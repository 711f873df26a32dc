//! The input files: named ones, and the PDFs below named folders and prefixes of buckets.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::bucket::{self, BucketObject};
use super::is_pdf;

/// A file, or an unreadable folder.
#[derive(Debug)]
pub(super) struct InputFile {
    pub(super) path: PathBuf,
    /// Why a folder cannot be read.
    pub(super) error: Option<String>,
    /// The object, if it is one of a bucket.
    pub(super) object: Option<BucketObject>,
}

/// The file at `path`, regardless of its name, or the PDFs below a folder, by name. Links inside a folder are not
/// followed, to avoid cycles and duplicates.
pub(super) fn below(path: &Path) -> Vec<InputFile> {
    match bucket::found(path) {
        Some(Ok(objects)) => {
            let file = |object: BucketObject| InputFile { path: object.path(), error: None, object: Some(object) };
            return objects.into_iter().map(file).collect();
        }
        Some(Err(error)) => {
            return vec![InputFile { path: path.to_owned(), error: Some(error.to_string()), object: None }];
        }
        None => {}
    }
    if !path.is_dir() {
        return vec![InputFile { path: path.to_owned(), error: None, object: None }];
    }
    let entries = WalkDir::new(path).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry));
    entries.filter_map(|entry| found(entry, path)).collect()
}

fn found(entry: walkdir::Result<DirEntry>, folder: &Path) -> Option<InputFile> {
    match entry {
        Ok(entry) if entry.file_type().is_file() && is_pdf(entry.path()) => {
            Some(InputFile { path: entry.into_path(), error: None, object: None })
        }
        Ok(_) => None,
        Err(error) => {
            let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
            Some(InputFile { path: error.path().unwrap_or(folder).to_owned(), error: Some(why), object: None })
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// The names in a file, one a line; `-` is standard input.
pub(super) fn listed(list: &Path) -> io::Result<Vec<PathBuf>> {
    let lines: io::Result<Vec<String>> = if list == Path::new("-") {
        io::stdin().lines().collect()
    } else {
        BufReader::new(File::open(list)?).lines().collect()
    };
    Ok(lines?.into_iter().map(PathBuf::from).collect())
}
