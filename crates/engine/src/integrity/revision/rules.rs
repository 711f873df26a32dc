//! The rules for each kind of change, one file per kind.

pub(super) mod annotation;
pub(super) mod appearance_match;
pub(super) mod button_appearance;
pub(super) mod button_value;
pub(super) mod calculation;
pub(super) mod catalog;
pub(super) mod document_info;
pub(super) mod field;
pub(super) mod field_appearance;
mod field_entry;
pub(super) mod field_list;
mod field_state;
pub(super) mod form;
pub(super) mod form_defaults;
pub(super) mod gained_font;
pub(super) mod generated_appearance;
mod list_box;
pub(super) mod page;
pub(super) mod page_resource;
pub(super) mod page_tree;
pub(super) mod pressed_button;
pub(super) mod resource_names;
mod resource_use;
pub(super) mod rich_text_style;
pub(super) mod signature;
pub(super) mod text_appearance;
mod text_fit;
mod value_layout;
pub(super) mod xfa;

use super::examiner::Step;
use crate::integrity::event::EventKind;

/// The kind of a tagging change: signing a tagged document requires tags for the visible signature.
fn tagging(step: &Step) -> EventKind {
    if step.signs() { EventKind::Tags } else { EventKind::Tagging }
}
