//! `inspect --compare`: compares two files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use engine::{Comparison, LocalFile, PlacedWords, Side, compare};
use report::comparison;
use report::words::is_unseen;

use super::InspectError;
use super::answer::escaped;
use super::problem::problem;
use super::version::options;

/// Prints a comparison as JSON, or as text for people.
///
/// # Errors
/// A sentence, if there are not two files or one cannot be read.
pub(super) fn compared(files: &[PathBuf], password: Option<&str>, format: Format) -> Result<String, InspectError> {
    let [before, after] = files else {
        return Err(InspectError::Usage("--compare takes two files, the earlier one first".to_owned()));
    };
    let named = |path: &Path, why: String| format!("{}: {why}", path.display());
    let open = |path: &Path| LocalFile::open(path).map_err(|error| named(path, error.to_string()));
    let (old, new) = (open(before)?, open(after)?);
    let compared = compare((&old, password), (&new, password), &options(None)).map_err(|(side, failure)| {
        let path = if side == Side::Before { before } else { after };
        named(path, problem(failure).message)
    })?;
    match format {
        Format::Text => Ok(text(&compared)),
        Format::Pretty => Ok(json(serde_json::to_string_pretty(&compared))?),
        Format::Json => Ok(json(serde_json::to_string(&compared))?),
    }
}

/// The format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Pretty,
    Text,
}

/// Writing to a text cannot fail.
fn text(compared: &Comparison) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} {}", comparison::meaning(compared), comparison::words(compared));
    for sentence in comparison::pages(compared) {
        let _ = writeln!(text, "{sentence}");
    }
    let placed = |side: &Option<PlacedWords>| match side {
        Some(words) => format!("\u{201c}{}\u{201d} (page {})", seen(&words.text), words.page),
        None => "nothing".to_owned(),
    };
    for change in &compared.words {
        let _ = writeln!(text, "  {} \u{2192} {}", placed(&change.before), placed(&change.after));
    }
    let more = compared.words_total - compared.words.len();
    if more > 0 {
        let _ = writeln!(text, "  and {more} more");
    }
    for change in &compared.hidden_words {
        let _ = writeln!(text, "  hidden words: {} \u{2192} {}", placed(&change.before), placed(&change.after));
    }
    let side = |side: &Option<String>| side.as_deref().map_or_else(|| "nothing".to_owned(), seen);
    for change in &compared.form {
        let (before, after) = (side(&change.before), side(&change.after));
        let _ = writeln!(text, "  form field {}: {before} \u{2192} {after}", seen(&change.name));
    }
    for change in &compared.metadata {
        let _ = writeln!(text, "  {}: {} \u{2192} {}", change.field, side(&change.before), side(&change.after));
    }
    text
}

/// A line of JSON, with control characters escaped.
fn json(json: serde_json::Result<String>) -> Result<String, String> {
    let json = json.map_err(|error| error.to_string())? + "\n";
    String::from_utf8(escaped(json.as_bytes())).map_err(|error| error.to_string())
}

/// Sanitizes a text of the file for a terminal.
fn seen(text: &str) -> String {
    text.chars().filter(|letter| !is_unseen(*letter)).collect()
}
