//! `/analyses/{id}`: one analysis to read, to copy its id from, to download, to share, to delete.

use maud::html;
use shared::error::Error;
use shared::http::{Call, Reply};

use super::report::{head, metadata_of, sections};
use super::{delete, file, own, share};
use crate::app::App;
use crate::layout::{self, Nav};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, analysis) = own::analysis(app, call).await?;
    let metadata = metadata_of(&analysis)?;
    let link = found.share(analysis.id, call.now)?;
    let actions = html! {
        a.button.quiet href={ "/analyses/" (analysis.id) "/json" } download { "Download JSON" }
        button.button.quiet.with-script type="button" data-copy=(analysis.id) { "Copy id" }
        a.button.quiet href="#share-title" { "Share" }
        (delete::button(&session, analysis.id))
    };
    let content = html! {
        p.crumb { a href="/dashboard" { "← All analyses" } }
        (head(&analysis, &metadata, &actions))
        (file::seen(&analysis, &metadata)?)
        (sections(&metadata, analysis.file_size))
        (share::section(&session, analysis.id, link.as_ref()))
    };
    Ok(layout::page(&analysis.filename, Nav::Session(&session, ""), &content))
}
