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
    let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, element) in before.iter().enumerate().rev() {
        known.entry(key(element)).or_default().push(place);
    }
    let (mut changes, mut kept) = (ListChanges::default(), Vec::new());
    for element in after {
        let places = known.get_mut(&key(element));
        changes.has_repeats |= places.as_ref().is_some_and(|places| places.is_empty());
        match places.and_then(Vec::pop) {
            Some(place) => kept.push(place),
            None => {
                known.entry(key(element)).or_default();
                changes.added.push(element);
            }
        }
    }
    changes.is_reordered = !kept.is_sorted();
    let mut gone: Vec<usize> = known.into_values().flatten().collect();
    gone.sort_unstable();
    changes.removed = gone.into_iter().filter_map(|place| before.get(place)).collect();
    changes
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
