//! `/address/{secret}`: changes an account's address after a mail to it was read.

use shared::error::Error;
use shared::http::{Call, Reply};
use shared::store::Purpose;
use shared::store::outbox::Occasion;

use crate::app::App;
use crate::origin;
use crate::{mail_link, outbox};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let found = mail_link::find(app, call, Purpose::Address).await?;
    Ok(match found.and_then(|link| link.new_email) {
        None => mail_link::expired(),
        Some(new) => {
            let lead = format!("From then on your account has the address {new}, and you log in with it.");
            mail_link::ask("Use this address", &lead, "Use it")
        }
    })
}

pub(crate) async fn change(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check_secret_page(call)?;
    let Some(link) = mail_link::find(app, call, Purpose::Address).await? else { return Ok(mail_link::expired()) };
    if !app.store.change_address(&link, call.now, call.deadline()).await? {
        return Ok(mail_link::expired());
    }
    if link.unconfirmed {
        app.store.clear_ended(&link, call.deadline()).await;
    }
    let (old, new) = (link.email.as_str(), link.new_email.as_deref().unwrap_or_default());
    // the owner of an unconfirmed address is unknown
    for email in (!link.unconfirmed).then_some(old).into_iter().chain([new]) {
        let about = Occasion::AddressChanged { email: email.to_owned(), old: old.to_owned(), new: new.to_owned() };
        outbox::notify(app, call, email, about).await;
    }
    Ok(mail_link::done("Your address is changed", "Log in with the new one from now on."))
}
