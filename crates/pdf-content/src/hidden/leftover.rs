//! Words of an earlier state in unreferenced pages and content streams, as left by programs that change a page and
//! write all known objects, and in earlier copies of content streams that no cross-reference lists, as left by programs
//! that change a file in place. Fields and notes that nothing references count if another one has their name and place.

use std::collections::BTreeSet;

use super::finding::{Leftover, LeftoverKind, text};
use super::unshown::{self, Unshown};
use crate::page::ResolvedPage;
use crate::{ContentReader, PageText};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::document::pages::{Leaf, PageLeaf};
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::{shorten, text_string};
use pdf_syntax::xref::entries::XrefEntry;
use pdf_syntax::xref::headers::Headers;

/// Files up to this size are read for this search; larger ones, up to the second limit, only if already in memory.
const ALWAYS_READ_MAX_BYTES: u64 = 80 << 10;
const CACHED_MAX_BYTES: u64 = 4 << 20;
/// Maximum objects searched, and maximum streams decoded.
const MAX_OBJECTS: usize = 20_000;
const MAX_STREAMS: usize = 64;
/// Bytes of an object that show its type, and bytes of a stream decoded to find text.
const HEAD_BYTES: usize = 256;
const MAX_DECODED_BYTES: usize = 256 << 10;
/// Keys of streams that are not page content.
const NON_CONTENT_KEYS: [&[u8]; 10] = [
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
/// Minimum letters of a word.
const MIN_LETTERS: usize = 2;
/// Maximum findings.
const MAX_REPORTED: usize = 10;
/// Minimum width and height of a page, in points, as of old viewers (annex C).
const MIN_PAGE_SIDE_PT: f64 = 3.0;
/// Budget of comparisons for all pages.
const MAX_CHECKS: usize = 1 << 20;

/// Finds unreferenced text in a file with these pages; `needed` are the objects that its pages use.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut ContentReader,
    needed: &Lookups,
    pages: &[PageLeaf],
) -> Result<Unshown, Fault> {
    let length = document.reader.file_size();
    let is_at_hand = |document: &Document| document.reader.at_hand(0, length as usize) as u64 >= length;
    if length > CACHED_MAX_BYTES || length > ALWAYS_READ_MAX_BYTES && !is_at_hand(document) {
        return Ok(Unshown::default());
    }
    let found = tried(search(document, contents, needed, pages))?;
    Ok(found.unwrap_or_default())
}

fn search(
    document: &mut Document,
    contents: &mut ContentReader,
    needed: &Lookups,
    pages: &[PageLeaf],
) -> Result<Unshown, Fault> {
    let numbers: BTreeSet<u32> = document
        .xref
        .sections
        .iter()
        .flat_map(|section| section.numbers().take(MAX_OBJECTS))
        .take(MAX_OBJECTS + 1)
        .collect();
    if numbers.len() > MAX_OBJECTS {
        return Ok(Unshown::default());
    }
    let streams = streams(document, &numbers, needed)?;
    let Some(reached) = reached(document, numbers.len())? else { return Ok(Unshown::default()) };
    let streams: BTreeSet<u32> = streams.into_iter().filter(|number| !reached.contains(number)).collect();
    let copies = copies(document, &reached)?;
    let values = values(document, &numbers, &reached)?;
    let annotations = unshown::candidates(document, numbers.intersection(&reached).copied())?;
    let tiny = tiny_pages(document, pages)?;
    let others = other_pages(document, &numbers, pages)?;
    let is_used = streams.is_empty() && copies.is_empty() && values.is_empty();
    if is_used && annotations.is_empty() && others.is_empty() && tiny.is_empty() {
        return Ok(Unshown::default());
    }
    // all text of the pages, visible or not
    let mut all = Vec::new();
    for page in pages {
        let page = contents.page(document, State(0), page)?;
        if page.is_part {
            return Ok(Unshown::default());
        }
        all.push(page);
    }
    let is_tiny = |leaf: &PageLeaf| leaf.object().is_some_and(|number| tiny.contains(&number));
    let shown: String =
        pages.iter().zip(&all).filter(|(leaf, _)| !is_tiny(leaf)).map(|(_, page)| letters(page)).collect();
    let mut checks = MAX_CHECKS;
    let unshown = unshown::find(document, &annotations, (pages, &all), &mut checks)?.unwrap_or_default();
    let Unshown { findings, leftovers: mut found } = unshown;
    let mut drawn = BTreeSet::new();
    for number in others.into_iter().chain(tiny.iter().copied()) {
        let Some(body) = document.newest().object(number)? else { continue };
        let Some(page) = body.dictionary() else { continue };
        let parts = page.get(b"Contents");
        let own = parts.elements().iter().chain([parts]).filter_map(|part| Some(part.as_reference()?.number));
        drawn.extend(own);
        let leaf = PageLeaf {
            leaf: Leaf::Object(number),
            inherited: pages.first().map(|page| page.inherited.clone()).unwrap_or_default(),
        };
        let mut page = contents.page(document, State(0), &leaf)?;
        // its annotations are not copied where its content is drawn on another page
        page.runs.retain(|run| run.annotation.is_none());
        let kind = if tiny.contains(&number) { LeftoverKind::TinyPage } else { LeftoverKind::Page };
        found.extend(missing(&page, &shown).map(|text| Leftover { object: number, kind, text }));
    }
    for number in streams.difference(&drawn) {
        let stream = Object::Reference(Id { number: *number, generation: 0 });
        let body = document.newest().object(*number)?;
        let is_form = body.is_some_and(|body| body.dictionary().is_some_and(|stream| stream.has(b"Subtype")));
        // uses the resources of the page with which most of it can be decoded
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
        // a form may be the appearance of a field of a removed page
        let best = best.filter(|(_, page)| !is_form || is_known(page, &shown));
        let text = best.and_then(|(_, page)| missing(&page, &shown));
        found.extend(text.map(|text| Leftover { object: *number, kind: LeftoverKind::Content, text }));
    }
    for (number, content) in copies {
        for page in pages {
            let page = contents.page_of(document, page, &content)?;
            let is_read = page.runs.iter().all(|run| run.undecoded == 0);
            if let Some(text) = missing(&page, &shown).filter(|_| is_read && is_known(&page, &shown)) {
                found.push(Leftover { object: number, kind: LeftoverKind::Content, text });
                break;
            }
        }
    }
    found.extend(values.into_iter().map(|(object, mut text)| {
        shorten(&mut text);
        Leftover { object, kind: LeftoverKind::Annotation, text }
    }));
    found.truncate(MAX_REPORTED);
    Ok(Unshown { findings, leftovers: found })
}

