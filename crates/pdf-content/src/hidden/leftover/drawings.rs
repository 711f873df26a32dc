//! Content streams and forms that no page paints: which objects may be some, what they paint, and whether that is another
//! version of what pages show.

use std::collections::BTreeSet;

use crate::geometry::Matrix;
use crate::hidden::reachable::Reachable;
use crate::hidden::shown_text::{ShownText, letters_of};
use crate::page::ResolvedPage;
use crate::{ContentReader, Line, PageText, Rectangle};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::xref::entries::XrefEntry;

/// Budget of the search, in bytes of streams decoded to find text.
const MAX_SEARCHED_BYTES: usize = 8 << 20;
/// Bytes of an object that show its type, of a token that is too long for content, and of the keyword before that.
const HEAD_BYTES: usize = 256;
const LONG_TOKEN_BYTES: usize = 160;
const STREAM_KEYWORD_BYTES: usize = 8;
/// Bytes of a stream decoded to find text.
pub(super) const MAX_DECODED_BYTES: usize = 1 << 20;
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
/// Minimum letters of a text.
const MIN_LETTERS: usize = 2;
/// Tolerance of the size of a form that is as large as a page, in points.
const FORM_TOLERANCE_PT: f64 = 2.0;

/// Returns those of these objects that are streams, may be page content and show text.
pub(super) fn streams(
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

/// Returns the streams that something leads to, that show text, and that no page paints.
pub(super) fn unpainted(
    document: &mut Document,
    among: (State, &BTreeSet<u64>),
    reachable: &Reachable,
    needed: &Lookups,
) -> Result<Vec<u32>, Fault> {
    // also data of applications (14.5); of glyphs only the places are known, not what they show
    let others = reachable.numbers.difference(&reachable.appearances).copied();
    let is_unpainted = |number: &u32| !needed.has(*number) || reachable.glyphs.contains(number);
    streams(document, among, &others.filter(is_unpainted).collect::<Vec<_>>())
}

/// Whether an object may be page content or a form XObject, by its first bytes.
fn may_be_content(head: &[u8]) -> bool {
    let Some(stream) = memchr::memmem::find(head, b"stream") else { return false };
    let (dictionary, data) = head.split_at(stream);
    let has = |word: &[u8]| memchr::memmem::find(dictionary, word).is_some();
    // the keyword, not the end of another object
    if has(b"endobj") || !has(b"/Length") {
        return false;
    }
    // tokens are short; compressed ones are unknown
    if !has(b"/Filter")
        && data.len() > LONG_TOKEN_BYTES
        && !data.iter().skip(STREAM_KEYWORD_BYTES).any(u8::is_ascii_whitespace)
    {
        return false;
    }
    has(b"/Form") || has(b"/PatternType") || !NON_CONTENT_KEYS.iter().any(|other| has(other))
}

/// Whether content shows text: an operator after a string, an array or white space.
pub(super) fn shows_text(content: &[u8]) -> bool {
    let shows = |operator: &[u8]| {
        memchr::memmem::find_iter(content, operator).any(|at| {
            let before = at.checked_sub(1).and_then(|before| content.get(before));
            before.is_some_and(|byte| matches!(byte, b')' | b'>' | b']' | b' ' | b'\n' | b'\r'))
        })
    };
    memchr::memmem::find(content, b"BT").is_some() && (shows(b"Tj") || shows(b"TJ") || shows(b"'"))
}

/// The lines that a stream paints, and the corner of the page with whose resources it does.
pub(super) struct Drawing {
    pub(super) lines: Vec<Line>,
    pub(super) corner: (f64, f64),
}

impl Drawing {
    /// Returns what a stream paints with the resources of the page with which most of it can be decoded.
    pub(super) fn read(
        document: &mut Document,
        contents: &mut ContentReader,
        (state, number): (State, u32),
        pages: &[PageLeaf],
    ) -> Result<Option<Self>, Fault> {
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
        Ok(Some(Self { lines: page.lines(), corner: (shown.left, shown.bottom) }))
    }
}

/// Whether an unreferenced stream is another version of what pages show. A form may also be an imported page, or the
/// appearance of a field, which programs replace when the form is filled in; it is a version if it is as large as a page,
/// or if most of its words are known and it is no field's variable text (12.7.3.3).
pub(super) fn is_version(
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
    if is_full || !is_smaller || is_mark(lines) || !is_known(lines, shown) {
        return Ok(is_full);
    }
    let stream = Object::Reference(Id { number, generation: 0 });
    let stream = document.view(state).stream(&stream, MAX_DECODED_BYTES)?;
    Ok(stream.is_some_and(|stream| memchr::memmem::find(&stream.content, b"/Tx BMC").is_none()))
}

/// Whether a drawing has a single letter, as the marks of buttons have, whose fonts draw signs for letters.
fn is_mark(lines: &[Line]) -> bool {
    lines.iter().map(|line| letters_of(&line.text()).chars().count()).sum::<usize>() < MIN_LETTERS
}

/// Whether most words of a drawing are on pages, so that it is another version of these.
pub(super) fn is_known(lines: &[Line], shown: &ShownText) -> bool {
    let words = lines.iter().flat_map(|line| &line.words).map(|word| letters_of(&word.text));
    let (known, others): (Vec<_>, Vec<_>) =
        words.filter(|word| !word.is_empty()).partition(|word| shown.has_letters(word));
    known.len() > others.len()
}
