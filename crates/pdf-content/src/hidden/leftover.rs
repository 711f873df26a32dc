//! Words of an earlier state in unreferenced pages and content streams, as left by programs that change a page and
//! write all known objects, in drawings that no page paints, and in earlier copies of objects in use that no
//! cross-reference lists, as left by programs that change a file in place. Fields and notes that nothing references count
//! if another one has their name and place. In a file of several revisions the oldest one is searched: later ones are
//! compared with it.

mod copies;
mod drawings;
mod near_objects;
mod structure;
mod values;

use std::collections::BTreeSet;

use super::finding::{Leftover, LeftoverKind, text};
use super::page_visibility::is_meaningful;
use super::reachable::{Reachable, is_page};
use super::shown_text::ShownText;
use super::unshown::{self, Unshown};
use crate::page::ResolvedPage;
use crate::{ContentReader, Line, PageText, Rectangle};
use copies::{ContentCopy, Copies};
use drawings::Drawing;
use near_objects::NearObjects;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::{Leaf, PageLeaf};
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::shorten;
use structure::Element;

/// Maximum objects searched.
const MAX_OBJECTS: usize = 100_000;
/// Maximum pages whose text is compared.
const MAX_PAGES: usize = 2_000;
/// Budget of the search, in steps of reading pages.
const MAX_STEPS: u64 = 1 << 24;
/// Maximum findings.
const MAX_REPORTED: usize = 10;
/// Minimum width and height of a page, in points, as of old viewers (annex C).
const MIN_PAGE_SIDE_PT: f64 = 3.0;
/// Budget of comparisons for all pages.
const MAX_CHECKS: usize = 1 << 20;

/// What is searched.
pub(super) struct Scope<'s> {
    /// The revision.
    pub(super) state: State,
    /// The objects that its pages use, and the pages; none if not all of its pages were inspected.
    pub(super) inspected: Option<(&'s Lookups, &'s [PageLeaf])>,
}

/// Finds unreferenced text.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(document: &mut Document, scope: &Scope) -> Result<Unshown, Fault> {
    Ok(tried(search(document, scope))?.unwrap_or_default())
}

fn search(document: &mut Document, scope: &Scope) -> Result<Unshown, Fault> {
    let Some(candidates) = Candidates::read(document, scope)?.filter(|candidates| !candidates.is_empty()) else {
        return Ok(Unshown::default());
    };
    let mut search = Search::read(document, scope, &candidates)?;
    search.annotations(&candidates)?;
    search.elements(&candidates);
    search.other_pages(&candidates)?;
    search.drawings(&candidates)?;
    search.copies(&candidates)?;
    let Search { mut found, .. } = search;
    let values = candidates.values.into_iter().chain(candidates.copies.values);
    found.leftovers.extend(values.map(|(object, mut text)| {
        shorten(&mut text);
        Leftover { object, kind: LeftoverKind::Annotation, text }
    }));
    found.leftovers.truncate(MAX_REPORTED);
    Ok(found)
}

/// Objects that may have words of an earlier state, by their numbers.
#[derive(Default)]
struct Candidates {
    /// The pages of the revision.
    pages: Vec<PageLeaf>,
    /// Those that are too small to be seen.
    tiny_pages: BTreeSet<u32>,
    /// Pages outside of the page tree that nothing refers to.
    unused_pages: Vec<u32>,
    /// Pages outside of the page tree that tags, outlines, destinations or names refer to.
    linked_pages: Vec<u32>,
    annotations: Vec<unshown::Candidate>,
    /// Unreferenced streams.
    unused: Vec<u32>,
    /// Drawings in resources that no page paints.
    unpainted: Vec<u32>,
    /// Earlier copies of objects in use.
    copies: Copies,
    /// Values of unreferenced fields and notes.
    values: Vec<(u32, String)>,
    /// Structure elements with replacement text.
    elements: Vec<Element>,
}

