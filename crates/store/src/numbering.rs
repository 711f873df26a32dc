//! The consecutive numbers of an account's analyses, and the count of deleted numbers per block, so that every page of
//! the list costs the same.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Numbers that are counted together: 1 to 256, 257 to 512 and so on.
pub const BLOCK: u64 = 256;
/// Maximum blocks with deleted numbers per account.
pub const MAX_BLOCKS_WITH_DELETIONS: usize = 2_000;

/// The reason of a refused deletion in one block more.
pub const TOO_SCATTERED: &str = "cannot be deleted yet: what was deleted is spread over 2000 blocks of 256 analyses, \
    which is the most. Delete all of the oldest analyses first";

/// The numbers 1 to `given`, and the count of deleted ones per block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    given: u64,
    /// All numbers of earlier blocks are deleted.
    first_block: u64,
    /// Deleted numbers per block from there on; blocks without any are omitted.
    deleted_counts: BTreeMap<u64, u64>,
}

/// The start of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageStart {
    /// The number to read down from.
    pub newest: u64,
    /// Analyses to skip from there on: fewer than [`BLOCK`].
    pub skipped: u64,
}

/// The analyses that are newer than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newer {
    /// Those that the numbering counts.
    pub known: u64,
    /// Fewer than [`BLOCK`] numbers, existing and deleted, that have to be counted in the table.
    pub uncounted: Option<RangeInclusive<u64>>,
}

impl Numbering {
    /// The numbers 1 to `given`, with `deleted_counts` per block from `first_block` on.
    #[must_use]
    pub fn new(given: u64, first_block: u64, deleted_counts: BTreeMap<u64, u64>) -> Self {
        Self { given, first_block, deleted_counts }
    }

    /// The newest number given; 0 if there is none.
    #[must_use]
    pub fn given(&self) -> u64 {
        self.given
    }

    /// All numbers of earlier blocks are deleted.
    #[must_use]
    pub fn first_block(&self) -> u64 {
        self.first_block
    }

