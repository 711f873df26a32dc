//! Dates compared with each other, with the calendar and with the clock (ISO 32000-1, 14.3.3).

use chrono::{DateTime, Datelike, Duration, Utc};

use super::layers::{Dated, Layer, MetadataLayers};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use pdf_syntax::text::date;

/// Tolerance between the first and the last date that one writer sets.
const WRITING_SECONDS: i64 = 60;
const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Time zone offsets are multiples of a quarter of an hour, up to a maximum.
const ZONE_STEP_SECONDS: i64 = 15 * 60;
const MAX_ZONE_SECONDS: i64 = 14 * 60 * 60;
/// Longer texts are not dates.
const MAX_DATE_CHARS: usize = 40;
/// The year of the first PDF files.
const FIRST_YEAR: i32 = 1991;

pub(super) fn examine(layers: &MetadataLayers, history: &History, now: Option<DateTime<Utc>>, findings: &mut Findings) {
    let latest = now.map(|now| now + Duration::seconds(DAY_SECONDS));
    for (name, layer) in layers.each() {
        impossible(name, layer, latest, findings);
    }
    later(layers, history, findings);
    contradicting(layers, findings);
    steps(layers, findings);
}

/// Reports impossible dates; those at an epoch only mean that the clock was not set.
fn impossible(name: &str, layer: &Layer, latest: Option<DateTime<Utc>>, findings: &mut Findings) {
    for (key, text) in [("creation date", &layer.created), ("modification date", &layer.modified)] {
        let Some(text) = text else { continue };
        let date = Dated::of(Some(text));
        let text = &text.text;
        let in_future = |date: Dated| latest.is_some_and(|latest| date.instant > latest);
        let is_impossible = match date {
            Some(date) => in_future(date) || date.instant.year() < FIRST_YEAR,
            // unparsable text is malformed or in an unknown format; with fewer digits than year, month and day need, it
            // may be either
            None => {
                let digits = text.chars().filter(char::is_ascii_digit).count();
                text.len() <= MAX_DATE_CHARS && digits >= 8 && date::is_impossible(text)
            }
        };
        if is_impossible {
            let strength = if date.is_some_and(Dated::is_epoch) { Strength::Neutral } else { Strength::Strong };
            let evidence = Evidence::of(format!("{name} {key}"), None, Some(text));
            findings.add(SignalId::DateImpossible, strength, evidence);
        }
    }
    if let (Some(created), Some(modified)) = (Dated::of(layer.created.as_ref()), Dated::of(layer.modified.as_ref()))
        && created.seconds_after(modified) > DAY_SECONDS
        && !modified.is_epoch()
    {
        let evidence = Evidence::of(format!("{name} dates"), Some(created.text), Some(modified.text));
        findings.add(SignalId::DateImpossible, Strength::Strong, evidence);
    }
}

/// Modified after creation. A date set by a later revision is normal; that revision is judged by its other changes.
fn later(layers: &MetadataLayers, history: &History, findings: &mut Findings) {
    let both = layers.each().find_map(|(name, layer)| {
        let created = Dated::of(layer.created.as_ref())?;
        Some((name, created, Dated::of(layer.modified.as_ref())?))
    });
    let Some((name, created, modified)) = both else { return };
    let seconds = modified.seconds_after(created);
    if created.has_zone != modified.has_zone || seconds <= WRITING_SECONDS || created.is_epoch() {
        return;
    }
    let oldest = history.revisions.first().filter(|oldest| oldest.number < history.total && oldest.number == 1);
    let saved = oldest.and_then(|oldest| oldest.saved_at);
    let is_by_revision = saved.is_some_and(|saved| (saved - created.instant).num_seconds() <= DAY_SECONDS);
    let strength = if seconds > DAY_SECONDS && !is_by_revision { Strength::Strong } else { Strength::Weak };
    let evidence = Evidence::of(format!("{name} dates"), Some(created.text), Some(modified.text));
    findings.add(SignalId::ModifiedLater, strength, evidence);
}

/// Different dates in the two layers. A shift by a whole time zone is common: one layer omits the zone.
fn contradicting(layers: &MetadataLayers, findings: &mut Findings) {
    let (Some(info), Some(xmp)) = (&layers.info, &layers.xmp) else { return };
    let pairs = [("creation date", &info.created, &xmp.created), ("modification date", &info.modified, &xmp.modified)];
    for (key, one, other) in pairs {
        // a date in free text, such as PostScript's, is not this file's date
        let one = Dated::of(one.as_ref()).filter(|date| date.is_formal());
        let (Some(one), Some(other)) = (one, Dated::of(other.as_ref())) else { continue };
        let apart = one.seconds_after(other).abs();
        let from_zone = (apart % ZONE_STEP_SECONDS).min(ZONE_STEP_SECONDS - apart % ZONE_STEP_SECONDS);
        let is_zone = apart <= MAX_ZONE_SECONDS + WRITING_SECONDS && from_zone <= WRITING_SECONDS;
        if apart > WRITING_SECONDS && !is_zone {
            let evidence = Evidence::of(key, Some(one.text), Some(other.text));
            findings.add(SignalId::InfoXmpContradict, Strength::Strong, evidence);
        }
    }
}

/// Steps of the XMP history before or after the creation date.
fn steps(layers: &MetadataLayers, findings: &mut Findings) {
    let created = layers.xmp.as_ref().and_then(|xmp| Dated::of(xmp.created.as_ref())).or_else(|| layers.created());
    for step in &layers.steps {
        let when = Dated::read(step.when.as_ref());
        let is_later = created.zip(when).is_some_and(|(created, when)| when.seconds_after(created) > WRITING_SECONDS);
        let strength = if is_later { Strength::Strong } else { Strength::Weak };
        let evidence = Evidence::of("xmpMM:History", created.map(|created| created.text), Some(&step.told()));
        findings.add(SignalId::EditHistory, strength, evidence);
    }
    if layers.is_derived {
        findings.add(SignalId::EditHistory, Strength::Weak, Evidence::of("xmpMM:DerivedFrom", None, None));
    }
}
