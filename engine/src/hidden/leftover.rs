//! Words of an earlier state: what pages and content streams draw that nothing leads to any more. Programs that change a page
//! and write all objects that they know leave them behind.

use std::collections::BTreeSet;

use super::finding::{Leftover, text};
use crate::content::{Contents, PageText};
use crate::document::Document;
use crate::document::objects::State;
use crate::document::pages::{Leaf, PageLeaf};
use crate::document::trace::Lookups;
use crate::failure::{Fault, tried};
use crate::syntax::object::{Id, Object};
use crate::text::shorten;
use crate::xref::entries::XrefEntry;

/// Files up to this length, in bytes, are read for this; of longer ones only what is at hand.
const READ: u64 = 80 << 10;
const LONGEST: u64 = 4 << 20;
/// Objects that a file may have to be looked through, and streams among them that are decoded.
const OBJECTS: usize = 20_000;
const STREAMS: usize = 64;
/// How much of an object is looked at to tell what it is, and of a stream to tell whether it shows text, in bytes.
const HEAD: usize = 256;
const DECODED: usize = 256 << 10;
/// Entries that say that a stream is no content of a page.
const OTHERS: [&[u8]; 10] = [
    b"/Type",
    b"/Subtype",
    b"/Length1",
    b"/FunctionType",
    b"/N ",
    b"/ShadingType",
    b"/PatternType",
    b"/Width",
    b"/First",
    b"/Alternate",
];
/// Letters of a word that counts.
const LETTERS: usize = 2;
/// Findings.
const TOLD: usize = 10;

/// Looks for what nothing leads to in a file of which these are all pages, and whose pages needed these objects.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut Contents,
    needed: &Lookups,
    pages: &[PageLeaf],
) -> Result<Vec<Leftover>, Fault> {
    let length = document.reader.len();
    let is_at_hand = |document: &Document| document.reader.at_hand(0, length as usize) as u64 >= length;
    if length > LONGEST || length > READ && !is_at_hand(document) {
        return Ok(Vec::new());
    }
    let found = tried(search(document, contents, needed, pages))?;
    Ok(found.unwrap_or_default())
}

fn search(
    document: &mut Document,
    contents: &mut Contents,
    needed: &Lookups,
    pages: &[PageLeaf],
) -> Result<Vec<Leftover>, Fault> {
    let numbers: BTreeSet<u32> =
        document.xref.sections.iter().flat_map(|section| section.numbers().take(OBJECTS)).take(OBJECTS + 1).collect();
    if numbers.len() > OBJECTS {
        return Ok(Vec::new());
    }
    let streams = streams(document, &numbers, needed)?;
    if streams.is_empty() {
        return Ok(Vec::new());
    }
    let Some(reached) = reached(document, numbers.len())? else { return Ok(Vec::new()) };
    let streams: BTreeSet<u32> = streams.into_iter().filter(|number| !reached.contains(number)).collect();
    if streams.is_empty() {
        return Ok(Vec::new());
    }
    // what the pages have, whether it can be seen or not
    let mut shown = String::new();
    for page in pages {
        let page = contents.page(document, State(0), page)?;
        if page.is_part {
            return Ok(Vec::new());
        }
        shown += &letters(&page);
    }
    let mut found = Vec::new();
    let mut drawn = BTreeSet::new();
    for number in numbers.iter().filter(|number| !reached.contains(number)) {
        let Some(body) = document.newest().object(*number)? else { continue };
        let Some(page) = body.dictionary().filter(|page| page.is_type(b"Page")) else { continue };
        let parts = page.get(b"Contents");
        let own = parts.elements().iter().chain([parts]).filter_map(|part| Some(part.as_reference()?.number));
        drawn.extend(own);
        let leaf = PageLeaf {
            leaf: Leaf::Object(*number),
            inherited: pages.first().map(|page| page.inherited.clone()).unwrap_or_default(),
        };
        let page = contents.page(document, State(0), &leaf)?;
        found.extend(missing(&page, &shown).map(|text| Leftover { object: *number, is_page: true, text }));
    }
    for number in streams.difference(&drawn) {
        let stream = Object::Reference(Id { number: *number, generation: 0 });
        let body = document.newest().object(*number)?;
        let is_form = body.is_some_and(|body| body.dictionary().is_some_and(|stream| stream.has(b"Subtype")));
        // with the resources of the page on which most of it can be read
        let mut best: Option<(usize, PageText)> = None;
        for page in pages {
            let page = contents.page_with(document, page, &stream)?;
            let unread = page.runs.iter().map(|run| run.undecoded as usize).sum::<usize>();
            if best.as_ref().is_none_or(|(least, _)| unread < *least) {
                best = Some((unread, page));
            }
            if unread == 0 {
                break;
            }
        }
        // a form may be the appearance of a field that went with its page
        let best = best.filter(|(_, page)| !is_form || is_known(page, &shown));
        let text = best.and_then(|(_, page)| missing(&page, &shown));
        found.extend(text.map(|text| Leftover { object: *number, is_page: false, text }));
    }
    found.truncate(TOLD);
    Ok(found)
}

