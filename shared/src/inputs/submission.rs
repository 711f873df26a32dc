//! What is handed in for analysis, and the keys by which a repeat of it is recognised.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::http::{Call, Fields, is_json};
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::UploadId;
use crate::inputs::upload_form::UploadForm;
use crate::reference::Reference;
use crate::store::idempotency::StoredAnswer;
use crate::store::{Row, Rows};

/// A file to analyse.
pub struct Submission {
    /// Where it is.
    pub input: Upload,
    /// The password to open it with. Never stored, never logged.
    pub password: Option<String>,
    /// What the caller calls the case that it belongs to.
    pub reference: Option<Reference>,
    /// Under which keys the answer is kept for repeats.
    pub keys: Vec<RequestKey>,
    /// What the submission is about.
    pub fingerprint: Fingerprint,
}

/// Where a file to analyse is.
pub enum Upload {
    /// In the request.
    Direct {
        /// The cleaned name.
        filename: String,
        /// The file.
        file: Bytes,
        /// Its hash.
        hash: FileHash,
    },
    /// In the bucket.
    Staged(UploadId),
}

/// The keys that a request carries: its `Idempotency-Key`, the id of its upload. They are looked at before the caller is
/// known, so that a stored answer is read in the round trip that authenticates.
#[derive(Clone, Debug, Default)]
pub struct RepeatKeys {
    keys: Vec<RequestKey>,
    malformed: bool,
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
    /// What you call the case that the file belongs to, such as a claim's number: at most 64 characters. Lists are filtered by
    /// it.
    #[schema(nullable = true, example = "CLM-2026-114")]
    reference: Option<Reference>,
    /// Without effect, for clients that send it: signatures are always checked.
    // a `default` would make this a field that generated clients require
    #[schema(required = false)]
    #[expect(dead_code, reason = "it is checked, and part of the schema")]
    verify_signatures: bool,
}

impl RepeatKeys {
    /// Looks at the header (an empty one counts as absent) and, if the body is JSON, for its `upload_id`. What is wrong
    /// is not said before the caller is known.
    #[must_use]
    pub fn peek(call: &Call) -> Self {
        let header = call.header("idempotency-key").filter(|value| !value.is_empty());
        let key = header.and_then(RequestKey::from_header);
        let unreadable = call.has_header("idempotency-key") && call.header("idempotency-key").is_none();
        let upload = Fields::peek(call).and_then(|fields| fields.text("upload_id").and_then(UploadId::parse));
        // a client may well send the upload id as the key: then they are the same row
        let upload = upload.map(RequestKey::of_upload).filter(|upload| key != Some(*upload));
        Self {
            malformed: unreadable || header.is_some() && key.is_none(),
            keys: key.into_iter().chain(upload).collect(),
        }
    }

    /// The key of a staged file alone; none for an id that is none of ours.
    #[must_use]
    pub fn of_upload(upload: Option<&str>) -> Self {
        let key = upload.and_then(UploadId::parse).map(RequestKey::of_upload);
        Self { keys: key.into_iter().collect(), malformed: false }
    }

    /// The rows that hold a stored answer, if there is one.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.keys.iter().map(|key| Row::Request(*key)).collect()
    }

    /// The first answer to this request, if it is a repeat and [`rows`](Self::rows) were read.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a malformed `Idempotency-Key`.
    pub fn first_answer(&self, found: &Rows, now: DateTime<Utc>) -> Result<Option<StoredAnswer>, Error> {
        if self.malformed {
            let reason = "must be 1 to 255 visible ASCII characters";
            return Err(Error::Invalid(FieldErrors::one("Idempotency-Key", reason)));
        }
        found.stored_answer(&self.keys, now)
    }
}

impl Submission {
    /// Reads the call's body: a form with the file, or JSON that names a staged one.
    ///
    /// # Errors
    /// Those of [`UploadForm::read`] and [`Fields::json`]; [`Error::NotFound`] for an id that is none of ours.
    pub fn read(call: &mut Call, keys: RepeatKeys) -> Result<Self, Error> {
        if !is_json(call) {
            return Ok(Self::of_form(UploadForm::read(call)?, keys));
        }
        Self::staged(&Fields::json(call, NO_OBJECT)?, keys)
    }

    /// Reads fields that name a staged file.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::NotFound`] for an id that is none of ours.
    pub fn staged(fields: &Fields, keys: RepeatKeys) -> Result<Self, Error> {
        let Staged { upload, password, reference, .. } = Staged::of(fields)?;
        let upload = upload.ok_or(Error::NotFound)?;
        let fingerprint = Fingerprint::of_upload(upload);
        Ok(Self { input: Upload::Staged(upload), password, reference, keys: keys.keys, fingerprint })
    }

    /// The staged upload, if it is one.
    #[must_use]
    pub fn upload(&self) -> Option<UploadId> {
        match self.input {
            Upload::Staged(upload) => Some(upload),
            Upload::Direct { .. } => None,
        }
    }

    /// The submission of a page's form: its nonce and the file are its key, so that the same file sent again from
    /// the same page, as by a reload, is a repeat, and another file is not.
    #[must_use]
    pub fn of_page(form: UploadForm) -> Self {
        let nonce = form.nonce.clone().filter(|nonce| !nonce.is_empty());
        // what a person leaves empty is not there
        let password = form.password.clone().filter(|password| !password.is_empty());
        let mut submission = Self { password, ..Self::of_form(form, RepeatKeys::default()) };
        submission.keys.extend(nonce.map(|nonce| RequestKey::of_page(&nonce, submission.fingerprint)));
        submission
    }

    /// The submission of a form that was read already.
    #[must_use]
    pub fn of_form(form: UploadForm, keys: RepeatKeys) -> Self {
        let UploadForm { filename, file, password, reference, .. } = form;
        let hash = FileHash::of(&file);
        let fingerprint = Fingerprint::of_file(hash, &filename);
        Self { input: Upload::Direct { filename, file, hash }, password, reference, keys: keys.keys, fingerprint }
    }
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"upload_id\":\"01a1f912-f2f8-769f-8921-ba00437661b0\"}.";

impl Staged {
    fn of(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let upload = fields.required("upload_id", "is required: the id that POST /pdf/uploads gave", &mut errors);
        let password = fields.optional("password", &mut errors).map(str::to_owned);
        let reference = fields.optional("reference", &mut errors).map(str::to_owned);
        let reference = Reference::read(reference.as_deref(), &mut errors);
        let verify_signatures = fields.flag("verify_signatures", &mut errors);
        errors.or(Self { upload: upload.and_then(UploadId::parse), password, reference, verify_signatures })
    }
}

impl std::fmt::Debug for Submission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submission").field("keys", &self.keys).finish_non_exhaustive()
    }
}
