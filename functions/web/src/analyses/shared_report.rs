//! `/s/{secret}`: the report of an analysis, for everyone who has the link. It contains nothing of the account.

use ::report::withheld::{has_withheld, withhold, withhold_differences};
use lambda_http::http::header::{HeaderName, HeaderValue, REFERRER_POLICY};
use lambda_http::{Body, Response};
use maud::html;
use shared::analysis::Entry;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::secret::ShareSecret;
use shared::store::shares::Share;

use super::page::{print_button, print_buttons};
use super::report::{self, PageChrome, metadata_of};
use super::{comparison, download};
use crate::app::App;
use crate::layout::Nav;

/// Path prefix of all links.
const PREFIX: &str = "/s/";

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (secret, entry, share) = opened(app, call).await?;
    let json = Some(format!("{PREFIX}{}/json", secret.reveal()));
    let analysis = match entry {
        Entry::Analysis(analysis) => analysis,
        Entry::Comparison(compared) => {
            let chrome = PageChrome { actions: print_button(), json, ..PageChrome::default() };
            let mut found = comparison::to_show(&compared)?;
            if !share.with_hidden_words {
                withhold_differences(&mut found);
            }
            return comparison::page(&compared, &found, Nav::None, &chrome);
        }
    };
    let mut metadata = metadata_of(&analysis)?;
    let mut notes = html! {};
    if !share.with_hidden_words {
        withhold(&mut metadata);
        if has_withheld(&metadata) {
            notes = html! {
                p.notice { "Words that pages hide or no longer show are hidden in this link. Whoever shared it can make one that shows them." }
            };
        }
    }
    let chrome = PageChrome { actions: print_buttons(), json, notes, ..PageChrome::default() };
    Ok(report::page(&(&analysis).into(), &metadata, Nav::None, &chrome))
}

/// `/s/{secret}/json`: the owner's download without withheld parts.
pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, entry, share) = opened(app, call).await?;
    download::for_readers(entry, &share)
}

async fn opened(app: &App, call: &Call) -> Result<(ShareSecret, Entry, Share), Error> {
    let secret = ShareSecret::parse(call.parameter("secret")).ok_or(Error::NotFound)?;
    let client = (!is_part_of_another_site(call)).then(|| call.client());
    let (entry, share) = app.store.shared_analysis(&secret, client, call.now, call.deadline()).await?;
    Ok((secret, entry, share))
}

/// Whether the request is embedded in another site's page, as an image is (Fetch Metadata): that is no guess of the
/// browser's user.
fn is_part_of_another_site(call: &Call) -> bool {
    call.header("sec-fetch-site") == Some("cross-site") && call.header("sec-fetch-dest") != Some("document")
}

/// Whether a path has the form of a link, valid or not.
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
