//! Dates against each other, against the calendar and against the clock (ISO 32000-1, 14.3.3).

use chrono::{DateTime, Datelike, Duration, Utc};

use super::layers::{Dated, Layer, MetadataLayers};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use crate::text::date;

/// Writers take some seconds from the first date to the last.
const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * 60;
/// Zones are whole quarters of an hour apart, at most so much.
const QUARTER: i64 = 15 * 60;
const ZONES: i64 = 14 * 60 * 60;
/// What is longer is no date, nor meant for one.
const LONGEST: usize = 40;
/// Nothing was written as PDF before.
const FIRST_YEAR: i32 = 1991;

pub(super) fn examine(layers: &MetadataLayers, history: &History, now: Option<DateTime<Utc>>, findings: &mut Findings) {
    let latest = now.map(|now| now + Duration::seconds(DAY));
    for (name, layer) in layers.each() {
        impossible(name, layer, latest, findings);
    }
    later(layers, history, findings);
    contradicting(layers, findings);
    steps(layers, findings);
}

/// Dates that cannot be; those of an epoch only say that there was no clock.
fn impossible(name: &str, layer: &Layer, latest: Option<DateTime<Utc>>, findings: &mut Findings) {
    for (key, text) in [("creation date", &layer.created), ("modification date", &layer.modified)] {
        let Some(text) = text else { continue };
        let date = Dated::of(Some(text));
        let text = &text.text;
        let in_future = |date: Dated| latest.is_some_and(|latest| date.instant > latest);
        let is_impossible = match date {
            Some(date) => in_future(date) || date.instant.year() < FIRST_YEAR,
            // what does not read as a date at all is a wrong text, or written in a way that is not known here; with fewer digits than
            // year, month and day have, it may be either
            None => {
                let digits = text.chars().filter(char::is_ascii_digit).count();
                text.len() <= LONGEST && digits >= 8 && date::is_impossible(text)
            }
        };
        if is_impossible {
            let strength = if date.is_some_and(Dated::is_epoch) { Strength::Neutral } else { Strength::Strong };
            let evidence = Evidence::of(format!("{name} {key}"), None, Some(text));
            findings.add(SignalId::DateImpossible, strength, evidence);
        }
    }
    if let (Some(created), Some(modified)) = (Dated::of(layer.created.as_ref()), Dated::of(layer.modified.as_ref()))
        && created.seconds_after(modified) > DAY
        && !modified.is_epoch()
    {
        let evidence = Evidence::of(format!("{name} dates"), Some(created.text), Some(modified.text));
        findings.add(SignalId::DateImpossible, Strength::Strong, evidence);
    }
}

/// Changed later than made. A date that a later revision set is what every save sets; that revision is judged by what
/// else it did.
fn later(layers: &MetadataLayers, history: &History, findings: &mut Findings) {
    let both = layers.each().find_map(|(name, layer)| {
        let created = Dated::of(layer.created.as_ref())?;
        Some((name, created, Dated::of(layer.modified.as_ref())?))
    });
    let Some((name, created, modified)) = both else { return };
    let seconds = modified.seconds_after(created);
    if created.has_zone != modified.has_zone || seconds <= MINUTE || created.is_epoch() {
        return;
    }
    let oldest = history.revisions.first().filter(|oldest| oldest.number < history.total && oldest.number == 1);
    let saved = oldest.and_then(|oldest| oldest.saved_at);
    let is_by_revision = saved.is_some_and(|saved| (saved - created.instant).num_seconds() <= DAY);
    let strength = if seconds > DAY && !is_by_revision { Strength::Strong } else { Strength::Weak };
    let evidence = Evidence::of(format!("{name} dates"), Some(created.text), Some(modified.text));
    findings.add(SignalId::ModifiedLater, strength, evidence);
}

/// The same date, another one in each layer. A shift by a zone is common: one layer lacks it.
fn contradicting(layers: &MetadataLayers, findings: &mut Findings) {
    let (Some(info), Some(xmp)) = (&layers.info, &layers.xmp) else { return };
    let pairs = [("creation date", &info.created, &xmp.created), ("modification date", &info.modified, &xmp.modified)];
    for (key, one, other) in pairs {
        // what a document brings along in words of its own, as PostScript does, is no date of this file
        let one = Dated::of(one.as_ref()).filter(|date| date.is_formal());
        let (Some(one), Some(other)) = (one, Dated::of(other.as_ref())) else { continue };
        let apart = one.seconds_after(other).abs();
        let from_zone = (apart % QUARTER).min(QUARTER - apart % QUARTER);
        let is_zone = apart <= ZONES + MINUTE && from_zone <= MINUTE;
        if apart > MINUTE && !is_zone {
            let evidence = Evidence::of(key, Some(one.text), Some(other.text));
            findings.add(SignalId::InfoXmpContradict, Strength::Strong, evidence);
        }
    }
}

/// The history that XMP keeps: steps after the document was made, or before.
fn steps(layers: &MetadataLayers, findings: &mut Findings) {
    let created = layers.xmp.as_ref().and_then(|xmp| Dated::of(xmp.created.as_ref())).or_else(|| layers.created());
    for step in &layers.steps {
        let when = Dated::read(step.when.as_ref());
        let is_later = created.zip(when).is_some_and(|(created, when)| when.seconds_after(created) > MINUTE);
        let strength = if is_later { Strength::Strong } else { Strength::Weak };
        let evidence = Evidence::of("xmpMM:History", created.map(|created| created.text), Some(&step.told()));
        findings.add(SignalId::EditHistory, strength, evidence);
    }
    if layers.is_derived {
        findings.add(SignalId::EditHistory, Strength::Weak, Evidence::of("xmpMM:DerivedFrom", None, None));
    }
}
