//! The keys of the table's items.

use std::collections::HashMap;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use hex_simd::AsciiCase;

use crate::document_key::DocumentKey;
use crate::file_hash::FileHash;
use crate::idempotency::RequestKey;
use crate::ids::{SessionId, TokenId, UserId};
use crate::quota::Day;
use crate::reference::ReferenceKey;
use crate::secret::SecretHash;

/// Partition key attribute.
pub(super) const PK: &str = "pk";
/// Sort key attribute.
pub(super) const SK: &str = "sk";
/// Time-to-live attribute, epoch seconds. DynamoDB deletes late: readers check it too.
pub(super) const EXPIRES: &str = "expires";

/// The complete key of an item.
pub(super) type ItemKey = HashMap<String, AttributeValue>;

/// An item of a user's partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// Name, e-mail, limit, counts.
    Account,
    /// The issuers that the user trusts.
    Trust,
    /// One API token.
    Token(TokenId),
    /// One browser session.
    Session(SessionId),
    /// A day's counters.
    Day(Day),
    /// The user's analysis of this number, without its metadata.
    Analysis(u64),
    /// Its metadata.
    Metadata(u64),
    /// Marks the entry of this number as a comparison.
    Comparison(u64),
    /// Index row from a file to the analysis of this number.
    File(FileHash, u64),
    /// Index row from a document to the analysis of this number.
    Document(DocumentKey, u64),
    /// Index row from a reference to the analysis of this number.
    Reference(ReferenceKey, u64),
    /// The first answer to a request.
    Request(RequestKey),
    /// The secret with this hash, for a mail of this kind. Only the newest mail of a kind has one, except for
    /// [`Purpose::Reset`]: anyone may request those, and each would otherwise invalidate the one before.
    Mail(Purpose, SecretHash),
}

/// The purpose of the link in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To confirm the account's address.
    Confirm,
    /// To set another password.
    Reset,
    /// To change the account's address.
    Address,
}

impl Row {
    /// Larger than any analysis number.
    pub(super) const LAST: u64 = 999_999_999_999;

    /// The number of the comparison with this sort key.
    pub(super) fn compared(sort_key: &str) -> Option<u64> {
        sort_key.strip_prefix(COMPARISONS)?.parse().ok()
    }
}

impl fmt::Display for Row {
    /// The sort key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account => f.write_str("ACCOUNT"),
            Self::Trust => f.write_str("TRUST"),
            Self::Token(id) => write!(f, "{TOKENS}{id}"),
            Self::Session(id) => write!(f, "{SESSIONS}{id}"),
            Self::Day(day) => write!(f, "DAY#{day}"),
            Self::Analysis(number) => write!(f, "ANALYSIS#{number:012}"),
            Self::Metadata(number) => write!(f, "METADATA#{number:012}"),
            Self::Comparison(number) => write!(f, "{COMPARISONS}{number:012}"),
            Self::File(hash, number) => write!(f, "FILE#{hash}#{number:012}"),
            Self::Document(key, number) => write!(f, "DOCUMENT#{key}#{number:012}"),
            Self::Reference(key, number) => write!(f, "REFERENCE#{key}#{number:012}"),
            Self::Request(request) => write!(f, "REQUEST#{request}"),
            Self::Mail(Purpose::Confirm, _) => f.write_str("MAIL#CONFIRM"),
            Self::Mail(Purpose::Reset, secret) => {
                write!(f, "MAIL#RESET#{}", hex_simd::encode_to_string(secret.as_bytes(), AsciiCase::Lower))
            }
            Self::Mail(Purpose::Address, _) => f.write_str("MAIL#ADDRESS"),
        }
    }
}

/// Sort key prefix of the markers of a user's comparisons.
const COMPARISONS: &str = "COMPARISON#";
/// Sort key prefix of a user's sessions.
pub(super) const SESSIONS: &str = "SESSION#";
/// Sort key prefix of a user's tokens.
pub(super) const TOKENS: &str = "TOKEN#";

/// A user's partition.
pub(super) fn partition(user: UserId) -> AttributeValue {
    AttributeValue::S(format!("USER#{user}"))
}

/// The complete key of a user's item.
pub(super) fn key(user: UserId, row: Row) -> ItemKey {
    pair(partition(user), AttributeValue::S(row.to_string()))
}

/// The complete key of the item that makes an e-mail address unique, ignoring case.
pub(super) fn email_key(email: &str) -> ItemKey {
    pair(email_partition(email), AttributeValue::S("EMAIL".to_owned()))
}

/// The key of a counter of log-in attempts of an e-mail address.
pub(super) fn email_login_key(email: &str, counter: &str) -> ItemKey {
    pair(email_partition(email), AttributeValue::S(format!("LOGIN#{counter}")))
}

/// The key of a counter of mails to an e-mail address.
pub(super) fn email_mails_key(email: &str, window: &str) -> ItemKey {
    pair(email_partition(email), AttributeValue::S(format!("MAILS#HOUR#{window}")))
}

/// The key of a counter of notifications to an e-mail address about its account.
pub(super) fn email_notes_key(email: &str, window: &str) -> ItemKey {
    pair(email_partition(email), AttributeValue::S(format!("NOTES#HOUR#{window}")))
}

/// The key of a counter of password attempts within one session of a user.
pub(super) fn session_login_key(user: UserId, id: SessionId, window: &str) -> ItemKey {
    pair(partition(user), AttributeValue::S(format!("LOGIN#{id}#{window}")))
}

/// The key of the counter of tokens that were made by tokens of a user.
pub(super) fn tokens_by_tokens_key(user: UserId, window: &str) -> ItemKey {
    pair(partition(user), AttributeValue::S(format!("TOKENS#HOUR#{window}")))
}

/// The key of a queued mail, or of the lease of the process that sends them.
pub(super) fn outbox_key(name: &str) -> ItemKey {
    pair(outbox_partition(), AttributeValue::S(name.to_owned()))
}

/// The partition of queued mails.
pub(super) fn outbox_partition() -> AttributeValue {
    AttributeValue::S("OUTBOX".to_owned())
}

/// The key of a counter of a network's requests.
pub(super) fn network_key(network: &str, counter: &str) -> ItemKey {
    pair(AttributeValue::S(format!("ADDRESS#{network}")), AttributeValue::S(counter.to_owned()))
}

/// The key of the counter of all registrations in a window.
pub(super) fn registrations_key(window: &str) -> ItemKey {
    pair(AttributeValue::S("REGISTRATIONS".to_owned()), AttributeValue::S(format!("REGISTER#HOUR#{window}")))
}

/// The key of the index item from a link's secret to the analysis.
pub(super) fn share_key(secret: &SecretHash) -> ItemKey {
    pair(
        AttributeValue::S(format!("SHARE#{}", hex_simd::encode_to_string(secret.as_bytes(), AsciiCase::Lower))),
        AttributeValue::S("SHARE".to_owned()),
    )
}

fn email_partition(email: &str) -> AttributeValue {
    AttributeValue::S(format!("EMAIL#{}", email.to_lowercase()))
}

fn pair(pk: AttributeValue, sk: AttributeValue) -> ItemKey {
    HashMap::from([(PK.to_owned(), pk), (SK.to_owned(), sk)])
}
