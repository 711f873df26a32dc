//! Two files side by side.

use engine::{Failure, Options};
use serde_json::value::to_raw_value;

use super::Analyzer;
use super::opened_file::OpenedFile;
use crate::analysis::{ComparedFile, ComparedWith, StoredFinding};
use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::inputs::submission::{InputFile, Submission};
use crate::size_limit::limit_comparison;
use crate::store::commit::NewEntry;

impl Analyzer {
    /// Compares the submitted file with the one `before` it.
    pub(super) async fn compare(
        &self,
        caller: &Caller,
        submission: &Submission,
        before: &InputFile,
        deadline: Deadline,
    ) -> Result<NewEntry, Error> {
        let after = &submission.file;
        let opened = (self.open(caller, before, deadline), self.open(caller, after, deadline));
        let (old, new) = tokio::try_join!(opened.0, opened.1)?;
        let (earlier, later) = ((old.source(), before.password.clone()), (new.source(), after.password.clone()));
        let work = move |options: &Options| {
            engine::compare((&*earlier.0, earlier.1.as_deref()), (&*later.0, later.1.as_deref()), options)
        };
        let compared = self.run(caller, work, deadline).await?;
        let comparison = compared.map_err(|(side, failure)| match failure {
            Failure::Rejected(reason) => Error::ComparisonFailed(side, reason),
            Failure::Source(error) => Error::Unavailable(Cause::of(&error)),
        })?;
        let relation = comparison.relation;
        let finding = StoredFinding::Comparison {
            files: to_raw_value(&[compared_file(&old), compared_file(&new)]).map_err(Error::internal)?,
            comparison: limit_comparison(comparison).map_err(Error::internal)?,
        };
        Ok(NewEntry {
            filename: new.filename().to_owned(),
            compared_with: Some(ComparedWith { filename: old.filename().to_owned(), relation }),
            reference: submission.reference.clone(),
            file_size: new.source().len(),
            finding,
            verdict: None,
            reason: None,
            file: None,
            document: None,
            keys: submission.keys.clone(),
            uploads: submission.uploads(),
            fingerprint: submission.fingerprint,
        })
    }
}

fn compared_file(file: &OpenedFile) -> ComparedFile {
    ComparedFile {
        filename: file.filename().to_owned(),
        file_size: file.source().len(),
        sha256: file.hashed().and_then(|hashed| hashed.digest().sha256),
    }
}
