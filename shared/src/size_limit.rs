//! Limits the JSON of results to the size of a DynamoDB item.

use engine::{Comparison, Metadata};
use serde_json::value::{RawValue, to_raw_value};

/// Most bytes of metadata: DynamoDB takes items of 409,600 bytes, names and keys included.
pub const MAX_BYTES: usize = 400_000;

/// Limits of the lists, applied one after the other until the JSON is small enough: places per signal and hidden texts;
/// newest revisions and signatures.
const LIST_LIMITS: [(usize, usize); 3] = [(3, 50), (1, 20), (0, 5)];

/// The metadata for storage and answers. Texts are truncated before, so only a file crafted to fill every list with the
/// longest texts exceeds [`MAX_BYTES`]. Its lists are truncated; verdict, signals and totals are kept.
///
/// # Errors
/// When it has no JSON form.
pub fn limit_metadata(mut metadata: Metadata) -> serde_json::Result<Box<RawValue>> {
    let mut json = to_raw_value(&metadata)?;
    for (places, newest) in LIST_LIMITS {
        if json.get().len() <= MAX_BYTES {
            break;
        }
        let integrity = &mut metadata.integrity;
        integrity.signals.iter_mut().for_each(|signal| signal.evidence.truncate(places));
        metadata.hidden.items.truncate(places);
        integrity.revisions.drain(..integrity.revisions.len().saturating_sub(newest));
        integrity.signatures.drain(..integrity.signatures.len().saturating_sub(newest));
        json = to_raw_value(&metadata)?;
    }
    Ok(json)
}

/// The same for a comparison: its last words and fields are removed, the total is kept. Its metadata has less than half
/// of [`MAX_BYTES`].
///
/// # Errors
/// When it has no JSON form.
pub fn limit_comparison(mut comparison: Comparison) -> serde_json::Result<Box<RawValue>> {
    let mut json = to_raw_value(&comparison)?;
    while json.get().len() > MAX_BYTES && !(comparison.words.is_empty() && comparison.form.is_empty()) {
        comparison.words.truncate(comparison.words.len() / 2);
        comparison.hidden_words.truncate(comparison.hidden_words.len() / 2);
        comparison.form.truncate(comparison.form.len() / 2);
        json = to_raw_value(&comparison)?;
    }
    Ok(json)
}
