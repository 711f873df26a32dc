//! The file of a report, and the parts of its page around it.

use maud::Markup;
use shared::analysis::Analysis;
use shared::reference::Reference;

/// The analyzed file.
pub(crate) struct ReportedFile<'a> {
    pub(crate) filename: &'a str,
    pub(crate) reference: Option<&'a str>,
    /// In bytes.
    pub(crate) size: u64,
    /// The time; `None` for an example, which is not stored.
    pub(crate) analyzed_at: Option<&'a str>,
    pub(crate) id: Option<String>,
}

impl<'a> From<&'a Analysis> for ReportedFile<'a> {
    fn from(analysis: &'a Analysis) -> Self {
        Self {
            filename: &analysis.filename,
            reference: analysis.reference.as_ref().map(Reference::as_str),
            size: analysis.file_size,
            analyzed_at: Some(&analysis.analyzed_at),
            id: Some(analysis.id.to_string()),
        }
    }
}

/// The parts of a page around the report.
#[derive(Default)]
pub(crate) struct PageChrome {
    /// Above it.
    pub(crate) before: Markup,
    /// Below the verdict.
    pub(crate) notes: Markup,
    /// The form that changes its reference.
    pub(crate) reference: Markup,
    /// Its actions.
    pub(crate) actions: Markup,
    /// Below it.
    pub(crate) after: Markup,
    /// The address of its JSON.
    pub(crate) json: Option<String>,
    /// Whether the page is self-contained, without the console's scripts.
    pub(crate) is_alone: bool,
}
