//! `GET /pdf`: the caller's analyses, a page at a time, newest first.

use lambda_http::http::header::LINK;
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::page::Page;

use crate::App;

impl App {
    pub(crate) async fn list(&self, call: &mut Call) -> Result<Reply, Error> {
        let caller = auth::caller(&self.store, call).await?;
        let page = Page::parse(call.query())?;
        let total = caller.account.analyses;
        let analyses = self.store.analyses(caller.user, page, total, call.deadline()).await?;
        let reply = Reply::data_and(&analyses, "meta", &page.meta(total))?;
        Ok(reply.header(LINK, page.links(call.path(), total)))
    }
}
