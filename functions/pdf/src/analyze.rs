//! `POST /pdf/analyze`: a PDF comes in, its metadata goes out, the analysis is stored and counted.

use lambda_http::http::header::LOCATION;
use shared::analyzer::Analyzer;
use shared::auth;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};
use shared::submission::Claim;

use crate::App;

impl App {
    pub(crate) async fn analyze(&self, call: &mut Call) -> Result<Reply, Error> {
        let claim = Claim::read(call);
        let (caller, found) = auth::caller_with(&self.store, call, &claim.rows()).await?;
        let claim = claim.check()?;
        let analyzed = match found.stored_answer(&claim.requests(), call.now)? {
            Some(first) => {
                let repeat = claim.submission(call)?;
                self.analyzer.replay(&caller, first, &repeat, call.deadline()).await?
            }
            None => {
                Analyzer::admit(&caller)?;
                let submission = claim.submission(call)?;
                self.analyzer.analyze(&caller, submission, call.deadline()).await?
            }
        };
        call.quota = Some(analyzed.quota);
        let location = format!("{BASE_PATH}/pdf/{}", analyzed.analysis.id);
        let reply = Reply::data_and(&analyzed.analysis, "remaining_checks", &analyzed.remaining)?;
        Ok(reply.header(LOCATION, location))
    }
}
