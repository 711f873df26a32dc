//! Words of an earlier state in unreferenced pages and content streams, as left by programs that change a page and
//! write all known objects, in drawings that no page paints, and in earlier copies of content streams that no
//! cross-reference lists, as left by programs that change a file in place. Fields and notes that nothing references count
//! if another one has their name and place. In a file of several revisions the oldest one is searched: later ones are
//! compared with it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::finding::{Leftover, LeftoverKind, text};
use super::reachable::{Reachable, is_page};
use super::shown_text::{ShownText, letters_of};
use super::unshown::{self, Unshown};
use crate::geometry::Matrix;
use crate::page::ResolvedPage;
use crate::{ContentReader, Line, PageText, Rectangle};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::document::pages::{Leaf, PageLeaf};
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::{shorten, text_string};
use pdf_syntax::xref::entries::{LINE, SectionRows, XrefEntry};
use pdf_syntax::xref::headers::Headers;

/// Maximum bytes, and byte ranges, that are read for this search: all objects but those that are too large to be pages
/// or text.
const MAX_READ_BYTES: u64 = 4 << 20;
/// The same if not all pages were inspected, whose objects are not read otherwise.
const MAX_FURTHER_READ_BYTES: u64 = 1 << 20;
const MAX_RANGES: usize = 8;
const LARGE_OBJECT_BYTES: u64 = 128 << 10;
const LARGE_OBJECT_HEAD_BYTES: u64 = 1 << 10;
/// Maximum objects searched, and those of a file that is not in memory.
const MAX_OBJECTS: usize = 100_000;
const MAX_LOCATED_OBJECTS: usize = 32_768;
/// Maximum pages whose text is compared.
const MAX_PAGES: usize = 2_000;
/// Budgets of the search, in bytes of streams decoded to find text, and in steps of reading pages.
const MAX_SEARCHED_BYTES: usize = 8 << 20;
const MAX_STEPS: u64 = 1 << 24;
/// Bytes of an object that show its type, and bytes of a stream decoded to find text.
const HEAD_BYTES: usize = 256;
const MAX_DECODED_BYTES: usize = 1 << 20;
/// Keys of streams that are not page content.
const NON_CONTENT_KEYS: [&[u8]; 9] = [
    b"/Type",
    b"/Subtype",
    b"/Length1",
    b"/FunctionType",
    b"/N ",
    b"/ShadingType",
    b"/Width",
    b"/First",
    b"/Alternate",
];
/// Minimum letters of a field's or note's text.
const MIN_LETTERS: usize = 2;
/// Maximum findings.
const MAX_REPORTED: usize = 10;
/// Minimum width and height of a page, in points, as of old viewers (annex C).
const MIN_PAGE_SIDE_PT: f64 = 3.0;
/// Tolerance of the size of a form that is as large as a page, in points.
const FORM_TOLERANCE_PT: f64 = 2.0;
/// Budget of comparisons for all pages.
const MAX_CHECKS: usize = 1 << 20;

/// What is searched.
pub(super) struct Scope<'s> {
    /// The revision.
    pub(super) state: State,
    /// The objects that its pages use, and the pages; none if not all of its pages were inspected.
    pub(super) inspected: Option<(&'s Lookups, &'s [PageLeaf])>,
}

/// Finds unreferenced text.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(document: &mut Document, scope: &Scope) -> Result<Unshown, Fault> {
    Ok(tried(search(document, scope))?.unwrap_or_default())
}

/// Whether all of the file is in memory.
fn is_at_hand(document: &Document) -> bool {
    let length = document.reader.file_size();
    document.reader.at_hand(0, length as usize) as u64 >= length
}

/// Reads the objects, of large ones the start. Returns the offsets of those of which the rest is not in memory; none if
/// they are too many.
fn read_objects(
    document: &mut Document,
    scope: &Scope,
    numbers: &BTreeSet<u32>,
) -> Result<Option<BTreeSet<u64>>, Fault> {
    if is_at_hand(document) {
        return Ok(Some(BTreeSet::new()));
    }
    if numbers.len() > MAX_LOCATED_OBJECTS {
        return Ok(None);
    }
    // without what was expected to be read with the pages
    document.reader.expect(&[]);
    let lines = document.xref.sections.iter().filter_map(|section| match section.rows {
        SectionRows::Lines(start) => Some(start..start.saturating_add(u64::from(section.count) * LINE as u64)),
        _ => None,
    });
    document.reader.prefetch(&lines.collect::<Vec<_>>())?;
    let mut places = Vec::new();
    for number in numbers {
        document.budget.work(1)?;
        if let XrefEntry::At(place) = document.entry(scope.state, *number)? {
            places.push(place);
        }
    }
    places.sort_unstable();
    let ends = places.iter().skip(1).copied().chain([document.reader.file_size()]);
    let (mut ranges, mut large): (Vec<Range<u64>>, _) = (Vec::new(), BTreeSet::new());
    for (start, end) in places.iter().copied().zip(ends) {
        let is_large = end.saturating_sub(start) > LARGE_OBJECT_BYTES;
        let end = if is_large { start + LARGE_OBJECT_HEAD_BYTES } else { end };
        large.extend(is_large.then_some(start));
        match ranges.last_mut().filter(|last| last.end >= start) {
            Some(last) => last.end = end,
            None => ranges.push(start..end),
        }
    }
    let total: u64 = ranges.iter().map(|range| range.end.saturating_sub(range.start)).sum();
    let most = if scope.inspected.is_some() { MAX_READ_BYTES } else { MAX_FURTHER_READ_BYTES };
    if total > most || ranges.len() > MAX_RANGES {
        return Ok(None);
    }
    document.reader.prefetch(&ranges)?;
    Ok(Some(large))
}