/// The streams that may be a page's content, show text, and were not needed for any page.
fn streams(document: &mut Document, numbers: &BTreeSet<u32>, needed: &Lookups) -> Result<Vec<u32>, Fault> {
    let mut streams = Vec::new();
    for number in numbers.iter().filter(|number| !needed.has(**number)) {
        let XrefEntry::At(at) = document.entry(State(0), *number)? else { continue };
        document.budget.work(1)?;
        let head = document.reader.view(at, HEAD)?;
        if may_be_content(head) {
            streams.push(*number);
        }
        if streams.len() > STREAMS {
            return Ok(Vec::new());
        }
    }
    let mut shown = Vec::new();
    for number in streams {
        let stream = Object::Reference(Id { number, generation: 0 });
        let Some(stream) = document.newest().stream(&stream, DECODED)? else { continue };
        if shows_text(&stream.content) {
            shown.push(number);
        }
    }
    Ok(shown)
}

/// Whether an object that begins so may be a page's content, or a form.
fn may_be_content(head: &[u8]) -> bool {
    let Some(stream) = memchr::memmem::find(head, b"stream") else { return false };
    let dictionary = head.get(..stream).unwrap_or_default();
    let has = |word: &[u8]| memchr::memmem::find(dictionary, word).is_some();
    // the keyword, not the end of another object
    if has(b"endobj") || !has(b"/Length") {
        return false;
    }
    has(b"/Form") || !OTHERS.iter().any(|other| has(other))
}

/// Whether content shows text: by an operator behind a string, an array or white space.
fn shows_text(content: &[u8]) -> bool {
    let shows = |operator: &[u8]| {
        memchr::memmem::find_iter(content, operator).any(|at| {
            let before = at.checked_sub(1).and_then(|before| content.get(before));
            before.is_some_and(|byte| matches!(byte, b')' | b'>' | b']' | b' ' | b'\n' | b'\r'))
        })
    };
    memchr::memmem::find(content, b"BT").is_some() && (shows(b"Tj") || shows(b"TJ") || shows(b"'"))
}

/// The objects that the trailer leads to; none if there are too many references.
fn reached(document: &mut Document, objects: usize) -> Result<Option<BTreeSet<u32>>, Fault> {
    let mut open: Vec<u32> = Vec::new();
    let trailer = document.xref.trailer.clone();
    let mut left = 64 * (objects + 64);
    collect(&Object::Dictionary(trailer), &mut open, &mut left);
    let mut reached = BTreeSet::new();
    while let Some(number) = open.pop() {
        if !reached.insert(number) {
            continue;
        }
        if left == 0 || document.newest().stored(number)?.is_unreadable() {
            return Ok(None);
        }
        if let Some(body) = document.newest().object(number)? {
            document.budget.work(1)?;
            collect(&body.object, &mut open, &mut left);
        }
    }
    Ok((left > 0).then_some(reached))
}

/// Adds what an object refers to.
fn collect(object: &Object, open: &mut Vec<u32>, left: &mut usize) {
    *left = left.saturating_sub(1);
    match object {
        _ if *left == 0 => {}
        Object::Reference(id) => open.push(id.number),
        Object::Array(elements) => elements.iter().for_each(|element| collect(element, open, left)),
        Object::Dictionary(dictionary) => dictionary.iter().for_each(|(_, value)| collect(value, open, left)),
        _ => {}
    }
}

/// All letters and digits of a page, in the order of reading.
fn letters(page: &PageText) -> String {
    page.lines().iter().map(|line| letters_of(&line.text())).collect()
}

/// Whether most words of a drawing are among what is shown: it is another state of that.
fn is_known(page: &PageText, shown: &str) -> bool {
    let lines = page.lines();
    let words = lines.iter().flat_map(|line| &line.words).map(|word| letters_of(&word.text));
    let (known, others): (Vec<_>, Vec<_>) =
        words.filter(|word| !word.is_empty()).partition(|word| shown.contains(word));
    known.len() > others.len()
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The lines of a drawing with words that are not among what is shown; none if there are none.
fn missing(page: &PageText, shown: &str) -> Option<String> {
    let is_missing = |word: &str| {
        let letters = letters_of(word);
        letters.chars().count() >= LETTERS && !word.contains(char::REPLACEMENT_CHARACTER) && !shown.contains(&letters)
    };
    let lines = page.lines();
    let missing: Vec<_> =
        lines.into_iter().filter(|line| line.words.iter().any(|word| is_missing(&word.text))).collect();
    let mut text = text(&missing);
    shorten(&mut text);
    (!missing.is_empty()).then_some(text)
}
