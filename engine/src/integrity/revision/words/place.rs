//! Where a change lies on a page that left no words: the box around what is drawn otherwise.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::content::{PageText, around};

/// The box around what a page draws itself, or one of its annotations does, in one state and not in the other: as it is now,
/// or else as it was.
pub(super) fn of_difference(before: &PageText, after: &PageText, owner: Option<u32>) -> Option<[f64; 4]> {
    let (was, is) = (things(before, owner), things(after, owner));
    let only = |these: &[(u64, [f64; 4])], those: &[(u64, [f64; 4])]| {
        let mut others: BTreeMap<u64, usize> = BTreeMap::new();
        those.iter().for_each(|(key, _)| *others.entry(*key).or_default() += 1);
        let is_other = |key: u64| match others.get_mut(&key).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                false
            }
            None => true,
        };
        let mut is_other = is_other;
        around(these.iter().filter(|(key, _)| is_other(*key)).map(|(_, bounds)| *bounds))
    };
    only(&is, &was).or_else(|| only(&was, &is))
}

/// The box around all places where a page draws this image, as it is now, or else as it was.
pub(super) fn of_image(before: &PageText, after: &PageText, object: u32) -> Option<[f64; 4]> {
    let places =
        |page: &PageText| around(page.areas.iter().filter(|area| area.object == Some(object)).map(|area| area.bounds));
    places(after).or_else(|| places(before))
}

/// What is drawn, by a checksum of all that tells it from others, with its box.
fn things(page: &PageText, owner: Option<u32>) -> Vec<(u64, [f64; 4])> {
    let sum = |told: &dyn Fn(&mut DefaultHasher)| {
        let mut sum = DefaultHasher::new();
        told(&mut sum);
        sum.finish()
    };
    let runs = page.runs.iter().filter(|run| run.annotation == owner).map(|run| {
        let told = |sum: &mut DefaultHasher| {
            (page.text(run), page.font(run), run.bounds.map(f64::to_bits), run.mode, run.is_off).hash(sum);
            (run.alpha.to_bits(), run.color).hash(sum);
        };
        (sum(&told), run.bounds)
    });
    let areas = page.areas.iter().filter(|area| area.annotation == owner).map(|area| {
        let told = |sum: &mut DefaultHasher| {
            (area.bounds.map(f64::to_bits), area.is_opaque, area.is_off, area.color, area.object).hash(sum);
        };
        (sum(&told), area.bounds)
    });
    runs.chain(areas).collect()
}
