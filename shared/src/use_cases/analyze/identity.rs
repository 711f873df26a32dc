//! The file and document of an analysis, and the account's other analyses of both.

use engine::Metadata;

use super::opened_file::{Hashed, OpenedFile};
use crate::deadline::Deadline;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::file_hash::FileHash;
use crate::ids::UserId;
use crate::related_analyses::{RelatedAnalyses, RelatedAnalysis};
use crate::store::Store;

/// The identity of a submitted file.
pub(super) struct Identity {
    pub(super) hashed: Option<Hashed>,
    pub(super) document: Option<DocumentKey>,
    pub(super) seen: RelatedAnalyses,
}

/// Where related analyses are searched.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'s> {
    pub(super) store: &'s Store,
    pub(super) user: UserId,
    pub(super) deadline: Deadline,
}

/// The result of the engine's `reading`, and the related analyses of file and document. Analyses of the file are
/// searched while the engine runs, unless its hash is known only afterwards; analyses of the document after the engine
/// has identified it.
///
/// # Errors
/// Those of `reading`; [`Error::Unavailable`] when the table does not answer.
pub(super) async fn identify(
    lookup: Lookup<'_>,
    opened: &OpenedFile,
    reading: impl Future<Output = Result<Metadata, Error>>,
) -> Result<(Metadata, Identity), Error> {
    let known = opened.hashed().map(|known| known.hash);
    let early = lookup.same_file(known);
    let late = async {
        let metadata = reading.await?;
        let document = metadata.structure.document_id.original.as_deref().and_then(DocumentKey::of);
        let hashed = Hashed::read(&metadata.file).or(opened.hashed());
        let file = hashed.map(|hashed| hashed.hash);
        let unasked = file.filter(|file| known != Some(*file));
        let (same_file, same_document) =
            tokio::try_join!(lookup.same_file(unasked), lookup.same_document(document, file))?;
        let seen = RelatedAnalyses { same_file, same_document };
        Ok::<_, Error>((metadata, Identity { hashed, document, seen }))
    };
    let (late, early) = tokio::join!(late, early);
    let (metadata, mut identity) = late?;
    let early = early?;
    identity.seen.same_file = identity.seen.same_file.or(early);
    Ok((metadata, identity))
}

impl Lookup<'_> {
    async fn same_file(self, file: Option<FileHash>) -> Result<Option<Vec<RelatedAnalysis>>, Error> {
        let Some(file) = file else { return Ok(None) };
        self.store.same_file(self.user, file, self.deadline).await.map(Some)
    }

    async fn same_document(
        self,
        document: Option<DocumentKey>,
        file: Option<FileHash>,
    ) -> Result<Option<Vec<RelatedAnalysis>>, Error> {
        let Some(document) = document else { return Ok(None) };
        self.store.same_document(self.user, document, file, self.deadline).await.map(Some)
    }
}
