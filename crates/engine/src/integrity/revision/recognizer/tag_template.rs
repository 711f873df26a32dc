//! The template of tagging: a structure element that comes with an update tags only what comes with it, its annotation
//! or the marked content of a new stream. Signed content stays where the signed structure tree has it (ISO 32000-1,
//! 14.7): screen readers read the tree, not the page.

use std::collections::BTreeMap;

use super::claim::Claim;
use super::{Recognition, Recognizer, unknown, unlisted};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Key;
use crate::integrity::revision::list_changes;
use crate::integrity::revision::structure::graph::Use;
use crate::integrity::revision::structure::role::Role;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Entries of a new structure element, of an object or marked-content reference, and of a node of a number tree.
const ELEMENT: [&[u8]; 6] = [b"Type", b"S", b"P", b"Pg", b"K", b"ID"];
const REFERENCE: [&[u8]; 5] = [b"Type", b"Pg", b"Obj", b"Stm", b"MCID"];
const NODE: [&[u8]; 3] = [b"Kids", b"Nums", b"Limits"];
/// Maximum nodes of the signed number tree, and maximum nesting of new elements within one object.
const MAX_NODES: usize = 20_000;
const MAX_NESTING: usize = 16;
/// Why an element is not recognized that contains something signed.
const SIGNED_CONTENT: &str = "a structure element was added that lists signed content again";
const CHANGED: &str = "the structure tree was changed";

