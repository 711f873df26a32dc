//! The container image is built of everything that the server is made of.

use std::path::{Path, PathBuf};

use tests::events::root;

/// Whether Docker would leave `file` out for this line of `.dockerignore`; they name things at the
/// repository's root, or whole folders.
fn leaves_out(line: &str, file: &str) -> bool {
    let first = file.split('/').next().unwrap_or_default();
    match line.split_once('*') {
        Some((start, end)) if !line.contains('/') => first.starts_with(start) && first.ends_with(end),
        Some(_) => panic!("this test does not understand {line}"),
        None => Path::new(file).starts_with(line),
    }
}

/// The Rust files below `folder`, from the root on.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| folder.join(entry.unwrap().file_name()));
    let below = |path: PathBuf| if root().join(&path).is_dir() { sources(&path) } else { vec![path] };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// `folder/../name`, without the dots.
fn joined(folder: &Path, name: &str) -> PathBuf {
    name.split('/').fold(folder.to_owned(), |mut path, part| {
        if part == ".." {
            path.pop();
        } else {
            path.push(part);
        }
        path
    })
}

#[test]
fn nothing_that_the_build_reads_is_kept_from_docker() {
    let ignored = std::fs::read_to_string(root().join(".dockerignore")).unwrap();
    let lines: Vec<_> = ignored.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut files: Vec<_> = ["Cargo.toml", "Cargo.lock", "tests/Cargo.toml"].map(PathBuf::from).into();
    for source in ["crates", "functions", "server", "shared"].iter().flat_map(|folder| sources(Path::new(folder))) {
        // what is embedded from elsewhere: a file's name, or where it starts
        let text = std::fs::read_to_string(root().join(&source)).unwrap();
        let names = text.split('"').filter(|literal| literal.starts_with("../"));
        files.extend(names.map(|name| joined(source.parent().unwrap(), name)));
        files.push(source);
    }
    for part in ["server/src/lib.rs", "template.yaml", "events", "docs/openapi.json"] {
        assert!(files.iter().any(|file| file == Path::new(part)), "{part} is not read");
    }
    for file in &files {
        let file = file.to_str().unwrap();
        let line = lines.iter().find(|line| leaves_out(line, file));
        assert_eq!(line, None, "{file} is left out");
    }
}
