//! `POST /pdf/uploads`: a ticket to upload a file straight to S3, to be analysed from there.

use lambda_http::http::StatusCode;
use shared::announcement::Announcement;
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Fields, Reply};

use crate::App;

impl App {
    pub(crate) async fn stage(&self, call: &mut Call) -> Result<Reply, Error> {
        let caller = auth::caller(&self.store, call).await?;
        let Announcement { filename, file_size } = Announcement::read(&Fields::json(call)?)?;
        let ticket = self.uploads.ticket(caller.user, &filename, file_size, call.now).await?;
        Ok(Reply::data(&ticket)?.status(StatusCode::CREATED))
    }
}
