//! What was done since signing that the signatures permit.

use super::SummaryInput;
use super::names::named;
use super::signer::issuer;
use crate::integrity::event::{Event, EventKind};

/// Maximum actions listed.
const MAX_ACTIONS: usize = 4;

/// `: form fields were filled in; “B” signed on page 2`: the actions, each kind once.
pub(super) fn actions(input: &SummaryInput) -> String {
    let mut phrases: Vec<String> = Vec::new();
    for phrase in input.permitted.iter().filter_map(|event| permitted(input, event)) {
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    let is_more = phrases.len() > MAX_ACTIONS;
    phrases.truncate(MAX_ACTIONS);
    if is_more {
        phrases.push("and more".to_owned());
    }
    if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) }
}

/// The phrase for a permitted event; `None` if another event reports it.
fn permitted(input: &SummaryInput, event: &Event) -> Option<String> {
    let page = event.page.map_or_else(String::new, |page| format!(" on page {page}"));
    Some(match event.kind {
        EventKind::Signature | EventKind::VisibleSignature => {
            let own = input.signatures.iter().find(|signature| signature.field == event.field)?;
            let name = own.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            let visibly = if event.kind == EventKind::VisibleSignature { " visibly" } else { "" };
            let covered =
                event.covered.as_ref().map_or_else(String::new, |field| format!("; it covers {}", named(field)));
            format!("{name}{} signed{visibly}{page}{covered}", issuer(own))
        }
        EventKind::Value => format!("form fields{page} were filled in"),
        EventKind::Redrawn => format!("form fields{page} were drawn again with the same values"),
        EventKind::Appearance => format!("the appearance of form fields{page} was changed"),
        EventKind::Annotation => format!("annotations{page} were added or changed"),
        EventKind::SignatureField => "a field for a signature was added".to_owned(),
        EventKind::Metadata => "metadata was changed".to_owned(),
        _ => return None,
    })
}
