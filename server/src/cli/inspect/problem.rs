//! What is said of a file that cannot be analysed, or not be read.

use engine::Failure;
use serde::Serialize;

/// The code of what cannot be read, which the API has no need of.
pub(super) const UNREADABLE: &str = "unreadable";

/// The error as the API words it.
#[derive(Serialize)]
pub(super) struct Problem {
    code: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<ProblemDetails>,
}

impl Problem {
    /// It cannot be read, for this reason.
    pub(super) fn of_reading(message: String) -> Self {
        Self { code: UNREADABLE, message, details: None }
    }

    /// Whether it could be read, and is the problem itself.
    pub(super) fn is_of_the_file(&self) -> bool {
        self.details.is_some()
    }
}

#[derive(Serialize)]
struct ProblemDetails {
    reason: &'static str,
}

pub(super) fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Rejected(reason) => {
            let details = Some(ProblemDetails { reason: reason.code() });
            Problem { code: "analysis_failed", message: reason.message().to_owned(), details }
        }
        Failure::Source(error) => unreadable(&error),
    }
}

pub(super) fn unreadable(error: &dyn std::error::Error) -> Problem {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    Problem::of_reading(format!("{error}{cause}"))
}
