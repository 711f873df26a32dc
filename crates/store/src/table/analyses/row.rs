//! The row of an entry as a line of the list.

use engine::{DecidingReason, Outcome, SignalId};
use serde::Deserialize;
use serde::de::{IntoDeserializer, value};

use crate::analysis::{Summary, format_size};
use crate::error::Error;
use crate::ids::AnalysisId;
use crate::quota::timestamp;
use crate::reference::Reference;
use crate::table::item::Item;

/// The attributes that [`summary`] reads, except the reference.
pub(in crate::table) const LISTED_ATTRIBUTES: [&str; 8] =
    ["id", "filename", "compared_with", "file_size", "verdict", "reason_signal", "reason", "analyzed_at"];

pub(in crate::table) fn summary(item: &Item) -> Result<Summary, Error> {
    let file_size = item.number("file_size")?;
    let verdict = item.optional_text("verdict").and_then(|verdict| verdict.parse().ok());
    let reason = reason(item);
    Ok(Summary {
        id: item.id("id", AnalysisId::parse)?,
        filename: item.text("filename")?.to_owned(),
        compared_with: item.optional_text("compared_with").and_then(|with| serde_json::from_str(with).ok()),
        reference: item.optional_text("reference").and_then(Reference::stored),
        file_size,
        file_size_formatted: format_size(file_size),
        verdict,
        outcome: verdict.map(|verdict| Outcome::of_reason(verdict, reason.as_ref())),
        reason,
        analyzed_at: timestamp(item.instant("analyzed_at")?),
    })
}

/// The deciding signal, if the row has it and this version knows it.
fn reason(item: &Item) -> Option<DecidingReason> {
    let signal = item.optional_text("reason_signal")?;
    let signal = SignalId::deserialize(IntoDeserializer::<value::Error>::into_deserializer(signal)).ok()?;
    Some(DecidingReason { signal, phrase: item.optional_text("reason")?.to_owned() })
}
