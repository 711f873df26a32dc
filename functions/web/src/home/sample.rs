//! What the service says of a file, on the start page: the engine's own answer, which a test compares with what it answers
//! now, shown as on the page of an analysis.

use std::sync::LazyLock;

use maud::{Markup, html};
use serde_json::Value;

use crate::integrity::{Report, short};

/// Of `metadata` what a report is made of, for the contract of `samples` that was altered after it was signed.
const ANSWER: &str = include_str!("report.json");

static METADATA: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(ANSWER).unwrap_or_default());

/// Made when the page is asked for first.
static REPORT: LazyLock<Markup> = LazyLock::new(|| {
    let report = Report::of(&METADATA);
    html! {
        @if let Some(report) = &report {
            section.shown aria-labelledby="shown" {
                h2 #shown { "A report" }
                p { "Somebody changed this contract after its buyer had signed it. This is what the service says of the file, in short:" }
                (short(report))
            }
        }
    }
});

/// The report for people.
pub(super) fn report() -> &'static Markup {
    &REPORT
}

/// The same as the API answers it, shortened.
pub(super) fn answer() -> Markup {
    let at = |pointer: &str| METADATA.pointer(&format!("/integrity{pointer}")).unwrap_or(&Value::Null);
    let key = |name: &str| html! { span.k { "\"" (name) "\"" } ": " };
    let value = |pointer: &str| html! { span.s { (at(pointer)) } };
    let field = |name: &str| html! { (key(name)) (value(&format!("/{name}"))) };
    let signal = |name: &str| html! { (key(name)) (value(&format!("/signals/0/{name}"))) };
    let evidence = |name: &str| html! { (key(name)) (value(&format!("/signals/0/evidence/0/{name}"))) };
    html! {
        figure.example {
            pre tabindex="0" role="region" aria-label="Example of a call and its answer" { code {
                span.p { "$ " } "curl -H \"Authorization: Bearer $TOKEN\" -F file=@contract.pdf $API/pdf/analyze |\n"
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
