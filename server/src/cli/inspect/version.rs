//! Earlier versions of a file: each is the file up to the end of a revision (ISO 32000-2, 7.5.6).

use std::fs::Permissions;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use chrono::Utc;
use engine::{LocalFile, Metadata, Options, Revision, Source, analyze};
use serde::Serialize;
use shared::file_hash::FileHash;

use super::InspectError;
use super::problem::{problem, unreadable};

/// Writes the version of a revision of the one file. No existing file is replaced.
///
/// # Errors
/// A sentence, if there is not exactly one file, it cannot be read, has no such earlier revision, or the output exists
/// or cannot be written.
pub(super) fn write(files: &[PathBuf], password: Option<&str>, number: u32, output: &Path) -> Result<(), InspectError> {
    let [input] = files else { return Err(InspectError::Usage("--revision takes one file".to_owned())) };
    let file = LocalFile::open(input).map_err(|error| unreadable(&error).message)?;
    let end = end_of(&file, password, number)?;
    if end == file.len() {
        return Err(InspectError::Usage(format!("version {number} is the file itself: nothing was saved after it")));
    }
    copy(&file, end, output).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            InspectError::Usage(format!("{} already exists; name another file after -o", output.display()))
        }
        _ => InspectError::Failed(format!("{} cannot be written: {error}", output.display())),
    })
}

/// A revision's version of the file, and its hash.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct VersionHash {
    /// The revision's number.
    number: u32,
    /// Its size: the file up to this offset.
    bytes: u64,
    sha256: String,
}

/// The hashes of all versions in a file. The newest version is the file itself.
pub(in crate::cli) fn hashes(file: &LocalFile, metadata: &Metadata) -> io::Result<Vec<VersionHash>> {
    let newest = metadata.integrity.revisions.last().map(|revision| revision.number);
    let hashed = |revision: &Revision| {
        let bytes = if Some(revision.number) == newest { file.len() } else { revision.end };
        let sha256 = FileHash::of_all(file.contents()?.take(bytes))?.to_string();
        Ok(VersionHash { number: revision.number, bytes, sha256 })
    };
    metadata.integrity.revisions.iter().map(hashed).collect()
}

/// The end of a revision.
fn end_of(file: &LocalFile, password: Option<&str>, number: u32) -> Result<u64, String> {
    let metadata = analyze(file, &options(password)).map_err(|failure| problem(failure).message)?;
    let revisions = metadata.integrity.revisions;
    if let Some(revision) = revisions.iter().find(|revision| revision.number == number) {
        return Ok(revision.end);
    }
    Err(match (revisions.first(), revisions.last()) {
        (Some(first), Some(last)) if first.number < last.number => {
            format!("there is no revision {number}: the file has {} to {}", first.number, last.number)
        }
        (Some(only), _) => format!("there is no revision {number}: the file has only revision {}", only.number),
        _ => format!("there is no revision {number}: the file is too damaged to separate its versions"),
    })
}

/// Writes to a temporary name first, so that no incomplete file remains.
fn copy(file: &LocalFile, end: u64, output: &Path) -> io::Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // with the permissions of a new file by the umask
    let mut version = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    let written = io::copy(&mut file.contents()?.take(end), &mut version)?;
    if written < end {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter meanwhile"));
    }
    version.persist_noclobber(output)?;
    Ok(())
}

/// The read options of the command line.
pub(in crate::cli) fn options(password: Option<&str>) -> Options<'_> {
    Options { password, now: Some(Utc::now()), ..Options::default() }
}
