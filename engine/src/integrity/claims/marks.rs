//! Names that editing software gives to what it adds to pages (ISO 32000-1, 7.8.3); of the first page, as far as it is at hand.

use memchr::{memchr2_iter, memmem};

use super::writer;
use crate::document::Document;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Id;

pub(super) fn examine(document: &mut Document, page: Option<Id>, findings: &mut Findings) -> Result<(), Fault> {
    let Some(page) = page else { return Ok(()) };
    // who lays something over a page leaves other traces too
    if findings.are_neutral() && !writer::is_processed(document)? {
        return Ok(());
    }
    if !may_be_marked(document, page)? {
        return Ok(());
    }
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

/// Whether a plain look at a page and its resources shows a name that may be a mark; objects of many kilobytes are passed over.
fn may_be_marked(document: &mut Document, page: Id) -> Result<bool, Fault> {
    let Some(text) = document.plain(page)? else { return Ok(false) };
    // what is inherited was not added to this page
    let Some(start) = memmem::find(&text, b"/Resources") else { return Ok(false) };
    let mut lexer = Lexer::new(text.get(start + b"/Resources".len()..).unwrap_or_default());
    let Some(number) = lexer.take_integer() else { return Ok(shows_mark(&text)) };
    let Ok(number) = u32::try_from(number) else { return Ok(false) };
    Ok(document.plain(Id { number, generation: 0 })?.is_some_and(|text| shows_mark(&text)))
}

fn shows_mark(text: &[u8]) -> bool {
    let is_name = |at: usize| {
        let name = text.get(at + 1..).unwrap_or_default();
        let is_elsewhere = || {
            // the names may stand in an object of their own
            name.strip_prefix(b"XObject")
                .is_some_and(|value| value.trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
        };
        name.starts_with(b"Xi") || name.starts_with(b"Fx") || name.starts_with(b"fzFrm") || is_elsewhere()
    };
    let is_numbered = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        before.is_some_and(u8::is_ascii_alphanumeric) && text.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    memchr2_iter(b'/', b'-', text).any(|at| if text.get(at) == Some(&b'/') { is_name(at) } else { is_numbered(at) })
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
