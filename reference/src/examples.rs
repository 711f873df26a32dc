//! An answer of every call, as the service gave it: the files of `reference/examples`.

use std::fs;

use crate::tree::{Tree, read};

/// Where they are: this crate runs at a developer's desk only.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// The answer of the call with this operation id: `analyzePdf` is in `analyze-pdf.json`.
pub(crate) fn of(operation: &str) -> Option<Tree> {
    fs::read_to_string(format!("{FOLDER}/{}.json", name(operation))).ok().map(|text| read(&text))
}

/// What files and pages of a call are named.
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
