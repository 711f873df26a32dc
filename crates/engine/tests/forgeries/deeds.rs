//! What can be done to an object of a signed file in a later revision: one table.

use samples::builds::Kind;
use samples::section::Section;

use crate::subject::Subject;
use crate::{edits, entries, streams};

/// Something that can be done to every object.
pub(crate) struct Deed {
    pub(crate) name: &'static str,
    /// All ways of doing it to the object of this number.
    pub(crate) ways: fn(&Subject, u32) -> Vec<Forgery>,
}

/// What is appended to a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forgery {
    /// What it does, in words.
    pub(crate) what: String,
    /// Its updates, one after another.
    pub(crate) sections: Vec<Section>,
    /// The objects that are not as they were.
    pub(crate) touched: Vec<u32>,
    /// The keys that lead to what is changed, if nothing else is.
    pub(crate) path: Option<String>,
}

impl Forgery {
    /// One update that touches one object.
    pub(crate) fn of(number: u32, what: impl Into<String>, section: Section) -> Self {
        Self { what: what.into(), sections: vec![section], touched: vec![number], path: None }
    }
}

/// All of them.
pub(crate) const DEEDS: &[Deed] = &[
    Deed { name: "number changed", ways: edits::numbers },
    Deed { name: "name changed", ways: edits::names },
    Deed { name: "string changed", ways: edits::strings },
    Deed { name: "word changed", ways: edits::words },
    Deed { name: "reference to another", ways: edits::references },
    Deed { name: "reference to nothing", ways: edits::dangling },
    Deed { name: "entry removed", ways: edits::removed },
    Deed { name: "entry added", ways: edits::added },
    Deed { name: "entry doubled", ways: edits::doubled },
    Deed { name: "telling entry added", ways: edits::telling },
    Deed { name: "stream's words changed", ways: streams::words },
    Deed { name: "stream's digits changed", ways: streams::digits },
    Deed { name: "stream emptied", ways: streams::emptied },
    Deed { name: "stream overpainted", ways: streams::overpainted },
    Deed { name: "stream's bytes changed", ways: streams::bytes },
    Deed { name: "members of an object stream changed", ways: streams::members },
    Deed { name: "freed", ways: entries::freed },
    Deed { name: "freed, then in use again", ways: entries::freed_then_used },
    Deed { name: "replaced by null", ways: entries::null },
    Deed { name: "100,001 values", ways: entries::crowded },
    Deed { name: "swapped with another", ways: entries::swapped },
    Deed { name: "generation raised", ways: entries::raised },
    Deed { name: "pointed at another object", ways: entries::elsewhere },
    Deed { name: "pointed off by one byte", ways: entries::off_by_one },
    Deed { name: "pointed into another header", ways: entries::within_header },
    Deed { name: "pointed into a stream", ways: entries::within_stream },
    Deed { name: "pointed at nothing", ways: entries::nowhere },
    Deed { name: "read under a wrong number", ways: entries::misnumbered },
    Deed { name: "listed by an unknown type", ways: entries::unknown },
    Deed { name: "moved into an object stream", ways: entries::contained },
    Deed { name: "twice in an object stream", ways: entries::contained_twice },
    Deed { name: "another index in an object stream", ways: entries::misplaced },
    Deed { name: "listed twice", ways: entries::listed_twice },
    Deed { name: "free and in use", ways: entries::free_and_used },
];

/// The object with a change that shows, whatever it is.
pub(crate) fn evil(subject: &Subject, number: u32) -> Vec<u8> {
    let is_seen = matches!(subject.kind(number), Some(Kind::Catalog | Kind::Page | Kind::Seen));
    let telling = |subject: &Subject, number| if is_seen { edits::telling(subject, number) } else { Vec::new() };
    let first = streams::digits(subject, number).into_iter();
    let first = first.chain(streams::bytes(subject, number)).chain(telling(subject, number));
    let first = first.chain(edits::strings(subject, number)).chain(edits::numbers(subject, number));
    let first = first.chain(edits::names(subject, number)).chain(edits::references(subject, number));
    let bodies = first.flat_map(|forgery| forgery.sections).flat_map(|section| section.bodies);
    bodies.map(|(.., text)| text).next().unwrap_or_else(|| b"null".to_vec())
}