impl Candidates {
    /// Reads the objects of a revision; none if there are too many.
    fn read(document: &mut Document, scope: &Scope) -> Result<Option<Self>, Fault> {
        let &Scope { state, inspected } = scope;
        let sections = document.xref.sections.iter();
        let numbers = sections.flat_map(|section| section.numbers().take(MAX_OBJECTS)).take(MAX_OBJECTS + 1);
        let numbers: BTreeSet<u32> = numbers.collect();
        if numbers.len() > MAX_OBJECTS {
            return Ok(None);
        }
        let Some(near) = NearObjects::read(document, scope, &numbers)? else { return Ok(None) };
        let Some(reachable) = Reachable::read(document, state, numbers.len())? else { return Ok(None) };
        let copies = match state {
            State(0) => copies::find(document, &near.ranges, &reachable.numbers)?,
            _ => Copies::default(),
        };
        if reachable.is_part {
            // what nothing seems to lead to may be reached from an unreadable object
            return Ok(Some(Self { pages: pages(document, scope)?, copies, ..Self::default() }));
        }
        let unreached: Vec<u32> = numbers.difference(&reachable.numbers).copied().collect();
        let unused = drawings::streams(document, (state, &near.large), &unreached)?;
        let unpainted = match inspected {
            Some((needed, _)) => drawings::unpainted(document, (state, &near.large), &reachable, needed)?,
            None => Vec::new(),
        };
        let values = values::find(document, state, &unreached, &reachable)?;
        let elements = match inspected {
            Some(_) => structure::find(document, state, &reachable.replaced)?,
            None => Vec::new(),
        };
        let (annotations, tiny_pages) = match inspected {
            Some((_, pages)) => {
                let mut contents = ContentReader::with_steps(document, MAX_STEPS);
                let objects = reachable.annotations.iter().copied();
                let annotations = unshown::candidates(document, &mut contents, objects)?;
                (annotations, tiny_pages(document, pages)?)
            }
            None => (Vec::new(), BTreeSet::new()),
        };
        let pages = pages(document, scope)?;
        let unused_pages = unused_pages(document, state, &unreached)?;
        let linked_pages = linked_pages(&reachable, &pages);
        Ok(Some(Self {
            pages,
            tiny_pages,
            unused_pages,
            linked_pages,
            annotations,
            unused,
            unpainted,
            copies,
            values,
            elements,
        }))
    }

    fn is_empty(&self) -> bool {
        let has_pages = !self.tiny_pages.is_empty() || !self.unused_pages.is_empty() || !self.linked_pages.is_empty();
        let has_drawings = !self.unused.is_empty() || !self.unpainted.is_empty() || !self.copies.is_empty();
        let has_texts = !self.annotations.is_empty() || !self.values.is_empty() || !self.elements.is_empty();
        !has_pages && !has_drawings && !has_texts
    }
}

/// The comparison of candidates with the text of all pages, visible or not.
struct Search<'d, 's> {
    document: &'d mut Document<'s>,
    contents: ContentReader,
    state: State,
    shown: ShownText,
    /// The pages, if all were inspected.
    read: Vec<PageText>,
    /// Streams of other pages, which are compared with these.
    drawn: BTreeSet<u32>,
    found: Unshown,
}

impl<'d, 's> Search<'d, 's> {
    /// Reads the pages.
    fn read(document: &'d mut Document<'s>, scope: &Scope, candidates: &Candidates) -> Result<Self, Fault> {
        let mut contents = ContentReader::with_steps(document, MAX_STEPS);
        let (mut shown, mut read) = (ShownText::default(), Vec::new());
        for leaf in &candidates.pages {
            let page = contents.with_room().page(document, scope.state, leaf)?;
            if !leaf.object().is_some_and(|number| candidates.tiny_pages.contains(&number)) {
                shown.add(&page);
            }
            if scope.inspected.is_some() {
                read.push(page);
            } else {
                contents.take_back(page);
            }
        }
        shown.is_part |= candidates.pages.len() == MAX_PAGES;
        let (drawn, found) = (BTreeSet::new(), Unshown::default());
        Ok(Self { document, contents, state: scope.state, shown, read, drawn, found })
    }

    fn add(&mut self, object: u32, kind: LeftoverKind, lines: &[Line]) {
        let mut text = text(lines);
        shorten(&mut text);
        self.found.leftovers.extend((!lines.is_empty()).then_some(Leftover { object, kind, text }));
    }

    /// Compares the texts of annotations.
    fn annotations(&mut self, candidates: &Candidates) -> Result<(), Fault> {
        if candidates.annotations.is_empty() || self.shown.is_part {
            return Ok(());
        }
        let (pages, mut checks) = ((&candidates.pages[..], &self.read[..]), MAX_CHECKS);
        self.found = unshown::find(self.document, &candidates.annotations, pages, &mut checks)?.unwrap_or_default();
        Ok(())
    }

    /// Compares replacement texts of structure elements with what the pages show for them.
    fn elements(&mut self, candidates: &Candidates) {
        let found = candidates.elements.iter().filter_map(|it| it.contradiction(&candidates.pages, &self.read));
        self.found.findings.extend(found.take(MAX_REPORTED));
    }

