//! Object streams (ISO 32000-1, 7.5.7): several objects in one compressed stream.

use std::collections::BTreeSet;

use crate::budget::{Budget, TOO_LARGE};
use crate::failure::{Fault, Reason};
use crate::syntax::char_class::is_space;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Object;
use crate::syntax::parser::{Value, parse_object};
use crate::syntax::strict::is_strict_member;

/// A decoded object stream.
#[derive(PartialEq, Eq)]
pub struct ObjectStream {
    data: Vec<u8>,
    /// Number and offset in `data` of each object.
    index: Vec<(u32, usize)>,
}

impl ObjectStream {
    /// Reads the index before the objects: `/N` pairs of numbers up to `/First`. Both entries must be direct.
    pub fn new(dictionary: &Dictionary, data: Vec<u8>, budget: &mut Budget) -> Result<Self, Fault> {
        let first = first(dictionary).min(data.len());
        let count = dictionary.get(b"N").as_integer().and_then(|count| usize::try_from(count).ok());
        // without `/First` some readers use only `/N`
        let length = if first == 0 && count.is_some() { data.len() } else { first };
        budget.work(length)?;
        let mut lexer = Lexer::new(data.get(..length).unwrap_or_default());
        let mut index = Vec::new();
        while index.len() < count.unwrap_or(usize::MAX)
            && let (Some(number), Some(offset)) = (lexer.take_integer(), lexer.take_integer())
            && let (Ok(number), Ok(offset)) = (u32::try_from(number), usize::try_from(offset))
        {
            budget.entries(1)?;
            index.push((number, first.saturating_add(offset)));
        }
        Ok(Self { data, index })
    }

    /// Decoded size in bytes.
    pub fn decoded_size(&self) -> usize {
        self.data.len()
    }

    /// The numbers of the objects, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.index.iter().map(|(number, _)| *number)
    }

    /// The text of the object `number`, if it is the `index`th and ends where the next one begins.
    pub fn text(&self, number: u32, index: u32) -> Option<&[u8]> {
        let (found, start) = self.index.get(index as usize)?;
        let end = self.index.get(index as usize + 1).map_or(self.data.len(), |(_, start)| *start);
        if *found == number { self.data.get(*start..end) } else { None }
    }

    /// Whether serializing its index and members again would give its data: `/N` and `/First` are exact, offsets ascend
    /// from the first member, before which is white space at most, numbers are unique, and every member is a single value.
    pub fn is_canonical(&self, dictionary: &Dictionary) -> bool {
        let first = first(dictionary);
        let is_blank = |text: &[u8]| text.iter().all(|&byte| is_space(byte));
        let starts = self.index.iter().map(|(_, start)| *start);
        let written = self.index.iter().flat_map(|(number, start)| [*number as usize, start.saturating_sub(first)]);
        let written: Vec<String> = written.map(|number| number.to_string()).collect();
        let index = self.data.get(..first).unwrap_or_default().split(|&byte| is_space(byte));
        let numbers: BTreeSet<u32> = self.numbers().collect();
        let text = |(index, (number, _)): (usize, &(u32, usize))| self.text(*number, index as u32);
        dictionary.get(b"N") == &Object::Integer(self.index.len() as i64)
            && dictionary.get(b"First") == &Object::Integer(first as i64)
            && index.filter(|word| !word.is_empty()).eq(written.iter().map(String::as_bytes))
            && starts.clone().next().is_none_or(|start| self.data.get(first..start).is_some_and(is_blank))
            && starts.is_sorted_by(|one, next| one < next)
            && numbers.len() == self.index.len()
            && self.index.iter().enumerate().all(|member| text(member).is_some_and(is_strict_member))
    }

    /// Whether the object `number` occurs only once, as the `index`th.
    pub(crate) fn has_only_at(&self, number: u32, index: u32) -> bool {
        let mut places = self.index.iter().enumerate().filter(|(_, (found, _))| *found == number);
        places.next().is_some_and(|(place, _)| place == index as usize) && places.next().is_none()
    }

    /// Returns the object `number`, normally the `index`th; none if the stream does not contain it.
    ///
    /// # Errors
    /// `TooComplex` if it has too many values.
    pub fn object(&self, number: u32, index: u32, budget: &mut Budget) -> Result<Option<Value>, Fault> {
        let expected = self.index.get(index as usize).filter(|(found, _)| *found == number);
        let place = expected.or_else(|| self.index.iter().find(|(found, _)| *found == number));
        let Some(data) = place.and_then(|(_, offset)| self.data.get(*offset..)) else { return Ok(None) };
        let parsed = parse_object(data);
        budget.work(self.index.len() + parsed.as_ref().map_or(TOO_LARGE, |parsed| parsed.end))?;
        parsed.map(Some).map_err(|_| Fault::Rejected(Reason::TooComplex))
    }
}

/// Length of the index before the objects (table 16, `/First`).
pub fn first(dictionary: &Dictionary) -> usize {
    dictionary.get(b"First").as_integer().and_then(|first| usize::try_from(first).ok()).unwrap_or(0)
}
