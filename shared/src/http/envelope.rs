//! The envelopes of answers and errors, and the kinds of error.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use engine::{Reason, Side};

/// The envelope of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer<T> {
    /// `true`.
    #[schema(inline)]
    pub success: Always<true>,
    /// What was asked for.
    pub data: T,
}

/// The envelope of a new analysis or comparison.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnalyzedAnswer<T> {
    /// `true`.
    #[schema(inline)]
    pub(super) success: Always<true>,
    /// What was stored.
    pub(super) data: T,
    /// Analyses still allowed today.
    pub(super) remaining_checks: u64,
}

/// `true`: this is an answer and no error; or `false`: this is an error.
#[derive(Clone, Copy, Debug)]
pub struct Always<const VALUE: bool>;

/// The envelope of an error: every answer with a status of 400 and more.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorAnswer<'a> {
    /// `false`.
    #[schema(inline)]
    pub(super) success: Always<false>,
    /// `error.message` again, for clients that read it at the top level.
    pub(super) message: &'a str,
    /// What it is.
    pub(super) error: Described<'a>,
}

/// What was wrong and what to do.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct Described<'a> {
    /// The kind of error.
    pub(super) code: ErrorCode,
    /// One sentence for a person: what was wrong and what to do. Its wording may change.
    pub(super) message: &'a str,
    /// The request's id, also in `X-Request-Id`, for the operator.
    pub(super) request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) details: Option<ErrorDetails>,
}

impl<'a> Described<'a> {
    /// The same in other words.
    #[must_use]
    pub fn saying(self, message: &'a str) -> Self {
        Self { message, ..self }
    }
}

/// The kind of error, for programs. New kinds may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each has its sentence below")]
pub enum ErrorCode {
    BadRequest,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    FileTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
    AnalysisFailed,
    IdempotencyKeyReused,
    TokenLimitReached,
    DailyLimitExceeded,
    RateLimited,
    InternalError,
    ServiceUnavailable,
}

/// Details of some errors.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ErrorDetails {
    /// With `validation_failed`: what is wrong, by field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) fields: Option<BTreeMap<&'static str, Vec<&'static str>>>,
    /// With `analysis_failed`: why the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Reason, required = false)]
    pub(super) reason: Option<&'static str>,
    /// With `analysis_failed` of a comparison: which of the two files it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) file: Option<Side>,
}

impl ErrorCode {
    /// As programs read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::FileTooLarge => "file_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::ValidationFailed => "validation_failed",
            Self::AnalysisFailed => "analysis_failed",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::TokenLimitReached => "token_limit_reached",
            Self::DailyLimitExceeded => "daily_limit_exceeded",
            Self::RateLimited => "rate_limited",
            Self::InternalError => "internal_error",
            Self::ServiceUnavailable => "service_unavailable",
        }
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<const VALUE: bool> Serialize for Always<VALUE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(VALUE)
    }
}

impl<const VALUE: bool> PartialSchema for Always<VALUE> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([VALUE])).into()
    }
}

impl<const VALUE: bool> ToSchema for Always<VALUE> {}
