//! Resources that gained names (ISO 32000-1, 7.8.3), which existing content uses only if they were missing.

use std::collections::BTreeSet;

use memchr::memchr_iter;

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::graph::Roots;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::is_regular;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::{Id, Object};

/// Maximum bytes of content searched for a name.
const MAX_CONTENT_BYTES: usize = 1 << 20;
/// Maximum references from content to a resource: to the dictionary, its category and the resource.
const MAX_DEPTH: usize = 3;

/// Whether resources of a signed file only gained names. Whether content that may use these shows something else is
/// inconclusive.
pub(crate) fn only_gained_names(
    examiner: &mut Examiner,
    step: &Step,
    change: &ObjectChange,
    page: Option<u32>,
) -> Result<bool, Fault> {
    let ([Some(old), Some(new)], true) = (change.dictionaries(), examiner.is_signed) else { return Ok(false) };
    let Some(gained) = gained(examiner, step, old, new)?.filter(|_| is_resources(Some(old))) else { return Ok(false) };
    if gained.iter().any(is_implied) || may_be_used(examiner, step, change.number, &gained)? {
        examiner.inconclusive(step, page, "the resources of signed content were given further names".into());
    }
    Ok(true)
}

/// Whether it is a resource dictionary (7.8.3, table 33), or a category of named objects.
fn is_resources(dictionary: Option<&Dictionary>) -> bool {
    const CATEGORIES: &str = "ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties";
    dictionary.is_some_and(|dictionary| {
        let is_category = dictionary.iter().all(|(_, value)| value.as_reference().is_some());
        let is_all = dictionary.iter().all(|(key, _)| is_among(CATEGORIES, key.as_bytes()));
        !dictionary.is_empty() && (is_all || is_category)
    })
}

/// Whether the resources of a page are the same, but for names that it does not use and procedure sets, which are obsolete
/// (14.2).
pub(crate) fn gains_unused(
    examiner: &mut Examiner,
    step: &Step,
    page: &Dictionary,
    [old, new]: [&Dictionary; 2],
) -> Result<bool, Fault> {
    let Some(gained) = gained(examiner, step, old, new)? else { return Ok(false) };
    Ok(gained.is_empty()
        || !gained.iter().any(is_implied)
            && !lends_names(examiner, step, &Object::Dictionary(old.clone()), MAX_DEPTH)?
            && !page_may_use(examiner, step, page, &gained)?
            && !appearances_may_use(examiner, step, page, &gained)?)
}

/// Whether content uses a resource without its name: a default color space (8.6.5.6).
fn is_implied(name: &Name) -> bool {
    is_among("DefaultGray DefaultRGB DefaultCMYK", name.as_bytes())
}

