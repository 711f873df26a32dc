//! `/address/{secret}`: an account gets another address, as a mail to it was read.

use shared::error::Error;
use shared::http::{Call, Reply};
use shared::store::Purpose;

use crate::app::App;
use crate::mail::Letter;
use crate::mail::link;
use crate::origin;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let found = link::find(app, call, Purpose::Address).await?;
    Ok(match found.and_then(|link| link.new_email) {
        None => link::expired(),
        Some(new) => {
            let lead = format!("From then on your account has the address {new}, and you log in with it.");
            link::ask("Use this address", &lead, "Use it")
        }
    })
}

pub(crate) async fn change(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check_secret_page(call)?;
    let Some(link) = link::find(app, call, Purpose::Address).await? else { return Ok(link::expired()) };
    if !app.store.change_address(&link, call.now, call.deadline()).await? {
        return Ok(link::expired());
    }
    let (old, new) = (link.email.as_str(), link.new_email.as_deref().unwrap_or_default());
    let (letter, origin) = (Letter::AddressChanged { old, new }, app.mailer.origin(call));
    tokio::join!(app.mailer.note(old, &letter, &origin, call.now), app.mailer.note(new, &letter, &origin, call.now));
    Ok(link::done("Your address is changed", "Log in with the new one from now on."))
}
