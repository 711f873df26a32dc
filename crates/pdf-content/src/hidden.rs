//! Hidden text: covered text, with or without other text over it; invisible text; redaction annotations that were not
//! applied.
//!
//! The page itself is evidence, even in a file that was rewritten completely and has no earlier revision. The findings
//! list the inspected pages: others may have hidden text.

mod contested_pages;
mod covered_text;
mod cut_off;
mod finding;
mod further;
mod hidden_line;
mod indeterminate;
mod inspection;
mod invisible_text;
mod layered;
mod leftover;
mod line_covers;
mod line_layout;
mod line_versions;
mod other_glyphs;
mod overprinted;
mod page_visibility;
mod partly_covered;
mod reachable;
mod redaction;
mod redrawn;
pub mod report;
mod shown_text;
mod similarity;
mod text_by_visibility;
mod unshown;
mod viewers;
mod words;

pub use finding::{Cover, HiddenText, LeftoverKind, PageFindings};
pub use inspection::inspect;
pub use text_by_visibility::TextByVisibility;
pub use words::{PageWords, letters};

/// Files up to this size are inspected on more pages, and searched for earlier content, within budgets of work alone.
const SMALL_FILE_BYTES: u64 = 2 << 20;
