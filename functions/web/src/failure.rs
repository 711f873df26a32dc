//! What went wrong, as a page for people, or in the API's words for scripts and API paths.

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
        (Audience::Program | Audience::Script, _) => http::reply(error, request_id, quota),
        (Audience::Person, Error::Unauthenticated) => Reply::see_other("/login"),
        (Audience::Person, _) => http::page(error, quota, |status, sentence| page(status, sentence, request_id)),
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