/// Returns the pages that are too small to be seen.
fn tiny_pages(document: &mut Document, pages: &[PageLeaf]) -> Result<BTreeSet<u32>, Fault> {
    let mut found = BTreeSet::new();
    for leaf in pages {
        let page = ResolvedPage::read(&mut document.newest(), leaf)?;
        let is_tiny = page.is_some_and(|page| page.shown.width().max(page.shown.height()) < MIN_PAGE_SIDE_PT);
        found.extend(leaf.object().filter(|_| is_tiny));
    }
    Ok(found)
}

/// Returns the pages outside of the page tree, which is all that viewers show (7.7.3): nothing leads to them, or only
/// outlines, names, threads or templates (12.7.6).
fn other_pages(document: &mut Document, numbers: &BTreeSet<u32>, pages: &[PageLeaf]) -> Result<Vec<u32>, Fault> {
    let tree: BTreeSet<u32> = pages.iter().filter_map(PageLeaf::object).collect();
    let mut found = Vec::new();
    for number in numbers.difference(&tree) {
        let Some(body) = document.newest().object(*number)? else { continue };
        let is_page = |page: &Dictionary| page.is_type(b"Page") || page.is_type(b"Template");
        found.extend(body.dictionary().is_some_and(is_page).then_some(*number));
    }
    Ok(found)
}

/// Returns earlier copies of content streams in use that no cross-reference lists and that are in no other stream.
fn copies(document: &mut Document, reached: &BTreeSet<u32>) -> Result<Vec<(u32, Vec<u8>)>, Fault> {
    let length = document.reader.file_size() as usize;
    let mut headers = Headers::default();
    headers.feed(document.reader.view(0, length)?);
    let mut found = Vec::new();
    // the end of the last listed object's data
    let mut end = 0;
    for (number, offset) in headers.all() {
        document.budget.work(1)?;
        if offset < end {
            continue;
        }
        let entry = XrefEntry::At(offset);
        let Document { xref, reader, budget, .. } = &mut *document;
        let mut listings = xref.listings(0..xref.parts.len(), number, reader, budget)?.into_iter();
        let is_listed =
            listings.any(|(listed, _)| listed == entry) || xref.parts.iter().any(|part| part.offset == offset);
        if !is_listed && (!reached.contains(&number) || found.len() == MAX_REPORTED) {
            continue;
        }
        let Stored::Object(body) = document.stored(State(0), number, entry)? else { continue };
        if is_listed {
            end = document.stream_place(State(0), &body)?.map_or(end, |place| place.end);
            continue;
        }
        let is_content = |dictionary: &Dictionary| !dictionary.has(b"Type") && !dictionary.has(b"Subtype");
        if body.stream.is_none() || !body.dictionary().is_some_and(is_content) {
            continue;
        }
        let Some(content) = document.newest().content(body, MAX_DECODED_BYTES)? else { continue };
        if !content.is_part && shows_text(&content.content) {
            found.push((number, content.content));
        }
    }
    Ok(found)
}

