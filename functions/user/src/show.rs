//! `GET /user`: who the caller is, and what is left of today's quota.

use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::quota::timestamp;

use crate::App;

/// `data` of the answer.
#[derive(Serialize)]
struct User<'a> {
    name: &'a str,
    email: &'a str,
    daily_limit: u64,
    remaining_checks: u64,
    checks_used_today: u64,
    quota_resets_at: String,
}

impl App {
    pub(crate) async fn show(&self, call: &mut Call) -> Result<Reply, Error> {
        let caller = auth::caller(&self.store, call).await?;
        Reply::data(&User {
            name: &caller.account.name,
            email: &caller.account.email,
            daily_limit: caller.quota.limit,
            remaining_checks: caller.quota.remaining(),
            checks_used_today: caller.quota.used,
            quota_resets_at: timestamp(caller.quota.resets_at()),
        })
    }
}
