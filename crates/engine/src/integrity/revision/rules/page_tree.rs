//! Changes of the order and number of pages and of inherited entries (ISO 32000-1, 7.7.3.2, 7.7.3.4).

use super::page;
use crate::integrity::clause::Clause;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::indeterminate::Indeterminate;
use crate::integrity::revision::structure::role::Role;
use pdf_syntax::document::pages::{Leaf, PageLeaf, Pages};
use pdf_syntax::failure::Fault;

/// Maximum added pages that are searched in the previous revision.
const MAX_COMPARED: usize = 50;

/// Compares the pages before and after.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [before, after] = step.pages.clone();
    examiner.is_complete &= !before.is_cut && !after.is_cut;
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

/// Compares the page tree as readers see it that use other entries of its nodes: all must see one tree, or the same
/// alternatives as before.
fn agreement(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let (before, after) = (&step.pages[0].flaws, &step.pages[1].flaws);
    // readers that saw different pages before may see different changes
    let is_of_tree = |number: &u32| before.contains(number) || examiner.map.is(*number, Role::Node);
    if let Some(flaw) = before.first().copied().filter(|_| step.touched.iter().any(is_of_tree)) {
        let what = Clause::of(
            "the page tree was ambiguous before revision {}, at object {}",
            &[step.revision.into(), flaw.into()],
        );
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what));
    }
    if after.is_subset(before) {
        return Ok(());
    }
    let flawed: Vec<u32> = after.difference(before).copied().collect();
    if !before.is_empty() {
        examiner.is_complete = false;
    }
    let kind = if before.is_empty() { EventKind::Pages } else { EventKind::Ambiguous };
    examiner.report(Event {
        object: flawed.first().copied(),
        after: evidence_text::numbers(&flawed),
        is_hidden: true,
        ..step.event(kind, Subject::PageEntry("Count".to_owned()))
    });
    Ok(())
}

/// Whether the number of pages is the same and each is unchanged or a new page that replaces a removed one.
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

/// Reports added, removed or reordered pages.
fn moved(examiner: &mut Examiner, step: &Step, before: &Pages, after: &Pages) -> Result<(), Fault> {
    let same = before.leaves.iter().zip(&after.leaves).position(|(old, new)| old.leaf != new.leaf);
    let first = same.unwrap_or(before.leaves.len().min(after.leaves.len()));
    let mut is_hidden = false;
    let is_new = |page: &&PageLeaf| page.object().is_some_and(|number| before.number(number).is_none());
    for page in after.leaves.iter().filter(is_new).take(MAX_COMPARED) {
        is_hidden |= was_there(examiner, step, page)?;
    }
    examiner.report(Event {
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
    format!("{} pages {}", pages.leaves.len(), evidence_text::numbers(&numbers).unwrap_or_default())
}

/// Whether a page new in the tree was in the file before.
fn was_there(examiner: &mut Examiner, step: &Step, page: &PageLeaf) -> Result<bool, Fault> {
    let Some(page) = page.object() else { return Ok(false) };
    let body = examiner.document.view(step.pair.old).object(page)?;
    Ok(body.and_then(|body| Some(body.dictionary()?.is_type(b"Page"))).unwrap_or(false))
}
