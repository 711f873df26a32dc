//! Index rows from a file's hash, a document's identifier and a reference to analyses, and the marker rows of
//! comparisons. They are written with the entry's commit and deleted with the entry.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;

use super::batch::found;
use super::item::{Item, bytes};
use super::key::{Row, key};
use super::transact::{AsPart, delete};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::file_hash::FileHash;
use crate::ids::{AnalysisId, UserId};
use crate::quota::timestamp;
use crate::reference::Reference;
use crate::related_analyses::RelatedAnalysis;

/// Analyses named per file and per document.
const MAX_RELATED: usize = 10;
/// Rows of a document that are read to find other files, so that repeated uploads of one file cost no more.
const MAX_DOCUMENT_ROWS: usize = 100;

/// The index rows of an analysis, as its own row lists them; none for analyses stored by earlier versions.
#[derive(Clone, Debug, Default)]
pub struct IndexRows {
    file: Option<FileHash>,
    document: Option<DocumentKey>,
    reference: Option<Reference>,
    is_comparison: bool,
}

impl IndexRows {
    pub(super) fn read(item: &Item) -> Result<Self, Error> {
        let file = item.has("sha256").then(|| item.hash("sha256", FileHash::from_slice)).transpose()?;
        let document = item.has("document").then(|| item.hash("document", DocumentKey::from_slice)).transpose()?;
        let reference = item.optional_text("reference").and_then(Reference::stored);
        Ok(Self { file, document, reference, is_comparison: item.has("compared_with") })
    }

    pub(super) fn file(&self) -> Option<FileHash> {
        self.file
    }

    /// The reference as stored.
    pub(super) fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    fn rows(&self, number: u64) -> impl Iterator<Item = Row> {
        let file = self.file.map(|file| Row::File(file, number));
        let document = self.document.map(|document| Row::Document(document, number));
        let reference = self.reference.as_ref().map(|reference| Row::Reference(reference.key(), number));
        let comparison = self.is_comparison.then_some(Row::Comparison(number));
        [file, document, reference, comparison].into_iter().flatten()
    }
}

impl Rows {
    /// The index rows of this analysis; none if its row was not read.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn index_rows(&self, id: AnalysisId) -> Result<IndexRows, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(IndexRows::default()), IndexRows::read)
    }
}

impl Store {
    /// `user`'s newest analyses of a file, at most 10, newest first.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn same_file(
        &self,
        user: UserId,
        file: FileHash,
        deadline: Deadline,
    ) -> Result<Vec<RelatedAnalysis>, Error> {
        let rows = self.down(user, Row::File(file, Row::LAST), Row::File(file, 0));
        query_related(rows.limit(MAX_RELATED as i32), deadline).await
    }

    /// `user`'s newest analyses of a document that are not known to be of `file`, at most 10, newest first. Only the
    /// newest 100 of the document are read.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn same_document(
        &self,
        user: UserId,
        document: DocumentKey,
        file: Option<FileHash>,
        deadline: Deadline,
    ) -> Result<Vec<RelatedAnalysis>, Error> {
        let rows = self.down(user, Row::Document(document, Row::LAST), Row::Document(document, 0));
        let rows = match file {
            None => rows.limit(MAX_RELATED as i32),
            Some(file) => rows
                .limit(MAX_DOCUMENT_ROWS as i32)
                .filter_expression("attribute_not_exists(sha256) OR sha256 <> :file")
                .expression_attribute_values(":file", bytes(file.as_bytes())),
        };
        query_related(rows, deadline).await
    }

    /// `user`'s newest analyses of the file and of the document that `index_rows` name, the analysis itself included.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn related_now(
        &self,
        user: UserId,
        index_rows: IndexRows,
        deadline: Deadline,
    ) -> Result<(Vec<RelatedAnalysis>, Vec<RelatedAnalysis>), Error> {
        let files = async {
            let Some(file) = index_rows.file else { return Ok(Vec::new()) };
            self.same_file(user, file, deadline).await
        };
        let documents = async {
            let Some(document) = index_rows.document else { return Ok(Vec::new()) };
            self.same_document(user, document, index_rows.file, deadline).await
        };
        tokio::try_join!(files, documents)
    }

    /// The deletions of the index rows of analysis `number`.
    pub(super) fn index_deletions(
        &self,
        user: UserId,
        number: u64,
        index_rows: &IndexRows,
    ) -> impl Iterator<Item = Result<TransactWriteItem, Error>> {
        index_rows.rows(number).map(move |row| delete(self, key(user, row)).part())
    }
}

/// The analyses that a query finds, at most [`MAX_RELATED`].
async fn query_related(query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<RelatedAnalysis>, Error> {
    let query = query.projection_expression("id, analyzed_at");
    found(query, deadline).await?.iter().take(MAX_RELATED).map(related).collect()
}

fn related(item: &Item) -> Result<RelatedAnalysis, Error> {
    Ok(RelatedAnalysis { id: item.id("id", AnalysisId::parse)?, analyzed_at: timestamp(item.instant("analyzed_at")?) })
}
