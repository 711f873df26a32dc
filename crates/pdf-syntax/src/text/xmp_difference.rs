//! The properties in which two packets differ, by their statements (ISO 16684-1).

use std::collections::BTreeMap;

use super::xmp_form::Statement;
use super::xmp_tree::Name;

/// Maximum bytes of the text of a difference.
const MAX_TEXT_BYTES: usize = 1 << 10;

/// A property that two packets state differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyDifference {
    /// Its name, without a prefix.
    pub property: String,
    /// The earlier texts, joined; none without any.
    pub before: Option<String>,
    /// The later texts, joined; none without any.
    pub after: Option<String>,
    /// Whether its values differ, and not only the form in which they are written.
    pub is_value: bool,
}

/// Statements by property, sorted by path.
type ByProperty<'s> = BTreeMap<&'s Name, Vec<&'s Statement>>;

/// Returns the properties that are stated differently, except texts that are the same by `is_same`.
pub fn differences(
    before: &[Statement],
    after: &[Statement],
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<PropertyDifference> {
    let (before, mut after) = (by_property(before), by_property(after));
    let mut pairs: Vec<(&Name, [Vec<&Statement>; 2])> = before
        .into_iter()
        .map(|(property, stated)| (property, [stated, after.remove(property).unwrap_or_default()]))
        .collect();
    pairs.extend(after.into_iter().map(|(property, stated)| (property, [Vec::new(), stated])));
    let differs = |[before, after]: &[Vec<&Statement>; 2]| {
        let is_alike = |one: &Statement, other: &Statement| one.path == other.path && is_same(&one.text, &other.text);
        before.len() != after.len() || !before.iter().zip(after).all(|(one, other)| is_alike(one, other))
    };
    let differing = pairs.into_iter().filter(|(_, stated)| differs(stated));
    differing.map(|(property, [before, after])| difference(property, &before, &after)).collect()
}

fn by_property(statements: &[Statement]) -> ByProperty<'_> {
    let mut found = ByProperty::new();
    for statement in statements {
        found.entry(&statement.property).or_default().push(statement);
    }
    found
}

fn difference(property: &Name, before: &[&Statement], after: &[&Statement]) -> PropertyDifference {
    let sorted = |stated: &[&Statement]| {
        let mut texts: Vec<String> = values(stated).map(|statement| statement.text.clone()).collect();
        texts.sort_unstable();
        texts
    };
    let paths = |stated: &[&Statement]| values(stated).map(|statement| statement.path.clone()).collect::<Vec<_>>();
    // in the same form, values have changed places; those of unordered arrays have none
    let is_ordered = values(before).all(|statement| !statement.path.contains("/Bag["));
    let has_moved = is_ordered && paths(before) == paths(after) && !values(before).eq(values(after));
    PropertyDifference {
        property: property.local.clone(),
        before: text(before),
        after: text(after),
        is_value: sorted(before) != sorted(after) || has_moved,
    }
}

/// The statements of values, without those of their languages.
fn values<'s>(stated: &'s [&'s Statement]) -> impl Iterator<Item = &'s Statement> {
    stated.iter().copied().filter(|statement| !statement.path.ends_with("@lang"))
}

/// All texts, joined; none without any.
fn text(stated: &[&Statement]) -> Option<String> {
    let texts: Vec<&str> = values(stated).map(|statement| statement.text.as_str()).collect();
    let mut text = texts.join(" ");
    text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
    (!texts.is_empty()).then_some(text)
}
