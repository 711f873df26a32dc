//! Deeds that write a stream again with another body.

use std::io::Read;

use flate2::read::ZlibDecoder;
use samples::pdf::deflate;
use samples::section::container;

use crate::deeds::{Forgery, evil};
use crate::subject::{Subject, find};

/// A stream's dictionary without its `/Length`, and its body as it is or inflated.
struct Parts {
    entries: String,
    body: Vec<u8>,
    is_packed: bool,
}

fn parts(text: &[u8]) -> Option<Parts> {
    let at = find(text, b"\nstream\n")?;
    let dictionary = std::str::from_utf8(&text[..at]).ok()?.strip_prefix("<<")?.strip_suffix(">>")?;
    let body = text[at + 8..].strip_suffix(b"\nendstream")?;
    let length = dictionary.rfind("/Length ")?;
    let rest = dictionary[length + 8..].trim_start_matches(|sign: char| sign.is_ascii_digit());
    let rest = rest.trim_start().strip_prefix("0 R").unwrap_or(rest);
    let entries = format!("{}{rest}", &dictionary[..length]);
    let is_packed = entries.contains("/Filter /FlateDecode") && !entries.contains("/DecodeParms");
    let mut inflated = Vec::new();
    if is_packed {
        ZlibDecoder::new(body).read_to_end(&mut inflated).ok()?;
    }
    Some(Parts { entries, body: if is_packed { inflated } else { body.to_vec() }, is_packed })
}

/// The stream written again as `change` makes its body.
fn rewritten(subject: &Subject, number: u32, what: &str, change: impl Fn(&Parts) -> Option<Vec<u8>>) -> Vec<Forgery> {
    let Some(parts) = parts(subject.text(number)) else { return Vec::new() };
    let Some(body) = change(&parts).filter(|body| *body != parts.body) else { return Vec::new() };
    let body = if parts.is_packed { deflate(&body) } else { body };
    let text = samples::pdf::stream(&parts.entries, &body);
    vec![Forgery::of(number, what, subject.section().with(number, text))]
}

fn is_container(subject: &Subject, number: u32) -> bool {
    subject.build.containers.contains_key(&number)
}

/// Whether it is an image, a font or a packet, which are no operators.
fn is_data(parts: &Parts) -> bool {
    ["/Subtype /Image", "/Length1", "/Type /Metadata", "/Type /ObjStm"].iter().any(|mark| parts.entries.contains(mark))
}

/// The byte nearest to the middle that `wanted` fits, in a string of the content if there is one.
fn change_one(parts: &Parts, wanted: fn(&u8) -> bool, new: [u8; 2]) -> Option<Vec<u8>> {
    let mut body = parts.body.clone();
    let in_string =
        find(&body, b") Tj").map_or(0, |end| body[..end].iter().rposition(|byte| *byte == b'(').unwrap_or(0));
    let middle = if in_string > 0 { in_string } else { body.len() / 2 };
    let at = (middle..body.len()).chain((0..middle).rev()).find(|at| wanted(&body[*at]))?;
    body[at] = if body[at] == new[0] { new[1] } else { new[0] };
    Some(body)
}

pub(crate) fn words(subject: &Subject, number: u32) -> Vec<Forgery> {
    if is_container(subject, number) {
        return Vec::new();
    }
    rewritten(subject, number, "a letter", |parts| change_one(parts, u8::is_ascii_alphabetic, *b"XZ"))
}

pub(crate) fn digits(subject: &Subject, number: u32) -> Vec<Forgery> {
    if is_container(subject, number) {
        return Vec::new();
    }
    let mut forgeries = rewritten(subject, number, "a digit", |parts| change_one(parts, u8::is_ascii_digit, *b"97"));
    if moves_text(subject, number) {
        forgeries.iter_mut().for_each(|forgery| forgery.path = Some("Td".to_owned()));
    }
    forgeries
}

/// Whether the digit of a stream that is changed is a coordinate of its only text, which stays within 20 units.
fn moves_text(subject: &Subject, number: u32) -> bool {
    let Some(parts) = parts(subject.text(number)) else { return false };
    let changed = change_one(&parts, u8::is_ascii_digit, *b"97").unwrap_or_default();
    let at = parts.body.iter().zip(&changed).position(|(old, new)| old != new);
    let is_low = at.is_some_and(|at| at > 0 && parts.body[at - 1] == b' ');
    let texts = parts.body.windows(2).filter(|word| word == b"Tj").count();
    is_low && texts == 1 && at.is_some_and(|at| parts.body[at + 1..].starts_with(b" Td ("))
}

pub(crate) fn emptied(subject: &Subject, number: u32) -> Vec<Forgery> {
    rewritten(subject, number, "nothing left", |_| Some(Vec::new()))
}

pub(crate) fn overpainted(subject: &Subject, number: u32) -> Vec<Forgery> {
    rewritten(subject, number, "painted over", |parts| {
        (!is_data(parts)).then(|| [&parts.body[..], b"\nq 0.9 g 0 0 900 900 re f Q"].concat())
    })
}

/// Single bytes of what is no text.
pub(crate) fn bytes(subject: &Subject, number: u32) -> Vec<Forgery> {
    let Some(parts) = parts(subject.text(number)) else { return Vec::new() };
    if !is_data(&parts) || parts.entries.contains("/Type /Metadata") {
        return Vec::new();
    }
    let length = parts.body.len();
    let places = [length / 4, length / 2, length * 3 / 4, length.saturating_sub(4)];
    let change = |at: usize| {
        rewritten(subject, number, &format!("byte {at}"), |parts| {
            let mut body = parts.body.clone();
            *body.get_mut(at)? ^= 0x14;
            Some(body)
        })
    };
    places.into_iter().flat_map(change).collect()
}

/// The object stream written again with one member changed, which is not listed.
pub(crate) fn members(subject: &Subject, number: u32) -> Vec<Forgery> {
    let Some(members) = subject.build.containers.get(&number) else { return Vec::new() };
    let replace = |changed: &u32| {
        let text = evil(subject, *changed);
        let all: Vec<(u32, &[u8])> = members
            .iter()
            .map(|member| (*member, if member == changed { &text } else { subject.text(*member) }))
            .collect();
        let section = subject.section().with(number, container(&all));
        Forgery::of(*changed, format!("member {changed}"), section)
    };
    // what an update has written since is read there
    members.iter().filter(|member| !subject.offsets.contains_key(member)).map(replace).collect()
}
