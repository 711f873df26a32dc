//! A whole service for one test: embedded stores, gateway, functions, on free ports.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use chrono::Utc;
use server::{Options, Service};
use shared::deadline::Deadline;
use shared::ids::TokenId;
use shared::journal::{Journal, JournalEntry};
use shared::runtime::filter;
use shared::secret::ApiToken;
use shared::store::Store;
use shared::store::accounts::{Address, NewAccount};
use shared::store::tokens::NewToken;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::api::Api;
use crate::clock::{TestClock, away_from_midnight};
use crate::iam::Iam;
use crate::smtp::SmtpServer;
use crate::wire::Wire;

/// A running service, and the handles by which a test meddles with it.
pub struct TestService {
    service: Service,
    pub(crate) http: reqwest::Client,
    /// The wire under the functions' SDK clients.
    pub wire: Wire,
    /// The policies that the functions' SDK clients are held to.
    pub iam: Iam,
    /// What the functions noted in their journal.
    pub journal: TestJournal,
}

/// The entries of a journal.
#[derive(Clone, Debug, Default)]
pub struct TestJournal(Arc<Mutex<Vec<JournalEntry>>>);

impl TestJournal {
    /// The entries since the last look.
    #[must_use]
    pub fn take(&self) -> Vec<JournalEntry> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn journal(&self) -> Journal {
        let entries = Arc::clone(&self.0);
        Journal::new(move |entry| entries.lock().unwrap().push(entry.clone()))
    }
}

impl TestService {
    /// Nothing kept; the system's clock, and a while until its midnight.
    pub async fn start() -> Self {
        away_from_midnight().await;
        Self::start_with(roomy()).await
    }

    /// Data in `folder`, to be found again by the next start; the system's clock, and after the first
    /// start a while until its midnight.
    pub async fn start_in(folder: &Path) -> Self {
        if std::fs::read_dir(folder).unwrap().next().is_none() {
            away_from_midnight().await;
        }
        Self::start_with(Options { data: Some(folder.to_owned()), ..roomy() }).await
    }

    /// With mail by `server`; its limits leave room.
    pub async fn start_mailing(server: &SmtpServer) -> Self {
        away_from_midnight().await;
        Self::start_with(Options { mail: server.options(), ..roomy() }).await
    }

    /// The same, with the embedded stores reached over their sockets.
    pub async fn start_mailing_over_sockets(server: &SmtpServer) -> Self {
        away_from_midnight().await;
        let options = Options {
            mail: server.options(),
            wire: Box::new(|_| plain_http()),
            // who listens there wants a signature
            customize_dynamodb: Box::new(|_, builder| builder.credentials_provider(local())),
            ..roomy()
        };
        Self::start_with(options).await
    }

    /// The clock is `clock`.
    pub async fn start_at(clock: &TestClock) -> Self {
        Self::start_with(Options { clock: clock.clock(), ..roomy() }).await
    }

    /// As `options` say, with a wire under the SDK clients and the template's policies before them.
    ///
    /// With `RUST_LOG` set, the service logs to the test's output.
    pub async fn start_with(options: Options) -> Self {
        let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "error".to_owned());
        let lines = tracing_subscriber::fmt::layer().with_test_writer();
        let _ = tracing_subscriber::registry().with(lines).with(filter(&levels)).try_init();
        let wire = Wire::default();
        let under = wire.clone();
        let iam = Iam::default();
        let (for_dynamodb, for_s3) = (iam.clone(), iam.clone());
        let journal = TestJournal::default();
        let options = Options {
            wire: Box::new(move |direct| under.wrap((options.wire)(direct))),
            customize_dynamodb: Box::new(move |function, builder| {
                (options.customize_dynamodb)(function, builder).interceptor(for_dynamodb.guard(&function.logical_id))
            }),
            customize_s3: Box::new(move |function, builder| builder.interceptor(for_s3.guard(&function.logical_id))),
            journal: journal.journal(),
            ..options
        };
        let service = Service::start(options).await.unwrap();
        // the gateway closes connections that are idle for 75 seconds
        let http = reqwest::Client::builder().pool_idle_timeout(Duration::from_secs(60)).build().unwrap();
        Self { service, http, wire, iam, journal }
    }

    /// The service itself.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// The table, reached beside the wire.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::new(self.service.dynamodb().clone(), &self.service.template().table.name)
    }

    /// A new account with one token and a limit of 50.
    pub async fn account(&self, name: &str) -> Api {
        self.account_limited_to(50, name).await
    }

    /// A new account with one token.
    pub async fn account_limited_to(&self, daily_limit: u64, name: &str) -> Api {
        let now = Utc::now();
        let email = format!("{name}@example.com");
        let new = NewAccount { name, email: &email, password_hash: None, daily_limit, address: Address::Known };
        let user = self.store().create_account(&new, now, Deadline::unhurried()).await.unwrap().unwrap();
        let token = ApiToken::new(user, TokenId::new(now)).unwrap();
        let new = NewToken { token: &token, name: "first", ends_at: None, maker: None, generation: 0 };
        self.store().create_token(&new, now, Deadline::unhurried()).await.unwrap();
        Api::new(self.http.clone(), self.service.origin(), token)
    }

    /// Waits until every mail that was asked for is sent.
    ///
    /// # Panics
    /// When that takes a minute.
    pub async fn delivered(&self) {
        let patience = tokio::time::timeout(Duration::from_secs(60), async {
            while self.outbox().await > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        patience.await.expect("mails are not sent");
    }

    /// The rows of mails that wait, and of who sends them.
    pub async fn outbox(&self) -> usize {
        let query = self.service.dynamodb().query().table_name(&self.service.template().table.name);
        let query = query.key_condition_expression("pk = :outbox").consistent_read(true);
        let outbox = AttributeValue::S("OUTBOX".to_owned());
        query.expression_attribute_values(":outbox", outbox).send().await.unwrap().items().len()
    }

    /// Access with a token that was made elsewhere.
    #[must_use]
    pub fn access(&self, token: &str) -> Api {
        Api::new(self.http.clone(), self.service.origin(), ApiToken::parse(token).unwrap())
    }

    /// Stops the service as Ctrl-C does.
    pub async fn stop(self) {
        self.service.shutdown().await;
    }
}

/// Where any number of accounts may be opened, from one address: tests about something else open as many as they need.
#[must_use]
pub fn roomy() -> Options {
    Options {
        registrations_per_hour: Some(1_000_000),
        registrations_per_network: Some(1_000_000),
        ..Options::default()
    }
}

/// What the embedded stores take for credentials.
#[must_use]
pub fn local() -> Credentials {
    Credentials::new("local", "local", None, None, "embedded stores")
}

/// HTTP without TLS.
#[must_use]
pub fn plain_http() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}
