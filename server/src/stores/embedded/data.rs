//! The data folder of a service, and the lock against a second server.

use std::fs::{self, File, TryLockError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use shared::disk_space::DiskSpace;
use tempfile::TempDir;

use super::ticket_key::TicketKey;

/// The database's file.
const DATABASE: &str = "dynamodb.sqlite";

/// The file with the address of the running server's DynamoDB.
const DYNAMODB_ADDRESS: &str = "dynamodb-address";
/// The same for its S3.
const S3_ADDRESS: &str = "s3-address";

/// The folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    #[error("the data folder {} cannot be used: {error}", path.display())]
    Unusable { path: PathBuf, error: io::Error },
    #[error(
        "another server is using the data folder {}; stop it, or choose another folder with --data or none with --fresh",
        path.display()
    )]
    InUse { path: PathBuf },
    #[error("there is no data in {}; start the server on it once, or choose another folder with --data", path.display())]
    Missing { path: PathBuf },
}

/// The location of the data.
#[derive(Debug)]
pub(crate) struct Data {
    path: PathBuf,
    hold: Hold,
}

/// The lock of a folder; a temporary folder is deleted with it.
#[derive(Debug)]
enum Hold {
    Kept { _lock: FolderLock },
    Fresh { _folder: TempDir },
}

/// An exclusive lock, released when dropped.
///
/// Closing the file is not enough: a child process that another thread is starting has a duplicate
/// of the descriptor until it executes its program, and flock(2) locks last until the last duplicate
/// is closed.
#[derive(Debug)]
struct FolderLock(File);

impl Drop for FolderLock {
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the lock of the data folder was not released");
        }
    }
}

impl Data {
    /// Opens the folder, which is created if necessary, or a temporary one.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, DataError> {
        if let Some(path) = path {
            return Ok(Self { path: path.to_owned(), hold: Hold::Kept { _lock: lock(path)? } });
        }
        let folder = tempfile::tempdir().map_err(|error| DataError::Unusable { path: std::env::temp_dir(), error })?;
        Ok(Self { path: folder.path().to_owned(), hold: Hold::Fresh { _folder: folder } })
    }

    /// Opens a folder with the data of a server.
    pub(crate) fn open_existing(path: &Path) -> Result<Self, DataError> {
        if !path.join(DATABASE).exists() {
            return Err(DataError::Missing { path: path.to_owned() });
        }
        Self::open(Some(path))
    }

    /// The DynamoDB address of the server that has the folder's lock; `None` if it is not written (yet).
    pub(crate) fn announced(path: &Path) -> Option<SocketAddr> {
        fs::read_to_string(path.join(DYNAMODB_ADDRESS)).ok()?.parse().ok()
    }

    /// The same for its S3.
    pub(crate) fn announced_s3(path: &Path) -> Option<SocketAddr> {
        fs::read_to_string(path.join(S3_ADDRESS)).ok()?.parse().ok()
    }

    /// Writes the stores' addresses to the folder, for processes that find it locked.
    pub(crate) fn announce(&self, dynamodb: SocketAddr, s3: SocketAddr) -> Result<(), DataError> {
        // the last file written implies the others
        for (name, address) in [(S3_ADDRESS, s3), (DYNAMODB_ADDRESS, dynamodb)] {
            fs::write(self.path.join(name), address.to_string())
                .map_err(|error| DataError::Unusable { path: self.path.clone(), error })?;
        }
        Ok(())
    }

    /// The database's file; `None` for one in memory.
    pub(crate) fn database(&self) -> Option<PathBuf> {
        matches!(self.hold, Hold::Kept { .. }).then(|| self.path.join(DATABASE))
    }

    /// The folder of mails that are not sent.
    pub(crate) fn mail(&self) -> PathBuf {
        self.path.join("mail")
    }

    /// The free space of its disk.
    pub(crate) fn disk_space(&self) -> DiskSpace {
        let path = self.path.clone();
        DiskSpace::of(move || free(&path))
    }

    /// The key that signs tickets: an earlier start's, or a new one.
    pub(crate) fn ticket_key(&self) -> Result<TicketKey, DataError> {
        TicketKey::kept(&self.path.join("ticket-key"))
            .map_err(|error| DataError::Unusable { path: self.path.clone(), error })
    }

    /// The folder of S3.
    pub(crate) fn s3(&self) -> PathBuf {
        self.path.join("s3")
    }
}

/// Free bytes of a disk for this process; `None` if the system does not report them.
fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(path).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

fn lock(path: &Path) -> Result<FolderLock, DataError> {
    let unusable = |error| DataError::Unusable { path: path.to_owned(), error };
    create_private(path).map_err(unusable)?;
    let lock = File::create(path.join("lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => {
            // the addresses of an earlier server are out of date
            for name in [DYNAMODB_ADDRESS, S3_ADDRESS] {
                match fs::remove_file(path.join(name)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
                    _ => {}
                }
            }
            Ok(FolderLock(lock))
        }
        Err(TryLockError::WouldBlock) => Err(DataError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Creates the folder with access for its owner only: it contains personal data.
fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(unix)]
    if let Err(error) = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700)) {
        tracing::warn!(%error, path = %path.display(), "the data folder may be open to other users of this machine");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_free_again_though_a_child_process_inherited_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let lock = lock(folder.path()).unwrap();
        assert!(matches!(Data::open(Some(folder.path())), Err(DataError::InUse { .. })));
        let inherited = lock.0.try_clone().unwrap();
        drop(lock);
        Data::open(Some(folder.path())).unwrap();
        drop(inherited);
    }
}
