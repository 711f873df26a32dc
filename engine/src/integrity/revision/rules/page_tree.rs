//! What a revision did to the order and number of pages, and to what they inherit (ISO 32000-1, 7.7.3.2, 7.7.3.4).

use super::page;
use crate::document::pages::{Leaf, PageLeaf, Pages};
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::indeterminate::Indeterminate;
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::Role;

/// Pages that came which are looked for in what was there before.
const COMPARED: usize = 50;

/// Compares the pages before and after.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [before, after] = step.pages.clone();
    examiner.is_whole &= !before.is_cut && !after.is_cut;
    agreement(examiner, step)?;
    if before.leaves == after.leaves {
        return Ok(());
    }
    if !are_replaced(&before, &after) {
        return moved(examiner, step, &before, &after);
    }
    let both = before.leaves.iter().zip(&after.leaves).enumerate();
    for (index, (old, new)) in both {
        if old == new {
            continue;
        }
        let was = old.dictionary(&mut examiner.document.view(step.pair.old))?;
        let is = new.dictionary(&mut examiner.document.view(step.pair.new))?;
        let (Some(was), Some(is)) = (was, is) else { return moved(examiner, step, &before, &after) };
        if was == is && old.leaf == new.leaf {
            continue;
        }
        let number = new.object().unwrap_or(0);
        let first = examiner.events.len();
        page::entries(examiner, step, number, &was, &is)?;
        let was_there = old.leaf != new.leaf && was_there(examiner, step, new)?;
        for event in examiner.events.iter_mut().skip(first) {
            event.page = Some(index as u32 + 1);
            event.is_hidden |= was_there;
        }
    }
    Ok(())
}

/// Compares what readers make of the tree who go by other entries of its nodes: it has to be one tree for all of them, or
/// to be read in as many ways as before.
fn agreement(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let (before, after) = (&step.pages[0].flaws, &step.pages[1].flaws);
    // readers that saw different pages before may now see them changed in different ways
    let is_of_tree = |number: &u32| before.contains(number) || examiner.map.is(*number, Role::Node);
    if let Some(flaw) = before.first().copied().filter(|_| step.touched.iter().any(is_of_tree)) {
        let what = format!("the page tree was ambiguous before revision {}, at object {flaw}", step.revision);
        examiner.leave_open(Indeterminate::NotUnderstood(what));
    }
    if after.is_subset(before) {
        return Ok(());
    }
    let flawed: Vec<u32> = after.difference(before).copied().collect();
    if !before.is_empty() {
        examiner.is_whole = false;
    }
    let kind = if before.is_empty() { EventKind::Pages } else { EventKind::Ambiguous };
    examiner.tell(Event {
        object: flawed.first().copied(),
        after: show::numbers(&flawed),
        is_hidden: true,
        ..step.event(kind, Subject::PageEntry("Count".to_owned()))
    });
    Ok(())
}

/// Whether there are as many pages, each the same or one that was not there before, in the place of one that went.
fn are_replaced(before: &Pages, after: &Pages) -> bool {
    before.leaves.len() == after.leaves.len()
        && before.leaves.iter().zip(&after.leaves).all(|(old, new)| match (&old.leaf, &new.leaf) {
            (old, new) if old == new => true,
            (Leaf::Object(old), Leaf::Object(new)) => after.number(*old).is_none() && before.number(*new).is_none(),
            (_, Leaf::Nothing) | (Leaf::Nothing, _) => false,
            (Leaf::Object(old), Leaf::Inline(_)) => after.number(*old).is_none(),
            (Leaf::Inline(_), Leaf::Object(new)) => before.number(*new).is_none(),
            (Leaf::Inline(_), Leaf::Inline(_)) => true,
        })
}

/// Tells of pages added, removed or put in another order.
fn moved(examiner: &mut Examiner, step: &Step, before: &Pages, after: &Pages) -> Result<(), Fault> {
    let same = before.leaves.iter().zip(&after.leaves).position(|(old, new)| old.leaf != new.leaf);
    let first = same.unwrap_or(before.leaves.len().min(after.leaves.len()));
    let mut is_hidden = false;
    let is_new = |page: &&PageLeaf| page.object().is_some_and(|number| before.number(number).is_none());
    for page in after.leaves.iter().filter(is_new).take(COMPARED) {
        is_hidden |= was_there(examiner, step, page)?;
    }
    examiner.tell(Event {
        page: Some(first as u32 + 1),
        before: Some(list(before)),
        after: Some(list(after)),
        is_hidden,
        ..step.event(EventKind::Pages, Subject::Kids)
    });
    Ok(())
}

fn list(pages: &Pages) -> String {
    let numbers: Vec<u32> = pages.leaves.iter().map(|page| page.object().unwrap_or(0)).collect();
    format!("{} pages {}", pages.leaves.len(), show::numbers(&numbers).unwrap_or_default())
}

/// Whether a page that is new in the tree had been waiting in the file already.
fn was_there(examiner: &mut Examiner, step: &Step, page: &PageLeaf) -> Result<bool, Fault> {
    let Some(page) = page.object() else { return Ok(false) };
    let body = examiner.document.view(step.pair.old).object(page)?;
    Ok(body.and_then(|body| Some(body.dictionary()?.is_type(b"Page"))).unwrap_or(false))
}
