//! The account a newcomer tries the service with: a random token, and no password to log in by.

use crate::Service;
use shared::deadline::Deadline;
use shared::ids::TokenId;
use shared::secret::ApiToken;
use shared::store::Store;
use shared::store::accounts::{Address, NewAccount};
use shared::store::tokens::NewToken;

const EMAIL: &str = "demo@example.com";

/// Creates the account in a service that has none yet, and gives its token.
pub(super) async fn create(service: &Service) -> Result<String, Box<dyn std::error::Error>> {
    let config = service.config().ok_or("template.yaml has no functions")?;
    let new = NewAccount {
        name: "Demo",
        email: EMAIL,
        password_hash: None,
        daily_limit: config.daily_limit,
        address: Address::Known,
    };
    let store = Store::new(service.dynamodb().clone(), config.table.as_str());
    let now = shared::clock::Clock::system().now();
    let created = store.create_account(&new, now, Deadline::unhurried()).await?;
    let user = created.map_err(|_| format!("{EMAIL} is registered already"))?;
    let token = ApiToken::new(user, TokenId::new(now))?;
    let new = NewToken { token: &token, name: "demo", ends_at: None, maker: None, generation: 0 };
    store.create_token(&new, now, Deadline::unhurried()).await?;
    Ok(token.reveal())
}
