//! Deeds by what the cross-reference says of an object (ISO 32000-1, 7.5.4 and 7.5.8).

use samples::section::{Row, Section, container};

use crate::deeds::{Forgery, evil};
use crate::subject::{Subject, find};
use crate::values::{anatomy, replaced};

fn one(number: u32, what: &str, section: Section) -> Vec<Forgery> {
    vec![Forgery::of(number, what, section)]
}

fn header(number: u32, text: &[u8]) -> Vec<u8> {
    [format!("{number} 0 obj\n").as_bytes(), text, b"\nendobj\n"].concat()
}

pub(crate) fn freed(subject: &Subject, number: u32) -> Vec<Forgery> {
    one(number, "", subject.section().row(number, Row::Free(1)))
}

pub(crate) fn freed_then_used(subject: &Subject, number: u32) -> Vec<Forgery> {
    let free = subject.section().row(number, Row::Free(1));
    let used = |generation| {
        let mut section = subject.section();
        section.bodies.push((number, generation, evil(subject, number)));
        let sections = vec![free.clone(), section];
        Forgery { what: format!("generation {generation}"), sections, touched: vec![number], path: None }
    };
    vec![used(0), used(1)]
}

pub(crate) fn null(subject: &Subject, number: u32) -> Vec<Forgery> {
    one(number, "", subject.section().with(number, "null"))
}

/// More values than a reader may want to read.
pub(crate) fn crowded(subject: &Subject, number: u32) -> Vec<Forgery> {
    let text = evil(subject, number);
    let Some((end, _)) = anatomy(&text).ends.pop() else { return Vec::new() };
    let filler = format!("/Filler [{}] ", "0 ".repeat(100_001));
    one(number, "", subject.section().with(number, replaced(&text, &(end..end), filler.as_bytes())))
}

pub(crate) fn swapped(subject: &Subject, number: u32) -> Vec<Forgery> {
    let other = subject.other(number);
    let section = subject.section().with(number, subject.text(other)).with(other, subject.text(number));
    vec![Forgery { touched: vec![number, other], ..Forgery::of(number, format!("with {other}"), section) }]
}

pub(crate) fn raised(subject: &Subject, number: u32) -> Vec<Forgery> {
    let raise = |text: Vec<u8>, what: &str| {
        let mut section = subject.section();
        section.bodies.push((number, 1, text));
        Forgery::of(number, what, section)
    };
    vec![raise(evil(subject, number), "changed"), raise(subject.text(number).to_vec(), "as it was")]
}

pub(crate) fn elsewhere(subject: &Subject, number: u32) -> Vec<Forgery> {
    let Some(offset) = subject.offsets.get(&subject.other(number)) else { return Vec::new() };
    let what = format!("at {}", subject.other(number));
    one(number, &what, subject.section().row(number, Row::At(*offset, 0)))
}

/// Behind its first digit; one byte in front of it is white space, which readers pass over.
pub(crate) fn off_by_one(subject: &Subject, number: u32) -> Vec<Forgery> {
    let Some(offset) = subject.offsets.get(&number) else { return Vec::new() };
    one(number, "", subject.section().row(number, Row::At(offset + 1, 0)))
}

/// `6 0 obj` out of `96 0 obj`.
pub(crate) fn within_header(subject: &Subject, number: u32) -> Vec<Forgery> {
    let longer: u32 = format!("9{number}").parse().expect("a number");
    let section = subject.section().loose(header(longer, &evil(subject, number)));
    let listed = section.clone().row(longer, Row::Loose(0, 0)).row(number, Row::Loose(0, 1));
    let hidden = section.row(number, Row::Loose(0, 1));
    vec![Forgery::of(number, "listed", listed), Forgery::of(number, "hidden", hidden)]
}

pub(crate) fn nowhere(subject: &Subject, number: u32) -> Vec<Forgery> {
    let at = |what: &str, offset| Forgery::of(number, what, subject.section().row(number, Row::At(offset, 0)));
    vec![at("behind the file", 9_999_999), at("into the header", 3), at("at its start", 0)]
}

