//! Lists the events of `events/`, name and text of each, for `src/events.rs`.

use std::path::{Path, absolute};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = absolute("../events")?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut events = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // files named `local*` are environments, and schedules are no requests
        let is_request = !name.starts_with("local") && !name.starts_with("scheduled");
        if path.extension().is_some_and(|ending| ending == "json") && is_request {
            events.push((name, path));
        }
    }
    events.sort();
    let lines = events.iter().map(|(name, path)| format!("({name:?}, include_str!({path:?})),\n"));
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("events.rs"), format!("[\n{}]\n", lines.collect::<String>()))
}
