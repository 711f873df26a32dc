//! The page tree (ISO 32000-1, 7.7.3): its pages in order with inherited attributes, and their number.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Document;
use super::view::{Resolved, View};
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;

/// Maximum nodes visited if a tree's counts cannot be trusted; 50,000 pages take some 20 ms.
const MAX_NODES: usize = 50_000;
/// Maximum depth of the tree.
const MAX_TREE_DEPTH: usize = 64;
/// Minimum size of a page in a file, in bytes: `1 0 obj<</Type/Page>>endobj`, and a reference to it.
const MIN_PAGE_BYTES: u64 = 32;
/// Inheritable attributes (7.7.3.4).
pub const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];

/// Inherited attributes of a page, in the order of [`INHERITED`].
pub(crate) type Inherited = [Object; 4];

/// A leaf of the page tree.
#[derive(Debug, Clone, PartialEq)]
pub enum Leaf {
    /// A page object with this number.
    Object(u32),
    /// A direct page dictionary.
    Inline(Box<Object>),
    /// Not a page for any viewer.
    Nothing,
}

/// A page with its inherited attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct PageLeaf {
    /// Where its dictionary is.
    pub leaf: Leaf,
    /// The attributes that it inherits (7.7.3.4).
    pub inherited: Rc<Inherited>,
}

/// The pages of a revision, in order.
#[derive(Debug, Default)]
pub struct Pages {
    /// The pages that were read.
    pub leaves: Vec<PageLeaf>,
    /// Number of pages.
    pub count: u32,
    /// Page number, from 1, and leaf index by object number.
    numbers: BTreeMap<u32, (u32, usize)>,
    /// Object numbers of nodes and pages that readers interpret differently, by `/Type`, `/Kids`, `/Count` or
    /// `/Parent`.
    pub flaws: BTreeSet<u32>,
    /// Indices of leaves that only some readers find: below a node that says to have none, written into `/Kids`, or led to
    /// by a reference to a reference.
    contested: BTreeSet<usize>,
    /// Whether pages are missing: too many, or unreadable.
    pub is_cut: bool,
}

impl PageLeaf {
    /// Returns its object number; none if it is direct.
    pub fn object(&self) -> Option<u32> {
        if let Leaf::Object(number) = self.leaf { Some(number) } else { None }
    }

    /// Returns its dictionary including inherited attributes; none if it is not a page.
    pub fn dictionary(&self, view: &mut View) -> Result<Option<Dictionary>, Fault> {
        let page = match &self.leaf {
            Leaf::Object(number) => view.object(*number)?.and_then(|body| body.dictionary().cloned()),
            Leaf::Inline(page) => page.as_dictionary().cloned(),
            Leaf::Nothing => None,
        };
        Ok(page.map(|mut page| {
            for (key, value) in INHERITED.iter().zip(self.inherited.iter()) {
                if !page.has(key) && !value.is_null() {
                    page.push(Name::new(key), value.clone());
                }
            }
            page
        }))
    }
}

/// A node of the tree.
enum TreeItem {
    /// Not visited yet.
    Open(Object, Rc<Inherited>, Rc<Above>),
    /// A page, and whether only some readers find it.
    Leaf(PageLeaf, Rc<Above>, bool),
}

/// The ancestors of a node.
#[derive(Debug, Default)]
struct Above {
    /// Object number of the parent, and its `/Count`.
    number: u32,
    count: i64,
    parent: Option<Rc<Above>>,
    /// Number of pages found.
    found: Cell<i64>,
    /// Whether only some readers enter it.
    is_contested: bool,
}

impl Pages {
    /// Reads the first `most` pages of a revision. The tree is read level by level, each in one round.
    pub fn read(view: &mut View, most: usize) -> Result<Self, Fault> {
        let catalog = view.catalog()?;
        let mut walk =
            Walk { seen: BTreeSet::new(), nodes: Vec::new(), flaws: BTreeSet::new(), visited: 0, is_cut: false };
        let mut items = vec![TreeItem::Open(catalog.get(b"Pages").clone(), Rc::default(), Rc::default())];
        for _ in 0..MAX_TREE_DEPTH {
            let open = || {
                items
                    .iter()
                    .take(most)
                    .filter_map(|item| if let TreeItem::Open(kid, ..) = item { Some(kid) } else { None })
            };
            if open().next().is_none() {
                break;
            }
            view.prefetch_many(open())?;
            let mut next = Vec::with_capacity(items.len());
            for (place, item) in items.into_iter().enumerate() {
                match item {
                    TreeItem::Open(kid, inherited, above) if place < most => {
                        walk.visit(view, &kid, (&inherited, &above), &mut next)?;
                    }
                    item => next.push(item),
                }
            }
            items = next;
        }
        let mut pages = Self { is_cut: walk.is_cut, ..Self::default() };
        for item in items {
            match item {
                TreeItem::Leaf(page, above, is_contested) if pages.leaves.len() < most => {
                    let mut node = Some(&above);
                    while let Some(above) = node {
                        above.found.update(|found| found + i64::from(page.leaf != Leaf::Nothing));
                        node = above.parent.as_ref();
                    }
                    if is_contested {
                        pages.contested.insert(pages.leaves.len());
                    }
                    pages.push(page);
                }
                _ => pages.is_cut = true,
            }
        }
        let is_wrong = |node: &&Rc<Above>| node.count != node.found.get();
        pages.flaws = walk.flaws;
        pages.flaws.extend(walk.nodes.iter().filter(is_wrong).map(|node| node.number));
        Ok(pages)
    }

