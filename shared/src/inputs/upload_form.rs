//! The multipart form of a direct upload (RFC 7578): one `file`, perhaps a `password` and a `reference`.

mod disposition;
mod multipart;

use bytes::Bytes;
use lambda_http::Body;
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors, TooLarge};
use crate::filename;
use crate::http::{Call, media_type, refuse_encoding};
use crate::reference::Reference;
use disposition::Disposition;
use multipart::{FormPart, FormRefusal, Multipart};

/// Largest file that is analysed: 100 MB.
pub const MAX_FILE_SIZE: u64 = 104_857_600;

/// Largest body of a form: the file, and room for what stands beside it.
pub const MAX_BODY: u64 = MAX_FILE_SIZE + 1024 * 1024;
/// RFC 2046, section 5.1.1.
const MAX_BOUNDARY: usize = 70;
const MAX_PARTS: usize = 20;
const MAX_PART_HEADERS: usize = 16 * 1024;
/// All parts but the file together.
const MAX_FIELDS: usize = 64 * 1024;

/// A file in a form.
#[derive(Clone, ToSchema)]
pub struct UploadForm {
    /// The cleaned file name.
    #[schema(ignore)]
    pub filename: String,
    /// The PDF, at most 104,857,600 bytes, with a file name (`filename*` of RFC 8187 is read too).
    #[schema(value_type = String, format = Binary, content_media_type = "application/pdf")]
    pub file: Bytes,
    /// The password to open the PDF with. Never stored, never logged.
    #[schema(nullable = false)]
    pub password: Option<String>,
    /// What you call the case that the file belongs to, such as a claim's number: at most 64 characters. Lists are filtered by
    /// it.
    #[schema(nullable = false, example = "CLM-2026-114")]
    pub reference: Option<Reference>,
    /// `true` or `false`, without effect, for clients that send it: signatures are always checked.
    #[schema(required = false)]
    pub verify_signatures: bool,
    /// The console's CSRF token; the API takes no notice of it.
    #[schema(ignore)]
    pub csrf: Option<String>,
    /// What tells one page's form from another's, from the console's form.
    #[schema(ignore)]
    pub nonce: Option<String>,
}

impl std::fmt::Debug for UploadForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UploadForm")
            .field("filename", &self.filename)
            .field("size", &self.file.len())
            .finish_non_exhaustive()
    }
}

impl UploadForm {
    /// Reads the call's body.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::BadRequest`] for a malformed form,
    /// [`Error::TooLarge`], [`Error::Invalid`] for a missing or repeated field.
    pub fn read(call: &mut Call) -> Result<Self, Error> {
        refuse_encoding(call)?;
        let boundary = boundary(call)?;
        let body = match call.take_body(TooLarge::File)? {
            Body::Binary(bytes) => Bytes::from(bytes),
            Body::Text(text) => Bytes::from(text),
            _ => Bytes::new(),
        };
        if body.is_empty() {
            return Err(Error::UnsupportedMediaType(
                "The body is empty. Send the PDF as multipart/form-data, in the field file.",
            ));
        }
        if body.len() as u64 > MAX_BODY {
            return Err(Error::TooLarge(TooLarge::File));
        }
        parse(body, &boundary)
    }
}

const MALFORMED: Error = Error::BadRequest(
    "The multipart body is malformed or cut short. Send it as multipart/form-data (RFC 7578), for example with curl -F file=@document.pdf.",
);

fn boundary(call: &Call) -> Result<String, Error> {
    if media_type(call).as_deref() != Some("multipart/form-data") {
        return Err(Error::UnsupportedMediaType("Send the PDF as multipart/form-data, in the field file."));
    }
    let header = call.header("content-type").unwrap_or_default();
    let parsed: mime::Mime = header.parse().map_err(|_| BAD_BOUNDARY)?;
    let mut boundaries = parsed.params().filter(|(name, _)| *name == mime::BOUNDARY).map(|(_, value)| value.as_str());
    match (boundaries.next(), boundaries.next()) {
        (Some(boundary), None) if (1..=MAX_BOUNDARY).contains(&boundary.len()) => Ok(boundary.to_owned()),
        _ => Err(BAD_BOUNDARY),
    }
}

const BAD_BOUNDARY: Error = Error::BadRequest(
    "The Content-Type needs exactly one boundary of 1 to 70 characters. Let your HTTP client set it.",
);

const TOO_MUCH: Error =
    Error::BadRequest("The form has over 20 parts, or a part has over 16 KB of headers. Send the file only.");

impl From<FormRefusal> for Error {
    fn from(refusal: FormRefusal) -> Self {
        match refusal {
            FormRefusal::Malformed => MALFORMED,
            FormRefusal::TooMuch => TOO_MUCH,
        }
    }
}

fn parse(body: Bytes, boundary: &str) -> Result<UploadForm, Error> {
    let mut form = Multipart::new(body, boundary)?;
    let mut errors = FieldErrors::default();
    let (mut upload, mut password, mut verify_signatures) = (None, None, None);
    let (mut csrf, mut nonce, mut reference) = (None, None, None);
    let mut fields = 0;
    while let Some(FormPart { disposition, content }) = form.next_part()? {
        let Disposition { name, filename } = Disposition::read(&disposition).ok_or(MALFORMED)?;
        if name != "file" {
            fields += content.len();
        }
        if fields > MAX_FIELDS {
            return Err(Error::BadRequest("The fields beside the file are over 64 KB. Send the file only."));
        }
        match (name.as_str(), filename) {
            ("file", Some(_)) if upload.is_some() => errors.add("file", "must be one file"),
            // a browser's empty file input
            ("file", Some(filename)) if filename.is_empty() && content.is_empty() => {}
            ("file", Some(filename)) => upload = Some((filename, content)),
            ("password", _) if password.is_some() => errors.add("password", "must be given once"),
            ("password", _) => match String::from_utf8(content.to_vec()) {
                Ok(text) => password = Some(text),
                Err(_) => errors.add("password", "must be UTF-8 text"),
            },
            ("reference", _) if reference.is_some() => errors.add("reference", "must be given once"),
            ("reference", _) => match String::from_utf8(content.to_vec()) {
                Ok(text) => reference = Some(text),
                Err(_) => errors.add("reference", "must be UTF-8 text"),
            },
            ("verify_signatures", _) if verify_signatures.is_some() => {
                errors.add("verify_signatures", "must be given once");
            }
            ("verify_signatures", _) => {
                verify_signatures = Some(&*content == b"true");
                if &*content != b"true" && &*content != b"false" {
                    errors.add("verify_signatures", "must be true or false");
                }
            }
            ("csrf", _) => csrf = String::from_utf8(content.to_vec()).ok(),
            ("nonce", _) => nonce = String::from_utf8(content.to_vec()).ok(),
            _ => {}
        }
    }
    let Some((filename, file)) = upload else {
        errors.add("file", "is required: a PDF, sent with a file name");
        return errors.or(()).and(Err(MALFORMED));
    };
    if file.len() as u64 > MAX_FILE_SIZE {
        return Err(Error::TooLarge(TooLarge::File));
    }
    let reference = Reference::read(reference.as_deref(), &mut errors);
    let verify_signatures = verify_signatures.unwrap_or_default();
    let filename = filename::clean(&filename);
    errors.or(UploadForm { filename, file, password, reference, verify_signatures, csrf, nonce })
}
