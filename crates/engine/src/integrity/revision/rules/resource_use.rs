//! Whether content uses a name of resources, its own or those around it (ISO 32000-1, 7.8.3).

use std::collections::BTreeSet;

use memchr::memchr_iter;

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::structure::graph::Roots;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::is_regular;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::{Id, Object};

/// The categories of resources (7.8.3, table 33).
const CATEGORIES: &str = "ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties";
/// Maximum bytes of content searched for a name.
const MAX_CONTENT_BYTES: usize = 1 << 20;
/// Maximum references from content to a resource: to the dictionary, its category and the resource.
const MAX_DEPTH: usize = 3;
/// Maximum objects that a page or a form draws with.
const MAX_DRAWN_OBJECTS: usize = 10_000;
/// Entries of pages, annotations and resources that lead to no content.
const NOT_DRAWN: &str = "\
    Parent P Popup OC Metadata PieceInfo StructParent StructParents FontFile FontFile2 FontFile3 ToUnicode";

/// A name that resources gained, or that stands for something else now.
pub(super) struct ResourceName {
    /// Its category; `None` if the name may be one itself.
    pub(super) category: Option<Name>,
    pub(super) name: Name,
}

/// Whether it is a resource dictionary (7.8.3, table 33), or a category of named objects.
pub(super) fn is_resources(dictionary: Option<&Dictionary>) -> bool {
    dictionary.is_some_and(|dictionary| {
        let is_category = dictionary.iter().all(|(_, value)| value.as_reference().is_some());
        let is_all = dictionary.iter().all(|(key, _)| names_category(key));
        !dictionary.is_empty() && (is_all || is_category)
    })
}

pub(super) fn names_category(name: &Name) -> bool {
    is_among(CATEGORIES, name.as_bytes())
}

impl ResourceName {
    /// Whether content uses it without its name: a default color space (8.6.5.6).
    pub(super) fn is_implied(&self) -> bool {
        is_among("DefaultGray DefaultRGB DefaultCMYK", self.name.as_bytes())
    }
}

/// Whether content of the state before the revision that has this resource may use one of these names.
pub(super) fn may_be_used(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
    names: &[ResourceName],
) -> Result<bool, Fault> {
    let [Some(catalog), _] = step.roots else { return Ok(true) };
    let reference = |number| Object::Reference(Id { number, generation: 0 });
    let mut watched = BTreeSet::from([number]);
    let roots = Roots { state: step.pair.old, catalog, info: step.info, with_tags: false };
    let graph = examiner.graph(roots)?;
    if graph.is_truncated {
        return Ok(true);
    }
    for _ in 0..MAX_DEPTH {
        let mut above = BTreeSet::new();
        for &referrer in watched.iter().flat_map(|&number| graph.referrers(number)) {
            let Some(body) = examiner.document.view(step.pair.old).object(referrer)? else { return Ok(true) };
            match body.dictionary() {
                Some(_) if body.stream.is_some() => {
                    if drawn_may_use(examiner, step, vec![reference(referrer)], (number, names))? {
                        return Ok(true);
                    }
                }
                Some(page) if page.has(b"Contents") => {
                    if page_may_use(examiner, step, (page, reference(number)), (number, names))? {
                        return Ok(true);
                    }
                }
                // pages inherit them
                Some(node) if node.has(b"Kids") && !node.has(b"FT") => {
                    let [pages, _] = step.pages.clone();
                    for leaf in &pages.leaves {
                        let page = leaf.dictionary(&mut examiner.document.view(step.pair.old))?.unwrap_or_default();
                        if page_may_use(examiner, step, (&page, reference(number)), (number, names))? {
                            return Ok(true);
                        }
                    }
                }
                // the form and its fields have rules of their own
                Some(form) if [b"AcroForm".as_slice(), b"Fields", b"FT", b"Rect"].iter().any(|key| form.has(key)) => {}
                Some(resources) if is_resources(Some(resources)) => {
                    above.insert(referrer);
                }
                _ => return Ok(true),
            }
        }
        if above.is_empty() {
            return Ok(false);
        }
        watched = above;
    }
    Ok(true)
}

