//! What stands for a right: tokens, cookies, ids.

use shared::ids::{AnalysisId, TokenId, UploadId};
use shared::secret::{ApiToken, SessionToken};

/// Whatever is read is written the same, so that nothing has two spellings.
pub(crate) fn parse(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Some(token) = ApiToken::parse(text) {
        assert_eq!(token.reveal(), text);
    }
    if let Some(session) = SessionToken::parse(text) {
        assert_eq!(session.reveal(), text);
    }
    let ids = [
        AnalysisId::parse(text).map(|id| id.to_string()),
        TokenId::parse(text).map(|id| id.to_string()),
        UploadId::parse(text).map(|id| id.to_string()),
    ];
    for id in ids.into_iter().flatten() {
        assert_eq!(id, text);
    }
}
