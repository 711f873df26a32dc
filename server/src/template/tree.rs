//! Deserializes a value of the template's tree: lists and mappings unchanged, scalars resolved.

use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use yaml_serde::Value;

use super::names::Names;

/// A value, and the names to resolve it with.
#[derive(Clone, Copy)]
pub(super) struct Reading<'s> {
    pub(super) names: &'s Names<'s>,
    pub(super) value: &'s Value,
}

impl<'s> Reading<'s> {
    fn at(self, value: &'s Value) -> Self {
        Self { value, ..self }
    }

    fn text(self) -> Result<String, Error> {
        self.names.text(self.value).map_err(Error::custom)
    }
}

impl<'de> Deserializer<'de> for Reading<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Sequence(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(|item| self.at(item)))),
            Value::Mapping(entries) => {
                let entries = entries.iter().map(|(key, value)| match key {
                    Value::String(key) => Ok((key.as_str(), self.at(value))),
                    _ => Err(Error::custom("has a key that is not a text; quote it")),
                });
                let entries: Vec<_> = entries.collect::<Result<_, _>>()?;
                visitor.visit_map(MapDeserializer::new(entries.into_iter()))
            }
            _ => visitor.visit_string(self.text()?),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.text()?.parse().map_err(|_| Error::custom("must be a whole number"))?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    /// Ignored values need not be supported.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct identifier
    }
}

impl<'de> IntoDeserializer<'de, Error> for Reading<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
