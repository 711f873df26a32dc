//! The function's state: built once, used by every request.

use shared::analyzer::Analyzer;
use shared::clock::Clock;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use shared::uploads::Uploads;

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
    pub(crate) clock: Clock,
    pub(crate) journal: Journal,
}

impl App {
    /// Builds the function from what its process was given.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        let uploads = Uploads::new(&platform.s3, platform.config.upload_bucket);
        let store = Store::new(platform.dynamodb, platform.config.table);
        Self {
            analyzer: Analyzer::new(store.clone(), uploads.clone()),
            store,
            uploads,
            passwords: Passwords::new(),
            daily_limit: platform.config.daily_limit,
            clock: platform.clock,
            journal: platform.journal,
        }
    }
}
