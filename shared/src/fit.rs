//! What was found as JSON that fits into an item of the table.

use engine::{Comparison, Metadata};
use serde_json::value::{RawValue, to_raw_value};

/// Most bytes of metadata: DynamoDB takes items of 409,600 bytes, names and keys included.
pub const MOST: usize = 400_000;

/// What is kept, one after the other, until it fits: places of each signal and hidden texts, revisions and signatures (the
/// newest).
const KEPT: [(usize, usize); 3] = [(3, 50), (1, 20), (0, 5)];

/// The metadata as it is stored and answered. All texts are cut already; only a file made to fill every list with the
/// longest of them yields more than [`MOST`]. Then its lists are shortened; verdict, signals and totals stay.
///
/// # Errors
/// When it has no JSON form.
pub fn fitted(mut metadata: Metadata) -> serde_json::Result<Box<RawValue>> {
    let mut json = to_raw_value(&metadata)?;
    for (places, newest) in KEPT {
        if json.get().len() <= MOST {
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

/// The same of a comparison: the last of its words and of its fields go, the total stays. Its metadata has less than half of
/// [`MOST`].
///
/// # Errors
/// When it has no JSON form.
pub fn fitted_comparison(mut comparison: Comparison) -> serde_json::Result<Box<RawValue>> {
    let mut json = to_raw_value(&comparison)?;
    while json.get().len() > MOST && !(comparison.words.is_empty() && comparison.form.is_empty()) {
        comparison.words.truncate(comparison.words.len() / 2);
        comparison.hidden_words.truncate(comparison.hidden_words.len() / 2);
        comparison.form.truncate(comparison.form.len() / 2);
        json = to_raw_value(&comparison)?;
    }
    Ok(json)
}