/// The names that resources gained; `None` if anything else changed.
fn gained(
    examiner: &mut Examiner,
    step: &Step,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<Option<Vec<Name>>, Fault> {
    let mut gained = Vec::new();
    for category in step.pair.differing(examiner.document, old, new)? {
        if category.as_bytes() == b"ProcSet" {
            continue;
        }
        let (before, after) = (old.get(category.as_bytes()), new.get(category.as_bytes()));
        let [before, after] = step.pair.resolve(examiner.document, before, after)?;
        let (Some(after), true) = (after.as_dictionary(), before.is_null() || before.as_dictionary().is_some()) else {
            return Ok(None);
        };
        let before = before.as_dictionary().unwrap_or(Dictionary::empty());
        let names = step.pair.differing(examiner.document, before, after)?;
        if names.iter().any(|name| !before.get(name.as_bytes()).is_null()) {
            return Ok(None);
        }
        gained.push(category);
        gained.extend(names);
    }
    Ok(Some(gained))
}

/// Whether content of the state before the revision that has this resource may use one of these names.
fn may_be_used(examiner: &mut Examiner, step: &Step, number: u32, names: &[Name]) -> Result<bool, Fault> {
    let [Some(catalog), _] = step.roots else { return Ok(true) };
    let mut watched = BTreeSet::from([number]);
    if lends_names(examiner, step, &Object::Reference(Id { number, generation: 0 }), MAX_DEPTH)? {
        return Ok(true);
    }
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
                    if content_may_use(examiner, step, &body, names)? {
                        return Ok(true);
                    }
                }
                Some(page) if page.has(b"Contents") => {
                    if page_may_use(examiner, step, page, names)? {
                        return Ok(true);
                    }
                }
                // pages inherit them
                Some(node) if node.has(b"Kids") && !node.has(b"FT") => {
                    let [pages, _] = step.pages.clone();
                    for leaf in &pages.leaves {
                        let page = leaf.dictionary(&mut examiner.document.view(step.pair.old))?.unwrap_or_default();
                        if page_may_use(examiner, step, &page, names)? {
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

/// Whether a form, a pattern or a Type 3 font among these resources has none of its own, so that readers use these.
fn lends_names(examiner: &mut Examiner, step: &Step, resource: &Object, depth: usize) -> Result<bool, Fault> {
    let body = examiner.document.view(step.pair.old).body(resource)?;
    let (object, is_stream) = body.as_ref().map_or((resource, false), |body| (&body.object, body.stream.is_some()));
    let Some(entries) = object.as_dictionary() else { return Ok(false) };
    if entries.get(b"Subtype").is_name(b"Type3") || is_stream && !entries.get(b"Subtype").is_name(b"Image") {
        return Ok(!entries.has(b"Resources"));
    }
    let Some(below) = depth.checked_sub(1).filter(|_| !is_stream && !entries.has(b"Type")) else { return Ok(false) };
    for (_, value) in entries.iter() {
        if lends_names(examiner, step, value, below)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the content of a page may contain one of these names.
fn page_may_use(examiner: &mut Examiner, step: &Step, page: &Dictionary, names: &[Name]) -> Result<bool, Fault> {
    let contents = page.get(b"Contents");
    let listed = examiner.document.view(step.pair.old).resolve(contents)?.into_owned();
    let streams = if listed.elements().is_empty() { std::slice::from_ref(contents) } else { listed.elements() };
    for stream in streams {
        let Some(body) = examiner.document.view(step.pair.old).body(stream)? else { return Ok(true) };
        if content_may_use(examiner, step, &body, names)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the appearance of an annotation of a page has no resources of its own, so that some viewers use those of the page,
/// and may contain one of these names.
fn appearances_may_use(examiner: &mut Examiner, step: &Step, page: &Dictionary, names: &[Name]) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(step.pair.old);
    let annotations = view.resolve(page.get(b"Annots"))?.into_owned();
    let mut streams = Vec::new();
    for annotation in annotations.elements() {
        let annotation = view.dictionary(annotation)?.into_owned();
        let appearances = view.dictionary(annotation.get(b"AP"))?.into_owned();
        for (_, appearance) in appearances.iter() {
            let Some(body) = view.body(appearance)? else { continue };
            if body.stream.is_some() {
                streams.push(appearance.clone());
            } else if let Some(states) = body.dictionary() {
                streams.extend(states.iter().map(|(_, stream)| stream.clone()));
            }
        }
    }
    for stream in streams {
        let Some(body) = examiner.document.view(step.pair.old).body(&stream)? else { continue };
        let has_own = body.dictionary().is_some_and(|dictionary| dictionary.has(b"Resources"));
        if !has_own && content_may_use(examiner, step, &body, names)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a content stream may contain one of these names, however it is spelled.
fn content_may_use(examiner: &mut Examiner, step: &Step, body: &Body, names: &[Name]) -> Result<bool, Fault> {
    let Some(content) = examiner.document.decoded(step.pair.old, body, MAX_CONTENT_BYTES)? else { return Ok(true) };
    examiner.document.budget.work(content.len())?;
    // also within strings and data, which readers may delimit differently
    let is_one = |at: usize| {
        let rest = content.get(at..).unwrap_or_default();
        let mut written = rest.iter().skip(1).take_while(|&&byte| is_regular(byte));
        let is_written = names.iter().any(|name| written.clone().eq(name.as_bytes()));
        let has_escape = written.any(|&byte| byte == b'#');
        is_written || has_escape && matches!(Lexer::new(rest).token(), Token::Name(name) if names.contains(&name))
    };
    Ok(content.len() >= MAX_CONTENT_BYTES || memchr_iter(b'/', &content).any(is_one))
}
