//! Names that editing software gives to what it adds to pages (ISO 32000-1, 7.8.3); of the first page, as far as it is at hand.

use crate::document::Document;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::syntax::object::Id;

pub(super) fn examine(document: &mut Document, page: Option<Id>, findings: &mut Findings) -> Result<(), Fault> {
    let Some(page) = page else { return Ok(()) };
    let names = document.peek_names(page, b"Resources")?;
    for name in &names {
        if let Some(by) = maker(name, &names) {
            let evidence = Evidence {
                page: Some(1),
                place: Some(format!("Resources /{name}")),
                after: Some(by.to_owned()),
                ..Evidence::default()
            };
            findings.add(SignalId::EditingMarks, Strength::Strong, evidence);
        }
    }
    Ok(())
}

/// Who names resources like this when it adds them to a page that is there already.
fn maker(name: &str, all: &[String]) -> Option<&'static str> {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if numbered("Xi") {
        Some("iText's stamping mode")
    } else if numbered("Fx") {
        Some("qpdf's overlay")
    } else if numbered("fzFrm") {
        Some("MuPDF's overlay of pages")
    } else if name.rsplit_once('-').is_some_and(|(base, number)| {
        // two of a name: the one that was there, and the one that came
        number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() && all.iter().any(|name| name == base)
    }) {
        Some("pypdf's overlay of pages")
    } else {
        None
    }
}
