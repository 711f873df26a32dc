//! Resources that gained names, or whose names stand for something else (ISO 32000-1, 7.8.3), which content does not use.

use super::resource_use::{ResourceName, is_resources, may_be_used, names_category, page_may_use};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::graph::Roots;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Whether resources of a signed file only gained names. Whether content that may use these shows something else is
/// inconclusive.
pub(crate) fn only_gained_names(
    examiner: &mut Examiner,
    step: &Step,
    change: &ObjectChange,
    page: Option<u32>,
) -> Result<bool, Fault> {
    let ([Some(old), Some(new)], true) = (change.dictionaries(), examiner.is_signed) else { return Ok(false) };
    let is_plain = [&change.old, &change.new].iter().all(|it| it.body().is_some_and(|body| body.stream.is_none()));
    if !is_plain || !is_resources(Some(old)) || !is_lent_alone(examiner, step, change.number)? {
        return Ok(false);
    }
    if is_resources(Some(new)) && are_exchanged_unused(examiner, step, change.number, [old, new])? {
        return Ok(true);
    }
    let Some(gained) = gained(examiner, step, old, new)? else { return Ok(false) };
    if gained.iter().any(ResourceName::is_implied) || may_be_used(examiner, step, change.number, &gained)? {
        examiner.inconclusive(step, page, "the resources of signed content were given further names".into());
    }
    Ok(true)
}

/// Whether an object is resources, or one category of them, and nothing else, where only names stand for something else now,
/// or for nothing, that no content uses which has these resources.
pub(crate) fn exchanges_unused(examiner: &mut Examiner, step: &Step, number: u32) -> Result<bool, Fault> {
    let mut states = Vec::new();
    for state in [step.pair.old, step.pair.new] {
        let body = examiner.document.view(state).object(number)?.filter(|body| body.stream.is_none());
        states.extend(body.and_then(|body| body.dictionary().cloned()).filter(|it| is_resources(Some(it))));
    }
    let [old, new] = &states[..] else { return Ok(false) };
    Ok(is_lent_alone(examiner, step, number)? && are_exchanged_unused(examiner, step, number, [old, new])?)
}

/// Whether no content uses the names that stand for something else now, in resources that this number has.
fn are_exchanged_unused(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
    [old, new]: [&Dictionary; 2],
) -> Result<bool, Fault> {
    let Some(names) = exchanged(examiner, step, old, new)? else { return Ok(false) };
    Ok(!names.iter().any(ResourceName::is_implied) && !may_be_used(examiner, step, number, &names)?)
}

/// Whether whatever referred to an object before the revision has it as resources: the states of an appearance look the same.
fn is_lent_alone(examiner: &mut Examiner, step: &Step, number: u32) -> Result<bool, Fault> {
    let [Some(catalog), _] = step.roots else { return Ok(false) };
    let roots = Roots { state: step.pair.old, catalog, info: step.info, with_tags: false };
    let graph = examiner.graph(roots)?;
    for &referrer in graph.referrers(number) {
        let body = examiner.document.view(step.pair.old).object(referrer)?;
        if !body.is_some_and(|body| lends(&body.object, number, false)) {
            return Ok(false);
        }
    }
    Ok(!graph.is_truncated)
}

/// Whether a value refers to an object by entries for resources alone.
fn lends(value: &Object, number: u32, is_entry: bool) -> bool {
    match value {
        Object::Reference(id) => id.number != number || is_entry,
        Object::Array(elements) => elements.iter().all(|element| lends(element, number, false)),
        Object::Dictionary(entries) => entries.iter().all(|(key, value)| {
            let is_entry = is_among("Resources DR", key.as_bytes()) || names_category(key);
            lends(value, number, is_entry)
        }),
        _ => true,
    }
}

/// The names in resources, or in one category of them, that stand for something else now; `None` if anything else changed.
fn exchanged(
    examiner: &mut Examiner,
    step: &Step,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<Option<Vec<ResourceName>>, Fault> {
    let mut exchanged = Vec::new();
    for name in step.pair.differing(examiner.document, old, new)? {
        let (before, after) = (old.get(name.as_bytes()), new.get(name.as_bytes()));
        let [before, after] = step.pair.resolve(examiner.document, before, after)?;
        if names_category(&name) && name.as_bytes() != b"ProcSet" {
            let is_names = |value: &Object| value.is_null() || value.as_dictionary().is_some();
            if !is_names(&before) || !is_names(&after) {
                return Ok(None);
            }
            let [before, after] = [&before, &after].map(|it| it.as_dictionary().unwrap_or(Dictionary::empty()));
            let names = step.pair.differing(examiner.document, before, after)?;
            exchanged.extend(names.into_iter().map(|own| ResourceName { category: Some(name.clone()), name: own }));
        }
        // a resource may have the name of a category
        exchanged.push(ResourceName { category: None, name });
    }
    Ok(Some(exchanged))
}

/// Whether the resources of a page are the same, but for names that it does not use and procedure sets, which are obsolete
/// (14.2).
pub(crate) fn gains_unused(
    examiner: &mut Examiner,
    step: &Step,
    page: &Dictionary,
    [old, new]: [&Dictionary; 2],
) -> Result<bool, Fault> {
    let Some(gained) = gained(examiner, step, old, new)? else { return Ok(false) };
    if gained.is_empty() {
        return Ok(true);
    }
    let resources = Object::Dictionary(old.clone());
    Ok(!gained.iter().any(ResourceName::is_implied) && !page_may_use(examiner, step, (page, resources), (0, &gained))?)
}

/// The names that resources gained; `None` if anything else changed.
fn gained(
    examiner: &mut Examiner,
    step: &Step,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<Option<Vec<ResourceName>>, Fault> {
    let mut gained = Vec::new();
    for category in step.pair.differing(examiner.document, old, new)? {
        if category.as_bytes() == b"ProcSet" {
            continue;
        }
        let (before, after) = (old.get(category.as_bytes()), new.get(category.as_bytes()));
        let [before, after] = step.pair.resolve(examiner.document, before, after)?;
        let (Some(after), true) = (after.as_dictionary(), before.is_null() || before.as_dictionary().is_some()) else {
            return Ok(None);
        };
        let before = before.as_dictionary().unwrap_or(Dictionary::empty());
        let names = step.pair.differing(examiner.document, before, after)?;
        if names.iter().any(|name| !before.get(name.as_bytes()).is_null()) {
            return Ok(None);
        }
        gained.extend(names.into_iter().map(|name| ResourceName { category: Some(category.clone()), name }));
        gained.push(ResourceName { category: None, name: category });
    }
    Ok(Some(gained))
}
