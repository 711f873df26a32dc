//! The pages of a state, in order, and what a revision did to their order and number (ISO 32000-1, 7.7.3.2).

use std::collections::BTreeSet;

use super::history::{Examiner, Step};
use super::show::show;
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::Deed;
use crate::integrity::report::Evidence;
use crate::syntax::object::{Id, Object};

/// Nodes of the page tree that are looked at.
const NODES: usize = 2_000;
/// Pages that came which are looked for in what was there before.
const COMPARED: usize = 50;
/// Pages listed.
const PAGES: usize = 50_000;

/// Numbers of the page objects of a state, in order; none if they cannot be told.
pub(crate) fn leaves(document: &mut Document, state: State, root: Option<Id>) -> Result<Option<Vec<u32>>, Fault> {
    let Some(root) = root else { return Ok(None) };
    let Some(catalog) = document.body_in(state, root.number)? else { return Ok(None) };
    let Some(top) = catalog.dictionary().and_then(|catalog| catalog.get(b"Pages").as_reference()) else {
        return Ok(None);
    };
    let (mut leaves, mut seen, mut looked) = (Vec::new(), BTreeSet::new(), 0);
    // what is still to be looked at, the next one last
    let mut open = vec![(top.number, false)];
    while let Some((number, is_leaf)) = open.pop() {
        if is_leaf {
            leaves.push(number);
            continue;
        }
        looked += 1;
        if looked > NODES || leaves.len() > PAGES || !seen.insert(number) {
            return Ok(None);
        }
        let entry = document.entry_in(state, number)?;
        if !document.reader.is_in_memory() && !document.is_at_hand(state, entry)? && looked > NODES / 100 {
            return Ok(None);
        }
        let Some(node) = document.body_at(state, number, entry)? else { continue };
        let Some(node) = node.dictionary() else { continue };
        if !node.has(b"Kids") {
            leaves.push(number);
            continue;
        }
        let kids = document.resolve_in(state, node.get(b"Kids"))?;
        let kids = kids.elements();
        // as many pages as children: all of them are pages
        let is_flat = node.get(b"Count").as_integer() == i64::try_from(kids.len()).ok() && !kids.is_empty();
        let is_flat = is_flat && !is_node(document, state, kids.first())? && !is_node(document, state, kids.last())?;
        open.extend(kids.iter().rev().filter_map(Object::as_reference).map(|kid| (kid.number, is_flat)));
    }
    Ok(Some(leaves))
}

fn is_node(document: &mut Document, state: State, kid: Option<&Object>) -> Result<bool, Fault> {
    let Some(kid) = kid.and_then(Object::as_reference) else { return Ok(false) };
    let body = document.body_in(state, kid.number)?;
    Ok(body.as_ref().and_then(|body| body.dictionary()).is_some_and(|node| node.has(b"Kids")))
}

impl Examiner<'_, '_> {
    /// Compares the order of the pages before and after.
    pub(super) fn page_tree(&mut self, step: &Step) -> Result<(), Fault> {
        let [Some(before), Some(after)] = &step.pages else { return Ok(()) };
        if before == after {
            return Ok(());
        }
        let (had, has): (BTreeSet<u32>, BTreeSet<u32>) =
            (before.iter().copied().collect(), after.iter().copied().collect());
        let replaced: Vec<(usize, u32, u32)> = before
            .iter()
            .zip(after)
            .enumerate()
            .filter(|(_, (old, new))| old != new)
            .map(|(index, (&old, &new))| (index, old, new))
            .collect();
        // pages written anew under other numbers, in the same places
        if before.len() == after.len() && replaced.iter().all(|(_, old, new)| !has.contains(old) && !had.contains(new))
        {
            for (_, old, new) in replaced {
                let first = self.events.len();
                self.replaced_page(step, old, new)?;
                let was_there = self.was_there(step, new)?;
                self.events.iter_mut().skip(first).for_each(|event| event.is_hidden |= was_there);
            }
            return Ok(());
        }
        let first = before.iter().zip(after).position(|(old, new)| old != new).unwrap_or(before.len().min(after.len()));
        let list = |pages: &[u32]| {
            let kids = pages.iter().map(|&number| Object::Reference(Id { number, generation: 0 })).collect();
            format!("{} pages {}", pages.len(), show(&Object::Array(kids)).unwrap_or_default())
        };
        let evidence = Evidence {
            page: Some(first as u32 + 1),
            place: Some("Kids".to_owned()),
            before: Some(list(before)),
            after: Some(list(after)),
            ..Evidence::default()
        };
        self.tell(step, Deed::Pages, 0, evidence);
        let mut came = after.iter().filter(|page| !had.contains(page)).take(COMPARED);
        let mut was_there = false;
        while let Some(&page) = came.next().filter(|_| !was_there) {
            was_there = self.was_there(step, page)?;
        }
        if let Some(event) = self.events.last_mut().filter(|_| was_there) {
            event.is_hidden = true;
        }
        Ok(())
    }

    /// Whether a page that is new in the tree had been waiting in the file already.
    fn was_there(&mut self, step: &Step, page: u32) -> Result<bool, Fault> {
        let old = self.document.body_in(step.pair.old, page)?;
        Ok(old.and_then(|old| Some(old.dictionary()?.is_type(b"Page"))).unwrap_or(false))
    }
}
