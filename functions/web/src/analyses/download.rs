//! `/analyses/{id}/json`: an analysis as a file, identical to the API's answer.

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use report::withheld::{withhold, withhold_differences};
use serde_json::value::to_raw_value;
use shared::analysis::Entry;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::store::shares::Share;

use super::report::metadata_of;
use super::{comparison, owned};
use crate::app::App;

pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, _, entry) = owned::entry(app, call).await?;
    file(&entry)
}

/// For the readers of this link: without withheld texts.
pub(super) fn for_readers(mut entry: Entry, share: &Share) -> Result<Reply, Error> {
    if share.with_hidden_words {
        return file(&entry);
    }
    let analysis = match &mut entry {
        Entry::Analysis(analysis) => analysis,
        Entry::Comparison(compared) => {
            let mut found = comparison::of(compared)?;
            withhold_differences(&mut found);
            compared.comparison = to_raw_value(&found).map_err(Error::internal)?;
            return file(&entry);
        }
    };
    let whole = metadata_of(analysis)?;
    let mut metadata = whole.clone();
    withhold(&mut metadata);
    // this keeps the order of keys
    if metadata != whole {
        analysis.metadata = to_raw_value(&metadata).map_err(Error::internal)?;
    }
    file(&entry)
}

fn file(entry: &Entry) -> Result<Reply, Error> {
    let json = serde_json::to_string(entry).map_err(Error::internal)?;
    let reply = Reply::page(StatusCode::OK, "application/json", json);
    Ok(reply.header(CONTENT_DISPOSITION, format!("attachment; filename=\"analysis-{}.json\"", entry.id())))
}
