//! What leads from a file's hash, a document's identifier and a reference to analyses, and what tells comparisons apart: rows
//! beside an entry's own, which come with it in its commit and go with it in its deletion.

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
use crate::seen::Sighting;

/// So many analyses of a kind are named.
const NAMED: usize = 10;
/// So many of a document's are looked at for those of other bytes: whoever sends one file again and again reads no more.
const LOOKED_AT: usize = 100;

/// Which rows lead to an analysis, as its own row says. Those of analyses that earlier versions stored: none.
#[derive(Clone, Debug, Default)]
pub struct Leads {
    file: Option<FileHash>,
    document: Option<DocumentKey>,
    reference: Option<Reference>,
    is_comparison: bool,
}

impl Leads {
    pub(super) fn read(item: &Item) -> Result<Self, Error> {
        let file = item.has("sha256").then(|| item.hash("sha256", FileHash::from_slice)).transpose()?;
        let document = item.has("document").then(|| item.hash("document", DocumentKey::from_slice)).transpose()?;
        let reference = item.optional_text("reference").and_then(Reference::stored);
        Ok(Self { file, document, reference, is_comparison: item.has("compared_with") })
    }

    pub(super) fn file(&self) -> Option<FileHash> {
        self.file
    }

    /// The reference as it is stored.
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
    /// What leads to this analysis, if its row was read.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn leads(&self, id: AnalysisId) -> Result<Leads, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(Leads::default()), Leads::read)
    }
}

impl Store {
    /// `user`'s newest analyses of a file, at most 10, newest first.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn same_file(&self, user: UserId, file: FileHash, deadline: Deadline) -> Result<Vec<Sighting>, Error> {
        let rows = self.down(user, Row::File(file, Row::LAST), Row::File(file, 0));
        sightings(rows.limit(NAMED as i32), deadline).await
    }

    /// `user`'s newest analyses of a document that are not known to be of `file`, at most 10, newest first. The newest
    /// 100 of the document are looked at.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn same_document(
        &self,
        user: UserId,
        document: DocumentKey,
        file: Option<FileHash>,
        deadline: Deadline,
    ) -> Result<Vec<Sighting>, Error> {
        let rows = self.down(user, Row::Document(document, Row::LAST), Row::Document(document, 0));
        let rows = match file {
            None => rows.limit(NAMED as i32),
            Some(file) => rows
                .limit(LOOKED_AT as i32)
                .filter_expression("attribute_not_exists(sha256) OR sha256 <> :file")
                .expression_attribute_values(":file", bytes(file.as_bytes())),
        };
        sightings(rows, deadline).await
    }

    /// The newest of `user`'s analyses of the file and of the document that lead to one of them, that one among them.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn seen_by_now(
        &self,
        user: UserId,
        leads: Leads,
        deadline: Deadline,
    ) -> Result<(Vec<Sighting>, Vec<Sighting>), Error> {
        let files = async {
            let Some(file) = leads.file else { return Ok(Vec::new()) };
            self.same_file(user, file, deadline).await
        };
        let documents = async {
            let Some(document) = leads.document else { return Ok(Vec::new()) };
            self.same_document(user, document, leads.file, deadline).await
        };
        tokio::try_join!(files, documents)
    }

    /// The deletion of what leads to analysis `number`.
    pub(super) fn without_leads(
        &self,
        user: UserId,
        number: u64,
        leads: &Leads,
    ) -> impl Iterator<Item = Result<TransactWriteItem, Error>> {
        leads.rows(number).map(move |row| delete(self, key(user, row)).part())
    }
}

/// What a query finds, as far as it is named.
async fn sightings(query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<Sighting>, Error> {
    let query = query.projection_expression("id, analyzed_at");
    found(query, deadline).await?.iter().take(NAMED).map(sighting).collect()
}

fn sighting(item: &Item) -> Result<Sighting, Error> {
    Ok(Sighting { id: item.id("id", AnalysisId::parse)?, analyzed_at: timestamp(item.instant("analyzed_at")?) })
}