    fn push(&mut self, page: PageLeaf) {
        self.count += u32::from(page.leaf != Leaf::Nothing);
        if let Leaf::Object(number) = page.leaf {
            self.numbers.entry(number).or_insert((self.count, self.leaves.len()));
        }
        self.leaves.push(page);
    }

    /// Returns the pages of an unreadable tree.
    pub fn unknown() -> Self {
        Self { is_cut: true, ..Self::default() }
    }

    /// Returns the pages with their numbers, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &PageLeaf)> {
        (1..).zip(self.leaves.iter().filter(|page| page.leaf != Leaf::Nothing))
    }

    /// Returns the numbers, from 1, of pages that only some readers find; none if there is no other page, which the others
    /// may show instead.
    pub fn contested_numbers(&self) -> BTreeSet<u32> {
        if self.contested.is_empty() || self.contested.len() == self.count as usize {
            return BTreeSet::new();
        }
        let pages = self.leaves.iter().enumerate().filter(|(_, page)| page.leaf != Leaf::Nothing);
        (1..).zip(pages).filter(|(_, (place, _))| self.contested.contains(place)).map(|(number, _)| number).collect()
    }

    /// Returns the page number of an object, from 1.
    pub fn number(&self, object: u32) -> Option<u32> {
        self.numbers.get(&object).map(|(number, _)| *number)
    }

    /// Returns the page with an object number.
    pub fn page(&self, object: u32) -> Option<&PageLeaf> {
        self.numbers.get(&object).and_then(|(_, place)| self.leaves.get(*place))
    }
}

/// State of walking the tree.
struct Walk {
    /// Visited nodes: a node that is its own descendant has no pages.
    seen: BTreeSet<u32>,
    nodes: Vec<Rc<Above>>,
    flaws: BTreeSet<u32>,
    visited: usize,
    is_cut: bool,
}

impl Walk {
    /// Visits an object of the tree: a page, or a node with kids.
    fn visit(
        &mut self,
        view: &mut View,
        kid: &Object,
        (above, nodes): (&Rc<Inherited>, &Rc<Above>),
        items: &mut Vec<TreeItem>,
    ) -> Result<(), Fault> {
        self.visited += 1;
        if self.visited > MAX_NODES {
            self.is_cut = true;
            return Ok(());
        }
        let node = view.resolve(kid)?;
        let number = if let Resolved::There(body) = &node { Some(body.id.number) } else { None };
        // only some readers follow a reference to a reference
        let is_direct = kid.as_reference().map(|id| id.number) == number && number.is_some();
        let is_contested = nodes.is_contested || nodes.number > 0 && !is_direct;
        let is_agreed = |node: &Dictionary, kind: &[u8]| {
            let parent = node.get(b"Parent").as_reference().map_or(0, |id| id.number);
            is_direct && node.is_type(kind) && parent == nodes.number
        };
        let leaf = match &*node {
            Object::Dictionary(node) if node.has(b"Kids") => {
                let inherited = inherited(above, node);
                if number.is_none_or(|number| self.seen.insert(number)) {
                    let kids = view.resolve(node.get(b"Kids"))?;
                    view.work(kids.elements().len())?;
                    let count = match node.get(b"Count") {
                        Object::Integer(count) => *count,
                        count => view.integer(count)?.unwrap_or(-1),
                    };
                    let number = number.unwrap_or(0);
                    if !is_agreed(node, b"Pages") {
                        self.flaws.insert(number);
                    }
                    let parent = Some(Rc::clone(nodes)).filter(|parent| parent.number > 0);
                    let is_contested = is_contested || count <= 0 && parent.is_some();
                    let here = Rc::new(Above { number, count, parent, found: Cell::new(0), is_contested });
                    self.nodes.push(Rc::clone(&here));
                    items.extend(
                        kids.elements()
                            .iter()
                            .map(|kid| TreeItem::Open(kid.clone(), Rc::clone(&inherited), Rc::clone(&here))),
                    );
                    return Ok(());
                }
                Leaf::Nothing
            }
            Object::Dictionary(page) if is_page(page) => {
                if !is_agreed(page, b"Page") {
                    self.flaws.insert(number.unwrap_or(0));
                }
                match number {
                    Some(number) => Leaf::Object(number),
                    None => Leaf::Inline(Box::new(node.clone())),
                }
            }
            _ => Leaf::Nothing,
        };
        self.is_cut |= matches!(node, Resolved::Unreadable);
        let is_contested = is_contested && leaf != Leaf::Nothing;
        items.push(TreeItem::Leaf(PageLeaf { leaf, inherited: Rc::clone(above) }, Rc::clone(nodes), is_contested));
        Ok(())
    }
}

