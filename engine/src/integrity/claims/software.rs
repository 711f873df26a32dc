//! Software that the file names: editors, and programs younger than the dates.

use std::sync::OnceLock;

use chrono::{Datelike, NaiveDate};

use super::layers::{Dated, Layers};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;

/// A program that changes existing files.
struct Editor {
    strength: Strength,
    text: &'static str,
}

/// When a program first came out.
struct Release {
    text: &'static str,
    month: NaiveDate,
    told: &'static str,
}

/// The lines of a table, each as its fields.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

fn editors() -> &'static [Editor] {
    static EDITORS: OnceLock<Vec<Editor>> = OnceLock::new();
    EDITORS.get_or_init(|| {
        let editor = |row: Vec<&'static str>| match row.as_slice() {
            ["strong", text, ..] => Some(Editor { strength: Strength::Strong, text }),
            ["weak", text, ..] => Some(Editor { strength: Strength::Weak, text }),
            _ => None,
        };
        rows(include_str!("../data/editors.txt")).filter_map(editor).collect()
    })
}

fn releases() -> &'static [Release] {
    static RELEASES: OnceLock<Vec<Release>> = OnceLock::new();
    RELEASES.get_or_init(|| {
        let release = |row: Vec<&'static str>| match row.as_slice() {
            [text, told, ..] => {
                let (year, month) = told.split_once('-')?;
                let month = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)?;
                Some(Release { text, month, told })
            }
            _ => None,
        };
        rows(include_str!("../data/releases.txt")).filter_map(release).collect()
    })
}

pub(super) fn examine(layers: &Layers, findings: &mut Findings) {
    let mut seen: Vec<&str> = Vec::new();
    for (name, layer) in layers.each() {
        for (key, text) in [("producer", &layer.producer), ("creator", &layer.creator)] {
            let Some(text) = text.as_deref().filter(|text| !seen.contains(text)) else { continue };
            seen.push(text);
            let folded = text.to_lowercase();
            let evidence = || Evidence {
                place: Some(format!("{name} {key}")),
                after: Some(text.to_owned()),
                ..Evidence::default()
            };
            if let Some(strength) = edits(&folded) {
                findings.add(SignalId::EditingSoftware, strength, evidence());
            } else if key == "producer" && folded.contains("ghostscript") && is_foreign(layer.creator.as_deref()) {
                findings.add(SignalId::EditingSoftware, Strength::Weak, evidence());
            }
            too_young(&folded, text, layers, findings);
        }
    }
}

fn edits(folded: &str) -> Option<Strength> {
    if folded.contains("printer") {
        return None;
    }
    editors().iter().find(|editor| folded.contains(editor.text)).map(|editor| editor.strength)
}

/// A file that another program made before it was passed through.
fn is_foreign(creator: Option<&str>) -> bool {
    creator.is_some_and(|creator| !creator.to_lowercase().contains("ghostscript"))
}

/// The program was not there yet when the file says that it was made or changed.
fn too_young(folded: &str, text: &str, layers: &Layers, findings: &mut Findings) {
    let (Some(newest), Some(created)) = (layers.newest(), layers.created()) else { return };
    let Some(release) = releases().iter().find(|release| folded.starts_with(release.text)) else { return };
    let is_before = |date: Dated| {
        date.instant.date_naive().with_year(date.instant.year() + 1).is_some_and(|later| later < release.month)
    };
    let date = if is_before(newest) { newest } else { created };
    if is_before(date) {
        let evidence = Evidence {
            place: Some(text.to_owned()),
            before: Some(format!("released {}", release.told)),
            after: Some(date.text.to_owned()),
            ..Evidence::default()
        };
        findings.add(SignalId::DateBeforeSoftware, Strength::Strong, evidence);
    }
}
