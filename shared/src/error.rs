//! What can go wrong in a request, in the domain's own words. `http` turns each into
//! a status, a code and a sentence; nothing else knows about statuses.

use std::fmt;

use engine::{Reason, Side};

/// Why a request got no answer: the caller's doing, or ours.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is not well-formed. The sentence says what is wrong and what to do.
    #[error("bad request: {0}")]
    BadRequest(&'static str),
    /// No token, or none that opens an account.
    #[error("unauthenticated")]
    Unauthenticated,
    /// The console's request does not come from one of its own pages.
    #[error("forbidden")]
    Forbidden,
    /// There is no such thing, or it belongs to somebody else.
    #[error("not found")]
    NotFound,
    /// The path exists, the method does not; holds the methods that do, as `Allow` lists them.
    #[error("method not allowed")]
    MethodNotAllowed(&'static str),
    /// The file is over [`MAX_FILE_SIZE`](crate::inputs::form_parts::MAX_FILE_SIZE), or another body over its limit.
    #[error("too large")]
    TooLarge(TooLarge),
    /// The body's media type or encoding is not taken here; holds the sentence.
    #[error("unsupported media type: {0}")]
    UnsupportedMediaType(&'static str),
    /// Well-formed, but these fields are missing or out of range.
    #[error("validation failed: {0}")]
    Invalid(FieldErrors),
    /// The PDF could not be read.
    #[error("analysis failed: {}", .0.code())]
    AnalysisFailed(Reason),
    /// That of the two PDFs that were to be compared could not be read.
    #[error("comparison failed: {}", .1.code())]
    ComparisonFailed(Side, Reason),
    /// The same `Idempotency-Key` came with another file.
    #[error("idempotency key reused")]
    IdempotencyKeyReused,
    /// The account has as many tokens as it may.
    #[error("token limit reached")]
    TokenLimitReached,
    /// The day's analyses are used up, or those that are left are too few.
    #[error("daily limit exceeded")]
    DailyLimitExceeded {
        /// How many are left.
        remaining: u64,
    },
    /// Too many failed analyses today.
    #[error("rate limited")]
    RateLimited,
    /// Too many attempts at something that costs, from one network or from everybody.
    #[error("too many attempts: {what:?}")]
    TooMany {
        /// At what.
        what: Attempts,
        /// Seconds until the next may be made.
        retry_after: i64,
    },
    /// The account's address has to be confirmed before this.
    #[error("the address is not confirmed: {0:?}")]
    Unconfirmed(Restricted),
    /// Nobody here can send a mail, and this needs one.
    #[error("no mail is sent")]
    NoMail,
    /// Only the operator opens accounts.
    #[error("registration is closed")]
    RegistrationClosed,
    /// DynamoDB or S3 did not answer in time; trying again later may help.
    #[error("unavailable: {0}")]
    Unavailable(Cause),
    /// A bug: something that should not be possible.
    #[error("internal: {0}")]
    Internal(Cause),
}

impl Error {
    /// What should not be possible failed.
    pub fn internal(error: impl std::error::Error + 'static) -> Self {
        Self::Internal(Cause::of(&error))
    }
}

/// What may be attempted so often only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// To log in, with a wrong password, to one account or from one address.
    LogIns,
    /// To open an account.
    Registrations,
    /// To have a mail sent.
    Mails,
    /// To get an upload ticket, in a day.
    Tickets,
    /// To have one more upload ticket open.
    OpenTickets,
    /// To find the link to a shared analysis.
    Links,
    /// To make a token with a token.
    Tokens,
}

/// What an account cannot have until its address is confirmed.
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
    /// A JSON or urlencoded body, over 64 KiB.
    Text,
}

/// The technical cause of a failure of ours: for the log, never for the caller.
pub struct Cause(String);

impl Cause {
    /// Takes the whole chain of an SDK's error (its `Display` alone says "service error").
    pub fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        Self(aws_smithy_types::error::display::DisplayErrorContext(error).to_string())
    }

    /// A route of the template that its function does not know.
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

/// What is wrong with which field, in the order found.
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

    /// `value` if nothing is wrong.
    ///
    /// # Errors
    /// [`Error::Invalid`] with what is wrong.
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