/// Returns the attributes inherited from a node.
fn inherited(above: &Rc<Inherited>, node: &Dictionary) -> Rc<Inherited> {
    if !INHERITED.iter().any(|key| node.has(key)) {
        return Rc::clone(above);
    }
    let mut inherited = Inherited::clone(above);
    for (key, value) in INHERITED.iter().zip(&mut inherited) {
        if node.has(key) {
            *value = node.get(key).clone();
        }
    }
    Rc::new(inherited)
}

/// Whether an object is a page. As in viewers, an object with kids is a node regardless of its `/Type`; one without is
/// a page, unless its `/Type` is `/Pages` or it is empty.
fn is_page(dictionary: &Dictionary) -> bool {
    !dictionary.has(b"Kids") && !dictionary.is_empty() && !dictionary.is_type(b"Pages")
}

/// Returns the number of pages in the newest revision: the root's `/Count` if it matches its kids, otherwise the number
/// of leaves.
///
/// # Errors
/// `TooComplex` if these are too many.
pub fn count(document: &mut Document, root: &Object) -> Result<u64, Fault> {
    let possible = possible(document);
    let is_repaired = document.xref.is_repaired();
    let mut view = document.newest();
    let node = view.dictionary(root)?;
    let kids = view.resolve(node.get(b"Kids"))?;
    if kids.elements().is_empty() && node.is_type(b"Page") {
        return Ok(1);
    }
    let claimed = view.integer(node.get(b"Count"))?.and_then(|count| u64::try_from(count).ok());
    // a damaged file may have lost descendants, but hardly ever the count
    if let Some(claimed) = claimed.filter(|&claimed| claimed > 0 && claimed <= possible)
        && (is_repaired || fits(&mut view, root, claimed, kids.elements())?)
    {
        return Ok(claimed);
    }
    if !node.has(b"Kids") {
        return Ok(0);
    }
    let pages = Pages::read(&mut view, usize::MAX)?;
    if pages.is_cut { Err(Fault::Rejected(Reason::TooComplex)) } else { Ok(pages.count.into()) }
}

/// Reads in one round what finding the first page and checking the count need.
pub fn prefetch_kids(document: &mut Document, root: &Object) -> Result<(), Fault> {
    let mut view = document.newest();
    let root = view.dictionary(root)?;
    let kids = view.resolve(root.get(b"Kids"))?;
    let count = view.integer(root.get(b"Count"))?;
    match kids.elements() {
        kids @ [first, .., last] if count == i64::try_from(kids.len()).ok() => view.prefetch([first, last]),
        kids => view.prefetch_many(kids),
    }
}

/// Returns the maximum number of pages: the number of objects or, if objects were lost, the file size divided by the
/// minimum size of a page.
pub fn possible(document: &Document) -> u64 {
    if document.xref.is_repaired() { document.reader.file_size() / MIN_PAGE_BYTES } else { document.xref.objects() }
}

/// Whether these kids can have `claimed` pages: one each if neither the first nor the last has kids, otherwise the sum
/// of their counts. (Lost pages, or pages whose position the tree occupies, count.)
fn fits(view: &mut View, root: &Object, claimed: u64, kids: &[Object]) -> Result<bool, Fault> {
    if claimed == kids.len() as u64 {
        let mut has_nodes = false;
        for kid in [kids.first(), kids.last()].into_iter().flatten().filter(|kid| *kid != root) {
            has_nodes |= view.dictionary(kid)?.has(b"Kids");
        }
        if !has_nodes {
            return Ok(true);
        }
    }
    view.prefetch_many(kids)?;
    let mut sum = 0_u64;
    for kid in kids {
        let node = view.dictionary(kid)?;
        let claim = if node.has(b"Kids") { view.integer(node.get(b"Count"))? } else { Some(is_page(&node).into()) };
        sum = sum.saturating_add(claim.and_then(|claim| u64::try_from(claim).ok()).unwrap_or(0));
    }
    Ok(sum == claimed)
}
