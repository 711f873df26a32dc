//! The pages of a state as a viewer comes across them (ISO 32000-1, 7.7.3.2), with what they inherit (7.7.3.4).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::role::Role;
use super::walk::Map;
use crate::document::Document;
use crate::document::body::{Resolved, Stored};
use crate::document::states::State;
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::{Id, Object};

/// Nodes and pages that are looked at.
const NODES: usize = 60_000;
/// How deep the tree may be.
const DEPTH: usize = 64;
/// What pages inherit.
pub(crate) const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];

/// What a page inherits, in the order of [`INHERITED`].
pub(crate) type Inherited = [Object; 4];

/// Something that a viewer takes for a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Leaf {
    /// An object of this number.
    Object(u32),
    /// A dictionary in the tree itself.
    Inline(Box<Object>),
    /// Nothing, where a page should be.
    Missing,
}

/// The pages of a state, in order.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    pub(crate) leaves: Vec<(Leaf, Rc<Inherited>)>,
    /// The place of each object among them, from 1.
    numbers: BTreeMap<u32, u32>,
    /// Whether there are more.
    pub(crate) is_cut: bool,
}

impl Pages {
    /// Which page an object is, from 1.
    pub(crate) fn number(&self, object: u32) -> Option<u32> {
        self.numbers.get(&object).copied()
    }

    /// Goes through the tree of a state. What the map knows as a page is not looked at again.
    pub(crate) fn read(document: &mut Document, state: State, root: Option<Id>, map: &Map) -> Result<Self, Fault> {
        let mut pages = Self::default();
        let catalog = match root {
            Some(root) => document.body_in(state, root.number)?,
            None => None,
        };
        let top =
            catalog.as_ref().and_then(|catalog| catalog.dictionary()).map(|catalog| catalog.get(b"Pages").clone());
        // what is still to be looked at, the next one last
        let mut open = vec![(top.unwrap_or_default(), Rc::new(Inherited::default()), 0)];
        let mut looked = 0;
        while let Some((kid, inherited, depth)) = open.pop() {
            looked += 1;
            if looked > NODES || depth > DEPTH {
                pages.is_cut = true;
                break;
            }
            document.budget.work(1)?;
            let number = kid.as_reference().map(|id| id.number);
            if let Some(number) = number.filter(|&number| map.is(number, Role::Page) && !map.is(number, Role::Node)) {
                pages.push(Leaf::Object(number), inherited);
                continue;
            }
            let node = match number {
                Some(number) => {
                    let entry = document.entry_in(state, number)?;
                    if !document.is_at_hand(state, entry)? && looked > NODES / 1_000 {
                        pages.is_cut = true;
                        break;
                    }
                    match document.stored_at(state, number, entry)? {
                        Stored::Object(body) => Resolved::There(body),
                        Stored::Absent => Resolved::Missing,
                        Stored::Unreadable => {
                            pages.is_cut = true;
                            Resolved::Missing
                        }
                    }
                }
                None => Resolved::Here(&kid),
            };
            match &*node {
                Object::Whole(dictionary) if dictionary.has(b"Kids") => {
                    let inherited = inherit(&inherited, dictionary);
                    let kids = document.resolve_in(state, dictionary.get(b"Kids"))?;
                    let below = kids.elements().iter().rev().cloned();
                    open.extend(below.map(|kid| (kid, Rc::clone(&inherited), depth + 1)));
                }
                Object::Whole(_) => {
                    let leaf = number.map_or_else(|| Leaf::Inline(Box::new(node.clone())), Leaf::Object);
                    pages.push(leaf, inherited);
                }
                _ => pages.push(Leaf::Missing, inherited),
            }
        }
        Ok(pages)
    }

    fn push(&mut self, leaf: Leaf, inherited: Rc<Inherited>) {
        if let Leaf::Object(number) = leaf {
            self.numbers.entry(number).or_insert(self.leaves.len() as u32 + 1);
        }
        self.leaves.push((leaf, inherited));
    }
}

/// What is inherited below a node.
fn inherit(above: &Rc<Inherited>, node: &Whole) -> Rc<Inherited> {
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
