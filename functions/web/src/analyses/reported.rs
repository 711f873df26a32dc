//! What a report is of, and what is on its page beside it.

use maud::Markup;
use shared::analysis::Analysis;
use shared::reference::Reference;

/// What was analysed.
pub(crate) struct ReportedFile<'a> {
    pub(crate) filename: &'a str,
    pub(crate) reference: Option<&'a str>,
    /// In bytes.
    pub(crate) size: u64,
    /// When; none of an example, which is stored nowhere.
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

/// What stands on the page beside the report itself.
#[derive(Default)]
pub(crate) struct Around {
    /// Above it.
    pub(crate) before: Markup,
    /// Below the verdict.
    pub(crate) notes: Markup,
    /// What changes its reference.
    pub(crate) reference: Markup,
    /// What can be done with it.
    pub(crate) actions: Markup,
    /// Below it.
    pub(crate) after: Markup,
    /// Where it can be had as JSON.
    pub(crate) json: Option<String>,
    /// Whether it stands for itself, where no script of the console is.
    pub(crate) is_alone: bool,
}
