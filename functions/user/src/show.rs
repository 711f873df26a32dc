//! `GET /user`: the caller's account, and the rest of today's quota.

use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::quota::timestamp;
use utoipa::ToSchema;

use crate::App;

/// The account behind a token.
#[derive(Serialize, ToSchema)]
struct User<'a> {
    /// The user's name.
    name: &'a str,
    /// The user's e-mail address.
    email: &'a str,
    /// Analyses allowed a day.
    daily_limit: u64,
    /// Analyses still allowed today.
    remaining_checks: u64,
    /// Analyses stored today.
    checks_used_today: u64,
    /// When the quota resets: the next 00:00 UTC.
    #[schema(format = DateTime)]
    quota_resets_at: String,
}

/// Show the account
///
/// The owner of the token and the remaining quota of today.
#[utoipa::path(
    get,
    path = "/user",
    operation_id = "showUser",
    tag = "Account",
    responses((status = 200, description = "The account.", body = Answer<User>))
)]
pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    Reply::data(&User {
        name: &caller.account.name,
        email: &caller.account.email,
        daily_limit: caller.quota.limit,
        remaining_checks: caller.quota.remaining(),
        checks_used_today: caller.quota.used,
        quota_resets_at: timestamp(caller.quota.resets_at()),
    })
}
