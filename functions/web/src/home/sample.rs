//! The example on the start page: the engine's result for a sample file, shown as in a report.

use std::sync::LazyLock;

use maud::{Markup, html};
use report::Report;
use serde_json::Value;

use crate::analyses::examples::forged;
use crate::integrity::{before_and_now, outcome, revision_history};

/// Built by the first request of the page.
static REPORT: LazyLock<Markup> = LazyLock::new(|| {
    let report = Report::of(forged());
    html! {
        @if let Some(report) = &report {
            section.shown.report aria-labelledby="shown" {
                h2 #shown { "A report" }
                p {
                    "Somebody exchanged amount and account of this invoice after it was signed. This is what the service says of "
                    "the file, in short; " a href="/docs/example-forged" { "here is all of it" } "."
                }
                (outcome(report))
                (before_and_now(report, forged()))
                (revision_history(report))
            }
        }
    }
});

/// The report for people.
pub(super) fn report() -> &'static Markup {
    &REPORT
}

/// The same as the API's answer, shortened.
pub(super) fn answer() -> Markup {
    let at = |pointer: &str| forged().pointer(&format!("/integrity{pointer}")).unwrap_or(&Value::Null);
    let key = |name: &str| html! { span.k { "\"" (name) "\"" } ": " };
    let value = |pointer: &str| html! { span.s { (at(pointer)) } };
    let field = |name: &str| html! { (key(name)) (value(&format!("/{name}"))) };
    let signal = |name: &str| html! { (key(name)) (value(&format!("/signals/0/{name}"))) };
    let evidence = |name: &str| html! { (key(name)) (value(&format!("/signals/0/evidence/0/{name}"))) };
    html! {
        figure.example {
            pre tabindex="0" role="region" aria-label="Example of a call and its answer" { code {
                span.p { "$ " } "curl -H \"Authorization: Bearer $TOKEN\" -F file=@invoice.pdf $API/pdf/analyze |\n"
                "  jq .data.metadata.integrity\n\n"
                "{\n"
                "  " (field("verdict")) ",\n"
                "  " (field("summary")) ",\n"
                "  " (field("changed_after_signing")) ",\n"
                "  " (key("signals")) "[{\n"
                "    " (signal("id")) ",\n"
                "    " (signal("strength")) ",\n"
                "    " (key("evidence")) "[{\n"
                "      " (evidence("page")) ",\n"
                "      " (evidence("before")) ",\n"
                "      " (evidence("after")) ", …\n"
                "    }, …]\n"
                "  }, …],\n"
                "  …\n"
                "}"
            } }
        }
    }
}
