//! What is handed in for analysis, and how a repeat of it is recognised.

use bytes::Bytes;
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors};
use crate::http::{Call, Fields, is_json};
use crate::ids::UploadId;
use crate::requests::{Fingerprint, RequestKey};
use crate::store::Row;
use crate::upload_form::UploadForm;

/// A file to analyse.
pub struct Submission {
    /// Where it is.
    pub input: Input,
    /// The password to open it with. Never stored, never logged.
    pub password: Option<String>,
    /// Under which keys the answer is kept for repeats.
    pub requests: Vec<RequestKey>,
    /// What the submission is about; only where there is a key.
    pub fingerprint: Option<Fingerprint>,
}

/// Where a file to analyse is.
pub enum Input {
    /// In the request.
    Direct {
        /// The cleaned name.
        filename: String,
        /// The file.
        file: Bytes,
    },
    /// In the bucket.
    Staged(UploadId),
}

/// What a request says of itself before its caller is known: enough to look for a stored
/// answer in the round trip that authenticates. What is wrong with it is reported afterwards.
pub struct Claim {
    key: Result<Option<RequestKey>, Error>,
    staged: Option<Result<Staged, Error>>,
    /// The form, if it was read before its sender was known.
    form: Option<UploadForm>,
}

/// A file that was staged.
#[derive(ToSchema)]
#[schema(as = StagedFile)]
pub struct Staged {
    /// The id that `POST /pdf/uploads` gave.
    #[schema(rename = "upload_id", value_type = String, format = "uuid", required)]
    // `None` is an id that is none of ours: not found
    upload: Option<UploadId>,
    /// The password to open the PDF with. Never stored, never logged.
    password: Option<String>,
}

impl Claim {
    /// Reads the header `Idempotency-Key` (an empty one counts as absent) and, if the body is
    /// JSON, the body.
    #[must_use]
    pub fn read(call: &mut Call) -> Self {
        let key = match call.header("idempotency-key") {
            Some("") => Ok(None),
            Some(value) => RequestKey::from_header(value).map(Some).ok_or_else(malformed_key),
            None if call.has_header("idempotency-key") => Err(malformed_key()),
            None => Ok(None),
        };
        Self { key, staged: is_json(call).then(|| Staged::read(call)), form: None }
    }

    /// The claim of a form that was read already. It has no key.
    #[must_use]
    pub fn of_form(form: UploadForm) -> Self {
        Self { key: Ok(None), staged: None, form: Some(form) }
    }

    /// The rows that hold a stored answer, if there is one.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.requests().into_iter().map(Row::Request).collect()
    }

    /// The keys of the stored answer.
    #[must_use]
    pub fn requests(&self) -> Vec<RequestKey> {
        let upload = match &self.staged {
            Some(Ok(Staged { upload: Some(upload), .. })) => Some(RequestKey::of_upload(*upload)),
            _ => None,
        };
        let key = self.key.as_ref().ok().copied().flatten();
        // a client may well send the upload id as the key: then they are the same row
        key.into_iter().chain(upload.filter(|upload| key != Some(*upload))).collect()
    }

    /// Reports a malformed key.
    ///
    /// # Errors
    /// [`Error::Invalid`]
    pub fn check(self) -> Result<Self, Error> {
        Ok(Self { key: Ok(self.key?), ..self })
    }

    /// The whole submission: the form is read now, or the JSON body's errors are reported.
    ///
    /// # Errors
    /// Those of [`UploadForm::read`] and [`Fields::json`]; [`Error::NotFound`] for an id that
    /// is none of ours.
    pub fn submission(self, call: &mut Call) -> Result<Submission, Error> {
        let requests = self.requests();
        let Some(staged) = self.staged else {
            let form = self.form.map_or_else(|| UploadForm::read(call), Ok)?;
            let UploadForm { filename, file, password, .. } = form;
            let fingerprint = (!requests.is_empty()).then(|| Fingerprint::of_file(&file, &filename));
            return Ok(Submission { input: Input::Direct { filename, file }, password, requests, fingerprint });
        };
        let Staged { upload, password } = staged?;
        let upload = upload.ok_or(Error::NotFound)?;
        let fingerprint = Some(Fingerprint::of_upload(upload));
        Ok(Submission { input: Input::Staged(upload), password, requests, fingerprint })
    }
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"upload_id\":\"4870c9a3-c5a9-41f2-9a5b-8d8e8a11ed05\"}.";

impl Staged {
    fn read(call: &mut Call) -> Result<Self, Error> {
        let fields = Fields::json(call, NO_OBJECT)?;
        let mut errors = FieldErrors::default();
        let upload = fields.required("upload_id", "is required: the id that POST /pdf/uploads gave", &mut errors);
        let password = fields.optional("password", &mut errors);
        errors.or(Self { upload: upload.and_then(UploadId::parse), password: password.map(str::to_owned) })
    }
}

impl std::fmt::Debug for Submission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submission").field("requests", &self.requests).finish_non_exhaustive()
    }
}

fn malformed_key() -> Error {
    Error::Invalid(FieldErrors::one("Idempotency-Key", "must be 1 to 255 visible ASCII characters"))
}