    /// Compares pages that viewers do not show. Tags, outlines and names keep pages that were not extracted with the
    /// others: only pages that were replaced are an earlier state.
    fn other_pages(&mut self, candidates: &Candidates) -> Result<(), Fault> {
        for &number in candidates.unused_pages.iter().chain(&candidates.tiny_pages) {
            let is_tiny = candidates.tiny_pages.contains(&number);
            let kind = if is_tiny { LeftoverKind::TinyPage } else { LeftoverKind::Page };
            if let Some(page) = self.other_page(candidates, number)? {
                let missing = self.shown.missing(&page.lines(), (0.0, 0.0));
                self.add(number, kind, &missing);
            }
        }
        let mut refilled = Vec::new();
        for &number in &candidates.linked_pages {
            let Some(page) = self.other_page(candidates, number)? else { continue };
            let lines = page.lines();
            let revised = self.shown.revised(&lines);
            if revised.is_empty() {
                refilled.extend(self.shown.refilled(&lines).map(|(page, lines)| (number, page, lines)));
            }
            self.add(number, LeftoverKind::Page, &revised);
        }
        // a page replaces one other; several like it are a series of which it was extracted
        let is_one = |page: usize| refilled.iter().filter(|(_, other, _)| *other == page).count() == 1;
        for (number, page, lines) in &refilled {
            if is_one(*page) {
                self.add(*number, LeftoverKind::Page, lines);
            }
        }
        Ok(())
    }

    /// Reads a page that viewers do not show. Its annotations are not copied where its content is drawn on another page.
    fn other_page(&mut self, candidates: &Candidates, number: u32) -> Result<Option<PageText>, Fault> {
        let Some(body) = self.document.view(self.state).object(number)? else { return Ok(None) };
        let Some(page) = body.dictionary() else { return Ok(None) };
        let parts = page.get(b"Contents");
        let own = parts.elements().iter().chain([parts]).filter_map(|part| Some(part.as_reference()?.number));
        self.drawn.extend(own);
        let inherited = candidates.pages.first().map(|page| page.inherited.clone()).unwrap_or_default();
        let leaf = PageLeaf { leaf: Leaf::Object(number), inherited };
        let mut page = self.contents.with_room().page(self.document, self.state, &leaf)?;
        page.runs.retain(|run| run.annotation.is_none());
        Ok(Some(page))
    }

    /// Compares drawings that no page paints.
    fn drawings(&mut self, candidates: &Candidates) -> Result<(), Fault> {
        let sizes = sizes(self.document, self.state, &candidates.pages)?;
        let unused = candidates.unused.iter().map(|number| (*number, LeftoverKind::Content));
        let unpainted = candidates.unpainted.iter().map(|number| (*number, LeftoverKind::Unpainted));
        // the content of a page may be in several streams
        let (mut pieces, mut place) = (Vec::new(), None);
        let drawings: Vec<_> = unused.chain(unpainted).filter(|(number, _)| !self.drawn.contains(number)).collect();
        for (number, kind) in drawings {
            let stream = (self.state, number);
            let Some(drawing) = Drawing::read(self.document, &mut self.contents, stream, &candidates.pages)? else {
                continue;
            };
            let Drawing { lines, corner } = drawing;
            if kind == LeftoverKind::Unpainted {
                let mut replaced = self.shown.replaced(&lines, corner);
                if replaced.is_empty() {
                    replaced = self.shown.near_copies(&lines, corner);
                }
                self.add(number, kind, &replaced);
            } else if drawings::is_version(self.document, stream, &sizes, &lines, &self.shown)? {
                place = place.or(Some((number, corner)));
                let missing = self.shown.missing(&lines, corner);
                self.add(number, kind, &missing);
                pieces.push(lines);
            } else {
                let near = self.shown.near_copies(&lines, corner);
                self.add(number, kind, &near);
            }
        }
        if let Some((number, corner)) = place.filter(|_| pieces.len() > 1 && self.found.leftovers.is_empty()) {
            let displaced = self.shown.displaced(&pieces.concat(), corner);
            self.add(number, LeftoverKind::Content, &displaced);
        }
        Ok(())
    }

