//! Signed paint that an annotation hid when the file was signed, and that comes to show as the annotation is changed or
//! removed.

use super::painted_page::{below, contents};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::revision::annotation_flags::{HIDDEN, NO_VIEW};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{PageText, Painted, overlaid};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Records signed paint that a note hid and no longer hides as inconclusive; `after` is none if the note was removed.
pub(crate) fn note_reveals(
    examiner: &mut Examiner,
    step: &Step,
    (owner, number): (u32, Option<u32>),
    (before, after): (&Dictionary, Option<&Dictionary>),
) -> Result<(), Fault> {
    if !examiner.is_signed || examiner.overlap_checks_left == 0 {
        return Ok(());
    }
    let gone = Dictionary::default();
    reveal(examiner, step, (owner, number.unwrap_or(0)), [before, after.unwrap_or(&gone)])
}

/// Records signed paint that the appearance of an annotation hid and no longer hides as inconclusive.
pub(super) fn reveal(
    examiner: &mut Examiner,
    step: &Step,
    (owner, number): (u32, u32),
    [before, after]: [&Dictionary; 2],
) -> Result<(), Fault> {
    let [pages, _] = &step.pages;
    if !step.follows.is_after_signature() || pages.page(owner).is_none() {
        return Ok(());
    }
    let below = below(examiner, step, owner)?;
    let mut drawn = |state: State, annotation: &Dictionary| {
        if annotation.get(b"F").as_integer().unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
            return Ok(PageText::default());
        }
        let mut contents = contents(examiner);
        contents.appearance(examiner.document, state, annotation, below.corner)
    };
    let was = drawn(step.pair.old, before)?;
    // most fields have no ground of their own
    if !was.areas.iter().any(|area| area.is_solid && !area.is_off) {
        return Ok(());
    }
    let is = drawn(step.pair.new, after)?;
    // viewers draw the ground again
    if !after.has(b"AP") && !after.get(b"MK").entry(b"BG").is_null() {
        return Ok(());
    }
    let page = step.page_number(owner);
    let mut hidden = |over: &PageText| {
        let is_under = |other: u32| other != number;
        let found = overlaid(&below, over, is_under, &mut examiner.paint_checks_left)?;
        let hidden = found.into_iter().filter(|found| found.is_hidden);
        Some(hidden.map(|found| (found.bounds, found.what)).collect::<Vec<_>>())
    };
    let (Some(hid), Some(hides)) = (hidden(&was), hidden(&is)) else {
        let what = "page {} has too much paint to compare what an annotation hid";
        examiner.inconclusive(step, page, Clause::of(what, &[page.unwrap_or(0).into()]));
        return Ok(());
    };
    if let Some((_, shown)) = hid.iter().find(|found| !hides.contains(found)) {
        let shown = match shown {
            Painted::Words(words) => Quote(words),
            Painted::Path | Painted::Unread => Own("a drawing"),
            Painted::Picture => Own("a picture"),
        };
        let is_field = before.get(b"Subtype").is_name(b"Widget");
        let cover = if is_field { "a field" } else { "an annotation" };
        let words = [page.unwrap_or(0).into(), shown, Own(cover)];
        examiner.inconclusive(step, page, Clause::of("page {} now shows {}, which {} hid", &words));
    }
    Ok(())
}
