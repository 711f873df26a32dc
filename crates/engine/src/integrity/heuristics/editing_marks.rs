//! Resource names that editing software adds to pages (ISO 32000-1, 7.8.3), on the first page.

use super::writer;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;

/// Maximum resource names examined.
const MAX_NAMES: usize = 500;

pub(super) fn examine(document: &mut Document, page: Option<u32>, findings: &mut Findings) -> Result<(), Fault> {
    let Some(page) = page else { return Ok(()) };
    // overlays on a page leave other traces too
    if findings.are_neutral() && !writer::is_processed(document)? {
        return Ok(());
    }
    let names = names(&mut document.view(State(0)), page)?;
    for name in &names {
        if let Some(by) = maker(name) {
            let evidence = Evidence { page: Some(1), ..Evidence::of(format!("Resources /{name}"), None, Some(by)) };
            findings.add(SignalId::EditingMarks, Strength::Strong, evidence);
        }
    }
    Ok(())
}

/// The names of a page's own resources; inherited ones were not added to the page.
fn names(view: &mut View, page: u32) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    let Some(page) = view.object(page)? else { return Ok(names) };
    let resources = view.dictionary(page.object.entry(b"Resources"))?;
    for (_, named) in resources.iter() {
        let named = view.dictionary(named)?;
        let left = MAX_NAMES - names.len().min(MAX_NAMES);
        names.extend(named.iter().take(left).map(|(name, _)| String::from_utf8_lossy(name.as_bytes()).into_owned()));
    }
    Ok(names)
}

/// The software that gives such names when it stamps an existing page. Names that imposition or letterheads use are no
/// evidence: every imposition program writes some.
fn maker(name: &str) -> Option<&'static str> {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if numbered("Xi") {
        Some("iText's stamping mode")
    } else if numbered("Fx") {
        Some("qpdf's overlay")
    } else {
        None
    }
}
