//! Errors as pages, or as the API's JSON for scripts and API paths.

use engine::{Reason, Side};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use shared::error::{Attempts, Error, TooLarge};
use shared::http::{self, Call, Reply};
use shared::quota::Quota;

use crate::layout::{self, Nav};
use crate::next_page::NextPage;
use crate::response_format::ResponseFormat;

/// What was asked for, as far as it decides how an error is answered.
pub(crate) struct Asked {
    pub(crate) format: ResponseFormat,
    /// Whether it is the path of a shared link.
    pub(crate) is_link: bool,
    next: Option<NextPage>,
}

impl Asked {
    pub(crate) fn of(call: &Call, is_link: bool) -> Self {
        Self { format: ResponseFormat::of(call), is_link, next: NextPage::asked_by(call) }
    }
}

/// The error in the format that was asked for.
pub(crate) fn reply(asked: &Asked, error: &Error, request_id: &str, quota: Option<&Quota>) -> Reply {
    match (asked.format, error) {
        (ResponseFormat::ApiJson, _) => http::reply(error, request_id, quota),
        (ResponseFormat::ScriptJson, _) => http::reply_saying(error, &for_people(error), request_id, quota),
        (ResponseFormat::Page, Error::Unauthenticated) => Reply::see_other(NextPage::login(asked.next.as_ref())),
        (ResponseFormat::Page, Error::NotFound) if asked.is_link => {
            http::page(error, quota, |_, _| ended_link(request_id))
        }
        (ResponseFormat::Page, _) => http::page(error, quota, |status, _| page(status, &for_people(error), request_id)),
    }
}

/// An error's sentence on a page, without advice about headers.
pub(crate) fn for_people(error: &Error) -> String {
    match error {
        Error::AnalysisFailed(Reason::Empty) => "This file is empty.".to_owned(),
        Error::AnalysisFailed(Reason::NotAPdf) => "This file isn't a PDF.".to_owned(),
        Error::AnalysisFailed(Reason::PasswordRequired) => {
            "This PDF is locked. Enter its password to analyze it.".to_owned()
        }
        Error::ComparisonFailed(Side::Before, reason) => {
            format!("The earlier copy: {}", for_people(&Error::AnalysisFailed(*reason)))
        }
        Error::ComparisonFailed(Side::After, reason) => {
            format!("The later copy: {}", for_people(&Error::AnalysisFailed(*reason)))
        }
        Error::TooLarge(TooLarge::File) => "This is larger than 100 MB, which is the most.".to_owned(),
        Error::TooLarge(TooLarge::Pair) => {
            "Both files together are larger than 100 MB. With JavaScript each may have 100 MB.".to_owned()
        }
        Error::UploadNotFound => "The uploaded file is not there any more. Send it again.".to_owned(),
        Error::Invalid(errors) => format!("This was not understood: {errors}."),
        Error::Unauthenticated => "You are logged out. Log in and try again.".to_owned(),
        Error::IdempotencyKeyReused => {
            "This form was sent before with another file. Reload the page and try again.".to_owned()
        }
        Error::TooMany { what: Attempts::Tickets, .. } => {
            "Today's uploads are used up: there are twice as many as analyses. Go on after 00:00 UTC.".to_owned()
        }
        Error::TooMany { what: Attempts::OpenTickets, .. } => {
            "Five uploads have begun, which is the most at a time. Go on when they are analyzed, or in a quarter of an hour.".to_owned()
        }
        Error::Unavailable(_) => {
            "The service is briefly unavailable. Try again in a moment: nothing is counted twice.".to_owned()
        }
        error => {
            // the rest is for programs
            let sentence = http::sentence(error);
            sentence.split_once("; Retry-After").map_or_else(|| sentence.to_owned(), |(first, _)| format!("{first}."))
        }
    }
}

fn page(status: StatusCode, sentence: &str, request_id: &str) -> Reply {
    let (title, sentence) = match status {
        StatusCode::NOT_FOUND => ("Nothing here", "There is no page at this address, or it is not yours."),
        StatusCode::METHOD_NOT_ALLOWED => ("Not this way", "This address cannot be used like that."),
        StatusCode::FORBIDDEN => ("Not accepted", sentence),
        StatusCode::TOO_MANY_REQUESTS => ("Too much for now", sentence),
        StatusCode::SERVICE_UNAVAILABLE => {
            ("Just a moment", "The service is briefly unavailable. Go back and try again in a moment.")
        }
        StatusCode::INTERNAL_SERVER_ERROR => ("That was us", sentence),
        _ => ("That did not work", sentence),
    };
    let next = html! { a.button href="/dashboard" { "To the dashboard" } a href="/" { "Start page" } };
    said(status, title, sentence, &next, request_id)
}

/// The page of a link that opens no report, the same whether it has ended or never was.
fn ended_link(request_id: &str) -> Reply {
    let sentence = "This link has ended or is not complete. Ask its sender.";
    said(StatusCode::NOT_FOUND, "No report here", sentence, &html! { a href="/" { "Start page" } }, request_id)
}

fn said(status: StatusCode, title: &str, sentence: &str, next: &Markup, request_id: &str) -> Reply {
    let content = html! {
        section.narrow.centered {
            p.code { (status.as_u16()) }
            h1 { (title) }
            p.lead { (sentence) }
            p.actions { (next) }
            p.small.muted { "Request " code { (request_id) } }
        }
    };
    layout::page(title, Nav::Neutral, &content)
}

#[cfg(test)]
mod tests {
    use engine::Reason;
    use shared::error::{Attempts, Cause, Error, FieldErrors, TooLarge};

    use super::for_people;

    #[test]
    fn people_are_told_nothing_that_only_programs_can_do() {
        let attempts =
            [Attempts::Registrations, Attempts::Mails, Attempts::Tickets, Attempts::OpenTickets, Attempts::Links];
        let mut errors: Vec<Error> = attempts.into_iter().map(|what| Error::TooMany { what, retry_after: 9 }).collect();
        errors.extend(
            [Reason::NotAPdf, Reason::Corrupt, Reason::PasswordRequired, Reason::WrongPassword]
                .map(Error::AnalysisFailed),
        );
        errors.extend([
            Error::TooLarge(TooLarge::File),
            Error::TooLarge(TooLarge::Pair),
            Error::DailyLimitExceeded { remaining: 0 },
            Error::RateLimited,
            Error::Unauthenticated,
            Error::UploadNotFound,
        ]);
        errors.push(Error::Invalid(FieldErrors::one("search", "must be one text")));
        errors.extend([Error::IdempotencyKeyReused, Error::Forbidden, Error::Unavailable(Cause::text(""))]);
        for error in errors {
            let text = for_people(&error);
            assert!(text.ends_with('.'), "{text}");
            for word in ["Retry-After", "Idempotency", "header", "upload_id", "ticket", "token", "%PDF", "send its"] {
                assert!(!text.contains(word), "{error:?}: {text}");
            }
        }
    }
}
