//! The parts of a cross-reference by object number: without it, looking up an object of the first revision takes a step
//! for each later one.

use super::Part;
use super::entries::Section;

/// Maximum entries of a part that is indexed by number, and of all such parts.
const MAX_PART_ENTRIES: u64 = 1 << 12;
const MAX_ENTRIES: u64 = 1 << 18;

/// The parts that may list each object.
#[derive(Debug)]
pub(super) struct PartIndex {
    /// Object numbers with the parts that list them, in order.
    listed: Vec<(u32, u32)>,
    /// Parts that are not indexed, in order.
    others: Vec<u32>,
}

impl PartIndex {
    pub(super) fn new(parts: &[Part], sections: &[Section]) -> Self {
        let mut index = Self { listed: Vec::new(), others: Vec::new() };
        let mut left = MAX_ENTRIES;
        for (place, part) in (0..).zip(parts) {
            let own = sections.get(part.sections.clone()).unwrap_or_default();
            let entries = own.iter().fold(0_u64, |all, section| all.saturating_add(section.entries()));
            if entries > MAX_PART_ENTRIES || entries > left || parts.len() == 1 {
                index.others.push(place);
                continue;
            }
            left -= entries;
            index.listed.extend(own.iter().flat_map(Section::numbers).map(|number| (number, place)));
        }
        index.listed.sort_unstable();
        index.listed.dedup();
        index
    }

    /// The indexes of the parts that may list an object, in order.
    pub(super) fn about(&self, number: u32) -> impl Iterator<Item = usize> {
        let first = self.listed.partition_point(|entry| *entry < (number, 0));
        let mut listed = self.listed.get(first..).unwrap_or_default().iter();
        let mut listed = std::iter::from_fn(move || listed.next().filter(|entry| entry.0 == number)).fuse().peekable();
        let mut others = self.others.iter().copied().peekable();
        std::iter::from_fn(move || {
            let is_listed_next = match (listed.peek(), others.peek()) {
                (Some((_, part)), Some(other)) => part < other,
                (listed, _) => listed.is_some(),
            };
            let part = if is_listed_next { listed.next().map(|(_, part)| *part) } else { others.next() };
            part.map(|part| part as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xref::entries::{SectionRows, XrefEntry};

    fn parts(numbers: &[&[u32]]) -> (Vec<Part>, Vec<Section>) {
        let entries = |numbers: &&[u32]| numbers.iter().map(|number| (*number, XrefEntry::Free)).collect();
        let sections: Vec<Section> = numbers.iter().map(|numbers| Section::listed(entries(numbers))).collect();
        let part = |place: usize| Part { sections: place..place + 1, ..Part::default() };
        ((0..numbers.len()).map(part).collect(), sections)
    }

    #[test]
    fn parts_are_found_in_order_by_the_numbers_that_they_list() {
        let (parts, sections) = parts(&[&[3, 9], &[9], &[3], &[1, 3, 9]]);
        let index = PartIndex::new(&parts, &sections);
        let about = |number| index.about(number).collect::<Vec<_>>();
        assert_eq!((about(3), about(9), about(1), about(2)), (vec![0, 2, 3], vec![0, 1, 3], vec![3], vec![]));
    }

    #[test]
    fn large_parts_may_list_any_object() {
        let (parts, mut sections) = parts(&[&[3], &[], &[3]]);
        sections[1] = Section { first: 0, count: 1 << 20, rows: SectionRows::Lines(100) };
        let index = PartIndex::new(&parts, &sections);
        assert_eq!(index.about(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(index.about(7).collect::<Vec<_>>(), [1]);
    }
}
