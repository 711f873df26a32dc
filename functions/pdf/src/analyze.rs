//! `POST /pdf/analyze`: a PDF comes in, its metadata goes out, the analysis is stored and counted.

use lambda_http::http::header::LOCATION;
use shared::auth;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};
use shared::submission::Claim;

use crate::App;

impl App {
    pub(crate) async fn analyze(&self, call: &mut Call) -> Result<Reply, Error> {
        let claim = Claim::read(call);
        let (caller, found) = auth::caller_with(&self.store, call, &claim.rows()).await?;
        let analyzed = self.analyzer.answer(call, &caller, claim, &found).await?;
        let location = format!("{BASE_PATH}/pdf/{}", analyzed.analysis.id);
        let reply = Reply::data_and(&analyzed.analysis, "remaining_checks", &analyzed.remaining)?;
        Ok(reply.header(LOCATION, location))
    }
}