/// Whether the content of a page with these resources, or an appearance on it, may use one of these names of an object; 0 for
/// resources that are no object of their own.
pub(super) fn page_may_use(
    examiner: &mut Examiner,
    step: &Step,
    (page, resources): (&Dictionary, Object),
    names: (u32, &[ResourceName]),
) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(step.pair.old);
    let mut drawn = vec![resources, page.get(b"Contents").clone()];
    let annotations = view.resolve(page.get(b"Annots"))?.into_owned();
    for annotation in annotations.elements() {
        drawn.push(view.dictionary(annotation)?.get(b"AP").clone());
    }
    drawn_may_use(examiner, step, drawn, names)
}

/// Whether content that is reached from these values may use one of these names: readers look up what the resources of a
/// form, an appearance, a pattern or a Type 3 font lack in those around it, and in those of the page.
fn drawn_may_use(
    examiner: &mut Examiner,
    step: &Step,
    mut due: Vec<Object>,
    names: (u32, &[ResourceName]),
) -> Result<bool, Fault> {
    let mut seen = BTreeSet::new();
    while let Some(value) = due.pop() {
        match value {
            Object::Reference(id) if seen.insert(id.number) => {
                let Some(body) = examiner.document.view(step.pair.old).object(id.number)? else { continue };
                if seen.len() > MAX_DRAWN_OBJECTS || content_may_use(examiner, step, &body, names)? {
                    return Ok(true);
                }
                due.push(body.object.clone());
            }
            Object::Array(elements) => due.extend(elements.iter().filter(|element| is_nested(element)).cloned()),
            Object::Dictionary(entries) => {
                let drawn = entries.iter().filter(|(key, _)| !is_among(NOT_DRAWN, key.as_bytes()));
                due.extend(drawn.map(|(_, value)| value).filter(|value| is_nested(value)).cloned());
            }
            _ => {}
        }
    }
    Ok(false)
}

fn is_nested(value: &Object) -> bool {
    matches!(value, Object::Reference(_) | Object::Array(_) | Object::Dictionary(_))
}

/// The names that a content stream does not find in resources of its own.
fn missing<'n>(
    examiner: &mut Examiner,
    step: &Step,
    stream: &Dictionary,
    (changed, names): (u32, &'n [ResourceName]),
) -> Result<Vec<&'n Name>, Fault> {
    let view = &mut examiner.document.view(step.pair.old);
    let is_changed = |value: &Object| value.as_reference().is_some_and(|id| id.number == changed);
    let own = view.dictionary(stream.get(b"Resources"))?.into_owned();
    let has_own = !is_changed(stream.get(b"Resources"));
    let mut missing = Vec::new();
    for ResourceName { category, name } in names {
        let category = category.as_ref().map_or(&Object::Null, |category| own.get(category.as_bytes()));
        if !has_own || is_changed(category) || view.dictionary(category)?.get(name.as_bytes()).is_null() {
            missing.push(name);
        }
    }
    Ok(missing)
}

/// Whether an object is a content stream that may contain one of these names, however it is spelled.
fn content_may_use(
    examiner: &mut Examiner,
    step: &Step,
    body: &Body,
    names: (u32, &[ResourceName]),
) -> Result<bool, Fault> {
    let stream = body.dictionary().filter(|stream| body.stream.is_some() && !stream.get(b"Subtype").is_name(b"Image"));
    let Some(stream) = stream else { return Ok(false) };
    let names = missing(examiner, step, stream, names)?;
    let Some(content) = examiner.document.decoded(step.pair.old, body, MAX_CONTENT_BYTES)? else { return Ok(true) };
    examiner.document.budget.work(content.len())?;
    // also within strings and data, which readers may delimit differently
    let is_one = |at: usize| {
        let rest = content.get(at..).unwrap_or_default();
        let mut written = rest.iter().skip(1).take_while(|&&byte| is_regular(byte));
        let is_written = names.iter().any(|name| written.clone().eq(name.as_bytes()));
        let has_escape = written.any(|&byte| byte == b'#');
        is_written || has_escape && matches!(Lexer::new(rest).token(), Token::Name(name) if names.contains(&&name))
    };
    Ok(content.len() >= MAX_CONTENT_BYTES || memchr_iter(b'/', &content).any(is_one))
}
