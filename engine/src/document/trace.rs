//! What was looked up for something that was read: where another state of the file has all of it in the same places, the
//! same would be read there.

use super::Document;
use super::objects::State;
use crate::failure::Fault;
use crate::xref::entries::XrefEntry;

/// Lookups that are noted at a time; what takes more is read again.
const NOTED: usize = 4_096;

/// What is noted while something is read, and while something else is within that.
#[derive(Debug, Default)]
pub(super) struct Trace {
    noted: Vec<(u32, XrefEntry)>,
    depth: usize,
    /// Whether there was more.
    is_cut: bool,
}

/// Where a trace began.
pub(crate) struct Mark(usize);

/// The objects that something was read from, and where they stood.
#[derive(Debug)]
pub(crate) struct Lookups(Vec<(u32, XrefEntry)>);

impl Lookups {
    /// Whether an object was looked up.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.0.binary_search_by_key(&number, |(number, _)| *number).is_ok()
    }
}

impl Trace {
    pub(super) fn note(&mut self, number: u32, entry: XrefEntry) {
        if self.depth == 0 {
            return;
        }
        if self.noted.len() < NOTED {
            self.noted.push((number, entry));
        } else {
            self.is_cut = true;
        }
    }
}

impl Document<'_> {
    /// Notes from here on what is looked up.
    pub(crate) fn begin_trace(&mut self) -> Mark {
        self.trace.depth += 1;
        Mark(self.trace.noted.len())
    }

    /// What was looked up since then; none if that is too much to be told.
    pub(crate) fn end_trace(&mut self, Mark(start): Mark) -> Option<Lookups> {
        let is_cut = self.trace.is_cut;
        let mut lookups = self.trace.noted.get(start..).unwrap_or_default().to_vec();
        lookups.sort_unstable_by_key(|(number, _)| *number);
        lookups.dedup();
        self.trace.depth -= 1;
        if self.trace.depth == 0 {
            self.trace = Trace::default();
        }
        (!is_cut).then_some(Lookups(lookups))
    }

    /// Notes what was looked up for something that is taken over and not read again.
    pub(crate) fn note_again(&mut self, lookups: Option<&Lookups>) {
        match lookups {
            Some(lookups) => lookups.0.iter().for_each(|(number, entry)| self.trace.note(*number, *entry)),
            None => self.trace.is_cut = self.trace.depth > 0,
        }
    }

    /// Whether a state has all of this where it was found.
    pub(crate) fn finds(&mut self, state: State, lookups: &Lookups) -> Result<bool, Fault> {
        for (number, entry) in &lookups.0 {
            if self.entry(state, *number)? != *entry {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
