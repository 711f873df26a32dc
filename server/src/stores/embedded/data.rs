//! The folder a service keeps its data in, and the lock that keeps a second server out of it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use shared::room::Room;
use tempfile::TempDir;

use super::ticket_key::TicketKey;

/// The database's file.
const DATABASE: &str = "dynamodb.sqlite";

/// The file that says where the running server's DynamoDB listens.
const ADDRESS: &str = "dynamodb-address";
/// The same of its S3.
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

/// Where the data lies.
#[derive(Debug)]
pub(crate) struct Data {
    path: PathBuf,
    hold: Hold,
}

/// What keeps others out of a folder; a temporary one goes with it.
#[derive(Debug)]
enum Hold {
    Kept { _lock: File },
    Fresh { _folder: TempDir },
}

impl Data {
    /// Opens the folder, which is made if need be, or a temporary one.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, DataError> {
        if let Some(path) = path {
            return Ok(Self { path: path.to_owned(), hold: Hold::Kept { _lock: lock(path)? } });
        }
        let folder = tempfile::tempdir().map_err(|error| DataError::Unusable { path: std::env::temp_dir(), error })?;
        Ok(Self { path: folder.path().to_owned(), hold: Hold::Fresh { _folder: folder } })
    }

    /// Opens a folder that a server has kept data in before.
    pub(crate) fn open_existing(path: &Path) -> Result<Self, DataError> {
        if !path.join(DATABASE).exists() {
            return Err(DataError::Missing { path: path.to_owned() });
        }
        Self::open(Some(path))
    }

    /// Where the server that holds the folder's lock has its DynamoDB; `None` if it does not say (yet).
    pub(crate) fn announced(path: &Path) -> Option<SocketAddr> {
        fs::read_to_string(path.join(ADDRESS)).ok()?.parse().ok()
    }

    /// The same of its S3.
    pub(crate) fn announced_s3(path: &Path) -> Option<SocketAddr> {
        fs::read_to_string(path.join(S3_ADDRESS)).ok()?.parse().ok()
    }

    /// Leaves word in the folder where its stores listen, for whoever finds the folder locked.
    pub(crate) fn announce(&self, dynamodb: SocketAddr, s3: SocketAddr) -> Result<(), DataError> {
        // whoever finds the last finds all
        for (name, address) in [(S3_ADDRESS, s3), (ADDRESS, dynamodb)] {
            fs::write(self.path.join(name), address.to_string())
                .map_err(|error| DataError::Unusable { path: self.path.clone(), error })?;
        }
        Ok(())
    }

    /// The database's file; `None` for one in memory.
    pub(crate) fn database(&self) -> Option<PathBuf> {
        matches!(self.hold, Hold::Kept { .. }).then(|| self.path.join(DATABASE))
    }

    /// The folder of mails that go no further.
    pub(crate) fn mail(&self) -> PathBuf {
        self.path.join("mail")
    }

    /// The room on its disk.
    pub(crate) fn room(&self) -> Room {
        let path = self.path.clone();
        Room::of(move || free(&path))
    }

    /// The key that tickets are signed with: that of an earlier start, or a new one.
    pub(crate) fn ticket_key(&self) -> Result<TicketKey, DataError> {
        TicketKey::kept(&self.path.join("ticket-key"))
            .map_err(|error| DataError::Unusable { path: self.path.clone(), error })
    }

    /// The folder of S3.
    pub(crate) fn s3(&self) -> PathBuf {
        self.path.join("s3")
    }
}

/// Bytes of a disk that are free for this process; none where the system does not tell.
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

fn lock(path: &Path) -> Result<File, DataError> {
    let unusable = |error| DataError::Unusable { path: path.to_owned(), error };
    create_private(path).map_err(unusable)?;
    let lock = File::create(path.join("lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => {
            // what an earlier server said is no longer true
            for name in [ADDRESS, S3_ADDRESS] {
                match fs::remove_file(path.join(name)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
                    _ => {}
                }
            }
            Ok(lock)
        }
        Err(TryLockError::WouldBlock) => Err(DataError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Makes the folder for its owner only: it holds other people's data.
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
