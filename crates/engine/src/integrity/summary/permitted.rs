//! What was done since signing that the signatures permit.

use std::collections::BTreeSet;

use super::SummaryInput;
use super::signer::issuer;
use crate::integrity::clause::named;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::PublicTexts;

/// Maximum actions listed, and maximum pages of an action.
const MAX_ACTIONS: usize = 4;
const MAX_PAGES: usize = 4;
/// Maximum lines quoted of a signature's appearance.
const MAX_LINES: usize = 5;

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
    let is_alone = matches!(event.kind, EventKind::Signature | EventKind::VisibleSignature);
    let alike = input.permitted.iter().filter(|other| other.kind == event.kind && !is_alone);
    let page = listed(&alike.filter_map(|other| other.page).chain(event.page).collect());
    Some(match event.kind {
        EventKind::Signature | EventKind::VisibleSignature => {
            let own = input.signatures.iter().find(|signature| signature.field == event.field)?;
            let name = own.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            let visibly = if event.kind == EventKind::VisibleSignature { " visibly" } else { "" };
            let words = shown(input, event);
            let covered =
                event.covered.as_ref().map_or_else(String::new, |field| format!("; it covers {}", named(field)));
            format!("{name}{} signed{visibly}{page}{words}{covered}", issuer(own, input.reader))
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

/// `, with the words “Approved by B”, “Reason: …”`: the lines of a signature's appearance; empty if it has none.
fn shown(input: &SummaryInput, signature: &Event) -> String {
    let is_own = |event: &&&Event| {
        (event.kind, &event.field) == (signature.kind, &signature.field)
            && matches!(event.subject, Subject::Text { .. })
            && input.disclosure.of(event) >= PublicTexts::Now
    };
    let lines = input.permitted.iter().filter(is_own).filter_map(|event| event.after.as_deref());
    let mut quoted: Vec<String> = lines.take(MAX_LINES + 1).map(named).collect();
    if let Some(next) = quoted.get_mut(MAX_LINES) {
        "and more".clone_into(next);
    }
    if quoted.is_empty() { String::new() } else { format!(", with the words {}", quoted.join(", ")) }
}

/// ` on pages 1, 2 and 4`; empty without pages.
fn listed(pages: &BTreeSet<u32>) -> String {
    let pages: Vec<String> = pages.iter().map(u32::to_string).collect();
    match &pages[..] {
        [] => String::new(),
        [page] => format!(" on page {page}"),
        [first @ .., last] if pages.len() <= MAX_PAGES => format!(" on pages {} and {last}", first.join(", ")),
        _ => format!(" on {} pages", pages.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn pages_are_listed_up_to_four() {
        for (count, expected) in
            [(0, ""), (1, " on page 1"), (2, " on pages 1 and 2"), (4, " on pages 1, 2, 3 and 4"), (5, " on 5 pages")]
        {
            assert_eq!(listed(&(1..=count).collect()), expected);
        }
    }
}
