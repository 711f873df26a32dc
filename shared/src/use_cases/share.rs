//! Creates links to reports for the analysis' owner. Used by the API and the console.

use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::AnalysisId;
use crate::inputs::share::ShareTerms;
use crate::quota::timestamp;
use crate::secret::ShareSecret;
use crate::store::Store;
use crate::store::shares::{NewShare, Share};

/// A link as its creator sees it, once.
#[derive(Clone)]
pub struct ShareLink {
    /// The report's address, which contains the secret.
    pub url: String,
    /// Expiry: ISO 8601, UTC.
    pub ends_at: Option<String>,
}

/// Creates a link at `origin` to the caller's analysis, which replaces the existing link.
///
/// # Errors
/// Those of [`Store::share_analysis`]; [`Error::Internal`] if the system has no random bytes.
pub async fn share(
    store: &Store,
    caller: &Caller,
    (id, old): (AnalysisId, Option<Share>),
    terms: ShareTerms,
    origin: &str,
    deadline: Deadline,
) -> Result<ShareLink, Error> {
    let (secret, now) = (ShareSecret::random().map_err(Error::internal)?, caller.quota.now);
    let ShareTerms { life, with_hidden_words } = terms;
    let new = NewShare { hash: secret.hash(), since: now, ends_at: life.end(now), with_hidden_words };
    store.share_analysis((caller.user, &caller.account), (id, old), &new, deadline).await?;
    Ok(ShareLink { url: format!("{origin}/s/{}", secret.reveal()), ends_at: new.ends_at.map(timestamp) })
}