impl Recognizer<'_, '_, '_> {
    /// An entry of a structure element or of the tree's root, which may get additional children.
    pub(super) fn tag(&mut self, key: &[u8], before: &Object, after: &Object) -> Recognition {
        match key {
            b"ParentTreeNextKey" if matches!(after, Object::Integer(_)) => {}
            b"Limits" if after.elements().iter().all(|limit| matches!(limit, Object::Integer(_))) => {}
            b"K" | b"Kids" | b"Nums" | b"ParentTree" => {
                let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
                if matches!(*new, Object::Array(_)) {
                    self.claim_reference(after, Claim::List);
                }
                let elements = |object: &Object, written: &Object| match object {
                    Object::Array(elements) => elements.clone(),
                    Object::Null => Vec::new(),
                    _ => vec![written.clone()],
                };
                let (old, new) = (elements(&old, before), elements(&new, after));
                return self.more_tags(key, &old, &new);
            }
            _ => return unlisted(),
        }
        Ok(())
    }

    /// An indirect array of the structure tree.
    pub(super) fn tag_list(&mut self, number: u32, place: Use, before: &Object, after: &Object) -> Recognition {
        let parent = self.examiner.document.view(self.step.pair.old).object(place.parent)?;
        let parent = parent.and_then(|parent| parent.dictionary().cloned()).unwrap_or_default();
        let is_here = |key: &&[u8]| parent.get(key).as_reference().is_some_and(|id| id.number == number);
        match [b"K".as_slice(), b"Kids", b"Nums"].into_iter().find(is_here) {
            Some(key) => self.more_tags(key, before.elements(), after.elements()),
            None => unknown(CHANGED),
        }
    }

    /// Elements of a list in the structure tree, which keeps all others in their order.
    fn more_tags(&mut self, key: &[u8], before: &[Object], after: &[Object]) -> Recognition {
        let changes = list_changes::changes(before, after);
        if !changes.removed.is_empty() || changes.is_reordered {
            return unknown(CHANGED);
        }
        match key {
            b"K" => changes.added.into_iter().try_for_each(|kid| self.kid(kid, 0)),
            b"Nums" => self.numbers(after),
            _ => {
                changes.added.into_iter().for_each(|node| self.claim(node, Claim::TagIndex));
                Ok(())
            }
        }
    }

    /// What a new structure element or an additional child is.
    pub(super) fn tag_shape(&mut self, tag: &Object) -> Recognition {
        match tag {
            Object::Array(kids) => kids.iter().try_for_each(|kid| self.kid(kid, 0)),
            _ => self.kid(tag, 0),
        }
    }

    /// A child that a structure element gets.
    fn kid(&mut self, kid: &Object, nesting: usize) -> Recognition {
        match kid {
            Object::Reference(id) if self.is_reached(id.number) => unknown(SIGNED_CONTENT),
            Object::Reference(id) => {
                self.claim_number(id.number, Claim::Tag);
                Ok(())
            }
            Object::Dictionary(reference) if reference.has(b"Obj") || reference.has(b"MCID") => {
                self.content_reference(reference)
            }
            Object::Dictionary(element) if nesting < MAX_NESTING => {
                has_only(element, &ELEMENT)?;
                let kids = element.get(b"K");
                match kids {
                    Object::Array(kids) => kids.iter().try_for_each(|kid| self.kid(kid, nesting + 1)),
                    Object::Null => Ok(()),
                    _ => self.kid(kids, nesting + 1),
                }
            }
            // marked content of the page
            Object::Integer(_) => unknown(SIGNED_CONTENT),
            _ => unknown(CHANGED),
        }
    }

    /// A reference to an annotation or to marked content (14.7.5.2 and 14.7.5.3).
    fn content_reference(&mut self, reference: &Dictionary) -> Recognition {
        has_only(reference, &REFERENCE)?;
        let key: &[u8] = if reference.has(b"Obj") { b"Obj" } else { b"Stm" };
        let Some(target) = reference.get(key).as_reference() else { return unknown(SIGNED_CONTENT) };
        if !self.is_reached(target.number) || key == b"Obj" && self.is_tagged_now(target.number)? {
            return Ok(());
        }
        unknown(SIGNED_CONTENT)
    }

    /// Whether the update tags an annotation that no element tagged when it was signed.
    fn is_tagged_now(&mut self, number: u32) -> Result<bool, Fault> {
        let is_annotation =
            self.roles.place(number).is_some_and(|place| matches!(place.role, Role::Field | Role::Annotation));
        let Some(change) = self.changed.get(&number).filter(|_| is_annotation) else { return Ok(false) };
        let [old, new] = change.dictionaries();
        Ok(old.is_some_and(|old| !old.has(b"StructParent")) && new.is_some_and(|new| new.has(b"StructParent")))
    }

    /// A new node of the number tree, or the elements of one content stream.
    pub(super) fn tag_index(&mut self, node: &Object) -> Recognition {
        match node {
            Object::Array(elements) => elements.iter().try_for_each(|element| self.indexed(element)),
            Object::Dictionary(node) => {
                has_only(node, &NODE)?;
                let [kids, numbers] = [b"Kids".as_slice(), b"Nums"].map(|key| node.get(key));
                if kids.as_reference().is_some() || numbers.as_reference().is_some() {
                    return unknown(CHANGED);
                }
                self.claim(kids, Claim::TagIndex);
                self.numbers(numbers.elements())
            }
            _ => unknown(CHANGED),
        }
    }

    /// Entries of the number tree, of which those that were signed stay.
    fn numbers(&mut self, entries: &[Object]) -> Recognition {
        let signed = self.signed_numbers()?;
        let (pairs, rest) = entries.as_chunks::<2>();
        for [key, value] in pairs {
            let Object::Integer(key) = key else { return unknown(CHANGED) };
            match (signed.get(key), value) {
                (Some(known), value) if known == value => {}
                (Some(_), _) => return unknown(CHANGED),
                (None, Object::Array(elements)) => elements.iter().try_for_each(|element| self.indexed(element))?,
                (None, element) => self.indexed(element)?,
            }
        }
        if rest.is_empty() { Ok(()) } else { unknown(CHANGED) }
    }

    /// The structure element that new content belongs to, or several in an array.
    fn indexed(&mut self, element: &Object) -> Recognition {
        let Some(id) = element.as_reference() else {
            return if element.is_null() { Ok(()) } else { unknown(CHANGED) };
        };
        let is_list = self.examiner.document.view(self.step.pair.new).resolve(element)?.as_dictionary().is_none();
        match self.roles.place(id.number) {
            Some(place) if place.role == Role::Tag && !is_list => {}
            _ => self.claim_number(id.number, if is_list { Claim::TagIndex } else { Claim::Tag }),
        }
        Ok(())
    }

    /// The entries of the signed number tree.
    fn signed_numbers(&mut self) -> Result<BTreeMap<i64, Object>, Fault> {
        let view = &mut self.examiner.document.view(self.step.pair.old);
        let root = view.catalog()?.get(b"StructTreeRoot").clone();
        let root = view.dictionary(&root)?.into_owned();
        let (mut due, mut known, mut visited) = (vec![root.get(b"ParentTree").clone()], BTreeMap::new(), 0);
        while let Some(node) = due.pop().filter(|_| visited < MAX_NODES) {
            visited += 1;
            let node = view.dictionary(&node)?.into_owned();
            due.extend(view.resolve(node.get(b"Kids"))?.elements().iter().cloned());
            let numbers = view.resolve(node.get(b"Nums"))?.into_owned();
            for [key, value] in numbers.elements().as_chunks::<2>().0 {
                known.extend(key.as_integer().map(|key| (key, value.clone())));
            }
        }
        Ok(known)
    }
}

fn has_only(dictionary: &Dictionary, keys: &[&[u8]]) -> Recognition {
    match dictionary.iter().find(|(key, _)| !keys.contains(&key.as_bytes())) {
        Some((key, _)) => {
            unknown(Clause::of("a structure element was added that has an entry {}", &[Key(key.as_bytes())]))
        }
        None => Ok(()),
    }
}
