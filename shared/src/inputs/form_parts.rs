//! A complete multipart form (RFC 7578): its parts by name.

mod disposition;
mod multipart;

use bytes::Bytes;
use lambda_http::Body;

use crate::error::{Error, FieldErrors, TooLarge};
use crate::filename;
use crate::http::{Call, media_type, refuse_encoding};
use disposition::Disposition;
use multipart::{FormPart, FormRefusal, Multipart};

/// Largest file: 100 MB.
pub const MAX_FILE_SIZE: u64 = 104_857_600;

/// Largest body of a form: the file and 1 MB for the rest.
pub const MAX_BODY: u64 = MAX_FILE_SIZE + 1024 * 1024;
/// RFC 2046, section 5.1.1.
const MAX_BOUNDARY: usize = 70;
const MAX_PARTS: usize = 20;
const MAX_PART_HEADERS: usize = 16 * 1024;
/// Total bytes of all parts except files.
const MAX_FIELDS: usize = 64 * 1024;

/// The parts of a form.
pub(super) struct FormParts(Vec<(Disposition, Bytes)>);

/// A file of a form.
#[derive(Clone, Default)]
pub struct NamedFile {
    /// The cleaned name.
    pub filename: String,
    /// Its content.
    pub bytes: Bytes,
}

impl FormParts {
    /// Reads the call's body, in which the parts called `files` may be large. `expected` is the sentence for another
    /// media type.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::BadRequest`] for a malformed form, [`Error::TooLarge`].
    pub(super) fn read(call: &mut Call, files: &[&str], expected: &'static str) -> Result<Self, Error> {
        refuse_encoding(call)?;
        if media_type(call).as_deref() != Some("multipart/form-data") {
            return Err(Error::UnsupportedMediaType(expected));
        }
        let boundary = boundary(call)?;
        let what = if files.len() > 1 { TooLarge::Pair } else { TooLarge::File };
        let body = match call.take_body(what)? {
            Body::Binary(bytes) => Bytes::from(bytes),
            Body::Text(text) => Bytes::from(text),
            _ => Bytes::new(),
        };
        if body.is_empty() {
            return Err(Error::UnsupportedMediaType(expected));
        }
        if body.len() as u64 > MAX_BODY {
            return Err(Error::TooLarge(what));
        }
        Self::parse(body, &boundary, files)
    }

    fn parse(body: Bytes, boundary: &str, files: &[&str]) -> Result<Self, Error> {
        let (mut form, mut parts, mut fields) = (Multipart::new(body, boundary)?, Vec::new(), 0);
        while let Some(FormPart { disposition, content }) = form.next_part()? {
            let disposition = Disposition::read(&disposition).ok_or(MALFORMED)?;
            if !files.contains(&disposition.name.as_str()) {
                fields += content.len();
            }
            if fields > MAX_FIELDS {
                return Err(Error::BadRequest("The fields beside the file are over 64 KB. Send the file only."));
            }
            parts.push((disposition, content));
        }
        Ok(Self(parts))
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &(Disposition, Bytes)> {
        self.0.iter().filter(move |(disposition, _)| disposition.name == name)
    }

    /// The only file of this name. Otherwise an error is added to `errors` and an empty file returned.
    ///
    /// # Errors
    /// [`Error::TooLarge`]
    pub(super) fn file(&self, name: &'static str, errors: &mut FieldErrors) -> Result<NamedFile, Error> {
        let files = self.named(name).filter_map(|(part, content)| Some((part.filename.as_deref()?, content)));
        // a browser sends an empty part for a file input without a file
        let mut files = files.filter(|(filename, content)| !(filename.is_empty() && content.is_empty()));
        let Some((filename, content)) = files.next() else {
            errors.add(name, "is required: a PDF, sent with a file name");
            return Ok(NamedFile::default());
        };
        if files.next().is_some() {
            errors.add(name, "must be one file");
        }
        if content.len() as u64 > MAX_FILE_SIZE {
            return Err(Error::TooLarge(TooLarge::File));
        }
        Ok(NamedFile { filename: filename::clean(filename), bytes: content.clone() })
    }

    /// The text with this name; `None` if it is missing. A repeated or invalid text is added to `errors`.
    pub(super) fn text(&self, name: &'static str, errors: &mut FieldErrors) -> Option<String> {
        if self.named(name).count() > 1 {
            errors.add(name, "must be given once");
        }
        let text = self.named(name).next().map(|(_, content)| String::from_utf8(content.to_vec()))?;
        text.map_err(|_| errors.add(name, "must be UTF-8 text")).ok()
    }

    /// A text field that is sent only by the console's pages.
    pub(super) fn of_page(&self, name: &'static str) -> Option<String> {
        self.text(name, &mut FieldErrors::default())
    }
}

const MALFORMED: Error = Error::BadRequest(
    "The multipart body is malformed or cut short. Send it as multipart/form-data (RFC 7578), for example with curl -F file=@document.pdf.",
);

fn boundary(call: &Call) -> Result<String, Error> {
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
