//! `/reset/{secret}`: sets a new password after a mail was read.

use lambda_http::http::StatusCode;
use maud::html;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Fields, Reply};
use shared::store::Purpose;
use shared::store::mails::MailLink;
use shared::store::outbox::Occasion;

use crate::app::App;
use crate::forms::{Input, end_tokens, ends_tokens, text};
use crate::origin;
use crate::passwords::Passwords;
use crate::{mail_link, outbox};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    Ok(match mail_link::find(app, call, Purpose::Reset).await? {
        None => mail_link::expired(),
        Some(link) => page(&link, &FieldErrors::default()),
    })
}

pub(crate) async fn reset(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check_secret_page(call)?;
    // before a password is hashed
    let Some(link) = mail_link::find(app, call, Purpose::Reset).await? else { return Ok(mail_link::expired()) };
    let fields = Fields::form(call)?;
    let password = text(&fields, "password");
    let errors = Passwords::problems(password);
    if !errors.is_empty() {
        return Ok(page(&link, &errors).status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let hash = app.passwords.hash(password, call.deadline()).await?;
    let ends_tokens = link.unconfirmed || ends_tokens(&fields);
    if !app.store.reset_password(&link, &hash, ends_tokens, call.now, call.deadline()).await? {
        return Ok(mail_link::expired());
    }
    if ends_tokens {
        app.store.clear_ended(&link, call.deadline()).await;
    }
    outbox::notify(app, call, &link.email, Occasion::PasswordChanged { email: link.email.clone() }).await;
    Ok(done(&link, ends_tokens))
}

fn page(link: &MailLink, errors: &FieldErrors) -> Reply {
    let email = link.email.as_str();
    let content = html! {
        section.narrow {
            h1 { "Set a new password" }
            p.lead { "For the account of " strong { (email) } "." }
            // to this page's own address
            form.card method="post" {
                input.visually-hidden type="text" name="username" autocomplete="username" value=(email) aria-hidden="true" tabindex="-1" readonly;
                (Input::new_password("New password").show(errors))
                @if !link.unconfirmed { (end_tokens()) }
                button.button.wide type="submit" { "Set password" }
            }
            p.small.muted {
                @if link.unconfirmed {
                    "Logs every browser out, and ends every API token and every link to a report: anybody may have made them."
                } @else {
                    "Logs every browser out."
                }
            }
        }
    };
    mail_link::page("Set a new password", &content)
}

fn done(link: &MailLink, ends_tokens: bool) -> Reply {
    let lead = if link.unconfirmed {
        "Every browser is logged out, and the API tokens and links to reports of before are ended."
    } else if ends_tokens {
        "Every browser is logged out, and all API tokens are ended."
    } else {
        "Every browser is logged out. API tokens are good as before: revoke those that you do not know."
    };
    let actions = html! { a.button href="/login" { "Log in" } };
    mail_link::ended("Password changed", "Your password is changed", lead, &actions)
}
