//! A build with what forging it takes: where its objects are, and which lead to which.

use std::collections::BTreeMap;

use samples::builds::{Build, Kind};
use samples::section::Section;

use crate::values::{Shape, anatomy};

/// What is forged.
pub(crate) struct Subject {
    pub(crate) build: Build,
    /// What each object is, its object streams among them, and its text.
    pub(crate) objects: BTreeMap<u32, (Kind, Vec<u8>)>,
    /// Where the newest state of each object begins, if it is in no object stream.
    pub(crate) offsets: BTreeMap<u32, usize>,
    /// The objects that refer to each.
    owners: BTreeMap<u32, Vec<u32>>,
}

/// All builds.
pub(crate) fn all() -> Vec<Subject> {
    samples::builds::all().into_iter().map(Subject::new).collect()
}

impl Subject {
    fn new(build: Build) -> Self {
        let offsets = offsets(&build.file);
        let mut objects = build.objects.clone();
        for number in build.containers.keys() {
            let start = offsets[number] + format!("{number} 0 obj\n").len();
            let text = &build.file[start..];
            let end = find(text, b"\nendobj").expect("it ends");
            objects.insert(*number, (Kind::Seen, text[..end].to_vec()));
        }
        let mut owners: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (number, (_, text)) in &objects {
            for value in anatomy(text).values.iter().filter(|value| value.shape == Shape::Reference) {
                owners.entry(number_at(&text[value.span.clone()])).or_default().push(*number);
            }
        }
        for (container, members) in &build.containers {
            for member in members {
                owners.entry(*container).or_default().push(*member);
            }
        }
        Self { build, objects, offsets, owners }
    }

    /// An object's text.
    pub(crate) fn text(&self, number: u32) -> &[u8] {
        &self.objects[&number].1
    }

    pub(crate) fn kind(&self, number: u32) -> Option<Kind> {
        self.objects.get(&number).map(|(kind, _)| *kind)
    }

    /// The objects that refer to this one, as they are.
    pub(crate) fn owners(&self, number: u32) -> &[u32] {
        self.owners.get(&number).map_or(&[], Vec::as_slice)
    }

    /// An update that changes nothing yet.
    pub(crate) fn section(&self) -> Section {
        self.build.section()
    }

    /// The number of an object that has this text, the first of them.
    pub(crate) fn having(&self, text: &str) -> Option<u32> {
        let has = |own: &[u8]| find(own, text.as_bytes()).is_some();
        self.objects.iter().find(|(_, (_, own))| has(own)).map(|(number, _)| *number)
    }

    /// Another object of the same sort, stream or not, that comes next.
    pub(crate) fn other(&self, number: u32) -> u32 {
        let is_stream = |number: u32| self.text(number).ends_with(b"endstream");
        let behind = self.objects.range(number + 1..).chain(self.objects.range(..number)).map(|(other, _)| *other);
        let mut alike = behind.filter(|other| {
            is_stream(*other) == is_stream(number) && self.text(*other) != self.text(number) && *other != 1
        });
        alike.next().unwrap_or(1)
    }
}

/// The number that a reference or a header begins with.
pub(crate) fn number_at(text: &[u8]) -> u32 {
    text.iter().take_while(|byte| byte.is_ascii_digit()).fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
}

/// Where this text begins.
pub(crate) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

/// Where the last object of each number begins.
fn offsets(file: &[u8]) -> BTreeMap<u32, usize> {
    let mut offsets = BTreeMap::new();
    for (at, _) in file.windows(7).enumerate().filter(|(_, window)| *window == b" 0 obj\n") {
        let digits = file[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        offsets.insert(number_at(&file[at - digits..]), at - digits);
    }
    offsets
}
