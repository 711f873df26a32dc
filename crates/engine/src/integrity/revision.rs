//! The revisions of a file (ISO 32000-1, 7.5.6): what each added, changed and removed. Every changed object must be
//! explained at every place that references it; an unexplained one is inconclusive.

mod annotation_flags;
mod annotation_overlap;
mod appearance_source;
mod comparison;
mod conformance;
mod copies;
mod deviation;
mod entry_change;
mod equal;
mod evidence_text;
mod examiner;
mod explanation;
mod format;
mod history;
mod indeterminate;
mod list_changes;
mod object_change;
mod recognizer;
mod revision_end;
mod revision_range;
mod rules;
mod signature_field_template;
mod state_structure;
mod step;
mod stream_encoding;
mod structure;
mod text_changes;
mod touched_pages;
mod trailing_data;
mod vocabulary;

pub(crate) use history::{History, examine};
pub(crate) use trailing_data::is_repeated;

pub(crate) use revision_range::is_covered;
pub(crate) use text_changes::{describe, visible_lines};
