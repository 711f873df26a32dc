//! Lists the samples of `docs/examples`, folder, name and text of each, for the module `docs::samples`.

use std::path::{Path, PathBuf, absolute};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let examples = absolute("../../docs/examples")?;
    println!("cargo::rerun-if-changed={}", examples.display());
    let mut samples = Vec::new();
    for folder in inside(&examples)?.into_iter().filter(|path| path.is_dir()) {
        for file in inside(&folder)?.into_iter().filter(|path| path.is_file()) {
            let (folder, name) = (folder.file_name().unwrap_or_default(), file.file_stem().unwrap_or_default());
            samples.push(format!("({folder:?}, {name:?}, include_str!({file:?})),\n"));
        }
    }
    samples.sort();
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("samples.rs"), format!("&[\n{}]\n", samples.concat()))
}

fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