    /// Compares earlier copies of content streams, with the resources of the page with which they can be read. Of a stream
    /// that is not where the cross-reference says, viewers that repair the file show the last copy.
    fn copies(&mut self, candidates: &Candidates) -> Result<(), Fault> {
        let contents = &candidates.copies.contents;
        for (place, copy) in contents.iter().enumerate().filter(|(_, copy)| copy.form.is_none()) {
            let mut later = contents.iter().skip(place + 1);
            if later.any(|other| other.number == copy.number)
                || self.document.view(self.state).object(copy.number)?.is_some()
            {
                continue;
            }
            if let Some(page) = candidates.pages.first() {
                let page = self.copy(page, copy)?;
                self.shown.add(&page);
            }
        }
        for copy in contents {
            for leaf in &candidates.pages {
                let page = self.copy(leaf, copy)?;
                let is_read = page.runs.iter().all(|run| run.undecoded == 0);
                let changed = if is_read { self.changed(leaf, copy, &page.lines())? } else { Vec::new() };
                if !changed.is_empty() {
                    self.add(copy.number, LeftoverKind::Content, &changed);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns what an earlier copy of a stream paints with the resources of a page, or with its own.
    fn copy(&mut self, leaf: &PageLeaf, copy: &ContentCopy) -> Result<PageText, Fault> {
        self.contents.with_room().page_of(self.document, leaf, (&copy.content, copy.form.as_ref()))
    }

    /// Returns those of an earlier copy's lines that are otherwise now: of content, those that no page shows; of a form,
    /// those that the form with its number lacks, if it shows others.
    fn changed(&mut self, leaf: &PageLeaf, copy: &ContentCopy, lines: &[Line]) -> Result<Vec<Line>, Fault> {
        if copy.form.is_none() {
            let missing = self.shown.missing(lines, (0.0, 0.0));
            let is_known = !missing.is_empty() && drawings::is_known(lines, &self.shown);
            return Ok(if is_known { missing } else { Vec::new() });
        }
        let form = Object::Reference(Id { number: copy.number, generation: 0 });
        let now = self.contents.with_room().page_with(self.document, (self.state, leaf), &form)?;
        let now: Vec<String> = now.lines().iter().map(Line::text).collect();
        let mut changed = lines.to_vec();
        changed.retain(|line| is_meaningful(&line.text()) && !now.contains(&line.text()));
        Ok(if now.iter().any(|line| is_meaningful(line)) { changed } else { Vec::new() })
    }
}

/// Returns the pages of the revision.
fn pages(document: &mut Document, scope: &Scope) -> Result<Vec<PageLeaf>, Fault> {
    Ok(match scope.inspected {
        Some((_, pages)) => pages.to_vec(),
        None => ContentReader::with_steps(document, MAX_STEPS).pages(document, scope.state, MAX_PAGES)?.leaves,
    })
}

/// Returns the boxes of these pages that are shown.
fn sizes(document: &mut Document, state: State, pages: &[PageLeaf]) -> Result<Vec<Rectangle>, Fault> {
    let mut sizes = Vec::new();
    for leaf in pages {
        sizes.extend(ResolvedPage::read(&mut document.view(state), leaf)?.map(|page| page.shown));
    }
    Ok(sizes)
}

/// Returns the pages that are too small to be seen.
fn tiny_pages(document: &mut Document, pages: &[PageLeaf]) -> Result<BTreeSet<u32>, Fault> {
    let mut found = BTreeSet::new();
    for leaf in pages {
        let page = ResolvedPage::read(&mut document.newest(), leaf)?;
        let is_tiny = page.is_some_and(|page| page.shown.width().max(page.shown.height()) < MIN_PAGE_SIDE_PT);
        found.extend(leaf.object().filter(|_| is_tiny));
    }
    Ok(found)
}

/// Returns the pages that nothing refers to.
fn unused_pages(document: &mut Document, state: State, unused: &[u32]) -> Result<Vec<u32>, Fault> {
    let mut found = Vec::new();
    for number in unused {
        let Some(body) = document.view(state).object(*number)? else { continue };
        found.extend(body.dictionary().is_some_and(is_page).then_some(*number));
    }
    Ok(found)
}

/// Returns the pages outside of the page tree, which is all that viewers show (7.7.3), to which something else leads:
/// tags, outlines, names, threads or templates (12.7.6).
fn linked_pages(reachable: &Reachable, pages: &[PageLeaf]) -> Vec<u32> {
    if pages.len() == MAX_PAGES {
        return Vec::new();
    }
    let tree: BTreeSet<u32> = pages.iter().filter_map(PageLeaf::object).collect();
    let mut found: Vec<u32> = reachable.pages.iter().copied().filter(|number| !tree.contains(number)).collect();
    found.sort_unstable();
    found
}
