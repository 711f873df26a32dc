//! `--trust`: the issuers whom whoever runs the program trusts, out of files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::{Anchor, AnchorSource};

/// How files of certificates end, in a folder.
const ENDINGS: [&str; 4] = ["pem", "crt", "cer", "der"];
/// Anchors that are taken in all. A list of a country has hundreds.
const ANCHORS: usize = 5_000;

/// Whom to trust.
#[derive(Debug, Args)]
pub(super) struct Trusted {
    /// Trust the issuers whose certificates are in this file (PEM or DER), or in the files of this folder that end in .pem, .crt, .cer
    /// or .der: signatures are then told to be trusted or not. Nothing is built in, and nothing is looked up
    #[arg(long, value_name = "FILE|DIR")]
    trust: Vec<PathBuf>,
}

impl Trusted {
    /// Reads all of them, each once.
    ///
    /// # Errors
    /// A sentence: a file cannot be read, or is none of issuers' certificates.
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
        if anchors.len() > ANCHORS {
            return Err(format!("--trust: {} issuers are more than {ANCHORS}", anchors.len()));
        }
        Ok(anchors)
    }
}

/// The file, or those of the folder, in the order of their names.
fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if file.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
