//! The pages of trusted issuers: the list, and the preview of certificates.

use maud::{Markup, html};
use shared::error::FieldErrors;
use shared::http::Reply;
use shared::inputs::trust::TrustRequest;
use shared::store::trust::TrustedIssuer;

use crate::assets::TRUST_SCRIPT;
use crate::dates::instant;
use crate::layout::{self, Nav, csrf};
use crate::session::Session;

/// The last submitted form for issuers.
#[derive(Default)]
pub(crate) struct TrustForm {
    pub(crate) pem: String,
    pub(crate) name: String,
    pub(crate) errors: FieldErrors,
}

pub(crate) fn list(session: &Session, issuers: &[TrustedIssuer], draft: &TrustForm) -> Reply {
    let content = html! {
        h1 { "Trusted issuers" }
        p.lead {
            "Name the issuers of certificates that you trust, and reports say whether a signature leads to one of them. Nothing is built in, and nothing is looked up: "
            a href="/docs/trust" { "how that works" } "."
        }
        form.card method="post" action="/trust" {
            (csrf(session))
            div.field {
                label for="pem" { "Certificates" }
                textarea #pem name="pem" rows="6" required spellcheck="false" autocomplete="off"
                    aria-describedby="pem-hint" aria-invalid=[draft.errors.iter().any(|(field, _)| field == "pem").then_some("true")] { (draft.pem) }
                (errors(draft, "pem", "Certificates"))
                p.hint #pem-hint { "As PEM, from -----BEGIN CERTIFICATE----- on; several may follow each other." }
                input type="file" accept=".pem,.crt,.cer" aria-label="A file of certificates" id="file" hidden;
            }
            div.field {
                label for="name" { "Name" }
                input #name name="name" type="text" maxlength="100" autocomplete="off" value=(draft.name) aria-describedby="name-hint";
                (errors(draft, "name", "Name"))
                p.hint #name-hint { "What to call them; without it each is called by its subject." }
            }
            button.button type="submit" { "Show what they are" }
        }
        section aria-labelledby="issuers-title" {
            h2 #issuers-title { "Whom you trust " span.count { (issuers.len()) } }
            @if issuers.is_empty() { p.empty { "No issuers yet: reports show the name in a certificate and that its identity isn't verified." } }
            ul.tokens { @for issuer in issuers { (row(session, issuer)) } }
        }
    };
    layout::styled("Trusted issuers", Nav::Session(session, "/account"), &[&TRUST_SCRIPT], &content)
}

/// The errors of a field, which has this label.
fn errors(draft: &TrustForm, name: &str, label: &str) -> Markup {
    html! {
        @for (field, reason) in draft.errors.iter() {
            @if field == name { p.error { "The field " (label) " " (reason) ". " } }
        }
    }
}

fn row(session: &Session, issuer: &TrustedIssuer) -> Markup {
    html! {
        li {
            div {
                p.name { (issuer.name) }
                p.small.muted {
                    @if issuer.subject != issuer.name { (issuer.subject) " · " }
                    @if let Some(until) = &issuer.valid_until { "good until " (instant(until)) " · " }
                    "added " (instant(&issuer.added_at))
                }
                p.small.muted { code.hash { (issuer.id) } }
            }
            details.confirm {
                summary.button.quiet {
                    span.closed { "Remove" }
                    span.opened { "Keep" }
                    span.visually-hidden { " " (issuer.name) }
                }
                form method="post" action={ "/trust/" (issuer.id) "/remove" } {
                    (csrf(session))
                    p { "Signatures under it are not trusted from then on. Reports of before stay as they are." }
                    button.button.danger type="submit" { "Remove" span.visually-hidden { ": " (issuer.name) } }
                }
            }
        }
    }
}

/// The preview of certificates before they are stored.
pub(crate) fn preview(session: &Session, request: &TrustRequest, pem: &str) -> Reply {
    let content = html! {
        section.medium {
            h1 { "Do you trust them?" }
            p.lead { "Whoever has the key of one of these can make a signature in any name that you will be told is trusted. Compare the fingerprint with what its owner publishes." }
            ul.tokens {
                @for anchor in &request.pem {
                    li {
                        div {
                            p.name { (anchor.name) }
                            p.small.muted {
                                @if let Some(from) = &anchor.valid_from { "good from " (instant(&from.to_rfc3339())) }
                                @if let Some(until) = &anchor.valid_until { " until " (instant(&until.to_rfc3339())) }
                            }
                            p.small { "SHA-256 " code.hash { (anchor.sha256) } }
                        }
                    }
                }
            }
            form.actions method="post" action="/trust" {
                (csrf(session))
                input type="hidden" name="pem" value=(pem);
                input type="hidden" name="name" value=(request.name.as_deref().unwrap_or_default());
                input type="hidden" name="confirmed" value="yes";
                button.button type="submit" { "Trust " @if request.pem.len() == 1 { "it" } @else { "all of them" } }
                a href="/trust" { "No" }
            }
        }
    };
    layout::page("Do you trust them?", Nav::Session(session, "/account"), &content)
}
