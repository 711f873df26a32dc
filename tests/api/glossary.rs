//! The glossary names types and files: each of them has to exist.

use std::fs;
use std::path::Path;

use tests::events::root;

/// Terms at most, so that it is read.
const MAX_TERMS: usize = 60;

/// Folders without sources of this project.
const NO_SOURCES: [&str; 3] = ["target", "node_modules", ".git"];

/// The text of all Rust sources below a folder.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !NO_SOURCES.iter().any(|name| path.ends_with(name)) {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_type_and_file_of_the_glossary_exists() {
    let page = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let mut text = String::new();
    sources(root(), &mut text);
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|row| row.split(" | ").collect::<Vec<_>>())
        .filter(|row| row[0] != "term")
        .collect();
    assert!((40..=MAX_TERMS).contains(&rows.len()), "{} terms", rows.len());
    for row in rows {
        assert_eq!(row.len(), 4, "{row:?}");
        let named = row[3].trim_matches('`');
        let is_there = if named.contains('/') {
            root().join(named).is_file()
        } else {
            let is_type = |kind: &str, end: &str| text.contains(&format!("{kind} {named}{end}"));
            ["struct", "enum", "trait"].iter().any(|kind| [" ", "<", "(", ";"].iter().any(|end| is_type(kind, end)))
        };
        assert!(is_there, "{}: there is no {named}", row[0]);
    }
}
