//! What a revision did to the order and number of pages, and to what they inherit (ISO 32000-1, 7.7.3.2, 7.7.3.4).

use super::page;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::{EventKind, Subject};
use crate::integrity::revision::examiner::{Details, Examiner, Step};
use crate::integrity::revision::show;
use crate::integrity::revision::structure::pages::{INHERITED, Inherited, Leaf, Pages};
use crate::syntax::dictionary::Whole;
use crate::syntax::name::Name;

/// Pages that came which are looked for in what was there before.
const COMPARED: usize = 50;

/// Compares the pages before and after.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [before, after] = step.pages.clone();
    examiner.is_whole &= !before.is_cut && !after.is_cut;
    if before.leaves == after.leaves {
        return Ok(());
    }
    if !are_replaced(&before, &after) {
        return moved(examiner, step, &before, &after);
    }
    let both = before.leaves.iter().zip(&after.leaves).enumerate();
    for (index, ((old, inherited), (new, inherits))) in both {
        if old == new && inherited == inherits {
            continue;
        }
        let dictionaries = (read(examiner, step.pair.old, old)?, read(examiner, step.pair.new, new)?);
        let (Some(mut was), Some(mut is)) = dictionaries else { return moved(examiner, step, &before, &after) };
        give(&mut was, inherited);
        give(&mut is, inherits);
        if was == is && old == new {
            continue;
        }
        let number = if let Leaf::Object(number) = new { *number } else { 0 };
        let first = examiner.events.len();
        page::entries(examiner, step, number, &was, &is)?;
        let was_there = was_there(examiner, step, old, new)?;
        for event in examiner.events.iter_mut().skip(first) {
            event.page = Some(index as u32 + 1);
            event.is_hidden |= was_there;
        }
    }
    Ok(())
}

/// Whether there are as many pages, each the same or one that was not there before, in the place of one that went.
fn are_replaced(before: &Pages, after: &Pages) -> bool {
    before.leaves.len() == after.leaves.len()
        && before.leaves.iter().zip(&after.leaves).all(|((old, _), (new, _))| match (old, new) {
            (old, new) if old == new => true,
            (Leaf::Object(old), Leaf::Object(new)) => after.number(*old).is_none() && before.number(*new).is_none(),
            (_, Leaf::Missing) | (Leaf::Missing, _) => false,
            (Leaf::Object(old), Leaf::Inline(_)) => after.number(*old).is_none(),
            (Leaf::Inline(_), Leaf::Object(new)) => before.number(*new).is_none(),
            (Leaf::Inline(_), Leaf::Inline(_)) => true,
        })
}

/// The dictionary of a page.
fn read(examiner: &mut Examiner, state: State, leaf: &Leaf) -> Result<Option<Whole>, Fault> {
    Ok(match leaf {
        Leaf::Object(number) => examiner.document.body_in(state, *number)?.and_then(|body| body.dictionary().cloned()),
        Leaf::Inline(page) => page.as_whole().cloned(),
        Leaf::Missing => None,
    })
}

/// Gives a page what it inherits by the tree as its own.
fn give(page: &mut Whole, inherited: &Inherited) {
    for (key, value) in INHERITED.iter().zip(inherited) {
        if !page.has(key) && !value.is_null() {
            page.push(Name::new(key), value.clone());
        }
    }
}

/// Tells of pages added, removed or put in another order.
fn moved(examiner: &mut Examiner, step: &Step, before: &Pages, after: &Pages) -> Result<(), Fault> {
    let same = before.leaves.iter().zip(&after.leaves).position(|((old, _), (new, _))| old != new);
    let first = same.unwrap_or(before.leaves.len().min(after.leaves.len()));
    let mut is_hidden = false;
    let came = after.leaves.iter().map(|(leaf, _)| leaf).filter(|leaf| match leaf {
        Leaf::Object(number) => before.number(*number).is_none(),
        _ => false,
    });
    for leaf in came.take(COMPARED) {
        is_hidden |= was_there(examiner, step, &Leaf::Missing, leaf)?;
    }
    let details = Details {
        page: Some(first as u32 + 1),
        before: Some(list(before)),
        after: Some(list(after)),
        is_hidden,
        ..Details::default()
    };
    examiner.tell(step, EventKind::Pages, Subject::Kids, details);
    Ok(())
}

fn list(pages: &Pages) -> String {
    let numbers: Vec<u32> =
        pages.leaves.iter().map(|(leaf, _)| if let Leaf::Object(number) = leaf { *number } else { 0 }).collect();
    format!("{} pages {}", pages.leaves.len(), show::numbers(&numbers).unwrap_or_default())
}

/// Whether a page that is new in the tree had been waiting in the file already.
fn was_there(examiner: &mut Examiner, step: &Step, old: &Leaf, new: &Leaf) -> Result<bool, Fault> {
    let Leaf::Object(page) = new else { return Ok(false) };
    if old == new {
        return Ok(false);
    }
    let body = examiner.document.body_in(step.pair.old, *page)?;
    Ok(body.and_then(|body| Some(body.dictionary()?.is_type(b"Page"))).unwrap_or(false))
}
