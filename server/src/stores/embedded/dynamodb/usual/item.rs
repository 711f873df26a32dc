//! Items and attribute values as JSON, parsed as far as needed.

use std::borrow::Cow;
use std::fmt;

use base64_simd::STANDARD;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Unusual;

/// Most bytes of an item.
pub(super) const MAX_ITEM: usize = 409_600;
/// Most bytes of a partition key and of a sort key.
const MAX_KEYS: [usize; 2] = [2_048, 1_024];
/// More attributes than an item of the service has. Names are compared one by one.
const MAX_ATTRIBUTES: usize = 64;

/// The attributes of an item, in their order.
#[derive(Debug)]
pub(super) struct Attributes<'j>(pub(super) Vec<(Cow<'j, str>, &'j RawValue)>);

/// A text without copying, unless it has escapes.
#[derive(Deserialize)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);

/// A scalar attribute value.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Value<'j> {
    #[serde(borrow)]
    S(Cow<'j, str>),
    /// An integer in its only form: no sign but `-`, no leading zeros, at most 38 digits.
    N(Cow<'j, str>),
    /// Base64.
    B(Cow<'j, str>),
    #[serde(rename = "BOOL")]
    Bool(bool),
}

/// The key of an item.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(super) struct Key<'j> {
    #[serde(borrow)]
    pub(super) pk: Value<'j>,
    #[serde(borrow)]
    pub(super) sk: Value<'j>,
}

impl<'j> Attributes<'j> {
    pub(super) fn parse(json: &'j str) -> Result<Self, Unusual> {
        serde_json::from_str(json).map_err(|_| Unusual)
    }

    pub(super) fn get(&self, name: &str) -> Option<&'j RawValue> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
    }

    /// The keys of an item that is put.
    pub(super) fn key(&self) -> Result<Key<'j>, Unusual> {
        let value = |name| self.get(name).ok_or(Unusual).and_then(Value::parse);
        Ok(Key { pk: value("pk")?, sk: value("sk")? })
    }

    /// The size as DynamoDB counts it, if all values are scalar.
    pub(super) fn size(&self) -> Result<usize, Unusual> {
        self.0.iter().try_fold(0, |size, (name, value)| Ok(size + name.len() + Value::parse(value)?.size()))
    }

    pub(super) fn to_json(&self) -> Result<String, Unusual> {
        let mut json =
            String::with_capacity(self.0.iter().map(|(name, value)| name.len() + value.get().len() + 8).sum());
        for (name, value) in &self.0 {
            json.push(if json.is_empty() { '{' } else { ',' });
            json += &serde_json::to_string(name).map_err(|_| Unusual)?;
            json.push(':');
            json += value.get();
        }
        json += if json.is_empty() { "{}" } else { "}" };
        Ok(json)
    }
}

impl<'de: 'j, 'j> Deserialize<'de> for Attributes<'j> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AttributesVisitor)
    }
}

struct AttributesVisitor;

impl<'de> Visitor<'de> for AttributesVisitor {
    type Value = Attributes<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes<'de>, A::Error> {
        let mut attributes: Vec<(Cow<'de, str>, &'de RawValue)> = Vec::with_capacity(16);
        while let Some((Text(name), value)) = map.next_entry()? {
            if name.is_empty() || attributes.len() == MAX_ATTRIBUTES || attributes.iter().any(|(one, _)| *one == name) {
                return Err(serde::de::Error::custom("too many names, or one twice"));
            }
            attributes.push((name, value));
        }
        Ok(Attributes(attributes))
    }
}

impl<'j> Value<'j> {
    /// Parses a scalar.
    pub(super) fn parse(json: &'j RawValue) -> Result<Self, Unusual> {
        let value: Self = serde_json::from_str(json.get()).map_err(|_| Unusual)?;
        if value.is_usual() { Ok(value) } else { Err(Unusual) }
    }

    fn is_usual(&self) -> bool {
        match self {
            Self::S(_) | Self::Bool(_) => true,
            Self::N(digits) => {
                let unsigned = digits.strip_prefix('-').unwrap_or(digits);
                digits == "0"
                    || (1..=38).contains(&unsigned.len())
                        && !unsigned.starts_with('0')
                        && unsigned.bytes().all(|byte| byte.is_ascii_digit())
            }
            Self::B(base64) => !base64.is_empty() && STANDARD.check(base64.as_bytes()).is_ok(),
        }
    }

    /// The bytes that DynamoDB counts.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(digits) => dynoxide::types::number_size(digits),
            Self::B(base64) => base64.len() / 4 * 3 - base64.bytes().rev().take_while(|byte| *byte == b'=').count(),
            Self::Bool(_) => 1,
        }
    }

    /// The integer, if it is one of at most 38 digits.
    pub(super) fn integer(&self) -> Result<i128, Unusual> {
        match self {
            Self::N(digits) => digits.parse().map_err(|_| Unusual),
            _ => Err(Unusual),
        }
    }

    /// A key of at most this many bytes, as dynoxide's columns have it.
    fn column(&self, most: usize) -> Result<String, Unusual> {
        match self {
            Self::S(text) if (1..=most).contains(&text.len()) => Ok(format!("S:{text}")),
            _ => Err(Unusual),
        }
    }
}

impl Key<'_> {
    /// Partition and sort key, as dynoxide's columns have them.
    pub(super) fn columns(&self) -> Result<[String; 2], Unusual> {
        let [pk, sk] = MAX_KEYS;
        Ok([self.pk.column(pk)?, self.sk.column(sk)?])
    }
}
