//! The identifiers of users, tokens, uploads and analyses: UUIDs (RFC 9562), as distinct types.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::{Timestamp, Uuid, Variant};

/// A user: random (version 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(Uuid);

/// An API token: version 7, so that its text sorts by creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(Uuid);

/// An analysis, the share token: version 8, 48 bits of the owner's running number, 74 random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct AnalysisId(Uuid);

/// A browser session: random (version 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(Uuid);

/// A staged upload: version 7, with the time at which its ticket was issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UploadId(Uuid);

macro_rules! identifier {
    ($name:ident, $version:literal) => {
        impl $name {
            /// Reads the one accepted spelling: 36 characters, lower case, with dashes, of
            /// this kind's version and the variant of RFC 9562.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let id = Uuid::try_parse(text).ok().and_then(Self::from_uuid)?;
                (id.to_string() == text).then_some(id)
            }

            /// Reads 16 bytes.
            #[must_use]
            pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
                Self::from_uuid(Uuid::from_bytes(bytes))
            }

            /// The 16 bytes.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            fn from_uuid(id: Uuid) -> Option<Self> {
                (id.get_version_num() == $version && id.get_variant() == Variant::RFC4122).then_some(Self(id))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    };
}

identifier!(UserId, 4);
identifier!(TokenId, 7);
identifier!(AnalysisId, 8);
identifier!(SessionId, 4);
identifier!(UploadId, 7);

impl UserId {
    /// A new user's id.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}

impl SessionId {
    /// A new session's id.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}

impl UploadId {
    /// The id of an upload whose ticket is issued `now`.
    #[must_use]
    pub fn new(now: DateTime<Utc>) -> Self {
        Self(of_instant(now))
    }

    /// When its ticket was issued, to the millisecond.
    #[must_use]
    pub fn given_at(&self) -> DateTime<Utc> {
        let (seconds, nanos) = self.0.get_timestamp().map_or((0, 0), |given| given.to_unix());
        i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, nanos)).unwrap_or_default()
    }
}

impl TokenId {
    /// A new token's id.
    #[must_use]
    pub fn new(now: DateTime<Utc>) -> Self {
        Self(of_instant(now))
    }
}

/// A UUID of version 7: 48 bits of milliseconds, 74 random bits.
fn of_instant(now: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
    Uuid::new_v7(Timestamp::from_unix(uuid::NoContext, seconds, now.timestamp_subsec_nanos()))
}

impl AnalysisId {
    /// The largest number in an id.
    const MAX_NUMBER: u64 = (1 << 48) - 1;

    /// A new id for the user's analysis `number` (1 and up).
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self(Uuid::new_v4()).renumbered(number)
    }

    /// The same random part under another number.
    #[must_use]
    pub fn renumbered(&self, number: u64) -> Self {
        let mut bytes = *self.as_bytes();
        let number = number.min(Self::MAX_NUMBER).to_be_bytes();
        for (byte, digit) in bytes.iter_mut().zip(number.into_iter().skip(2)) {
            *byte = digit;
        }
        Self(Uuid::new_v8(bytes))
    }

    /// The text prefix of all ids with this number.
    pub(crate) fn prefix(number: u64) -> String {
        format!("{:08x}-{:04x}-", number >> 16, number & 0xFFFF)
    }

    /// The owner's running number of this analysis.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.0.as_bytes().iter().take(6).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{AnalysisId, TokenId, UploadId, UserId};

    proptest! {
        #[test]
        fn an_analysis_id_carries_its_number(number in 1u64..=AnalysisId::MAX_NUMBER) {
            let id = AnalysisId::new(number);
            prop_assert_eq!(id.number(), number);
            prop_assert_eq!(AnalysisId::parse(&id.to_string()), Some(id));
            prop_assert!(id.to_string().starts_with(&AnalysisId::prefix(number)));
        }

        #[test]
        fn an_upload_id_says_when_its_ticket_was_given(millis in 0i64..4_000_000_000_000) {
            let now = chrono::DateTime::from_timestamp_millis(millis).unwrap();
            prop_assert_eq!(UploadId::new(now).given_at(), now);
        }

        #[test]
        fn no_text_but_an_id_is_read(text in "\\PC{0,40}") {
            prop_assert_eq!(AnalysisId::parse(&text), None);
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        let text = AnalysisId::new(7).to_string();
        for other in [
            text.to_uppercase(),
            text.replace('-', ""),
            format!("{{{text}}}"),
            format!("urn:uuid:{text}"),
            format!("{text} "),
        ] {
            assert_eq!(AnalysisId::parse(&other), None, "{other}");
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let user = UserId::random().to_string();
        assert!(UserId::parse(&user).is_some());
        assert_eq!(AnalysisId::parse(&user), None);
        assert_eq!(TokenId::parse(&user), None);
    }

    #[test]
    fn token_ids_sort_by_time() {
        let early = TokenId::new(chrono::DateTime::from_timestamp(1_700_000_000, 0).unwrap());
        let late = TokenId::new(chrono::DateTime::from_timestamp(1_700_000_001, 0).unwrap());
        assert!(early.to_string() < late.to_string());
    }
}
