//! The one folder whose files may be read.

use std::ffi::OsStr;
use std::fs::{File, canonicalize};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat};

/// A folder that is open, and its file system.
#[derive(Debug)]
pub(super) struct RootFolder {
    handle: OwnedFd,
    /// Its path as given, and its canonical path.
    named: PathBuf,
    real: PathBuf,
    device: u64,
}

/// A PDF in the folder.
#[derive(Debug, PartialEq)]
pub(super) struct ListedFile {
    /// Its path relative to the folder.
    pub(super) path: String,
    pub(super) bytes: u64,
}

/// Limits of a listing: files, and depth of folders.
const MAX_FILES: usize = 10_000;
const MAX_DEPTH: usize = 16;

fn is_pdf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
}

/// The file does not exist, is outside of the folder or is not a regular file. The cases are not distinguished, because
/// that would reveal what exists outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoSuchFile;

impl RootFolder {
    /// Opens the folder.
    ///
    /// # Errors
    /// If it is no folder, or may not be read.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let real = canonicalize(path)?;
        let handle = openat(CWD, &real, FOLDER, Mode::empty())?;
        let device = device(&fstat(&handle)?);
        Ok(Self { handle, named: path.to_owned(), real, device })
    }

    /// Opens a file by its relative or absolute path.
    ///
    /// Links are resolved first, and the resulting path is then opened component by component from the open folder
    /// without following links, so that a component replaced by a link is refused. The opened file is inspected by its
    /// handle.
    ///
    /// # Errors
    /// [`NoSuchFile`]
    pub(super) fn file(&self, path: &str) -> Result<File, NoSuchFile> {
        let path = self.within(Path::new(path)).ok_or(NoSuchFile)?;
        self.walk(&path).map_err(|_| NoSuchFile)?.ok_or(NoSuchFile)
    }

    /// The PDFs in a folder and its subfolders, by path. Hidden files, links, other file systems and files beyond the
    /// limits are skipped.
    ///
    /// # Errors
    /// [`NoSuchFile`] if there is no such folder.
    pub(super) fn pdfs(&self, path: &str) -> Result<Vec<ListedFile>, NoSuchFile> {
        let way = self.within(Path::new(path)).ok_or(NoSuchFile)?;
        let mut folder = self.handle.try_clone().map_err(|_| NoSuchFile)?;
        for step in way.components() {
            folder = self.inside(&folder, step.as_os_str()).ok_or(NoSuchFile)?;
        }
        let mut found = Vec::new();
        self.collect(&folder, &way, MAX_DEPTH, &mut found);
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    /// Opens a subfolder on the same file system.
    fn inside(&self, folder: &OwnedFd, name: &OsStr) -> Option<OwnedFd> {
        let found = openat(folder, name, FOLDER, Mode::empty()).ok()?;
        (device(&fstat(&found).ok()?) == self.device).then_some(found)
    }

    fn collect(&self, folder: &OwnedFd, way: &Path, depth: usize, found: &mut Vec<ListedFile>) {
        let Ok(entries) = Dir::read_from(folder) else { return };
        for entry in entries.flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name.as_bytes().starts_with(b".") || found.len() >= MAX_FILES {
                continue;
            }
            let Ok(status) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            let path = way.join(name);
            match FileType::from_raw_mode(status.st_mode) {
                FileType::Directory if depth > 0 => {
                    if let Some(inner) = self.inside(folder, name) {
                        self.collect(&inner, &path, depth - 1, found);
                    }
                }
                FileType::RegularFile if is_pdf(&path) && device(&status) == self.device => {
                    // a path that is not UTF-8 cannot be part of a message
                    let bytes = u64::try_from(status.st_size).unwrap_or_default();
                    found.extend(path.to_str().map(|path| ListedFile { path: path.to_owned(), bytes }));
                }
                _ => {}
            }
        }
    }

    /// The path of a file relative to the folder, without links; `None` if it is outside.
    fn within(&self, path: &Path) -> Option<PathBuf> {
        let from_root = || [&self.real, &self.named].into_iter().find_map(|root| path.strip_prefix(root).ok());
        let way = if path.is_absolute() { from_root()? } else { path };
        // nothing outside is accessed
        let is_down = way.components().all(|step| matches!(step, Component::Normal(_) | Component::CurDir));
        let real = canonicalize(self.real.join(Some(way).filter(|_| is_down)?)).ok()?;
        real.strip_prefix(&self.real).ok().map(Path::to_owned)
    }

    /// Opens the regular file at a path; `None` if it is not one, or on another file system.
    fn walk(&self, way: &Path) -> io::Result<Option<File>> {
        let Some(name) = way.file_name() else { return Ok(None) };
        let mut folder = self.handle.try_clone()?;
        for step in way.parent().into_iter().flat_map(Path::components) {
            folder = openat(&folder, step.as_os_str(), FOLDER, Mode::empty())?;
            if device(&fstat(&folder)?) != self.device {
                return Ok(None);
            }
        }
        self.regular(&folder, name)
    }

    fn regular(&self, folder: &OwnedFd, name: &OsStr) -> io::Result<Option<File>> {
        // opening a device may have effects, and a pipe blocks: they are not opened
        if !self.takes(&statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?) {
            return Ok(None);
        }
        let file = openat(folder, name, FILE, Mode::empty())?;
        let status = fstat(&file)?;
        Ok(self.takes(&status).then(|| File::from(file)))
    }

    fn takes(&self, status: &Stat) -> bool {
        FileType::from_raw_mode(status.st_mode) == FileType::RegularFile && device(status) == self.device
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss, reason = "its type is another on other systems")]
fn device(status: &Stat) -> u64 {
    status.st_dev as u64
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, write};
    use std::os::unix::fs::symlink;

    use super::RootFolder;

    #[test]
    fn what_is_exchanged_for_a_link_meanwhile_leads_nowhere() {
        let around = tempfile::tempdir().unwrap();
        let (inside, outside) = (around.path().join("inside"), around.path().join("outside"));
        create_dir(&inside).unwrap();
        create_dir(&outside).unwrap();
        write(outside.join("a.pdf"), "secret").unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        symlink(outside.join("a.pdf"), inside.join("a.pdf")).unwrap();
        let folder = RootFolder::open(&inside).unwrap();
        // simulates a change after links were resolved
        assert!(folder.walk("folder/a.pdf".as_ref()).is_err());
        assert!(folder.walk("a.pdf".as_ref()).unwrap().is_none());
    }

    #[test]
    fn pdfs_are_listed_and_nothing_that_leads_out_or_is_hidden() {
        let around = tempfile::tempdir().unwrap();
        let (inside, outside) = (around.path().join("inside"), around.path().join("outside"));
        for made in [&inside, &outside, &inside.join("b"), &inside.join(".git")] {
            create_dir(made).unwrap();
        }
        for name in ["z.pdf", "b/a.PDF", ".git/a.pdf", ".a.pdf", "notes.txt"] {
            write(inside.join(name), "12345").unwrap();
        }
        write(outside.join("a.pdf"), "secret").unwrap();
        symlink(&outside, inside.join("out")).unwrap();
        symlink(outside.join("a.pdf"), inside.join("out.pdf")).unwrap();
        let folder = RootFolder::open(&inside).unwrap();
        let listed =
            |path: &str| folder.pdfs(path).map(|files| files.into_iter().map(|file| file.path).collect::<Vec<_>>());
        assert_eq!(listed("."), Ok(vec!["b/a.PDF".to_owned(), "z.pdf".to_owned()]));
        assert_eq!(listed("b"), Ok(vec!["b/a.PDF".to_owned()]));
        for other in ["..", "out", "../outside", "z.pdf", "none"] {
            assert!(listed(other).is_err(), "{other}");
        }
    }

    #[test]
    fn another_file_system_is_elsewhere() {
        let folder = RootFolder::open("/".as_ref()).unwrap();
        assert!(folder.file("proc/self/status").is_err() && folder.file("dev/null").is_err());
    }
}
