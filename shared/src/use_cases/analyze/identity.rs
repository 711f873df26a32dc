//! What file and what document an analysis is of, and what else of the account's is of both.

use engine::Metadata;

use super::opened_file::{Hashed, OpenedFile};
use crate::deadline::Deadline;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::file_hash::FileHash;
use crate::ids::UserId;
use crate::seen::{Seen, Sighting};
use crate::store::Store;

/// What a submission is of.
pub(super) struct Identity {
    pub(super) hashed: Option<Hashed>,
    pub(super) document: Option<DocumentKey>,
    pub(super) seen: Seen,
}

/// Where it is looked for.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'s> {
    pub(super) store: &'s Store,
    pub(super) user: UserId,
    pub(super) deadline: Deadline,
}

/// What the engine's `reading` of the file comes to, and what else there is of file and document. The file is looked for
/// while the engine works, unless its hash is known only then; the document when the engine has told which one it is.
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
        let seen = Seen { same_file, same_document };
        Ok::<_, Error>((metadata, Identity { hashed, document, seen }))
    };
    let (late, early) = tokio::join!(late, early);
    let (metadata, mut identity) = late?;
    let early = early?;
    identity.seen.same_file = identity.seen.same_file.or(early);
    Ok((metadata, identity))
}

impl Lookup<'_> {
    async fn same_file(self, file: Option<FileHash>) -> Result<Option<Vec<Sighting>>, Error> {
        let Some(file) = file else { return Ok(None) };
        self.store.same_file(self.user, file, self.deadline).await.map(Some)
    }

    async fn same_document(
        self,
        document: Option<DocumentKey>,
        file: Option<FileHash>,
    ) -> Result<Option<Vec<Sighting>>, Error> {
        let Some(document) = document else { return Ok(None) };
        self.store.same_document(self.user, document, file, self.deadline).await.map(Some)
    }
}