fn search(document: &mut Document, scope: &Scope) -> Result<Unshown, Fault> {
    let state = scope.state;
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
    let Some(large) = read_objects(document, scope, &numbers)? else { return Ok(Unshown::default()) };
    let Some(reachable) = Reachable::read(document, state, numbers.len())? else { return Ok(Unshown::default()) };
    let unused: Vec<u32> = numbers.difference(&reachable.numbers).copied().collect();
    let streams = streams(document, (state, &large), &unused)?;
    let unpainted = match scope.inspected {
        Some((needed, _)) => unpainted(document, (state, &large), &reachable, needed)?,
        None => Vec::new(),
    };
    let is_single = state == State(0);
    let copies = if is_single && is_at_hand(document) { copies(document, &reachable.numbers)? } else { Vec::new() };
    let values = values(document, state, &unused, &reachable)?;
    let mut contents = ContentReader::with_steps(document, MAX_STEPS);
    let (annotations, tiny, pages) = match scope.inspected {
        Some((_, pages)) => {
            let annotations = unshown::candidates(document, reachable.annotations.iter().copied())?;
            (annotations, tiny_pages(document, pages)?, pages.to_vec())
        }
        None => (Vec::new(), BTreeSet::new(), contents.pages(document, state, MAX_PAGES)?.leaves),
    };
    let others = other_pages(document, state, (&unused, &reachable), &pages)?;
    let is_all_used = streams.is_empty() && unpainted.is_empty() && copies.is_empty() && values.is_empty();
    if is_all_used && annotations.is_empty() && others.is_empty() && tiny.is_empty() {
        return Ok(Unshown::default());
    }
    // all text of the pages, visible or not
    let mut shown = ShownText::default();
    let mut all = Vec::new();
    for leaf in &pages {
        let page = contents.with_room().page(document, state, leaf)?;
        if !leaf.object().is_some_and(|number| tiny.contains(&number)) {
            shown.add(&page);
        }
        if scope.inspected.is_some() {
            all.push(page);
        } else {
            contents.take_back(page);
        }
    }
    shown.is_part |= pages.len() == MAX_PAGES;
    let mut unshown = Unshown::default();
    if !annotations.is_empty() && !shown.is_part {
        let mut checks = MAX_CHECKS;
        unshown = unshown::find(document, &annotations, (&pages, &all), &mut checks)?.unwrap_or_default();
    }
    let Unshown { findings, leftovers: mut found } = unshown;
    let mut drawn = BTreeSet::new();
    for number in others.into_iter().chain(tiny.iter().copied()) {
        let Some(body) = document.view(state).object(number)? else { continue };
        let Some(page) = body.dictionary() else { continue };
        let parts = page.get(b"Contents");
        let own = parts.elements().iter().chain([parts]).filter_map(|part| Some(part.as_reference()?.number));
        drawn.extend(own);
        let leaf = PageLeaf {
            leaf: Leaf::Object(number),
            inherited: pages.first().map(|page| page.inherited.clone()).unwrap_or_default(),
        };
        let mut page = contents.with_room().page(document, state, &leaf)?;
        // its annotations are not copied where its content is drawn on another page
        page.runs.retain(|run| run.annotation.is_none());
        let kind = if tiny.contains(&number) { LeftoverKind::TinyPage } else { LeftoverKind::Page };
        let text = text_of(&shown.missing(&page.lines(), (0.0, 0.0)));
        found.extend(text.map(|text| Leftover { object: number, kind, text }));
    }
    let unused = streams.into_iter().map(|number| (number, LeftoverKind::Content));
    let drawings = unused.chain(unpainted.into_iter().map(|number| (number, LeftoverKind::Unpainted)));
    let sizes = sizes(document, state, &pages)?;
    // the content of a page may be in several streams
    let (mut pieces, mut place) = (Vec::new(), None);
    for (number, kind) in drawings.filter(|(number, _)| !drawn.contains(number)) {
        let Some(Drawing { lines, corner }) = drawing(document, &mut contents, (state, number), &pages)? else {
            continue;
        };
        let text = if kind == LeftoverKind::Unpainted {
            text_of(&shown.replaced(&lines, corner))
        } else if is_version(document, (state, number), &sizes, &lines, &shown)? {
            place = place.or(Some((number, corner)));
            let text = text_of(&shown.missing(&lines, corner));
            pieces.push(lines);
            text
        } else {
            continue;
        };
        found.extend(text.map(|text| Leftover { object: number, kind, text }));
    }
    if let Some((object, corner)) = place.filter(|_| pieces.len() > 1 && found.is_empty()) {
        let text = text_of(&shown.displaced(&pieces.concat(), corner));
        found.extend(text.map(|text| Leftover { object, kind: LeftoverKind::Content, text }));
    }
    for (number, content) in copies {
        for page in &pages {
            let page = contents.with_room().page_of(document, page, &content)?;
            let is_read = page.runs.iter().all(|run| run.undecoded == 0);
            let lines = page.lines();
            let text = text_of(&shown.missing(&lines, (0.0, 0.0)));
            if let Some(text) = text.filter(|_| is_read && is_known(&lines, &shown)) {
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

/// The lines that a stream paints, and the corner of the page with whose resources it does.
struct Drawing {
    lines: Vec<Line>,
    corner: (f64, f64),
}

/// Returns what a stream paints with the resources of the page with which most of it can be decoded.
fn drawing(
    document: &mut Document,
    contents: &mut ContentReader,
    (state, number): (State, u32),
    pages: &[PageLeaf],
) -> Result<Option<Drawing>, Fault> {
    let stream = Object::Reference(Id { number, generation: 0 });
    let mut best: Option<(usize, PageText, &PageLeaf)> = None;
    for leaf in pages {
        let page = contents.with_room().page_with(document, (state, leaf), &stream)?;
        let unread = page.runs.iter().map(|run| run.undecoded as usize).sum::<usize>();
        if best.as_ref().is_none_or(|(least, ..)| unread < *least) {
            best = Some((unread, page, leaf));
        }
        if unread == 0 {
            break;
        }
    }
    let Some((_, page, leaf)) = best else { return Ok(None) };
    let shown = ResolvedPage::read(&mut document.view(state), leaf)?.map(|page| page.shown).unwrap_or_default();
    Ok(Some(Drawing { lines: page.lines(), corner: (shown.left, shown.bottom) }))
}

/// Whether an unreferenced stream is another version of what pages show. A form may also be an imported page, or the
/// appearance of a field, which programs replace when the form is filled in; it is a version if it is as large as a page,
/// or if most of its words are known and it is no field's variable text (12.7.3.3).
fn is_version(
    document: &mut Document,
    (state, number): (State, u32),
    sizes: &[Rectangle],
    lines: &[Line],
    shown: &ShownText,
) -> Result<bool, Fault> {
    let Some(body) = document.view(state).object(number)? else { return Ok(false) };
    let Some(form) = body.dictionary().filter(|stream| stream.has(b"Subtype")) else { return Ok(true) };
    let mut view = document.view(state);
    let bounds = Rectangle::read(&view.array(form.get(b"BBox"), 4)?).unwrap_or_default();
    let bounds = Matrix::read(&view.array(form.get(b"Matrix"), 6)?).rectangle(bounds);
    let is_near = |one: f64, other: f64| (one - other).abs() <= FORM_TOLERANCE_PT;
    let is_full =
        sizes.iter().any(|page| is_near(page.width(), bounds.width()) && is_near(page.height(), bounds.height()));
    let is_smaller = sizes.iter().any(|page| bounds.area() * 2.0 < page.area());
    if is_full || !is_smaller || !is_known(lines, shown) {
        return Ok(is_full);
    }
    let stream = Object::Reference(Id { number, generation: 0 });
    let stream = document.view(state).stream(&stream, MAX_DECODED_BYTES)?;
    Ok(stream.is_some_and(|stream| memchr::memmem::find(&stream.content, b"/Tx BMC").is_none()))
}

/// Returns the boxes of these pages that are shown.
fn sizes(document: &mut Document, state: State, pages: &[PageLeaf]) -> Result<Vec<Rectangle>, Fault> {
    let mut sizes = Vec::new();
    for leaf in pages {
        sizes.extend(ResolvedPage::read(&mut document.view(state), leaf)?.map(|page| page.shown));
    }
    Ok(sizes)
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
fn other_pages(
    document: &mut Document,
    state: State,
    (unused, reachable): (&[u32], &Reachable),
    pages: &[PageLeaf],
) -> Result<Vec<u32>, Fault> {
    let tree: BTreeSet<u32> = pages.iter().filter_map(PageLeaf::object).collect();
    let mut found: Vec<u32> = reachable.pages.iter().copied().filter(|number| !tree.contains(number)).collect();
    if pages.len() == MAX_PAGES {
        found.clear();
    }
    for number in unused {
        let Some(body) = document.view(state).object(*number)? else { continue };
        found.extend(body.dictionary().is_some_and(is_page).then_some(*number));
    }
    found.sort_unstable();
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
    state: State,
    unused: &[u32],
    reachable: &Reachable,
) -> Result<Vec<(u32, String)>, Fault> {
    let unused = annotations(document, state, unused.iter().copied())?;
    if unused.is_empty() {
        return Ok(Vec::new());
    }
    let used = annotations(document, state, reachable.annotations.iter().copied())?;
    let is_replaced = |annotation: &AnnotationText| {
        let mut others = used.iter().filter(|other| other.place == annotation.place);
        others.next().is_some_and(|now| {
            letters_of(&annotation.text).chars().count() >= MIN_LETTERS && now.text != annotation.text
        }) && others.next().is_none()
    };
    Ok(unused.into_iter().filter(is_replaced).map(|it| (it.number, it.text)).collect())
}

/// The text of a field or a note.
struct AnnotationText {
    number: u32,
    /// Its kind, name and rectangle.
    place: (Option<Vec<u8>>, Option<String>, Object),
    text: String,
}

fn annotations(
    document: &mut Document,
    state: State,
    numbers: impl Iterator<Item = u32>,
) -> Result<Vec<AnnotationText>, Fault> {
    let mut found = Vec::new();
    for number in numbers {
        document.budget.work(1)?;
        let Some(body) = document.view(state).object(number)? else { continue };
        let Some(annotation) = body.dictionary().filter(|annotation| annotation.has(b"Rect")) else { continue };
        let text = |key: &[u8]| annotation.get(key).as_string().and_then(text_string::decode);
        let kind = annotation.get(b"Subtype").as_name().map(<[u8]>::to_vec);
        let said = text(if kind.as_deref() == Some(b"Widget") { b"V" } else { b"Contents" }).unwrap_or_default();
        found.push(AnnotationText { number, place: (kind, text(b"T"), annotation.get(b"Rect").clone()), text: said });
    }
    Ok(found)
}

/// Returns those of these objects that are streams, may be page content and show text.
fn streams(
    document: &mut Document,
    (state, large): (State, &BTreeSet<u64>),
    numbers: &[u32],
) -> Result<Vec<u32>, Fault> {
    let (mut shown, mut left) = (Vec::new(), MAX_SEARCHED_BYTES);
    for &number in numbers {
        let XrefEntry::At(at) = document.entry(state, number)? else { continue };
        document.budget.work(1)?;
        if large.contains(&at) || !may_be_content(document.reader.view(at, HEAD_BYTES)?) {
            continue;
        }
        let stream = Object::Reference(Id { number, generation: 0 });
        let Some(stream) = document.view(state).stream(&stream, MAX_DECODED_BYTES.min(left))? else { continue };
        left = left.saturating_sub(stream.content.len());
        if shows_text(&stream.content) {
            shown.push(number);
        }
        if left == 0 {
            break;
        }
    }
    Ok(shown)
}

/// Returns the drawings that resources lead to, that show text, and that no page paints.
fn unpainted(
    document: &mut Document,
    among: (State, &BTreeSet<u64>),
    reachable: &Reachable,
    needed: &Lookups,
) -> Result<Vec<u32>, Fault> {
    let drawings = reachable.drawings.difference(&reachable.appearances).copied();
    streams(document, among, &drawings.filter(|number| !needed.has(*number)).collect::<Vec<_>>())
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
    has(b"/Form") || has(b"/PatternType") || !NON_CONTENT_KEYS.iter().any(|other| has(other))
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

/// Whether most words of a drawing are on pages, so that it is another version of these.
fn is_known(lines: &[Line], shown: &ShownText) -> bool {
    let words = lines.iter().flat_map(|line| &line.words).map(|word| letters_of(&word.text));
    let (known, others): (Vec<_>, Vec<_>) =
        words.filter(|word| !word.is_empty()).partition(|word| shown.has_letters(word));
    known.len() > others.len()
}

/// Joins lines, shortened; none if there are none.
fn text_of(lines: &[Line]) -> Option<String> {
    let mut text = text(lines);
    shorten(&mut text);
    (!lines.is_empty()).then_some(text)
}
