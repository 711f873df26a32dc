//! The output for a file that cannot be analyzed or read.

use engine::{Failure, Reason};
use serde::Serialize;

/// The API's name of the failure.
pub(super) const FAILURE_CODE: &str = "analysis_failed";
/// The code of an unreadable file, which the API does not have.
pub(super) const UNREADABLE_CODE: &str = "unreadable";

/// The error in the API's form.
#[derive(Serialize)]
pub(in crate::cli) struct Problem {
    code: &'static str,
    pub(in crate::cli) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<ProblemDetails>,
}

impl Problem {
    /// It cannot be read, for this reason.
    pub(super) fn of_reading(message: String) -> Self {
        Self { code: UNREADABLE_CODE, message, details: None }
    }
}

#[derive(Serialize)]
struct ProblemDetails {
    reason: &'static str,
}

pub(in crate::cli) fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Rejected(reason) => {
            let message = match reason {
                Reason::PasswordRequired => "The PDF is password-protected: use --password or --passwords.",
                Reason::WrongPassword => "The PDF is password-protected, and none of the passwords opens it.",
                other => other.message(),
            };
            let details = Some(ProblemDetails { reason: reason.code() });
            Problem { code: FAILURE_CODE, message: message.to_owned(), details }
        }
        Failure::Source(error) => unreadable(&error),
    }
}

pub(in crate::cli) fn unreadable(error: &dyn std::error::Error) -> Problem {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    Problem::of_reading(format!("{error}{cause}"))
}
