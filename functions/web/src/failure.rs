//! What went wrong, as a page for people, or in the API's words for scripts and API paths.

use engine::Reason;
use lambda_http::http::StatusCode;
use maud::html;
use shared::error::Error;
use shared::http::{self, Reply};
use shared::quota::Quota;

use crate::audience::Audience;
use crate::layout::{self, Nav};

/// What `audience` is told.
pub(crate) fn reply(audience: Audience, error: &Error, request_id: &str, quota: Option<&Quota>) -> Reply {
    match (audience, error) {
        (Audience::Program, _) => http::reply(error, request_id, quota),
        (Audience::Script, _) => http::reply_saying(error, &for_people(error), request_id, quota),
        (Audience::Person, Error::Unauthenticated) => Reply::see_other("/login"),
        (Audience::Person, _) => http::page(error, quota, |status, _| page(status, &for_people(error), request_id)),
    }
}

/// An error's sentence for somebody in front of a page, who sends no headers.
pub(crate) fn for_people(error: &Error) -> String {
    match error {
        Error::AnalysisFailed(Reason::NotAPdf) => "This file is not a PDF. Choose another one.".to_owned(),
        Error::AnalysisFailed(Reason::PasswordRequired) => {
            "This PDF is locked. Enter its password to analyse it.".to_owned()
        }
        Error::TooLarge(_) => "This file is larger than 100 MB, which is the most.".to_owned(),
        Error::Unavailable(_) => {
            "The service is briefly unavailable. Try again in a moment: nothing is counted twice.".to_owned()
        }
        error => {
            // what stands behind it is for programs
            let sentence = http::sentence(error);
            sentence.split_once("; Retry-After").map_or_else(|| sentence.to_owned(), |(told, _)| format!("{told}."))
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
    let content = html! {
        section.narrow.centered {
            p.code { (status.as_u16()) }
            h1 { (title) }
            p.lead { (sentence) }
            p.actions { a.button href="/dashboard" { "To the dashboard" } a href="/" { "Start page" } }
            p.small.muted { "Request " code { (request_id) } }
        }
    };
    layout::page(title, Nav::Neutral, &content)
}
