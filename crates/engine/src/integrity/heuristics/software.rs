//! Named software: editors, and programs released after the dates.

use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate};

use super::layers::{Dated, MetadataLayers};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;

/// Editing programs, by the first byte of the text that identifies them.
struct Editors([Vec<Editor>; 256]);

/// A program that edits existing files.
struct Editor {
    strength: Strength,
    text: &'static str,
}

/// The first release of a program.
struct Release {
    text: &'static str,
    month: NaiveDate,
    date_text: &'static str,
    /// Whether it keeps the creation date of its input.
    keeps_creation: bool,
}

/// The fields of each line of a table.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

static EDITORS: LazyLock<Editors> = LazyLock::new(|| {
    let editor = |row: Vec<&'static str>| match row.as_slice() {
        ["strong", text, ..] => Some(Editor { strength: Strength::Strong, text }),
        ["weak", text, ..] => Some(Editor { strength: Strength::Weak, text }),
        _ => None,
    };
    let mut editors = Editors([const { Vec::new() }; 256]);
    for editor in rows(include_str!("../data/editors.txt")).filter_map(editor) {
        if let Some(group) = editor.text.bytes().next().and_then(|first| editors.0.get_mut(usize::from(first))) {
            group.push(editor);
        }
    }
    editors
});

impl Editors {
    /// The strongest match in a text.
    fn find(&self, folded: &str) -> Option<Strength> {
        let text = folded.as_bytes();
        let starting = |at: usize| {
            let rest = text.get(at..).unwrap_or_default();
            let group = rest.first().and_then(|&first| self.0.get(usize::from(first))).into_iter().flatten();
            group.filter(|editor| rest.starts_with(editor.text.as_bytes())).map(|editor| editor.strength).max()
        };
        (0..text.len()).filter_map(starting).max()
    }
}

static RELEASES: LazyLock<Vec<Release>> = LazyLock::new(|| {
    let release = |row: Vec<&'static str>| {
        let [text, date_text, dates, ..] = *row.as_slice() else { return None };
        let (year, month) = date_text.split_once('-')?;
        let month = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)?;
        Some(Release { text, month, date_text, keeps_creation: dates == "newest" })
    };
    rows(include_str!("../data/releases.txt")).filter_map(release).collect()
});

pub(super) fn examine(layers: &MetadataLayers, findings: &mut Findings) {
    let mut seen: Vec<&str> = Vec::new();
    for (name, layer) in layers.each() {
        for (key, text) in [("producer", &layer.producer), ("creator", &layer.creator)] {
            let Some(text) = text.as_deref().filter(|text| !seen.contains(text)) else { continue };
            seen.push(text);
            let folded = text.to_ascii_lowercase();
            let evidence = || Evidence::of(format!("{name} {key}"), None, Some(text));
            if let Some(strength) = edits(&folded) {
                findings.add(SignalId::EditingSoftware, strength, evidence());
            } else if key == "producer" && is_ghostscript(&folded) && is_foreign(layer.creator.as_deref()) {
                findings.add(SignalId::EditingSoftware, Strength::Weak, evidence());
            }
            too_young(&folded, text, layers, findings);
        }
    }
}

fn edits(folded: &str) -> Option<Strength> {
    EDITORS.find(folded).filter(|_| !folded.contains("printer"))
}

fn is_ghostscript(folded: &str) -> bool {
    // under any license: GPL, AFPL, GNU
    folded.split(' ').any(|word| word == "ghostscript")
}

/// Whether another program created the file before this one processed it.
fn is_foreign(creator: Option<&str>) -> bool {
    creator.is_some_and(|creator| !is_ghostscript(&creator.to_ascii_lowercase()))
}

/// The same as the standard library's, which calls the C library for each comparison.
pub(super) fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes().first() == start.as_bytes().first() && text.starts_with(start)
}

/// The program was released after the creation or modification date.
fn too_young(folded: &str, text: &str, layers: &MetadataLayers, findings: &mut Findings) {
    let Some(release) = RELEASES.iter().find(|release| starts_with(folded, release.text)) else { return };
    let (Some(newest), Some(created)) = (layers.newest(), layers.created()) else { return };
    let is_before = |date: Dated| {
        date.instant.date_naive().with_year(date.instant.year() + 1).is_some_and(|later| later < release.month)
    };
    let date = if is_before(newest) { newest } else { created };
    let counts = date.text == newest.text || (created.is_formal() && !release.keeps_creation);
    if counts && is_before(date) && !date.is_epoch() {
        let evidence = Evidence::of(text, Some(&format!("released {}", release.date_text)), Some(date.text));
        findings.add(SignalId::DateBeforeSoftware, Strength::Strong, evidence);
    }
}
