//! An analysis of a commit: one's own, or one that is taken along.

use std::sync::Arc;

use super::NewAnalysis;
use crate::analysis::{Summary, format_size};
use crate::ids::AnalysisId;
use crate::quota::{Quota, timestamp};

/// An analysis on its way to the table.
#[derive(Clone, Debug)]
pub(in crate::store) struct Member {
    /// What is stored.
    pub(super) new: Arc<NewAnalysis>,
    /// The quota as its request has seen it, and when that was.
    pub(super) quota: Quota,
    /// Its number may change, the random part stays, so that an earlier try whose answer was lost is recognised.
    pub(in crate::store) id: AnalysisId,
}

impl Member {
    /// The analysis of a request, which would like to be the account's analysis `number`.
    pub(super) fn new(new: Arc<NewAnalysis>, quota: Quota, number: u64) -> Self {
        Self { new, quota, id: AnalysisId::new(number) }
    }

    /// Whether it is of a staged upload, whose ticket goes with it.
    pub(in crate::store) fn has_upload(&self) -> bool {
        self.new.upload.is_some()
    }

    /// Its row, as it is stored.
    pub(super) fn summary(&self) -> Summary {
        Summary {
            id: self.id,
            filename: self.new.filename.clone(),
            reference: self.new.reference.clone(),
            file_size: self.new.file_size,
            file_size_formatted: format_size(self.new.file_size),
            verdict: Some(self.new.verdict),
            reason: self.new.reason.clone(),
            analyzed_at: timestamp(self.quota.now),
        }
    }
}