    /// Existing analyses.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.newer_than(0).known
    }

    /// A lower limit of the numbers of existing analyses.
    #[must_use]
    pub fn oldest(&self) -> u64 {
        self.first_block * BLOCK + 1
    }

    /// The start after the newest `skipped` analyses; `None` if there are no more.
    #[must_use]
    pub fn start(&self, mut skipped: u64) -> Option<PageStart> {
        let mut newest = self.given;
        for (block, deleted) in self.deleted_counts.iter().rev() {
            let (begin, end) = self.span(*block);
            let whole = newest.saturating_sub(end);
            if skipped < whole {
                return Some(PageStart { newest: newest - skipped, skipped: 0 });
            }
            skipped -= whole;
            let left = (end - begin).saturating_sub(*deleted);
            if skipped < left {
                return Some(PageStart { newest: end, skipped });
            }
            skipped -= left;
            newest = begin;
        }
        let left = newest.saturating_sub(self.first_block * BLOCK);
        (skipped < left).then(|| PageStart { newest: newest - skipped, skipped: 0 })
    }

    /// The analyses with larger numbers than this one.
    #[must_use]
    pub fn newer_than(&self, number: u64) -> Newer {
        let number = number.clamp(self.first_block * BLOCK, self.given.max(self.first_block * BLOCK));
        let numbers = self.given.saturating_sub(number);
        // `number` is the last of its block, or within it
        let (begin, end) = self.span(number / BLOCK);
        if number > begin && number < end && self.deleted_counts.contains_key(&(number / BLOCK)) {
            let known = (self.given - end).saturating_sub(self.deleted_from(number / BLOCK + 1));
            return Newer { known, uncounted: Some(number + 1..=end) };
        }
        let known = numbers.saturating_sub(self.deleted_from(number.div_ceil(BLOCK)));
        Newer { known, uncounted: None }
    }

    /// The smallest number such that from `newest` down to it there are at most `most` analyses; it may be deleted.
    #[must_use]
    pub fn range_start(&self, newest: u64, mut most: u64) -> u64 {
        let mut reached = newest + 1;
        while reached > self.oldest() {
            let block = (reached - 2) / BLOCK;
            let (begin, end) = self.span(block);
            let deleted = if reached > end { self.deleted_counts.get(&block).copied().unwrap_or_default() } else { 0 };
            let left = (reached - 1 - begin).saturating_sub(deleted);
            if left > most {
                return reached - most;
            }
            most -= left;
            reached = begin + 1;
        }
        reached
    }

    /// The numbering after the deletion of this existing analysis; `None` if too many blocks would have deleted
    /// numbers. The oldest blocks are dropped when they become empty.
    #[must_use]
    pub fn after_delete(&self, number: u64) -> Option<Self> {
        let mut after = self.clone();
        *after.deleted_counts.entry(block_of(number)).or_default() += 1;
        while after.deleted_counts.get(&after.first_block).is_some_and(|deleted| *deleted >= BLOCK) {
            after.deleted_counts.remove(&after.first_block);
            after.first_block += 1;
        }
        (after.deleted_counts.len() <= MAX_BLOCKS_WITH_DELETIONS).then_some(after)
    }

    /// The numbering in which these distinct numbers are deleted too, in any number of blocks.
    #[must_use]
    pub fn excluding(&self, numbers: &[u64]) -> Self {
        let mut after = self.clone();
        let there = self.oldest()..=self.given;
        for number in numbers.iter().filter(|number| there.contains(number)) {
            *after.deleted_counts.entry(block_of(*number)).or_default() += 1;
        }
        after
    }

    /// Deleted numbers per block; blocks without any are omitted.
    #[must_use]
    pub fn deleted_counts(&self) -> &BTreeMap<u64, u64> {
        &self.deleted_counts
    }

    /// The numbers of a block: those after the first of these two, up to the second.
    fn span(&self, block: u64) -> (u64, u64) {
        let begin = (block * BLOCK).min(self.given);
        (begin, (begin + BLOCK).min(self.given))
    }

    fn deleted_from(&self, block: u64) -> u64 {
        self.deleted_counts.range(block..).map(|(_, deleted)| *deleted).sum()
    }
}

