//! `/docs`: how to call the API.

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use crate::App;
use crate::layout::{self, Nav};

/// Method and path, and what the call does.
const CALLS: [(&str, &str); 8] = [
    ("GET /user", "The account, and what is left of today's quota."),
    ("POST /pdf/analyze", "Analyses a PDF: multipart/form-data with file, or JSON with an upload_id."),
    ("POST /pdf/uploads", "A ticket to upload a file straight to storage first."),
    ("GET /pdf", "The stored analyses, newest first. page from 1, per_page from 1 to 100."),
    ("GET /pdf/{id}", "One analysis, as it was first answered."),
    ("GET /tokens", "The account's tokens, without their values."),
    ("POST /tokens", "A new token; its value is in this answer only."),
    ("DELETE /tokens/{id}", "Revokes a token; the next call with it is refused."),
];
const ERRORS: [(&str, &str, &str); 9] = [
    ("401", "unauthenticated", "The token is missing, unknown or revoked."),
    ("404", "not_found", "Nothing at this address, or not yours."),
    ("413", "file_too_large", "More than 100 MB."),
    ("415", "unsupported_media_type", "The body is not what the address takes."),
    ("422", "analysis_failed", "The file could not be read; details.reason says why."),
    ("422", "validation_failed", "A field is missing or out of range; details.fields says which."),
    ("429", "daily_limit_exceeded", "Today's analyses are used up; Retry-After says for how long."),
    ("429", "rate_limited", "Too many failed analyses today."),
    ("503", "service_unavailable", "Try again; nothing is charged twice."),
];

impl App {
    pub(crate) async fn docs(&self, call: &mut Call) -> Result<Reply, Error> {
        let session = self.visitor(call).await?;
        let base = format!("{}{BASE_PATH}", call.origin().unwrap_or_default());
        let content = html! {
            article.prose {
                h1 { "Documentation" }
                p.lead { "The API speaks JSON over HTTP at " code { (base) } "." }
                h2 { "First call" }
                ol {
                    li { a href="/register" { "Create an account" } " and " a href="/tokens" { "a token" } "." }
                    li { "Send a PDF with it:" }
                }
                (sample("First call", &format!("curl -H 'Authorization: Bearer <API_TOKEN>' \\\n     -F file=@document.pdf {base}/pdf/analyze")))
                p { "The answer holds the stored analysis and what is left of today's quota in " code { "remaining_checks" } "." }
                h2 { "Calls" }
                dl.calls { @for (name, text) in CALLS { dt { code { (name) } } dd { (text) } } }
                h2 { "Large files" }
                p { "Behind a cloud gateway a body may have about 4.5 MB. Larger files, up to 100 MB, go in three steps, which work everywhere:" }
                (sample("Three steps", "POST /pdf/uploads   {\"filename\":\"big.pdf\",\"file_size\":73400320}\n  → upload_id, url, headers\nPUT  url            the file, with exactly those headers\nPOST /pdf/analyze   {\"upload_id\":\"…\"}"))
                p { "A locked file takes its password along: the form field or JSON key " code { "password" } ". It is never stored." }
                h2 { "Repeats" }
                p { "Send an " code { "Idempotency-Key" } " with an analysis: a repeat within 24 hours gets the first answer and is not charged." }
                h2 { "Quota" }
                p { "Only stored analyses count. Counting starts anew at 00:00 UTC. Every answer carries " code { "RateLimit" } " headers." }
                h2 { "Errors" }
                (sample("An error", "{\"success\":false,\"error\":{\"code\":\"not_found\",\"message\":\"…\",\"request_id\":\"…\"}}"))
                dl.calls { @for (status, code, text) in ERRORS { dt { (status) " " code { (code) } } dd { (text) } } }
                h2 { "Analysis ids" }
                p { "An id is unguessable, and only its owner can read the analysis. Its first digits are the owner's running number." }
            }
        };
        Ok(layout::page("Documentation", Nav::of(session.as_ref(), "/docs"), &content))
    }
}

fn sample(label: &str, text: &str) -> Markup {
    html! { pre tabindex="0" role="region" aria-label=(label) { code { (text) } } }
}
