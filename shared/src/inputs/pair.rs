//! Two files submitted for comparison: in a form, or staged.

use utoipa::ToSchema;

use super::form_parts::{FormParts, NamedFile};
use super::submission::{InputFile, RepeatKeys, Submission};
use crate::error::{Error, FieldErrors};
use crate::http::{Call, Fields, is_json};
use crate::idempotency::RequestKey;
use crate::ids::UploadId;
use crate::reference::Reference;

/// Two files in a form.
#[derive(ToSchema)]
pub struct PairForm {
    /// The earlier PDF, with a file name. Both together have at most 105,906,176 bytes.
    #[schema(value_type = String, format = Binary, content_media_type = "application/pdf")]
    before: NamedFile,
    /// The later PDF, with a file name.
    #[schema(value_type = String, format = Binary, content_media_type = "application/pdf")]
    after: NamedFile,
    /// The password to open the earlier PDF with. Never stored, never logged.
    #[schema(nullable = false)]
    before_password: Option<String>,
    /// The password to open the later PDF with. Never stored, never logged.
    #[schema(nullable = false)]
    after_password: Option<String>,
    /// Your name for the case that the files belong to, such as a claim number: at most 64 characters. Lists can be
    /// filtered by it.
    #[schema(nullable = false, example = "CLM-2026-114")]
    reference: Option<Reference>,
    /// The console's CSRF token; the API takes no notice of it.
    #[schema(ignore)]
    pub csrf: Option<String>,
    #[schema(ignore)]
    nonce: Option<String>,
}

/// Two staged files.
#[derive(ToSchema)]
pub struct StagedPair {
    /// The id of the earlier PDF, from `POST /pdf/uploads`.
    #[schema(value_type = String, format = "uuid", required)]
    before: Option<UploadId>,
    /// The id of the later PDF.
    #[schema(value_type = String, format = "uuid", required)]
    after: Option<UploadId>,
    /// The password to open the earlier PDF with. Never stored, never logged.
    before_password: Option<String>,
    /// The password to open the later PDF with. Never stored, never logged.
    after_password: Option<String>,
    /// Your name for the case that the files belong to, such as a claim number: at most 64 characters. Lists can be
    /// filtered by it.
    #[schema(nullable = true, example = "CLM-2026-114")]
    reference: Option<Reference>,
}

impl PairForm {
    /// Reads the call's body.
    ///
    /// # Errors
    /// As [`UploadForm::read`](super::upload_form::UploadForm::read).
    pub fn read(call: &mut Call) -> Result<Self, Error> {
        let expected = "Send the two PDFs as multipart/form-data, in the fields before and after.";
        let (parts, mut errors) = (FormParts::read(call, &["before", "after"], expected)?, FieldErrors::default());
        let (before, after) = (parts.file("before", &mut errors)?, parts.file("after", &mut errors)?);
        let mut password = |name| parts.text(name, &mut errors);
        let (before_password, after_password) = (password("before_password"), password("after_password"));
        let reference = Reference::read(parts.text("reference", &mut errors).as_deref(), &mut errors);
        let (csrf, nonce) = (parts.of_page("csrf"), parts.of_page("nonce"));
        errors.or(Self { before, after, before_password, after_password, reference, csrf, nonce })
    }
}

impl StagedPair {
    fn of(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let mut upload = |name| {
            let id = fields.required(name, "is required: the id that POST /pdf/uploads gave", &mut errors);
            id.and_then(UploadId::parse)
        };
        let (before, after) = (upload("before"), upload("after"));
        let mut password = |name| fields.optional(name, &mut errors).map(str::to_owned);
        let (before_password, after_password) = (password("before_password"), password("after_password"));
        let reference = Reference::read(fields.optional("reference", &mut errors), &mut errors);
        errors.or(Self { before, after, before_password, after_password, reference })
    }
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"before\":\"01a1f912-f2f8-769f-8921-ba00437661b0\",\"after\":\"01a1f912-f2f8-769f-8921-ba00437661b1\"}.";

impl RepeatKeys {
    /// As [`peek`](Self::peek), if the body names two staged files.
    #[must_use]
    pub fn peek_pair(call: &Call) -> Self {
        Self::with(call, Fields::peek(call).and_then(|fields| pair_key(&fields)))
    }

    /// The key of two staged files only; none for ids that this service did not issue.
    #[must_use]
    pub fn of_pair(fields: &Fields) -> Self {
        Self::of(pair_key(fields))
    }
}

fn pair_key(fields: &Fields) -> Option<RequestKey> {
    let id = |name| fields.text(name).and_then(UploadId::parse);
    Some(RequestKey::of_pair(id("before")?, id("after")?))
}

impl Submission {
    /// Reads the call's body: a form with the two files, or JSON that names staged ones.
    ///
    /// # Errors
    /// Those of [`PairForm::read`] and [`Fields::json`]; [`Error::UploadNotFound`] for an id that this service did not issue.
    pub fn read_pair(call: &mut Call, keys: RepeatKeys) -> Result<Self, Error> {
        if !is_json(call) {
            return Ok(Self::of_pair_form(PairForm::read(call)?, keys));
        }
        Self::staged_pair(&Fields::json(call, NO_OBJECT)?, keys)
    }

    /// Reads fields that name two staged files.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::UploadNotFound`] for an id that this service did not issue.
    pub fn staged_pair(fields: &Fields, keys: RepeatKeys) -> Result<Self, Error> {
        let StagedPair { before, after, before_password, after_password, reference } = StagedPair::of(fields)?;
        let (before, after) = before.zip(after).ok_or(Error::UploadNotFound)?;
        let before = InputFile::staged(before, before_password);
        Ok(Self::of(InputFile::staged(after, after_password), Some(before), reference, keys))
    }

    /// The submission of a page's form, as [`of_page`](Self::of_page).
    #[must_use]
    pub fn of_pair_page(mut form: PairForm) -> Self {
        let nonce = form.nonce.take();
        Self::of_pair_form(form, RepeatKeys::default()).typed(nonce)
    }

    fn of_pair_form(form: PairForm, keys: RepeatKeys) -> Self {
        let PairForm { before, after, before_password, after_password, reference, .. } = form;
        let before = InputFile::direct(before, before_password);
        Self::of(InputFile::direct(after, after_password), Some(before), reference, keys)
    }
}
