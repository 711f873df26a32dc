//! Files submitted for analysis or comparison, and the keys that identify repeats.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors};
use crate::file_hash::FileHash;
use crate::http::{Call, Fields, is_json};
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::UploadId;
use crate::inputs::form_parts::NamedFile;
use crate::inputs::upload_form::UploadForm;
use crate::reference::Reference;
use crate::store::idempotency::StoredAnswer;
use crate::store::{Row, Rows};

/// A file to analyze, or two to compare. Not `Debug`: it contains passwords.
pub struct Submission {
    /// The file; the later one of a comparison.
    pub file: InputFile,
    /// The earlier file of a comparison.
    pub compared_with: Option<InputFile>,
    /// The caller's reference.
    pub reference: Option<Reference>,
    /// The keys under which the answer is stored for repeats.
    pub keys: Vec<RequestKey>,
    /// The fingerprint of its files.
    pub fingerprint: Fingerprint,
}

/// A submitted file and its password.
pub struct InputFile {
    /// Where it is.
    pub input: Upload,
    /// The password to open it with. Never stored, never logged.
    pub password: Option<String>,
}

/// The source of a file to analyze.
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

/// The keys that a request carries: its `Idempotency-Key`, the id of its upload or of both. They are read before
/// authentication, so that a stored answer is read in the same round trip.
#[derive(Clone, Debug, Default)]
pub struct RepeatKeys {
    keys: Vec<RequestKey>,
    malformed: bool,
}

/// A staged file.
#[derive(ToSchema)]
#[schema(as = StagedFile)]
pub struct Staged {
    /// The id from `POST /pdf/uploads`.
    #[schema(rename = "upload_id", value_type = String, format = "uuid", required)]
    // `None` for an id that this service did not issue: not found
    upload: Option<UploadId>,
    /// The password to open the PDF with. Never stored, never logged.
    password: Option<String>,
    /// Your name for the case that the file belongs to, such as a claim number: at most 64 characters. Lists can be
    /// filtered by it.
    #[schema(nullable = true, example = "CLM-2026-114")]
    reference: Option<Reference>,
}

impl RepeatKeys {
    /// Reads the header (an empty one counts as absent) and the `upload_id` of a JSON body. Errors are not reported
    /// before the caller is authenticated.
    #[must_use]
    pub fn peek(call: &Call) -> Self {
        let upload = Fields::peek(call).and_then(|fields| fields.text("upload_id").and_then(UploadId::parse));
        Self::with(call, upload.map(RequestKey::of_upload))
    }

    /// The keys of the header and of a `staged` file.
    pub(super) fn with(call: &Call, staged: Option<RequestKey>) -> Self {
        let header = call.header("idempotency-key").filter(|value| !value.is_empty());
        let key = header.and_then(RequestKey::from_header);
        let unreadable = call.has_header("idempotency-key") && call.header("idempotency-key").is_none();
        // a client may send the upload id as the key: then both are the same row
        let staged = staged.filter(|staged| key != Some(*staged));
        Self {
            malformed: unreadable || header.is_some() && key.is_none(),
            keys: key.into_iter().chain(staged).collect(),
        }
    }

    /// The key of a staged file only; none for an id that this service did not issue.
    #[must_use]
    pub fn of_upload(upload: Option<&str>) -> Self {
        Self::of(upload.and_then(UploadId::parse).map(RequestKey::of_upload))
    }

    pub(super) fn of(key: Option<RequestKey>) -> Self {
        Self { keys: key.into_iter().collect(), malformed: false }
    }

    /// The rows that may contain a stored answer.
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
    /// Those of [`UploadForm::read`] and [`Fields::json`]; [`Error::UploadNotFound`] for an id that this service did not
    /// issue.
    pub fn read(call: &mut Call, keys: RepeatKeys) -> Result<Self, Error> {
        if !is_json(call) {
            return Ok(Self::of_form(UploadForm::read(call)?, keys));
        }
        Self::staged(&Fields::json(call, NO_OBJECT)?, keys)
    }

    /// Reads fields that name a staged file.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::UploadNotFound`] for an id that this service did not issue.
    pub fn staged(fields: &Fields, keys: RepeatKeys) -> Result<Self, Error> {
        let Staged { upload, password, reference, .. } = Staged::of(fields)?;
        let file = InputFile::staged(upload.ok_or(Error::UploadNotFound)?, password);
        Ok(Self::of(file, None, reference, keys))
    }

    /// The submission of a page's form: the nonce and the file are its key, so that the same file sent again from the
    /// same page, as by a reload, is a repeat, and another file is not.
    #[must_use]
    pub fn of_page(mut form: UploadForm) -> Self {
        let nonce = form.nonce.take();
        Self::of_form(form, RepeatKeys::default()).typed(nonce)
    }

    /// The same for a page's form.
    pub(super) fn typed(mut self, nonce: Option<String>) -> Self {
        for file in [Some(&mut self.file), self.compared_with.as_mut()].into_iter().flatten() {
            // an empty password field means none
            file.password.take_if(|password| password.is_empty());
        }
        let nonce = nonce.filter(|nonce| !nonce.is_empty());
        self.keys.extend(nonce.map(|nonce| RequestKey::of_page(&nonce, self.fingerprint)));
        self
    }

    /// The submission of a parsed form.
    #[must_use]
    pub fn of_form(form: UploadForm, keys: RepeatKeys) -> Self {
        let UploadForm { file, password, reference, .. } = form;
        Self::of(InputFile::direct(file, password), None, reference, keys)
    }

    pub(super) fn of(
        file: InputFile,
        compared_with: Option<InputFile>,
        reference: Option<Reference>,
        RepeatKeys { keys, .. }: RepeatKeys,
    ) -> Self {
        let own = file.fingerprint();
        let fingerprint = compared_with.as_ref().map_or(own, |before| own.after(before.fingerprint()));
        Self { file, compared_with, reference, keys, fingerprint }
    }

    /// The staged uploads, without duplicates.
    #[must_use]
    pub fn uploads(&self) -> Vec<UploadId> {
        let mut uploads: Vec<UploadId> =
            self.compared_with.iter().chain([&self.file]).filter_map(InputFile::upload).collect();
        uploads.dedup();
        uploads
    }
}

impl InputFile {
    pub(super) fn direct(NamedFile { filename, bytes }: NamedFile, password: Option<String>) -> Self {
        let hash = FileHash::of(&bytes);
        Self { input: Upload::Direct { filename, file: bytes, hash }, password }
    }

    pub(super) fn staged(upload: UploadId, password: Option<String>) -> Self {
        Self { input: Upload::Staged(upload), password }
    }

    /// The staged upload, if it is one.
    #[must_use]
    pub fn upload(&self) -> Option<UploadId> {
        match self.input {
            Upload::Staged(upload) => Some(upload),
            Upload::Direct { .. } => None,
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        match &self.input {
            Upload::Staged(upload) => Fingerprint::of_upload(*upload),
            Upload::Direct { filename, hash, .. } => Fingerprint::of_file(*hash, filename),
        }
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
        errors.or(Self { upload: upload.and_then(UploadId::parse), password, reference })
    }
}
