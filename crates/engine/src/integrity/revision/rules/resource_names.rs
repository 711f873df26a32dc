//! Resources that gained names (ISO 32000-1, 7.8.3): whether anything uses these is inconclusive.

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// The clause for resources that gained names.
pub(crate) const GAINED: &str = "the resources of signed content were given further names";

/// Whether it is a resource dictionary (7.8.3, table 33), or a category of named objects.
fn is_resources(dictionary: Option<&Dictionary>) -> bool {
    const CATEGORIES: &str = "ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties";
    dictionary.is_some_and(|dictionary| {
        let is_category = dictionary.iter().all(|(_, value)| value.as_reference().is_some());
        let is_all = dictionary.iter().all(|(key, _)| is_among(CATEGORIES, key.as_bytes()));
        !dictionary.is_empty() && (is_all || is_category)
    })
}

/// Whether resources of a signed file only gained names, which existing content does not use unless they were missing
/// (7.8.3).
pub(crate) fn only_gained_names(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<bool, Fault> {
    let [old, new] = change.dictionaries();
    let (Some(old), Some(new), true) = (old, new, examiner.is_signed && is_resources(old)) else { return Ok(false) };
    for category in step.pair.differing(examiner.document, old, new)? {
        let (before, after) = (old.get(category.as_bytes()), new.get(category.as_bytes()));
        if before.is_null() {
            continue;
        }
        let [before, after] = step.pair.resolve(examiner.document, before, after)?;
        let (Some(after), true) = (after.as_dictionary(), before.as_dictionary().is_some()) else {
            return Ok(false);
        };
        let before = before.as_dictionary().unwrap_or(Dictionary::empty());
        let names = step.pair.differing(examiner.document, before, after)?;
        if names.iter().any(|name| !before.get(name.as_bytes()).is_null()) {
            return Ok(false);
        }
    }
    Ok(true)
}
