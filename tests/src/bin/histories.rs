//! Writes the files of known history and the invoices to try the service with into a folder.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: histories FOLDER"))?);
    for history in samples::histories::all() {
        fs::write(folder.join(format!("{}.pdf", history.name)), history.file)?;
    }
    for (name, file) in samples::invoices::all() {
        fs::write(folder.join(name), file)?;
    }
    Ok(())
}
