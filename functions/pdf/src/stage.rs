//! `POST /pdf/uploads`: a ticket to upload a file straight to S3, to be analysed from there.

use lambda_http::http::StatusCode;
use shared::auth;
use shared::error::{Error, FieldErrors, TooLarge};
use shared::filename;
use shared::http::{Call, Fields, NotText, Reply};
use shared::upload_form::MAX_FILE_SIZE;

use crate::App;

impl App {
    pub(crate) async fn stage(&self, call: &mut Call) -> Result<Reply, Error> {
        let caller = auth::caller(&self.store, call).await?;
        let (filename, file_size) = announced(&Fields::json(call)?)?;
        let ticket = self.uploads.ticket(caller.user, &filename, file_size, call.now).await?;
        Ok(Reply::data(&ticket)?.status(StatusCode::CREATED))
    }
}

/// The cleaned name and the size, in bytes, of the file that is to come.
fn announced(fields: &Fields) -> Result<(String, u64), Error> {
    let mut errors = FieldErrors::default();
    let filename = match fields.text("filename") {
        Ok(Some(filename)) => filename::clean(filename),
        Ok(None) => {
            errors.add("filename", "is required: the name of the file");
            String::new()
        }
        Err(NotText) => {
            errors.add("filename", "must be one text");
            String::new()
        }
    };
    let file_size = fields.whole_number("file_size").filter(|size| *size > 0).unwrap_or_else(|| {
        errors.add("file_size", "is required: the size of the file, a whole number of bytes from 1 to 104857600");
        1
    });
    if file_size > MAX_FILE_SIZE {
        return Err(Error::TooLarge(TooLarge::File));
    }
    errors.or((filename, file_size))
}
