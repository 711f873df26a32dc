//! Errors of a request in the domain's terms. Only `http` maps them to a status, a code and a sentence.

use std::fmt;

use engine::{Reason, Side};

/// Why a request failed: an error of the caller or of the service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is malformed. The sentence describes the error and its remedy.
    #[error("bad request: {0}")]
    BadRequest(&'static str),
    /// No token, or none that opens an account.
    #[error("unauthenticated")]
    Unauthenticated,
    /// The console's request does not come from one of its own pages.
    #[error("forbidden")]
    Forbidden,
    /// It does not exist, or belongs to another account.
    #[error("not found")]
    NotFound,
    /// The account has no such staged file.
    #[error("upload not found")]
    UploadNotFound,
    /// The path does not allow the method. Contains the allowed ones, as in `Allow`.
    #[error("method not allowed")]
    MethodNotAllowed(&'static str),
    /// The file is over 100 MB (104,857,600 bytes), or another body over its limit.
    #[error("too large")]
    TooLarge(TooLarge),
    /// The body's media type or encoding is not supported here. Contains the sentence.
    #[error("unsupported media type: {0}")]
    UnsupportedMediaType(&'static str),
    /// Well-formed, but these fields are missing or invalid.
    #[error("validation failed: {0}")]
    Invalid(FieldErrors),
    /// The PDF could not be read.
    #[error("analysis failed: {}", .0.code())]
    AnalysisFailed(Reason),
    /// This one of the two compared PDFs could not be read.
    #[error("comparison failed: {}", .1.code())]
    ComparisonFailed(Side, Reason),
    /// The same `Idempotency-Key` came with another file.
    #[error("idempotency key reused")]
    IdempotencyKeyReused,
    /// The account is at its limit of tokens.
    #[error("token limit reached")]
    TokenLimitReached,
    /// The daily quota is exhausted, or less than the request needs.
    #[error("daily limit exceeded")]
    DailyLimitExceeded {
        /// How many are left.
        remaining: u64,
    },
    /// Too many failed analyses today.
    #[error("rate limited")]
    RateLimited,
    /// Too many attempts at a limited action, from one network or in total.
    #[error("too many attempts: {what:?}")]
    TooMany {
        /// The action.
        what: Attempts,
        /// Seconds until the next attempt is allowed.
        retry_after: i64,
    },
    /// The account's address has to be confirmed before this.
    #[error("the address is not confirmed: {0:?}")]
    Unconfirmed(Restricted),
    /// The service sends no mail, and this needs one.
    #[error("no mail is sent")]
    NoMail,
    /// Only the operator opens accounts.
    #[error("registration is closed")]
    RegistrationClosed,
    /// DynamoDB or S3 did not answer in time; trying again later may help.
    #[error("unavailable: {0}")]
    Unavailable(Cause),
    /// A bug.
    #[error("internal: {0}")]
    Internal(Cause),
}

impl Error {
    /// The error for a failure that should not be possible.
    pub fn internal(error: impl std::error::Error + 'static) -> Self {
        Self::Internal(Cause::of(&error))
    }
}

/// The actions with a limited number of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// Failed log-ins, to one account or from one address.
    LogIns,
    /// Registrations.
    Registrations,
    /// Requested mails.
    Mails,
    /// Upload tickets per day.
    Tickets,
    /// Open upload tickets.
    OpenTickets,
    /// Guesses of links to shared analyses.
    Links,
    /// Tokens created with a token.
    Tokens,
}

/// Functions that an account cannot use until its address is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restricted {
    /// An analysis, or an upload ticket for one.
    Analysis,
    /// An API token.
    Token,
}

/// Which body was too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The PDF, over 100 MB.
    File,
    /// Two PDFs in one form, together over 100 MB.
    Pair,
    /// A JSON or urlencoded body, over 64 KiB.
    Text,
}

/// The technical cause of a failure of the service: for the log, never for the caller.
pub struct Cause(String);

impl Cause {
    /// Collects the complete chain of an SDK error (its `Display` is only "service error").
    pub fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        Self(aws_smithy_types::error::display::DisplayErrorContext(error).to_string())
    }

    /// The cause for a route of the template that its function does not know.
    #[must_use]
    pub fn unknown_route(route: &str) -> Self {
        Self(format!("no handler for the route {route:?}"))
    }

    /// A cause in words.
    pub fn text(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Invalid fields with their errors, in the order found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(Vec<(&'static str, &'static str)>);

impl FieldErrors {
    /// One field, one reason.
    #[must_use]
    pub fn one(field: &'static str, reason: &'static str) -> Self {
        Self(vec![(field, reason)])
    }

    /// Adds a reason.
    pub fn add(&mut self, field: &'static str, reason: &'static str) {
        self.0.push((field, reason));
    }

    /// `value` if there are no errors.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the errors.
    pub fn or<T>(self, value: T) -> Result<T, Error> {
        if self.is_empty() { Ok(value) } else { Err(Error::Invalid(self)) }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs of field and reason.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.0.iter().copied()
    }
}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<_> = self.iter().map(|(field, reason)| format!("{field} {reason}")).collect();
        f.write_str(&reasons.join("; "))
    }
}
