//! Replacement text of structure elements (14.9.4) that is nearly the number that the page shows for them.

use crate::PageText;
use crate::hidden::finding::{Cover, HiddenText, LineChange, letters};
use crate::hidden::report::HiddenKind;
use crate::hidden::similarity::{digits, is_near_copy};
use crate::{Rectangle, Run};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Maximum elements, marked-content sequences of one, and levels of elements below it.
const MAX_ELEMENTS: usize = 1_000;
const MAX_SEQUENCES: usize = 64;
const MAX_LEVELS: usize = 4;

/// A structure element with replacement text that has digits.
#[derive(Debug)]
pub(super) struct Element {
    text: String,
    /// Its marked-content sequences: object number of the page, and identifier.
    sequences: Vec<(u32, i64)>,
}

/// Returns those of these structure elements whose replacement text has digits.
pub(super) fn find(document: &mut Document, state: State, numbers: &[u32]) -> Result<Vec<Element>, Fault> {
    let mut found = Vec::new();
    for number in numbers.iter().take(MAX_ELEMENTS) {
        document.budget.work(1)?;
        let Some(body) = document.view(state).object(*number)? else { continue };
        let Some(element) = body.dictionary() else { continue };
        let view = &mut document.view(state);
        let text = view.resolve(element.get(b"ActualText"))?.as_string().and_then(text_string::decode);
        let Some(text) = text.filter(|text| !digits(text).is_empty()) else { continue };
        let page = element.get(b"Pg").as_reference().map(|id| id.number);
        let mut sequences = Vec::new();
        collect(view, element.get(b"K"), (page, MAX_LEVELS), &mut sequences)?;
        found.push(Element { text: letters(&text), sequences });
    }
    Ok(found)
}

/// Adds the marked-content sequences of the kids of an element (14.7.4).
fn collect(
    view: &mut View,
    kids: &Object,
    (page, levels): (Option<u32>, usize),
    found: &mut Vec<(u32, i64)>,
) -> Result<(), Fault> {
    let kids = view.resolve(kids)?.into_owned();
    let kids = if kids.elements().is_empty() { std::slice::from_ref(&kids) } else { kids.elements() };
    for kid in kids {
        view.work(1)?;
        let kid = view.resolve(kid)?.into_owned();
        let page_of = |entry: &Object| entry.as_reference().map_or(page, |id| Some(id.number));
        let (identifier, page) = match &kid {
            Object::Integer(_) => (kid.as_integer(), page),
            // an object, or content of a form
            Object::Dictionary(kid) if kid.has(b"Stm") || kid.has(b"Obj") => (None, None),
            Object::Dictionary(kid) if kid.has(b"K") && levels > 0 => {
                collect(view, kid.get(b"K"), (page_of(kid.get(b"Pg")), levels - 1), found)?;
                (None, None)
            }
            Object::Dictionary(kid) => (kid.get(b"MCID").as_integer(), page_of(kid.get(b"Pg"))),
            _ => (None, None),
        };
        found.extend(page.zip(identifier).filter(|_| found.len() < MAX_SEQUENCES));
    }
    Ok(())
}

impl Element {
    /// Returns its replacement text if one of the pages shows nearly the same number for it.
    pub(super) fn contradiction(&self, leaves: &[PageLeaf], pages: &[PageText]) -> Option<HiddenText> {
        let mut places = leaves.iter().zip(pages).enumerate();
        places.find_map(|(index, (leaf, page))| {
            let now = self.shown(leaf.object()?, page)?;
            let [shown, text] = [now.iter().map(|run| page.text(run)).collect::<String>(), self.text.clone()];
            let is_shown = page.runs.iter().any(|run| page.text(run).contains(&text));
            let bounds = now.iter().map(|run| run.bounds).reduce(Rectangle::with)?;
            let is_old = is_near_copy(&text, &letters(&shown)) && !is_shown;
            is_old.then(|| HiddenText {
                page: u32::try_from(index + 1).unwrap_or(u32::MAX),
                kind: HiddenKind::Retyped,
                bounds,
                characters: u32::try_from(text.chars().count()).unwrap_or(u32::MAX),
                change: Some(LineChange { before: text.clone(), now: shown }),
                text,
                cover: Some(Cover::ReplacementText),
            })
        })
    }

    /// Returns the runs that a page paints for it; none if it has none on this page.
    fn shown<'p>(&self, number: u32, page: &'p PageText) -> Option<Vec<&'p Run>> {
        let is_own = |identifier: i64| self.sequences.contains(&(number, identifier));
        let marked = page.marked.iter().filter(|(identifier, _)| is_own(*identifier));
        let runs = marked.flat_map(|(_, runs)| page.runs.get(runs.clone()).unwrap_or_default());
        let runs: Vec<&Run> = runs.filter(|run| run.is_painted()).collect();
        (!runs.is_empty()).then_some(runs)
    }
}