/// Returns the texts of fields and notes that nothing references, where another one in use has their kind, name and
/// place, and another text.
fn values(
    document: &mut Document,
    numbers: &BTreeSet<u32>,
    reached: &BTreeSet<u32>,
) -> Result<Vec<(u32, String)>, Fault> {
    let (mut used, mut unused) = (Vec::new(), Vec::new());
    for &number in numbers {
        document.budget.work(1)?;
        let Some(body) = document.newest().object(number)? else { continue };
        let Some(annotation) = body.dictionary().filter(|annotation| annotation.has(b"Rect")) else { continue };
        let text = |key: &[u8]| annotation.get(key).as_string().and_then(text_string::decode);
        let kind = annotation.get(b"Subtype").as_name().map(<[u8]>::to_vec);
        let said = text(if kind.as_deref() == Some(b"Widget") { b"V" } else { b"Contents" }).unwrap_or_default();
        let place = (kind, text(b"T"), annotation.get(b"Rect").clone());
        if reached.contains(&number) { used.push((place, said)) } else { unused.push((number, place, said)) }
    }
    let is_replaced = |(_, place, said): &(u32, _, String)| {
        let mut others = used.iter().filter(|(other, _)| other == place);
        others.next().is_some_and(|(_, now)| letters_of(said).chars().count() >= MIN_LETTERS && now != said)
            && others.next().is_none()
    };
    Ok(unused.into_iter().filter(is_replaced).map(|(number, _, said)| (number, said)).collect())
}

/// Returns streams that may be page content, show text, and are not used by any page.
fn streams(document: &mut Document, numbers: &BTreeSet<u32>, needed: &Lookups) -> Result<Vec<u32>, Fault> {
    let mut streams = Vec::new();
    for number in numbers.iter().filter(|number| !needed.has(**number)) {
        let XrefEntry::At(at) = document.entry(State(0), *number)? else { continue };
        document.budget.work(1)?;
        let head = document.reader.view(at, HEAD_BYTES)?;
        if may_be_content(head) {
            streams.push(*number);
        }
        if streams.len() > MAX_STREAMS {
            return Ok(Vec::new());
        }
    }
    let mut shown = Vec::new();
    for number in streams {
        let stream = Object::Reference(Id { number, generation: 0 });
        let Some(stream) = document.newest().stream(&stream, MAX_DECODED_BYTES)? else { continue };
        if shows_text(&stream.content) {
            shown.push(number);
        }
    }
    Ok(shown)
}

/// Whether an object may be page content or a form XObject, by its first bytes.
fn may_be_content(head: &[u8]) -> bool {
    let Some(stream) = memchr::memmem::find(head, b"stream") else { return false };
    let dictionary = head.get(..stream).unwrap_or_default();
    let has = |word: &[u8]| memchr::memmem::find(dictionary, word).is_some();
    // the keyword, not the end of another object
    if has(b"endobj") || !has(b"/Length") {
        return false;
    }
    has(b"/Form") || !NON_CONTENT_KEYS.iter().any(|other| has(other))
}

/// Whether content shows text: an operator after a string, an array or white space.
fn shows_text(content: &[u8]) -> bool {
    let shows = |operator: &[u8]| {
        memchr::memmem::find_iter(content, operator).any(|at| {
            let before = at.checked_sub(1).and_then(|before| content.get(before));
            before.is_some_and(|byte| matches!(byte, b')' | b'>' | b']' | b' ' | b'\n' | b'\r'))
        })
    };
    memchr::memmem::find(content, b"BT").is_some() && (shows(b"Tj") || shows(b"TJ") || shows(b"'"))
}

/// Returns all objects reachable from the trailer; none if there are too many references.
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

/// Adds an object's references.
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

/// Returns letters and digits of a page in reading order.
fn letters(page: &PageText) -> String {
    page.lines().iter().map(|line| letters_of(&line.text())).collect()
}

/// Whether most words of a drawing are visible on pages, so that it is another version of these.
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

/// Returns the lines of a drawing with words that no page has; none if there are none.
fn missing(page: &PageText, shown: &str) -> Option<String> {
    let is_missing = |word: &str| {
        let letters = letters_of(word);
        letters.chars().count() >= MIN_LETTERS
            && !word.contains(char::REPLACEMENT_CHARACTER)
            && !shown.contains(&letters)
    };
    let lines = page.lines();
    let missing: Vec<_> =
        lines.into_iter().filter(|line| line.words.iter().any(|word| is_missing(&word.text))).collect();
    let mut text = text(&missing);
    shorten(&mut text);
    (!missing.is_empty()).then_some(text)
}
