//! `/analyses/{id}/json`: an analysis as a file, the same as the API gives.

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use report::withheld::withhold;
use serde_json::value::to_raw_value;
use shared::analysis::Analysis;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::store::shares::Share;

use super::own;
use super::report::metadata_of;
use crate::app::App;

pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, _, analysis) = own::analysis(app, call).await?;
    file(&analysis)
}

/// For the readers of this link: without what is not for them.
pub(super) fn for_readers(mut analysis: Analysis, share: &Share) -> Result<Reply, Error> {
    if share.with_hidden_words {
        return file(&analysis);
    }
    let whole = metadata_of(&analysis)?;
    let mut metadata = whole.clone();
    withhold(&mut metadata);
    // its keys stand in their order then
    if metadata != whole {
        analysis.metadata = to_raw_value(&metadata).map_err(Error::internal)?;
    }
    file(&analysis)
}

fn file(analysis: &Analysis) -> Result<Reply, Error> {
    let json = serde_json::to_string(analysis).map_err(Error::internal)?;
    let reply = Reply::page(StatusCode::OK, "application/json", json);
    Ok(reply.header(CONTENT_DISPOSITION, format!("attachment; filename=\"analysis-{}.json\"", analysis.id)))
}
