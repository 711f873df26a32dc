//! The function's state: built once, used by every request.

use std::sync::Arc;

use shared::clock::Clock;
use shared::disk_space::DiskSpace;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::registration::RegistrationLimits;
use shared::store::Store;
use shared::uploads::Uploads;
use shared::use_cases::analyze::Analyzer;
use tokio::sync::Notify;

use crate::admission::Admission;
use crate::mail::Mailer;
use crate::passwords::Passwords;

/// The function.
#[derive(Clone, Debug)]
pub struct App {
    pub(crate) store: Store,
    pub(crate) uploads: Uploads,
    pub(crate) analyzer: Analyzer,
    pub(crate) passwords: Passwords,
    /// Analyses a day of a new account.
    pub(crate) daily_limit: u64,
    pub(crate) admission: Admission,
    pub(crate) registration_limits: RegistrationLimits,
    pub(crate) mailer: Mailer,
    /// Notified when a mail is queued.
    pub(crate) mail_waits: Arc<Notify>,
    /// Free space of the stores.
    pub(crate) disk_space: DiskSpace,
    pub(crate) clock: Clock,
    pub(crate) journal: Journal,
}

impl App {
    /// Builds the function's state from its platform.
    pub(crate) fn on(platform: Platform) -> Self {
        let analyzer = Analyzer::new(&platform);
        let mailer = Mailer::new(&platform.mail).unwrap_or_else(|error| {
            tracing::error!(%error, "no mail is sent");
            Mailer::none()
        });
        Self {
            store: analyzer.store.clone(),
            uploads: analyzer.uploads.clone(),
            analyzer,
            passwords: Passwords::default(),
            daily_limit: platform.config.daily_limit,
            admission: Admission::new(platform.config.registration, &mailer),
            registration_limits: platform.config.registration_limits,
            mailer,
            mail_waits: platform.process.mail_waits,
            disk_space: platform.process.disk_space,
            clock: platform.clock,
            journal: platform.journal,
        }
    }
}
