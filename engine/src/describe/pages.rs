//! Counts the pages and finds the first one (ISO 32000-1, 7.7.3).

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::structure;
use crate::document::{Document, Kids, Node};
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::{Id, Object};

/// Nodes of a page tree that are visited if its counts cannot be trusted; 50,000 pages take some 20 ms.
const NODES: usize = 50_000;

/// The least that a page takes in a file, in bytes: `1 0 obj<</Type/Page>>endobj`, and a reference to it.
const LEAST_PAGE: u64 = 32;

/// Number of pages in the tree below `root`, which `reference` refers to. Its `/Count` is believed if it fits its
/// children, else the leaves are counted.
///
/// `first_depth` says how far below the root the first page was found, if it was.
pub(crate) fn count(
    document: &mut Document,
    reference: &Object,
    node: &Node,
    first_depth: Option<usize>,
) -> Result<u64, Fault> {
    let root = &node.dictionary;
    let mut kids = document.kids(root)?;
    kids.left_out += node.left_out;
    if kids.known.elements().is_empty() && root.is_type(b"Page") {
        return Ok(1);
    }
    let claimed = document.resolve(root.get(Key::Count))?.as_integer().and_then(|count| u64::try_from(count).ok());
    let claimed = claimed.filter(|&claimed| claimed > 0 && claimed <= possible(document));
    // a damaged file may have lost what is below, but hardly ever the count
    if let Some(claimed) = claimed
        && (document.xref.is_repaired() || fits(document, reference, claimed, &kids, first_depth)?)
    {
        return Ok(claimed);
    }
    match walk(document, reference, &kids)? {
        // the tree may be locked in an object stream that cannot be decrypted
        0 if document.xref.is_repaired() => Ok(structure::linearized_pages(document)?.min(possible(document))),
        leaves => Ok(leaves),
    }
}

/// How many pages the file can have: as many as objects, or as it has room for where it has lost objects.
fn possible(document: &Document) -> u64 {
    if document.xref.is_repaired() { document.reader.len() / LEAST_PAGE } else { document.xref.objects() }
}

/// Whether `claimed` pages can be below these children: as many as there are, of which neither the first nor the last
/// has children, or as many as they claim in their turn. (A page that the file has lost,
/// or whose place the tree itself has taken, was one all the same.)
fn fits(
    document: &mut Document,
    root: &Object,
    claimed: u64,
    kids: &Kids,
    first_depth: Option<usize>,
) -> Result<bool, Fault> {
    let known = kids.known.elements();
    if let [first, rest @ ..] = known
        && claimed == known.len() as u64 + kids.left_out
        // the first one was looked at already, on the way to the first page
        && (first_depth == Some(1) || !is_other_node(document, root, first)?)
        && rest.last().map_or(Ok(true), |last| is_other_node(document, root, last).map(|is_node| !is_node))?
    {
        return Ok(true);
    }
    if kids.left_out > 0 {
        return Ok(false);
    }
    document.prefetch_many(known)?;
    let mut sum = 0_u64;
    for kid in known {
        sum = sum.saturating_add(claim(document, kid)?);
    }
    Ok(sum == claimed)
}

fn is_other_node(document: &mut Document, root: &Object, kid: &Object) -> Result<bool, Fault> {
    Ok(kid != root && kind(&document.node(kid)?.dictionary) == NodeKind::Node)
}

/// How many pages a child claims to be.
fn claim(document: &mut Document, kid: &Object) -> Result<u64, Fault> {
    let node = document.node(kid)?.dictionary;
    match kind(&node) {
        NodeKind::Leaf => Ok(1),
        NodeKind::Nothing => Ok(0),
        NodeKind::Node => {
            let count = document.resolve(node.get(Key::Count))?.as_integer();
            Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
        }
    }
}

#[derive(PartialEq)]
enum NodeKind {
    Leaf,
    Node,
    Nothing,
}

/// Only what has children is a node, whatever its `/Type`; that is how viewers see it.
fn kind(node: &Picked) -> NodeKind {
    if node.has(Key::Kids) {
        NodeKind::Node
    } else if node.is_empty() || node.is_type(b"Pages") {
        NodeKind::Nothing
    } else {
        NodeKind::Leaf
    }
}

/// Counts the leaves, level by level.
fn walk(document: &mut Document, root: &Object, kids: &Kids) -> Result<u64, Fault> {
    let mut seen = BTreeSet::from_iter(root.as_reference().map(|id| id.number));
    let (mut leaves, mut visited) = (0, 0);
    let mut level = kids.known.elements().to_vec();
    let mut left_out = kids.left_out;
    while !level.is_empty() {
        visited += level.len();
        if visited > NODES || left_out > 0 {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        document.prefetch_many(&level)?;
        let mut next = Vec::new();
        for kid in &level {
            let node = document.node(kid)?;
            match kind(&node.dictionary) {
                NodeKind::Leaf => leaves += 1,
                NodeKind::Nothing => {}
                // a node that is its own descendant counts once
                NodeKind::Node if kid.as_reference().is_none_or(|id| seen.insert(id.number)) => {
                    let kids = document.kids(&node.dictionary)?;
                    left_out += node.left_out + kids.left_out;
                    next.extend_from_slice(kids.known.elements());
                }
                NodeKind::Node => {}
            }
        }
        level = next;
    }
    Ok(leaves)
}

/// The first page.
pub(crate) struct First<'o> {
    /// Its dictionary, with the attributes it inherits (7.7.3.4) filled in.
    pub(crate) page: Cow<'o, Picked>,
    /// How many nodes stand above it.
    pub(crate) depth: usize,
    /// What refers to it, if anything does.
    pub(crate) id: Option<Id>,
}

/// Reads at once what finding the first page and comparing the count will ask for.
fn prefetch_kids(document: &mut Document, root: &Picked) -> Result<(), Fault> {
    let kids = document.kids(root)?;
    let count = document.resolve(root.get(Key::Count))?.as_integer();
    match kids.known.elements() {
        kids @ [first, .., last] if count == i64::try_from(kids.len()).ok() => document.prefetch([first, last]),
        kids => document.prefetch_many(kids),
    }
}

/// The first page; none if the tree leads to none.
pub(crate) fn first<'o>(document: &mut Document, root: &'o Picked) -> Result<Option<First<'o>>, Fault> {
    prefetch_kids(document, root)?;
    let mut found = First { page: Cow::Borrowed(root), depth: 0, id: None };
    let mut seen = BTreeSet::new();
    while found.page.has(Key::Kids) {
        let Some((reference, mut child)) = first_child(document, &found.page)? else { return Ok(None) };
        if !reference.is_none_or(|id| seen.insert(id.number)) {
            return Ok(None);
        }
        child.inherit(&found.page, &[Key::MediaBox, Key::Rotate]);
        found = First { page: Cow::Owned(child), depth: found.depth + 1, id: reference };
    }
    Ok(Some(found))
}

fn first_child(document: &mut Document, node: &Picked) -> Result<Option<(Option<Id>, Picked)>, Fault> {
    let kids = document.kids(node)?;
    for kid in kids.known.elements() {
        let child = document.node(kid)?.dictionary;
        if kind(&child) != NodeKind::Nothing {
            return Ok(Some((kid.as_reference(), child.into_owned())));
        }
    }
    Ok(None)
}
