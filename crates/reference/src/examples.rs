//! Example answers of the service for every call: the files of `crates/reference/examples`.

use std::fs;

use crate::tree::{Tree, read};

/// Their folder: this crate runs only in the repository.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// The answer of the call with this operation id: `analyzePdf` is in `analyze-pdf.json`.
pub(crate) fn of(operation: &str) -> Option<Tree> {
    fs::read_to_string(format!("{FOLDER}/{}.json", name(operation))).ok().map(|text| read(&text))
}

/// The name of a call's files and pages.
pub(crate) fn name(operation: &str) -> String {
    let mut name = String::new();
    for letter in operation.chars() {
        if letter.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
