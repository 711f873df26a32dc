//! What each kind of change is, and what explains it: one file a kind, each called by the loop over the revisions.

pub(super) mod annotation;
pub(super) mod catalog;
pub(super) mod document_info;
pub(super) mod drawn;
pub(super) mod field;
pub(super) mod form;
pub(super) mod page;
pub(super) mod page_tree;
pub(super) mod signature;

use super::examiner::Step;
use crate::integrity::event::EventKind;

/// What tagging amounts to: whoever signs a tagged document has to tag what shows that.
fn tagging(step: &Step) -> EventKind {
    if step.signs() { EventKind::Tags } else { EventKind::Tagging }
}
