//! Creates API tokens.

use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::TokenId;
use crate::inputs::token::TokenRequest;
use crate::secret::ApiToken;
use crate::store::Store;
use crate::store::tokens::{NewToken, TokenRecord};

/// Creates a token with this id; returns its record and the token itself, which cannot be read again. A token created by another
/// token ends with it at the latest.
///
/// # Errors
/// Those of [`Store::create_token`]; [`Error::Internal`] if the system has no random bytes.
pub async fn create_token(
    store: &Store,
    caller: &Caller,
    id: TokenId,
    request: &TokenRequest,
    deadline: Deadline,
) -> Result<(TokenRecord, ApiToken), Error> {
    let now = caller.quota.now;
    let token = ApiToken::new(caller.user, id).map_err(Error::internal)?;
    let maker = caller.token.as_ref();
    let ends_at = request.ends_at(now).into_iter().chain(maker.and_then(|maker| maker.ends_at)).min();
    let generation = caller.account.token_generation;
    let new = NewToken { token: &token, name: &request.name, ends_at, maker, generation };
    let record = store.create_token(&new, now, deadline).await?;
    Ok((record, token))
}
