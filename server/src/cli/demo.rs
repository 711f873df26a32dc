//! The demo account: a random token, and no password.

use shared::store::Store;
use shared::store::accounts::{Address, NewAccount};

use super::accounts::Accounts;
use crate::Service;

/// Creates the account in a service without accounts, and returns its token.
pub(super) async fn create(service: &Service) -> Result<String, Box<dyn std::error::Error>> {
    let config = service.config().ok_or("template.yaml has no functions")?;
    let new = NewAccount {
        name: "Demo",
        email: "demo@example.com",
        password_hash: None,
        daily_limit: config.daily_limit,
        address: Address::Known,
    };
    let accounts = Accounts::new(Store::new(service.dynamodb().clone(), config.table.as_str()), None);
    let user = accounts.create(&new).await?;
    Ok(accounts.create_token(user, "demo").await?)
}
