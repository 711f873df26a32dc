//! `/s/{secret}`: the report of an analysis, for everybody who has the link. Nothing of the account is on it.

use lambda_http::http::header::{HeaderName, HeaderValue, REFERRER_POLICY};
use lambda_http::{Body, Response};
use maud::html;
use shared::analysis::Analysis;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::secret::ShareSecret;
use shared::withheld::withhold;

use super::download;
use super::report::{head, metadata_of, sections};
use crate::app::App;
use crate::layout::{self, Nav};

/// What the paths of all links begin with.
const PREFIX: &str = "/s/";

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (secret, analysis) = opened(app, call).await?;
    let mut metadata = metadata_of(&analysis)?;
    withhold(&mut metadata);
    let actions = html! {
        a.button.quiet href={ (PREFIX) (secret.reveal()) "/json" } download { "Download JSON" }
        button.button.quiet.with-script type="button" data-print { "Print or save as PDF" }
    };
    let content = html! { (head(&analysis, &metadata, &actions)) (sections(&metadata, analysis.file_size)) };
    Ok(layout::page(&analysis.filename, Nav::None, &content))
}

/// `/s/{secret}/json`: what the owner downloads, but for hidden text.
pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, analysis) = opened(app, call).await?;
    download::for_readers(analysis)
}

async fn opened(app: &App, call: &Call) -> Result<(ShareSecret, Analysis), Error> {
    let secret = ShareSecret::parse(call.parameter("secret")).ok_or(Error::NotFound)?;
    let analysis = app.store.shared_analysis(&secret, call.client(), call.now, call.deadline()).await?;
    Ok((secret, analysis))
}

/// Whether a path is a link's, there or not.
pub(crate) fn is_link(path: &str) -> bool {
    path.starts_with(PREFIX)
}

/// Keeps the answer to a link out of search engines, and the link out of other sites' logs.
pub(crate) fn keep_private(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
