//! Pages (7.7.3): which there are, what they inherit, and their content.

use std::collections::BTreeSet;

use super::geometry::Rectangle;
use super::view::View;
use crate::document::body::Resolved;
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::key::Key;
use crate::syntax::object::Object;

/// How many nodes may stand above a page.
const ANCESTORS: usize = 32;
/// Nodes of the page tree that are looked at for pages.
const NODES: usize = 10_000;
/// Content streams of one page.
const STREAMS: usize = 1_000;
/// A page whose size the file does not say: US Letter, as readers take it.
const LETTER: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 612.0, top: 792.0 };

/// The pages of a file.
#[derive(Debug, Default)]
pub(crate) struct PageNumbers {
    /// The numbers of their objects, in order.
    pub(crate) numbers: Vec<u32>,
    /// Whether there may be others, or what stands in the tree could not be read.
    pub(crate) is_part: bool,
}

/// The pages in order; no more than `most`.
pub(super) fn pages(view: &mut View, most: usize) -> Result<PageNumbers, Fault> {
    let root = view.document.xref.trailer.get(Key::Root).clone();
    let catalog = view.dictionary(&root)?;
    let mut pages = PageNumbers::default();
    let mut seen = BTreeSet::new();
    // those that come first are on top
    let mut nodes = vec![catalog.get(b"Pages").clone()];
    while let Some(node) = nodes.pop() {
        let Some(id) = node.as_reference().filter(|id| seen.insert(id.number)) else {
            pages.is_part = true;
            continue;
        };
        if pages.numbers.len() >= most || seen.len() > NODES {
            pages.is_part = true;
            break;
        }
        let node = view.dictionary(&node)?;
        if node.has(b"Kids") {
            let kids = view.resolve(node.get(b"Kids"))?;
            view.work(kids.elements().len())?;
            nodes.extend(kids.elements().iter().rev().cloned());
        } else if !node.is_type(b"Pages") {
            // what cannot be read may be one as well
            pages.is_part |= node.len() == 0;
            pages.numbers.push(id.number);
        }
    }
    Ok(pages)
}

/// What stands right below the root of the page tree.
pub(super) fn kids_of_root(view: &mut View) -> Result<Vec<Object>, Fault> {
    let root = view.document.xref.trailer.get(Key::Root).clone();
    let catalog = view.dictionary(&root)?;
    let root = view.dictionary(catalog.get(b"Pages"))?;
    let kids = view.resolve(root.get(b"Kids"))?;
    Ok(kids.elements().to_vec())
}

/// What a page refers to for its content: its streams and its fonts.
pub(super) fn drawn_with(view: &mut View, page: &Object) -> Result<Vec<Object>, Fault> {
    let Some(page) = ResolvedPage::read(view, page)? else { return Ok(Vec::new()) };
    let mut drawn: Vec<Object> = match page.dictionary.get(b"Contents") {
        Object::Array(streams) => streams.clone(),
        stream => vec![stream.clone()],
    };
    let fonts = view.dictionary(page.resources.get(b"Font"))?;
    drawn.extend(fonts.iter().map(|(_, font)| font.clone()));
    Ok(drawn)
}

/// A page with what it inherits (7.7.3.4).
#[derive(Debug)]
pub(super) struct ResolvedPage {
    pub(super) dictionary: Whole,
    pub(super) resources: Whole,
    /// What of it is shown (14.11.2.2), in the coordinates of its content.
    pub(super) shown: Rectangle,
}

impl ResolvedPage {
    /// The page that is referred to; none if that is no dictionary.
    pub(super) fn read(view: &mut View, page: &Object) -> Result<Option<Self>, Fault> {
        let Object::Whole(dictionary) = view.resolve(page)?.into_owned() else { return Ok(None) };
        let names: [&[u8]; 3] = [b"Resources", b"MediaBox", b"CropBox"];
        let mut values = names.map(|name| dictionary.get(name).clone());
        let mut parent = dictionary.get(b"Parent").clone();
        for _ in 0..ANCESTORS {
            if parent.is_null() || values.iter().all(|value| !value.is_null()) {
                break;
            }
            let node = view.dictionary(&parent)?;
            for (value, name) in values.iter_mut().zip(names) {
                if value.is_null() {
                    *value = node.get(name).clone();
                }
            }
            let next = node.get(b"Parent").clone();
            parent = next;
        }
        let [resources, media, crop] = values;
        let mut rectangle = |object: &Object| -> Result<Option<Rectangle>, Fault> {
            let array = view.resolve(object)?;
            let numbers = array.elements().iter().take(4).map(|corner| view.resolve(corner).map(Resolved::into_owned));
            let corners = Object::Array(numbers.collect::<Result<_, _>>()?);
            Ok(Rectangle::read(&corners).filter(|rectangle| !rectangle.is_empty()))
        };
        let media = rectangle(&media)?.unwrap_or(LETTER);
        let shown = rectangle(&crop)?.map_or(media, |crop| crop.clipped(media));
        let shown = if shown.is_empty() { media } else { shown };
        Ok(Some(Self { resources: view.dictionary(&resources)?.into_owned(), dictionary, shown }))
    }

    /// Its content (7.7.3.3), `most` bytes of it, and whether there may be more.
    pub(super) fn content(&self, view: &mut View, most: usize) -> Result<(Vec<u8>, bool), Fault> {
        let contents = self.dictionary.get(b"Contents");
        let array = view.resolve(contents)?;
        let streams = if let Object::Array(streams) = &*array { streams } else { std::slice::from_ref(contents) };
        let mut is_part = streams.len() > STREAMS;
        let mut content = Vec::new();
        for stream in streams.iter().take(STREAMS) {
            let Some(stream) = view.stream(stream, most.saturating_sub(content.len()))? else { continue };
            is_part |= stream.is_part;
            if content.is_empty() {
                content = stream.content;
            } else {
                // the end of a stream is the end of a token (7.8.2)
                content.push(b'\n');
                content.extend(stream.content);
            }
        }
        Ok((content, is_part))
    }
}
