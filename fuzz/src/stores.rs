//! The service's own stores, as they are where it is one process. Before each request they hold one account with a token, a
//! session, an analysis and a file that was uploaded, whatever those before it have done.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, DeleteRequest, PutRequest, WriteRequest};
use chrono::{DateTime, TimeDelta, Utc};
use engine::{Memory, Options, analyze};
use samples::pdf::Pdf;
use server::Service;
use shared::clock::Clock;
use shared::ids::{AnalysisId, TokenId, UserId};
use shared::journal::Journal;
use shared::platform::Platform;
use shared::secret::{ApiToken, SecretHash, SessionToken};
use shared::store::Row;

/// The ids that the events of `events/` ask for.
pub(crate) const TOKEN: &str = "019aa0b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b";
pub(crate) const ANALYSIS: &str = "00000000-0001-8c3f-9d2e-5b7a1f0e6d4c";
/// What the console's forms in `events/` carry.
pub(crate) const CSRF: &str = "none";
/// Writes of one request.
const MOST: usize = 25;

/// An item of the table.
type Item = HashMap<String, AttributeValue>;

/// The service with its stores, and what they are to hold.
pub(crate) struct Stores {
    service: Service,
    user: UserId,
    items: Vec<Item>,
    /// The account's API token and session, as their owner has them.
    pub(crate) secrets: [String; 2],
}

/// The time, always.
pub(crate) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_158_938, 0).expect("a time")
}

/// A document of one page.
pub(crate) fn document() -> Vec<u8> {
    Pdf::new(1).classic()
}

fn text(text: &impl ToString) -> AttributeValue {
    AttributeValue::S(text.to_string())
}

fn number(number: &impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

impl Stores {
    /// Starts the service on stores of its own, in which there is nothing yet.
    pub(crate) async fn start() -> Self {
        let user = UserId::random();
        let token = ApiToken::new(user, TokenId::parse(TOKEN).expect("a token's id")).expect("random bytes");
        let session = SessionToken::new(user).expect("random bytes");
        let secrets = [token.reveal(), session.reveal()];
        let withheld = secrets.clone();
        let options = server::Options {
            clock: Clock::new(now),
            journal: Journal::new(move |entry| {
                let line = serde_json::to_string(entry).expect("an entry has a JSON form");
                assert!(!withheld.iter().any(|secret| line.contains(secret)), "{line}");
            }),
            ..server::Options::default()
        };
        let service = Service::start(options).await.expect("the service starts");
        Self { service, user, items: items(user, &token, &session), secrets }
    }

    /// The surroundings of a function, by its name in the template.
    pub(crate) fn platform(&self, function: &str) -> Platform {
        self.service.platform(function).expect("a function of the template").clone()
    }

    /// Puts everything back as it was.
    pub(crate) async fn restore(&self) {
        let (dynamodb, template) = (self.service.dynamodb(), self.service.template());
        let found = dynamodb.query().table_name(&template.table.name).consistent_read(true);
        let found = found.key_condition_expression("pk = :user").expression_attribute_values(":user", self.partition());
        let found = found.send().await.expect("the table answers").items.unwrap_or_default();
        let is_kept = |item: &Item| found.iter().any(|found| found == item);
        if found.len() == self.items.len() && self.items.iter().all(is_kept) {
            return;
        }
        for secret in &self.secrets {
            assert!(!format!("{found:?}").contains(secret), "{found:?}");
        }
        let is_new = |found: &&Item| !self.items.iter().any(|item| item["sk"] == found["sk"]);
        let deleted = found.iter().filter(is_new).map(|item| {
            let delete = DeleteRequest::builder().key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
            WriteRequest::builder().delete_request(delete.build().expect("a key")).build()
        });
        let put = self.items.iter().map(|item| {
            let put = PutRequest::builder().set_item(Some(item.clone())).build().expect("an item");
            WriteRequest::builder().put_request(put).build()
        });
        let writes: Vec<_> = deleted.chain(put).collect();
        for part in writes.chunks(MOST) {
            let write = dynamodb.batch_write_item().request_items(&template.table.name, part.to_vec());
            write.send().await.expect("the table takes items");
        }
        let put = self.service.s3().put_object().bucket(&template.bucket.name);
        let put = put.key(format!("uploads/{}/{TOKEN}", self.user)).metadata("filename", "a%2Epdf");
        put.body(document().into()).send().await.expect("the bucket takes a file");
    }

    fn partition(&self) -> AttributeValue {
        text(&format!("USER#{}", self.user))
    }
}

/// The items of the account.
fn items(user: UserId, token: &ApiToken, session: &SessionToken) -> Vec<Item> {
    let analysis = AnalysisId::parse(ANALYSIS).expect("an analysis id");
    let metadata = analyze(&Memory(document().into()), &Options::default()).expect("a PDF");
    let metadata = serde_json::to_string(&metadata).expect("metadata has a JSON form");
    let (time, expires) = (|| text(&now().to_rfc3339()), (now() + TimeDelta::hours(1)).timestamp());
    let digest = |hash: SecretHash| AttributeValue::B(Blob::new(hash.as_bytes()));
    let rows = [
        (
            Row::Account,
            vec![
                ("name", text(&"Ada")),
                ("email", text(&"ada@example.org")),
                ("daily_limit", number(&50)),
                ("analyses", number(&1)),
                ("tokens", number(&1)),
                ("generation", number(&0)),
                ("created_at", time()),
            ],
        ),
        (
            Row::Token(token.id),
            vec![
                ("name", text(&"laptop")),
                ("secret_sha256", digest(token.secret().hash())),
                ("hint", text(&token.hint())),
                ("created_at", time()),
                ("last_used_at", time()),
            ],
        ),
        (
            Row::Session(session.id),
            vec![
                ("secret_sha256", digest(session.secret().hash())),
                ("csrf", text(&CSRF)),
                ("generation", number(&0)),
                ("expires", number(&expires)),
            ],
        ),
        (
            Row::Analysis(analysis.number()),
            vec![
                ("id", text(&ANALYSIS)),
                ("filename", text(&"a.pdf")),
                ("file_size", number(&document().len())),
                ("analyzed_at", time()),
            ],
        ),
        (Row::Metadata(analysis.number()), vec![("metadata", text(&metadata))]),
    ];
    let item = |(row, fields): (Row, Vec<(&str, AttributeValue)>)| {
        let key = [("pk", text(&format!("USER#{user}"))), ("sk", text(&row))];
        key.into_iter().chain(fields).map(|(name, value)| (name.to_owned(), value)).collect()
    };
    rows.into_iter().map(item).collect()
}
