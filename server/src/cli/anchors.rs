//! `--trust`: reads trusted issuers from files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::{Anchor, AnchorSource};

/// File extensions of certificates in a folder.
const EXTENSIONS: [&str; 4] = ["pem", "crt", "cer", "der"];
/// Maximum number of anchors. A country's list has hundreds.
const MAX_ANCHORS: usize = 5_000;

/// Whom to trust.
#[derive(Debug, Args)]
pub(super) struct Trusted {
    /// Trust the issuers whose certificates are in this file (PEM or DER), or in the files of this folder that end in .pem, .crt, .cer
    /// or .der: signatures are then told to be trusted or not. Nothing is built in, and nothing is looked up
    #[arg(long, value_name = "FILE|DIR")]
    trust: Vec<PathBuf>,
}

impl Trusted {
    /// Reads all of them, without duplicates.
    ///
    /// # Errors
    /// A sentence, if a file cannot be read or has no issuers' certificates.
    pub(super) fn anchors(&self) -> Result<Vec<Anchor>, String> {
        let mut anchors: Vec<Anchor> = Vec::new();
        for path in &self.trust {
            for file in files(path).map_err(|error| format!("--trust {}: {error}", path.display()))? {
                let named = |error: &dyn std::fmt::Display| format!("--trust {}: {error}", file.display());
                let bytes = fs::read(&file).map_err(|error| named(&error))?;
                let read = Anchor::read(&bytes, AnchorSource::Operator).map_err(|fault| named(&fault))?;
                for anchor in read {
                    if anchors.iter().all(|known| known.sha256 != anchor.sha256) {
                        anchors.push(anchor);
                    }
                }
            }
        }
        if anchors.len() > MAX_ANCHORS {
            return Err(format!("--trust: {} issuers are more than {MAX_ANCHORS}", anchors.len()));
        }
        Ok(anchors)
    }
}

/// The file, or the files of the folder, by name.
fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if file.is_file() && ending.is_some_and(|ending| EXTENSIONS.contains(&ending.as_str())) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