/// The block that a number is in.
#[must_use]
pub fn block_of(number: u64) -> u64 {
    number.saturating_sub(1) / BLOCK
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{BLOCK, MAX_BLOCKS_WITH_DELETIONS, Numbering};

    /// A numbering, and the existing numbers.
    #[derive(Debug)]
    struct Model {
        numbering: Numbering,
        there: BTreeSet<u64>,
    }

    impl Model {
        fn of(given: u64, deleted: &[u64]) -> Self {
            let mut model =
                Self { numbering: Numbering { given, ..Numbering::default() }, there: (1..=given).collect() };
            for number in deleted {
                if model.there.remove(number) {
                    model.numbering = model.numbering.after_delete(*number).unwrap();
                }
            }
            model
        }

        /// What a query finds from `newest` down.
        fn down_from(&self, newest: u64) -> impl Iterator<Item = u64> + '_ {
            self.there.range(..=newest).rev().copied()
        }
    }

    /// Numbers to delete: scattered ones, and all of the oldest.
    fn deleted() -> impl Strategy<Value = (u64, Vec<u64>)> {
        (0u64..1_300, prop::collection::vec(1u64..1_300, 0..900), 0u64..800).prop_map(|(given, mut some, oldest)| {
            some.extend(1..=oldest);
            (given, some)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_page_is_found_with_few_rows((given, deleted) in deleted(), per_page in 1usize..=100) {
            let model = Model::of(given, &deleted);
            let newest_first: Vec<u64> = model.there.iter().rev().copied().collect();
            prop_assert_eq!(model.numbering.total(), newest_first.len() as u64);
            for page in 0..=newest_first.len() / per_page {
                let skipped = page * per_page;
                let expected: Vec<u64> = newest_first.iter().skip(skipped).take(per_page).copied().collect();
                let Some(start) = model.numbering.start(skipped as u64) else {
                    prop_assert!(expected.is_empty());
                    continue;
                };
                prop_assert!(start.skipped < BLOCK);
                let found = model.down_from(start.newest).skip(usize::try_from(start.skipped).unwrap()).take(per_page);
                prop_assert_eq!(found.collect::<Vec<_>>(), expected);
            }
        }

        #[test]
        fn newer_ones_are_counted_but_for_a_block((given, deleted) in deleted(), number in 0u64..1_400) {
            let model = Model::of(given, &deleted);
            let newer = model.numbering.newer_than(number);
            let uncounted = newer.uncounted.map_or(0, |range| {
                assert!(range.clone().count() < BLOCK as usize);
                model.there.range(range).count()
            });
            prop_assert_eq!(newer.known + uncounted as u64, model.there.range(number + 1..).count() as u64);
        }

        #[test]
        fn a_reach_holds_no_more_than_asked_and_passes_over_what_is_empty((given, deleted) in deleted(), most in 1u64..900) {
            let model = Model::of(given, &deleted);
            let mut newest = given;
            let mut steps = 0;
            while newest >= model.numbering.oldest() {
                let reached = model.numbering.range_start(newest, most);
                prop_assert!(reached <= newest);
                prop_assert!(model.there.range(reached..=newest).count() as u64 <= most);
                newest = reached - 1;
                steps += 1;
            }
            prop_assert!(model.down_from(newest).next().is_none());
            prop_assert!(steps <= given / most.min(BLOCK) + 2);
        }

        #[test]
        fn any_numbers_are_computed(given in 0u64..1 << 48, number: u64, skipped: u64, block in 0u64..1 << 40) {
            let numbering = Numbering::new(given, 0, [(block, 3)].into());
            let _ = (numbering.start(skipped), numbering.newer_than(number), numbering.total());
            let reached = numbering.range_start(given, 900);
            prop_assert!((1..=given.max(1)).contains(&reached));
        }
    }

    #[test]
    fn the_oldest_blocks_are_dropped_when_they_are_empty() {
        let numbers: Vec<u64> = (257..=512).chain(1..=255).collect();
        let model = Model::of(600, &numbers);
        assert_eq!((model.numbering.first_block(), model.numbering.deleted_counts.len()), (0, 2));
        let after = model.numbering.after_delete(256).unwrap();
        assert_eq!((after.first_block(), after.total(), after.oldest()), (2, 88, 513));
        assert!(after.deleted_counts.is_empty());
    }

    #[test]
    fn all_empty_blocks_behind_the_oldest_are_dropped_with_it() {
        let mut deleted: std::collections::BTreeMap<u64, u64> = (0..250).map(|block| (block, BLOCK)).collect();
        deleted.insert(0, BLOCK - 1);
        let numbering = Numbering::new(260 * BLOCK, 0, deleted);
        let after = numbering.after_delete(1).unwrap();
        assert_eq!((after.total(), after.first_block()), (numbering.total() - 1, 250));
        let more = after.after_delete(255 * BLOCK + 1).unwrap();
        assert_eq!((more.total(), more.first_block()), (after.total() - 1, 250));
    }

    #[test]
    fn holes_of_too_many_blocks_wait_for_the_oldest_to_be_empty() {
        let blocks = MAX_BLOCKS_WITH_DELETIONS as u64;
        let mut deleted: std::collections::BTreeMap<u64, u64> = (0..blocks).map(|block| (block, 1)).collect();
        deleted.insert(0, BLOCK - 1);
        let full = Numbering::new((blocks + 2) * BLOCK, 0, deleted);
        let next = blocks * BLOCK + 1;
        assert!(full.after_delete(next).is_none());
        assert!(full.after_delete(next - 1).is_some(), "a block that has holes may have more");
        let emptied = full.after_delete(1).unwrap();
        assert!(emptied.after_delete(next).is_some());
    }
}
