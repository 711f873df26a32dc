//! `POST /tokens`: a new token; its value is in this answer and nowhere else, ever.

use lambda_http::http::StatusCode;
use lambda_http::http::header::LOCATION;
use serde::Serialize;
use shared::auth;
use shared::error::{Cause, Error};
use shared::http::{BASE_PATH, Call, Fields, Reply};
use shared::ids::TokenId;
use shared::secret::ApiToken;
use shared::store::tokens::TokenRecord;
use shared::token_name;

use crate::App;

/// `data` of the answer.
#[derive(Serialize)]
struct Created {
    #[serde(flatten)]
    record: TokenRecord,
    token: String,
}

impl App {
    pub(crate) async fn create(&self, call: &mut Call) -> Result<Reply, Error> {
        let caller = auth::caller(&self.store, call).await?;
        let fields = Fields::json_or_form(call)?;
        let name = token_name::parse(fields.text("name"))?;
        let token =
            ApiToken::new(caller.user, TokenId::new(call.now)).map_err(|error| Error::Internal(Cause::of(&error)))?;
        let record = self.store.create_token(&token, &name, call.now, call.deadline()).await?;
        let location = format!("{BASE_PATH}/tokens/{}", record.id);
        let reply = Reply::data(&Created { record, token: token.reveal() })?;
        Ok(reply.status(StatusCode::CREATED).header(LOCATION, location))
    }
}
