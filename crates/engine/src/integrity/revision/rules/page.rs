//! Changes of a page (ISO 32000-1, 7.7.3.3) or of inheritable entries in a page tree node (7.7.3.2).

use super::{annotation, resource_names, tagging};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::equal::{exact_data, is_strict_body};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::schema::{EntryRelevance, row};
use crate::integrity::revision::vocabulary::{is_among, is_private};
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::INHERITED;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum ancestors of a page.
const MAX_NODES: usize = 64;
/// Maximum difference of a rewritten page box coordinate, in points: MuPDF keeps seven digits of 595.275591.
const BOX_TOLERANCE_PT: f64 = 0.001;

/// Reports a page that was changed, or deleted while the tree still references it.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    match change.dictionaries() {
        [Some(before), Some(after)] => entries(examiner, step, change.number, before, after),
        _ if step.has_page(change.number) || change.old.body().is_none() => {
            let event = step.event_of(change, EventKind::Pages, Subject::Kids);
            examiner.report(Event { page: step.page_number(change.number), is_hidden: true, ..event });
            Ok(())
        }
        // a removed page is reported by the page tree
        _ => Ok(()),
    }
}

/// Compares the entries of two states of a page, with the newer one's object number.
pub(crate) fn entries(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<(), Fault> {
    let page = step.page_number(number);
    for name in differing(examiner, step, Role::Page, old, new)? {
        let key = name.as_bytes();
        let (before, after) = (old.get(key), new.get(key));
        let (kind, subject) = match key {
            b"Annots" => continue,
            b"AA" => (EventKind::Document, Subject::Catalog("AA")),
            b"StructParents" => (tagging(step), Subject::Tags),
            _ if is_private(key) || is_same(examiner, step, (number, key), old, new)? => continue,
            _ if !is_seen(key) => (EventKind::View, Subject::PageEntry(String::from_utf8_lossy(key).into_owned())),
            _ => (EventKind::Content, Subject::PageEntry(String::from_utf8_lossy(key).into_owned())),
        };
        examiner.report(Event { object: Some(number), page, ..step.event_between((before, after), kind, subject) });
    }
    annotation::lists(examiner, step, number, old.get(b"Annots"), new.get(b"Annots"))
}

/// Compares a changed page tree node.
pub(crate) fn node(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    // its kids are reported by the page tree
    let [Some(old), Some(new)] = change.dictionaries() else { return Ok(()) };
    for name in differing(examiner, step, Role::Node, old, new)? {
        let key = name.as_bytes();
        let (before, after) = (old.get(key), new.get(key));
        let kind = match key {
            b"Kids" => continue,
            b"Parent" if is_same(examiner, step, (change.number, key), old, new)? => continue,
            // depends on the kids and is reported with them
            b"Count" if old.get(b"Kids") != new.get(b"Kids") => continue,
            b"Count" => EventKind::Pages,
            _ if is_private(key) || reaches_pages_alike(examiner, step, key)? => continue,
            _ if !is_seen(key) => EventKind::View,
            _ => EventKind::Content,
        };
        let subject = Subject::PageEntry(String::from_utf8_lossy(key).into_owned());
        let event = step.event_between((before, after), kind, subject);
        examiner.report(Event { object: Some(change.number), is_hidden: kind != EventKind::View, ..event });
    }
    Ok(())
}

/// Whether all pages have the same value of an entry that pages inherit (7.7.3.4), as their own or from their nodes.
pub(crate) fn reaches_pages_alike(examiner: &mut Examiner, step: &Step, key: &[u8]) -> Result<bool, Fault> {
    if !INHERITED.contains(&key) {
        return Ok(false);
    }
    let [_, pages] = step.pages.clone();
    for leaf in &pages.leaves {
        let Some(page) = leaf.object() else { return Ok(false) };
        let Some([old, new]) = step.both_states(examiner.document, page)? else { return Ok(false) };
        if !is_same(examiner, step, (page, key), &old, &new)? {
            return Ok(false);
        }
    }
    Ok(pages.flaws.is_empty())
}

/// Whether this entry of a page or an ancestor affects how pages are drawn (7.7.3.3).
fn is_seen(key: &[u8]) -> bool {
    // the other boxes are for production (14.11.2)
    is_among("Type Kids Parent Contents Resources MediaBox CropBox Rotate UserUnit Group", key)
}

fn differing(
    examiner: &mut Examiner,
    step: &Step,
    role: Role,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<Vec<Name>, Fault> {
    let mut differing = step.pair.differing(examiner.document, old, new)?;
    differing.retain(|name| row(role, name.as_bytes(), false) != EntryRelevance::Housekeeping);
    Ok(differing)
}

/// Whether a page is drawn in the same way although an entry of it changed.
pub(crate) fn is_same(
    examiner: &mut Examiner,
    step: &Step,
    (number, key): (u32, &[u8]),
    old: &Dictionary,
    new: &Dictionary,
) -> Result<bool, Fault> {
    match key {
        b"Contents" => same_contents(examiner, step, old.get(key), new.get(key)),
        // an inherited entry may become the page's own (7.7.3.4)
        b"MediaBox" | b"CropBox" | b"Rotate" => inherits_same(examiner, step, key, old, new),
        b"BleedBox" | b"TrimBox" | b"ArtBox" => Ok(is_same_box(old.get(key), new.get(key))),
        b"Resources" => same_resources(examiner, step, old, new),
        b"Parent" => {
            if !is_kid(examiner, step, number, new.get(key))? {
                return Ok(false);
            }
            for key in INHERITED {
                if !inherits_same(examiner, step, key, old, new)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Whether a node has this object among its kids.
fn is_kid(examiner: &mut Examiner, step: &Step, number: u32, node: &Object) -> Result<bool, Fault> {
    let node = examiner.document.view(step.pair.new).resolve(node)?;
    let kids = node.as_dictionary().map_or(&Object::Null, |node| node.get(b"Kids"));
    let kids = examiner.document.view(step.pair.new).resolve(kids)?;
    Ok(kids.elements().iter().any(|kid| kid.as_reference().is_some_and(|kid| kid.number == number)))
}

/// Whether the content streams are the same, in an array or not.
fn same_contents(examiner: &mut Examiner, step: &Step, before: &Object, after: &Object) -> Result<bool, Fault> {
    let before = streams(examiner, step.pair.old, before)?;
    let after = streams(examiner, step.pair.new, after)?;
    let [before, after] = [before, after].map(Object::Array);
    if step.pair.same(examiner.document, &before, &after)? {
        return Ok(true);
    }
    // divided into streams otherwise, which readers join with white space (7.8.2)
    let Some(before) = data(examiner, step.pair.old, before.elements())? else { return Ok(false) };
    let Some(after) = data(examiner, step.pair.new, after.elements())? else { return Ok(false) };
    Ok(before == after
        || matches!(&after[..], [joined] if is_joined(&before, joined))
        || matches!(&before[..], [joined] if is_joined(&after, joined)))
}

/// Whether content consists of these parts with white space between them.
fn is_joined(parts: &[Vec<u8>], joined: &[u8]) -> bool {
    let mut rest = joined;
    for (place, part) in parts.iter().enumerate() {
        let Some(behind) = rest.strip_prefix(part.as_slice()) else { return false };
        rest = behind.trim_ascii_start();
        let is_apart = rest.len() < behind.len() || place + 1 == parts.len();
        if !is_apart {
            return false;
        }
    }
    rest.is_empty()
}

/// Whether neither a string, a comment nor an inline image goes on behind this content (7.2.3, 7.3.4.2, 8.9.7), where
/// readers add white space.
fn is_complete(content: &[u8]) -> bool {
    let (mut depth, mut is_escaped, mut is_comment) = (0_usize, false, false);
    for byte in content {
        match (byte, depth) {
            _ if is_comment => is_comment = !matches!(byte, b'\n' | b'\r'),
            _ if is_escaped => is_escaped = false,
            (b'%', 0) => is_comment = true,
            (b')', 0) => return false,
            (b'\\', 1..) => is_escaped = true,
            (b'(', _) => depth += 1,
            (b')', _) => depth -= 1,
            _ => {}
        }
    }
    let mut words = content.split(|byte| byte.is_ascii_whitespace() || *byte == 0);
    let is_image_data =
        |word: &[u8]| word.strip_suffix(b"ID").is_some_and(|rest| rest.last().is_none_or(|byte| b")]>".contains(byte)));
    depth == 0 && !is_comment && !words.any(is_image_data)
}

/// The data of content streams without the white space around them; `None` if readers may decode it differently.
fn data(examiner: &mut Examiner, state: State, streams: &[Object]) -> Result<Option<Vec<Vec<u8>>>, Fault> {
    let mut parts = Vec::new();
    for stream in streams {
        let Some(body) = examiner.document.view(state).body(stream)? else { return Ok(None) };
        if !is_strict_body(examiner.document, state, &body)? {
            return Ok(None);
        }
        let Some(data) = exact_data(examiner.document, state, &body)? else { return Ok(None) };
        let data = data.trim_ascii();
        if !is_complete(data) {
            return Ok(None);
        }
        parts.extend((!data.is_empty()).then(|| data.to_vec()));
    }
    Ok(Some(parts))
}

fn streams(examiner: &mut Examiner, state: State, contents: &Object) -> Result<Vec<Object>, Fault> {
    Ok(match contents {
        Object::Null => Vec::new(),
        Object::Array(elements) => elements.clone(),
        reference => match examiner.document.view(state).resolve(reference)?.into_owned() {
            Object::Array(elements) => elements,
            _ => vec![reference.clone()],
        },
    })
}

/// Whether the resources are the same for what the page draws.
fn same_resources(examiner: &mut Examiner, step: &Step, old: &Dictionary, new: &Dictionary) -> Result<bool, Fault> {
    let before = inherited(examiner, step.pair.old, old, b"Resources")?;
    let after = inherited(examiner, step.pair.new, new, b"Resources")?;
    let [before, after] = step.pair.resolve(examiner.document, &before, &after)?;
    match (&*before, &*after) {
        (Object::Dictionary(before), Object::Dictionary(after)) => {
            resource_names::gains_unused(examiner, step, old, [before, after])
        }
        (before, after) => step.pair.same(examiner.document, before, after),
    }
}

/// Whether an entry is the same, direct or inherited.
fn inherits_same(
    examiner: &mut Examiner,
    step: &Step,
    key: &[u8],
    old: &Dictionary,
    new: &Dictionary,
) -> Result<bool, Fault> {
    let before = inherited(examiner, step.pair.old, old, key)?;
    let after = inherited(examiner, step.pair.new, new, key)?;
    let is_unturned = |object: &Object| object.is_null() || object.as_integer() == Some(0);
    Ok((key == b"Rotate" && is_unturned(&before) && is_unturned(&after))
        || key != b"Rotate" && is_same_box(&before, &after)
        || step.pair.same(examiner.document, &before, &after)?)
}

/// Whether both are the same rectangle within rounding.
fn is_same_box(before: &Object, after: &Object) -> bool {
    let corners = |object: &Object| object.elements().iter().filter_map(Object::as_number).collect::<Vec<_>>();
    let is_box = |object: &Object| object.elements().len() == 4 && corners(object).len() == 4;
    let is_near = |(one, other): (f64, f64)| (one - other).abs() <= BOX_TOLERANCE_PT;
    is_box(before) && is_box(after) && corners(before).into_iter().zip(corners(after)).all(is_near)
}

fn inherited(examiner: &mut Examiner, state: State, page: &Dictionary, key: &[u8]) -> Result<Object, Fault> {
    let (mut value, mut parent) = (page.get(key).clone(), page.get(b"Parent").as_reference());
    for _ in 0..MAX_NODES {
        let (true, Some(id)) = (value.is_null(), parent) else { break };
        let Some(node) = examiner.document.view(state).object(id.number)? else { break };
        let Some(node) = node.dictionary() else { break };
        value = node.get(key).clone();
        parent = node.get(b"Parent").as_reference();
    }
    Ok(value)
}
