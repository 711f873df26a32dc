//! `GET /pdf/{id}`: an analysis as it was first answered.

use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::ids::AnalysisId;
use shared::store::Row;

use crate::App;

impl App {
    pub(crate) async fn show(&self, call: &mut Call) -> Result<Reply, Error> {
        let Some(id) = AnalysisId::parse(call.id()) else {
            auth::caller(&self.store, call).await?;
            return Err(Error::NotFound);
        };
        let rows = [Row::Analysis(id.number()), Row::Metadata(id.number())];
        let (_, found) = auth::caller_with(&self.store, call, &rows).await?;
        let analysis = found.analysis(id)?.ok_or(Error::NotFound)?;
        Reply::data(&analysis)
    }
}
