//! The key that signs tickets of the embedded bucket. The bucket's other credentials are public: clients on other
//! machines need a ticket.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use uuid::Uuid;

/// The access key id of the key.
pub(crate) const TICKET_KEY_ID: &str = "tickets";

/// The key; never shown by `Debug`.
#[derive(Clone)]
pub(crate) struct TicketKey(String);

impl std::fmt::Debug for TicketKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TicketKey(..)")
    }
}

impl TicketKey {
    /// The key in the file at `path`, which is created for its owner only if necessary: tickets stay valid after a
    /// restart.
    pub(crate) fn kept(path: &Path) -> io::Result<Self> {
        match fs::read_to_string(path) {
            Ok(key) if is_key(&key) => Ok(Self(key)),
            Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "ticket-key is damaged; delete it for a new one")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
                write_private(path, &key)?;
                Ok(Self(key))
            }
            Err(error) => Err(error),
        }
    }

    /// The key itself, to sign with.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Writes to a temporary name first, so that no incomplete file remains.
fn write_private(path: &Path, key: &str) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(key.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::TicketKey;

    #[test]
    fn a_key_stays_and_is_its_owner_s_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ticket-key");
        let key = TicketKey::kept(&path).unwrap();
        assert_eq!(TicketKey::kept(&path).unwrap().reveal(), key.reveal());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!format!("{key:?}").contains(key.reveal()));
        let other = TicketKey::kept(&folder.path().join("other")).unwrap();
        assert_ne!(other.reveal(), key.reveal());
        fs::write(&path, "short").unwrap();
        assert!(TicketKey::kept(&path).is_err());
    }
}
