//! The announcement of a file before its upload to S3.

use utoipa::ToSchema;

use crate::error::{Error, FieldErrors, TooLarge};
use crate::file_hash::FileHash;
use crate::filename;
use crate::http::{Call, Fields};
use crate::inputs::form_parts::MAX_FILE_SIZE;

/// A file to be uploaded.
#[derive(Clone, Debug, ToSchema)]
#[schema(as = UploadRequest)]
pub struct Announcement {
    /// The file's name; its last path segment is kept, without invisible characters.
    #[schema(example = "big.pdf")]
    pub filename: String,
    /// The file's exact size in bytes, 1 to 104,857,600.
    #[schema(minimum = 1, maximum = 104_857_600, example = 73_400_320)]
    pub file_size: u64,
    /// The file's SHA-256: 64 hexadecimal digits. With it the bucket refuses other bytes, and the analysis reports it
    /// (`metadata.file.sha256`), even if the file is not read completely.
    #[schema(
        value_type = Option<String>,
        min_length = 64,
        max_length = 64,
        pattern = "^[0-9A-Fa-f]{64}$",
        example = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )]
    pub sha256: Option<FileHash>,
}

const NO_SIZE: &str = "is required: the size of the file, a whole number of bytes from 1 to 104857600";
const ODD_SIZE: &str = "must be a whole number of bytes from 1 to 104857600";
const NO_OBJECT: &str =
    "The body is JSON, but not an object. Send an object such as {\"filename\":\"big.pdf\",\"file_size\":73400320}.";

impl Announcement {
    /// Reads `filename`, `file_size` and `sha256` of the call's body.
    ///
    /// # Errors
    /// Those of [`Fields::json`]; [`Error::Invalid`], [`Error::TooLarge`].
    pub fn read(call: &mut Call) -> Result<Self, Error> {
        Self::of(&Fields::json(call, NO_OBJECT)?, "file_size")
    }

    /// The same from `fields`, in which the size is called `size`.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::TooLarge`].
    pub fn of(fields: &Fields, size: &'static str) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let filename = fields.required("filename", "is required: the name of the file", &mut errors);
        let filename = filename.map(filename::clean).unwrap_or_default();
        let file_size = fields.whole_number(size).filter(|bytes| *bytes > 0).unwrap_or_else(|| {
            errors.add(size, if fields.is_absent(size) { NO_SIZE } else { ODD_SIZE });
            1
        });
        let sha256 = fields.optional("sha256", &mut errors).map(|text| {
            let hash = FileHash::parse(text);
            if hash.is_none() {
                errors.add("sha256", "must be the file's SHA-256: 64 hexadecimal digits, as sha256sum prints them");
            }
            hash
        });
        if file_size > MAX_FILE_SIZE {
            return Err(Error::TooLarge(TooLarge::File));
        }
        errors.or(Self { filename, file_size, sha256: sha256.flatten() })
    }
}
