//! What a client says of a file before it uploads it straight to S3.

use utoipa::ToSchema;

use crate::error::{Error, FieldErrors, TooLarge};
use crate::filename;
use crate::http::{Call, Fields};
use crate::upload_form::MAX_FILE_SIZE;

/// A file that is to come.
#[derive(Clone, Debug, ToSchema)]
#[schema(as = UploadRequest)]
pub struct Announcement {
    /// The file's name; its last path segment is kept, without invisible characters.
    #[schema(example = "big.pdf")]
    pub filename: String,
    /// The file's exact size in bytes, 1 to 104,857,600.
    #[schema(minimum = 1, maximum = 104_857_600, example = 73_400_320)]
    pub file_size: u64,
}

const NO_OBJECT: &str =
    "The body is JSON, but not an object. Send an object such as {\"filename\":\"big.pdf\",\"file_size\":73400320}.";

impl Announcement {
    /// Reads `filename` and `file_size` of the call's body.
    ///
    /// # Errors
    /// Those of [`Fields::json`]; [`Error::Invalid`], [`Error::TooLarge`].
    pub fn read(call: &mut Call) -> Result<Self, Error> {
        let fields = Fields::json(call, NO_OBJECT)?;
        let mut errors = FieldErrors::default();
        let filename = fields.required("filename", "is required: the name of the file", &mut errors);
        let filename = filename.map(filename::clean).unwrap_or_default();
        let file_size = fields.whole_number("file_size").filter(|size| *size > 0).unwrap_or_else(|| {
            errors.add("file_size", "is required: the size of the file, a whole number of bytes from 1 to 104857600");
            1
        });
        if file_size > MAX_FILE_SIZE {
            return Err(Error::TooLarge(TooLarge::File));
        }
        errors.or(Self { filename, file_size })
    }
}