/// A body with another number or generation in its header than it is listed by.
pub(crate) fn misnumbered(subject: &Subject, number: u32) -> Vec<Forgery> {
    let other = header(subject.build.unused(), &evil(subject, number));
    let newer = [format!("{number} 1 obj\n").as_bytes(), &evil(subject, number), b"\nendobj\n"].concat();
    let way = |what: &str, body| Forgery::of(number, what, subject.section().loose(body).row(number, Row::Loose(0, 0)));
    vec![way("number", other), way("generation", newer)]
}

/// Into a stream that nothing leads to.
pub(crate) fn within_stream(subject: &Subject, number: u32) -> Vec<Forgery> {
    let hidden = header(number, &evil(subject, number));
    let stream = subject.build.unused();
    let outer = header(stream, &samples::pdf::stream("", &hidden));
    let shift = find(&outer, &hidden).expect("it is in there");
    let section = subject.section().loose(outer).row(stream, Row::Loose(0, 0));
    one(number, "", section.row(number, Row::Loose(0, shift)))
}

/// Types that the standard does not know are references to null (7.5.8.3).
pub(crate) fn unknown(subject: &Subject, number: u32) -> Vec<Forgery> {
    one(number, "", subject.section().row(number, Row::Unknown))
}

fn is_stream(subject: &Subject, number: u32) -> bool {
    subject.text(number).ends_with(b"endstream")
}

pub(crate) fn contained(subject: &Subject, number: u32) -> Vec<Forgery> {
    if is_stream(subject, number) {
        return Vec::new();
    }
    let stream = subject.build.unused();
    let section = subject.section().with(stream, container(&[(number, &evil(subject, number))]));
    one(number, "", section.row(number, Row::Member(stream, 0)))
}

/// Readers that go by the number take the first, those that go by the index the second.
pub(crate) fn contained_twice(subject: &Subject, number: u32) -> Vec<Forgery> {
    if is_stream(subject, number) {
        return Vec::new();
    }
    let (stream, text) = (subject.build.unused(), evil(subject, number));
    let way = |what: &str, texts: [&[u8]; 2], index| {
        let section = subject.section().with(stream, container(&texts.map(|text| (number, text))));
        Forgery::of(number, what, section.row(number, Row::Member(stream, index)))
    };
    let old = subject.text(number);
    vec![way("the first is changed", [&text, old], 1), way("the second is changed", [old, &text], 1)]
}

pub(crate) fn misplaced(subject: &Subject, number: u32) -> Vec<Forgery> {
    if is_stream(subject, number) {
        return Vec::new();
    }
    let (stream, text) = (subject.build.unused(), evil(subject, number));
    let members = [(number, subject.text(number)), (stream + 1, &text)];
    let section = subject.section().with(stream, container(&members));
    one(number, "", section.row(stream + 1, Row::Member(stream, 1)).row(number, Row::Member(stream, 1)))
}

pub(crate) fn listed_twice(subject: &Subject, number: u32) -> Vec<Forgery> {
    let section = subject.section().loose(header(number, &evil(subject, number)));
    let section = section.loose(header(number, subject.text(number)));
    let way = |what: &str, first, second| {
        let rows = section.clone().row(number, Row::Loose(first, 0)).row(number, Row::Loose(second, 0));
        Forgery::of(number, what, rows)
    };
    vec![way("changed first", 0, 1), way("changed last", 1, 0)]
}

pub(crate) fn free_and_used(subject: &Subject, number: u32) -> Vec<Forgery> {
    let section = subject.section().loose(header(number, &evil(subject, number)));
    let (free, used) = (Row::Free(1), Row::Loose(0, 0));
    let way =
        |what: &str, first, second| Forgery::of(number, what, section.clone().row(number, first).row(number, second));
    vec![way("free first", free, used), way("free last", used, free)]
}
