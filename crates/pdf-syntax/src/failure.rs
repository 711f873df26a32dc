//! Errors: reasons to reject a file, and failures of its source.

use std::error::Error;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Why a file's metadata could not be extracted.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The file itself is the reason; the same file fails again.
    #[error("{}", .0.message())]
    Rejected(Reason),
    /// The source could not be read; the file may be fine.
    #[error(transparent)]
    Source(SourceError),
}

/// What was wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// No bytes at all: to programs [`NotAPdf`](Self::NotAPdf).
    Empty,
    /// No `%PDF-` within the first 1,024 bytes.
    NotAPdf,
    /// Too damaged to find its catalog, even by scanning it.
    Corrupt,
    /// A catalog without a single page.
    NoPages,
    /// Encrypted; the empty password does not open it and none was given.
    PasswordRequired,
    /// Encrypted; the given password is neither the user's nor the owner's.
    WrongPassword,
    /// Encrypted by a handler other than the standard one, or by an unknown version of that.
    UnsupportedEncryption,
    /// Reading it would take more memory or time than one file may have.
    TooComplex,
}

impl Reason {
    /// The reason as programs read it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty | Self::NotAPdf => "not_a_pdf",
            Self::Corrupt => "corrupt",
            Self::NoPages => "no_pages",
            Self::PasswordRequired => "password_required",
            Self::WrongPassword => "wrong_password",
            Self::UnsupportedEncryption => "unsupported_encryption",
            Self::TooComplex => "too_complex",
        }
    }

    /// One sentence for a person: what was wrong and what to do.
    pub fn message(self) -> &'static str {
        match self {
            Self::Empty => "The file is empty (0 bytes).",
            Self::NotAPdf => "The file is not a PDF: no %PDF- header found.",
            Self::Corrupt => "The PDF is damaged beyond repair; export or download it again and retry.",
            Self::NoPages => "The PDF has no pages; choose a document with at least one page.",
            Self::PasswordRequired => "The PDF is password-protected; send its password in the field `password`.",
            Self::WrongPassword => "The password does not open this PDF.",
            Self::UnsupportedEncryption => {
                "The PDF is encrypted in a way this service cannot read; save it with a password or without encryption."
            }
            Self::TooComplex => {
                "The PDF's structure takes too much effort to read; print or export it to a new PDF and try that."
            }
        }
    }
}

impl PartialSchema for Reason {
    fn schema() -> RefOr<Schema> {
        let reasons = [
            Self::NotAPdf,
            Self::Corrupt,
            Self::NoPages,
            Self::PasswordRequired,
            Self::WrongPassword,
            Self::UnsupportedEncryption,
            Self::TooComplex,
        ];
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some("What was wrong with a file."));
        schema.enum_values(Some(reasons.map(Self::code))).into()
    }
}

impl ToSchema for Reason {}

/// A source could not deliver its bytes.
#[derive(Debug, thiserror::Error)]
#[error("the file's content could not be read")]
pub struct SourceError(#[source] Box<dyn Error + Send + Sync>);

impl SourceError {
    /// Wraps an error of the disk or the network.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

/// Why a step inside the engine failed.
#[derive(Debug)]
pub enum Fault {
    /// The structure is invalid; scanning the file may repair it.
    Damaged,
    /// The file itself is the reason.
    Rejected(Reason),
    /// The source could not be read.
    Source(SourceError),
}

/// Returns the result of an optional step; none if the file rejects it. Only an unreadable source is an error.
pub fn tried<T>(done: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match done {
        Err(Fault::Source(error)) => Err(Fault::Source(error)),
        done => Ok(done.ok()),
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Damaged => Self::Rejected(Reason::Corrupt),
            Fault::Rejected(reason) => Self::Rejected(reason),
            Fault::Source(error) => Self::Source(error),
        }
    }
}

impl From<SourceError> for Fault {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}
