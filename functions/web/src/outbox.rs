//! The outbox. A request queues its mail and is answered; a schedule sends queued mails, one sender at a time in all
//! processes. So neither status nor duration of a request reveals the fate of its mail, and a slow mail server delays
//! only one process.

mod delivery;

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use shared::deadline::Deadline;
use shared::error::Error;
use shared::http::Call;
use shared::store::outbox::{Occasion, QueuedMail, WaitingMail};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::app::App;
use delivery::deliver;

/// Mails sent concurrently.
const CONCURRENT_MAILS: usize = 8;
/// Interval of retries, as in the schedule of `template.yaml`.
const RETRY_INTERVAL: Duration = Duration::from_secs(60);

impl App {
    /// Tries each queued mail once, within the time limit of a request.
    pub(crate) async fn send_mails(&self) {
        if !self.mailer.is_there() {
            return;
        }
        if let Err(cause) = round(self, Deadline::unhurried()).await {
            tracing::warn!(%cause, "mails wait for the next round");
        }
    }

    /// Sends queued mails for the lifetime of the process: when one is queued, and at intervals.
    pub async fn keep_sending_mails(&self) {
        while self.mailer.is_there() {
            self.send_mails().await;
            let _ = timeout(RETRY_INTERVAL, self.mail_waits.notified()).await;
        }
    }
}

/// Queues a mail.
///
/// # Errors
/// [`Error::Unavailable`] when the table does not answer.
pub(crate) async fn queue(app: &App, call: &Call, about: Occasion) -> Result<(), Error> {
    let mail = QueuedMail { about, origin: app.mailer.origin(call) };
    app.store.queue_mail(&mail, call.now, call.deadline()).await?;
    app.mail_waits.notify_one();
    Ok(())
}

/// Queues a requested mail to `email`, within the limits.
///
/// # Errors
/// [`Error::TooMany`]; [`Error::Unavailable`] when the table does not answer.
pub(crate) async fn queue_request(app: &App, call: &Call, email: &str, about: Occasion) -> Result<(), Error> {
    let asker = Some(call.client());
    app.store.begin_mail(email, asker, app.registration_limits, call.now, call.deadline()).await?;
    queue(app, call, about).await
}

/// Queues a notification to `email`: best effort, within a limit.
pub(crate) async fn notify(app: &App, call: &Call, email: &str, about: Occasion) {
    if !app.mailer.is_there() {
        return;
    }
    let queued = match app.store.begin_note(email, call.now, call.deadline()).await {
        Ok(true) => queue(app, call, about).await,
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    if let Err(cause) = queued {
        tracing::warn!(%cause, "a note about an account was not sent");
    }
}

/// Tries each queued mail once, unless another process does.
async fn round(app: &App, deadline: Deadline) -> Result<(), Error> {
    let (sender, mut tried) = (Uuid::new_v4(), HashSet::new());
    loop {
        // also after the last time: a process that was refused relies on this one
        let waiting = app.store.waiting_mails(app.clock.now(), deadline).await?;
        if waiting.iter().all(|mail| tried.contains(&mail.id)) {
            return Ok(());
        }
        if Instant::now() >= deadline.instant() || !app.store.begin_sending(sender, app.clock.now(), deadline).await? {
            return Ok(());
        }
        let tried_all = try_all(app, &mut tried, deadline).await;
        app.store.end_sending(sender, Deadline::unhurried()).await;
        tried_all?;
    }
}

/// Tries new mails, some concurrently.
async fn try_all(app: &App, tried: &mut HashSet<String>, deadline: Deadline) -> Result<(), Error> {
    while Instant::now() < deadline.instant() {
        let waiting = app.store.waiting_mails(app.clock.now(), deadline).await?;
        let new: Vec<_> = waiting.into_iter().filter(|mail| !tried.contains(&mail.id)).take(CONCURRENT_MAILS).collect();
        if new.is_empty() {
            break;
        }
        tried.extend(new.iter().map(|mail| mail.id.clone()));
        join_all(new.iter().map(|mail| attempt(app, mail, deadline))).await;
    }
    Ok(())
}

/// Sends one; it stays queued if a retry may succeed.
async fn attempt(app: &App, waiting: &WaitingMail, deadline: Deadline) {
    let sent = deliver(app, &waiting.mail, deadline).await;
    let done = match sent {
        Err(cause @ Error::Unavailable(_)) => Err(cause),
        Err(cause) => {
            tracing::error!(%cause, "a mail cannot be sent");
            app.store.mail_is_done(&waiting.id, deadline).await
        }
        Ok(()) => app.store.mail_is_done(&waiting.id, deadline).await,
    };
    if let Err(cause) = done {
        tracing::warn!(%cause, "a mail waits for another try");
    }
}
