//! Records object lookups: where another revision has all of these objects in the same places, the same would be read.

use super::Document;
use super::objects::State;
use crate::failure::Fault;
use crate::xref::entries::XrefEntry;

/// Maximum lookups recorded; with more the result is not reused.
const MAX_LOOKUPS: usize = 4_096;

/// Lookups of the current traces, which may be nested.
#[derive(Debug, Default)]
pub(super) struct Trace {
    noted: Vec<(u32, XrefEntry)>,
    depth: usize,
    /// Whether the maximum was exceeded.
    is_cut: bool,
}

/// Start of a trace.
pub struct Mark(usize);

/// Objects that a result depends on, and their places.
#[derive(Debug)]
pub struct Lookups(Vec<(u32, XrefEntry)>);

impl Lookups {
    /// Whether an object was looked up.
    pub fn has(&self, number: u32) -> bool {
        self.0.binary_search_by_key(&number, |(number, _)| *number).is_ok()
    }
}

impl Trace {
    pub(super) fn note(&mut self, number: u32, entry: XrefEntry) {
        if self.depth == 0 {
            return;
        }
        if self.noted.len() < MAX_LOOKUPS {
            self.noted.push((number, entry));
        } else {
            self.is_cut = true;
        }
    }
}

impl Document<'_> {
    /// Starts recording lookups.
    pub fn begin_trace(&mut self) -> Mark {
        self.trace.depth += 1;
        Mark(self.trace.noted.len())
    }

    /// Returns the lookups since then; none if there were too many.
    pub fn end_trace(&mut self, Mark(start): Mark) -> Option<Lookups> {
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

    /// Records the lookups of a reused result.
    pub fn note_again(&mut self, lookups: Option<&Lookups>) {
        match lookups {
            Some(lookups) => lookups.0.iter().for_each(|(number, entry)| self.trace.note(*number, *entry)),
            None => self.trace.is_cut = self.trace.depth > 0,
        }
    }

    /// Whether a revision has all these objects in the same places.
    pub fn finds(&mut self, state: State, lookups: &Lookups) -> Result<bool, Fault> {
        for (number, entry) in &lookups.0 {
            if self.entry(state, *number)? != *entry {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
