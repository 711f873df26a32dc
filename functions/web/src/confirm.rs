//! `/confirm/{secret}`: confirms an address after a mail to it was read.

use shared::error::Error;
use shared::http::{Call, Reply};
use shared::store::Purpose;

use crate::app::App;
use crate::mail_link;
use crate::origin;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    Ok(match mail_link::find(app, call, Purpose::Confirm).await? {
        None => mail_link::expired(),
        Some(link) => {
            let lead = format!(
                "Confirm that {} is your address. Sessions, API tokens and links to reports that the account has so far end with it: anybody may have made them.",
                link.email
            );
            mail_link::ask("Confirm your e-mail address", &lead, "Yes, it is mine")
        }
    })
}

pub(crate) async fn confirm(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check_secret_page(call)?;
    let Some(link) = mail_link::find(app, call, Purpose::Confirm).await? else { return Ok(mail_link::expired()) };
    if !app.store.confirm_address(&link, call.now, call.deadline()).await? {
        return Ok(mail_link::expired());
    }
    app.store.clear_ended(&link, call.deadline()).await;
    Ok(mail_link::done("Your address is confirmed", "Thank you. Log in, and everything here is yours to use."))
}
