//! The samples of every call: the files of `docs/examples`, which the tests run.

/// A call in one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) language: &'static str,
    pub(crate) code: &'static str,
}

macro_rules! samples {
    ($name:literal) => {
        [
            ("curl", include_str!(concat!("../../../docs/examples/curl/", $name, ".sh"))),
            ("Python", include_str!(concat!("../../../docs/examples/python/", $name, ".py"))),
            ("JavaScript", include_str!(concat!("../../../docs/examples/javascript/", $name, ".mjs"))),
            ("PHP", include_str!(concat!("../../../docs/examples/php/", $name, ".php"))),
        ]
    };
}

/// The samples for the page of this name; none if there is no such page.
pub(crate) fn of(page: &str) -> impl Iterator<Item = Sample> {
    let samples = match page {
        "analyze-pdf" => Some(samples!("analyze-pdf")),
        "check-health" => Some(samples!("check-health")),
        "client" => Some(samples!("client")),
        "create-token" => Some(samples!("create-token")),
        "list-analyses" => Some(samples!("list-analyses")),
        "list-tokens" => Some(samples!("list-tokens")),
        "revoke-token" => Some(samples!("revoke-token")),
        "show-analysis" => Some(samples!("show-analysis")),
        "show-reference" => Some(samples!("show-reference")),
        "show-user" => Some(samples!("show-user")),
        "stage-upload" => Some(samples!("stage-upload")),
        _ => None,
    };
    samples.into_iter().flatten().map(|(language, code)| Sample { language, code })
}
