//! The difference of two lists: added and removed elements, and whether the others kept their order.

use std::collections::BTreeMap;

use pdf_syntax::syntax::object::Object;

/// The difference.
#[derive(Debug, Default)]
pub(crate) struct ListChanges<'l> {
    pub(crate) added: Vec<&'l Object>,
    pub(crate) removed: Vec<&'l Object>,
    /// Whether the common elements have another order.
    pub(crate) is_reordered: bool,
    /// Whether an element occurs more often than before.
    pub(crate) has_repeats: bool,
}

/// Compares two lists by element: references by number, other elements by value.
pub(crate) fn changes<'l>(before: &'l [Object], after: &'l [Object]) -> ListChanges<'l> {
    Pairing::exact(before, after).changes(before, after)
}

/// Compares two lists in the same way, but takes a direct element for the same if only its spelling changed, or if it
/// became an object or was one. Such elements are returned as well.
pub(crate) fn changes_by<'l, E>(
    before: &'l [Object],
    after: &'l [Object],
    mut is_same: impl FnMut(&'l Object, &'l Object) -> Result<bool, E>,
) -> Result<(ListChanges<'l>, Vec<&'l Object>), E> {
    let mut pairing = Pairing::exact(before, after);
    let is_direct = |element: &Object| element.as_reference().is_none();
    let mut rewritten = Vec::new();
    for (element, place) in after.iter().zip(&mut pairing.places).filter(|(_, place)| place.is_none()) {
        for (index, &known) in pairing.gone.iter().enumerate() {
            let Some(was) = before.get(known) else { continue };
            if (is_direct(was) || is_direct(element)) && is_same(was, element)? {
                *place = Some(known);
                rewritten.push(element);
                pairing.gone.remove(index);
                break;
            }
        }
    }
    Ok((pairing.changes(before, after), rewritten))
}

/// Which element of the earlier list each of the later list is.
struct Pairing {
    places: Vec<Option<usize>>,
    /// Places of earlier elements that are in the later list no more, in order.
    gone: Vec<usize>,
    has_repeats: bool,
}

impl Pairing {
    fn exact(before: &[Object], after: &[Object]) -> Self {
        let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, element) in before.iter().enumerate().rev() {
            known.entry(key(element)).or_default().push(place);
        }
        let (mut places, mut has_repeats) = (Vec::new(), false);
        for element in after {
            let found = known.get_mut(&key(element));
            has_repeats |= found.as_ref().is_some_and(|places| places.is_empty());
            let place = found.and_then(Vec::pop);
            if place.is_none() {
                known.entry(key(element)).or_default();
            }
            places.push(place);
        }
        let mut gone: Vec<usize> = known.into_values().flatten().collect();
        gone.sort_unstable();
        Self { places, gone, has_repeats }
    }

    fn changes<'l>(self, before: &'l [Object], after: &'l [Object]) -> ListChanges<'l> {
        let added = after.iter().zip(&self.places).filter(|(_, place)| place.is_none());
        ListChanges {
            added: added.map(|(element, _)| element).collect(),
            removed: self.gone.iter().filter_map(|&place| before.get(place)).collect(),
            is_reordered: !self.places.iter().flatten().is_sorted(),
            has_repeats: self.has_repeats,
        }
    }
}

/// Returns the comparison key of an element.
fn key(element: &Object) -> String {
    match element.as_reference() {
        Some(id) => id.number.to_string(),
        None => format!("{element:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(numbers: &[i64]) -> Vec<Object> {
        numbers.iter().map(|number| Object::Integer(*number)).collect()
    }

    #[test]
    fn lists_are_compared_as_lists() {
        for (before, after, added, removed, is_reordered, has_repeats) in [
            (&[1, 2, 3][..], &[1, 2, 3][..], 0, 0, false, false),
            (&[1, 2, 3], &[1, 4, 2, 3], 1, 0, false, false),
            (&[1, 2, 3], &[1, 3], 0, 1, false, false),
            (&[1, 2, 3], &[2, 1, 3], 0, 0, true, false),
            (&[1, 2], &[1, 2, 1], 1, 0, false, true),
            (&[1, 1], &[1], 0, 1, false, false),
            (&[1], &[1, 5, 5], 2, 0, false, true),
        ] {
            let (before, after) = (list(before), list(after));
            let found = changes(&before, &after);
            let found = (found.added.len(), found.removed.len(), found.is_reordered, found.has_repeats);
            assert_eq!(found, (added, removed, is_reordered, has_repeats), "{before:?} {after:?}");
        }
    }
}
