//! The form of a direct upload: one `file`, perhaps a `password` and a `reference`.

use utoipa::ToSchema;

use super::form_parts::{FormParts, NamedFile};
use crate::error::{Error, FieldErrors};
use crate::http::Call;
use crate::reference::Reference;

/// A file in a form.
// not `Debug`: it has a password
#[derive(Clone, ToSchema)]
pub struct UploadForm {
    /// The PDF, at most 104,857,600 bytes, with a file name (`filename*` of RFC 8187 is read too).
    #[schema(value_type = String, format = Binary, content_media_type = "application/pdf")]
    pub file: NamedFile,
    /// The password to open the PDF with. Never stored, never logged.
    #[schema(nullable = false)]
    pub password: Option<String>,
    /// Your name for the case that the file belongs to, such as a claim number: at most 64 characters. Lists can be
    /// filtered by it.
    #[schema(nullable = false, example = "CLM-2026-114")]
    pub reference: Option<Reference>,
    /// The console's CSRF token; the API takes no notice of it.
    #[schema(ignore)]
    pub csrf: Option<String>,
    /// The nonce of the console's form.
    #[schema(ignore)]
    pub nonce: Option<String>,
}

impl UploadForm {
    /// Reads the call's body.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::BadRequest`] for a malformed form,
    /// [`Error::TooLarge`], [`Error::Invalid`] for a missing or repeated field.
    pub fn read(call: &mut Call) -> Result<Self, Error> {
        let expected = "Send the PDF as multipart/form-data, in the field file.";
        let (parts, mut errors) = (FormParts::read(call, &["file"], expected)?, FieldErrors::default());
        let file = parts.file("file", &mut errors)?;
        let password = parts.text("password", &mut errors);
        let reference = Reference::read(parts.text("reference", &mut errors).as_deref(), &mut errors);
        let (csrf, nonce) = (parts.of_page("csrf"), parts.of_page("nonce"));
        errors.or(Self { file, password, reference, csrf, nonce })
    }
}
