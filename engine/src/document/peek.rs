//! Looks at objects that take no read.

use super::Document;
use super::states::State;
use crate::failure::Fault;
use crate::stream::placed::SMALL_OBJECT;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::{Entry, Rows};

/// How deep names are collected: resources, their kinds, and their names.
const LEVELS: usize = 2;
/// Names collected.
const NAMES: usize = 500;

impl Document<'_> {
    /// Whether what this is or refers to takes no read.
    pub(crate) fn is_near(&mut self, object: &Object) -> Result<bool, Fault> {
        let Some(id) = object.as_reference() else { return Ok(true) };
        if self.reader.is_in_memory() {
            return Ok(true);
        }
        let Some(entry) = self.near_entry(id.number)? else { return Ok(false) };
        Ok(match entry {
            Entry::Free => true,
            Entry::At(offset) => self.reader.at_hand(offset, SMALL_OBJECT) > 0,
            Entry::In { stream, .. } => self.object_streams.contains_key(&stream),
        })
    }

    /// The entry of an object, if its line is at hand.
    fn near_entry(&mut self, number: u32) -> Result<Option<Entry>, Fault> {
        for section in &self.xref.sections {
            let is_in = number.checked_sub(section.first).is_some_and(|index| index < section.count);
            if let (true, Rows::Lines(_)) = (is_in, &section.rows)
                && let Some(line) = self.xref.line_of(number)
                && self.reader.at_hand(line, 1) == 0
            {
                return Ok(None);
            }
        }
        self.xref.entry(number, &mut self.reader, &mut self.budget).map(Some)
    }

    /// What this is or refers to; null if that takes a read.
    pub(crate) fn peek(&mut self, object: &Object) -> Result<Object, Fault> {
        if object.as_reference().is_none() {
            return Ok(object.clone());
        }
        if !self.is_near(object)? {
            return Ok(Object::Null);
        }
        match self.resolve(object) {
            Ok(resolved) => Ok(resolved.into_owned()),
            // what nobody else asked for may be missing
            Err(Fault::Damaged) => Ok(Object::Null),
            Err(fault) => Err(fault),
        }
    }

    /// The names in the dictionary that an object has under this key, and in those in it, as far as that takes no read.
    pub(crate) fn peek_names(&mut self, id: Id, key: &[u8]) -> Result<Vec<String>, Fault> {
        let object = self.peek_whole(&Object::Reference(id))?;
        let Some(dictionary) = object.as_whole() else { return Ok(Vec::new()) };
        let (mut names, mut open) = (Vec::new(), vec![(dictionary.get(key).clone(), LEVELS)]);
        while let Some((object, levels)) = open.pop() {
            let Some(levels) = levels.checked_sub(1) else { continue };
            let Object::Whole(dictionary) = self.peek_whole(&object)? else { continue };
            for (name, value) in dictionary.iter().take(NAMES - names.len().min(NAMES)) {
                names.push(String::from_utf8_lossy(name.as_bytes()).into_owned());
                open.push((value.clone(), levels));
            }
        }
        Ok(names)
    }

    fn peek_whole(&mut self, object: &Object) -> Result<Object, Fault> {
        match object.as_reference() {
            Some(id) if self.is_near(object)? => {
                Ok(self.body_in(State(0), id.number)?.map_or(Object::Null, |body| body.object.clone()))
            }
            Some(_) => Ok(Object::Null),
            None => Ok(object.clone()),
        }
    }
}
