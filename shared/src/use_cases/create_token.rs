//! A new API token of the caller's account.

use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::TokenId;
use crate::inputs::token::TokenRequest;
use crate::secret::ApiToken;
use crate::store::Store;
use crate::store::tokens::{NewToken, TokenRecord};

/// What is listed of the token, and the token itself, which nobody can ask for again.
///
/// # Errors
/// Those of [`Store::create_token`]; [`Error::Internal`] if the system has no random bytes.
pub async fn create_token(
    store: &Store,
    caller: &Caller,
    request: &TokenRequest,
    deadline: Deadline,
) -> Result<(TokenRecord, ApiToken), Error> {
    let now = caller.quota.now;
    let token = ApiToken::new(caller.user, TokenId::new(now)).map_err(Error::internal)?;
    let (name, ends_at, unconfirmed) = (&request.name, request.ends_at(now), caller.account.unconfirmed);
    let record = store.create_token(&NewToken { token: &token, name, ends_at, unconfirmed }, now, deadline).await?;
    Ok((record, token))
}
