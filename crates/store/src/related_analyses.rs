//! An account's other analyses of the same file and of the same document.

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::AnalysisId;

/// The account's other analyses of the same file and of the same document, as of the time of the analysis. It is not
/// updated: analyses deleted since are still named here, and are not found.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Seen)]
pub struct RelatedAnalyses {
    /// Analyses of the same bytes (`metadata.file.sha256`), newest first, at most 10. Null if the file's hash is not known.
    #[schema(max_items = 10)]
    pub same_file: Option<Vec<RelatedAnalysis>>,
    /// Analyses of other bytes whose file identifier has the same first part (`metadata.structure.document_id.original`),
    /// newest first, at most 10, among the newest 100 of that document. Where the hash of either is not known, they may be
    /// the same bytes. Null if the file has no identifier that distinguishes documents.
    #[schema(max_items = 10)]
    pub same_document: Option<Vec<RelatedAnalysis>>,
}

/// An earlier analysis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Sighting)]
pub struct RelatedAnalysis {
    /// The analysis id.
    #[schema(value_type = String, format = "uuid")]
    pub id: AnalysisId,
    /// ISO 8601, UTC, `Z`.
    #[schema(format = DateTime)]
    pub analyzed_at: String,
}
