//! Finds out what objects are there for, by following the document from its catalog, within bounds.

use std::collections::{BTreeMap, VecDeque};

use super::field::is_field;
use super::role::{Role, edges, refined};
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::stream::placed::SMALL_OBJECT;
use crate::xref::entries::Entry;

/// Objects looked at, in all revisions together.
const WALKED: usize = 10_000;
/// Look-ups of objects times sections of the cross-reference.
const LOOKED: usize = 20_000_000;
/// Rounds of reads, where the file is not in memory.
const ROUNDS: usize = 2;
/// Objects read in one round.
const READ: usize = 200;

/// What is known of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) role: Role,
    /// Number of the page or of the field that it belongs to; 0 if it belongs to none.
    pub(crate) owner: u32,
}

/// What objects are there for, by their numbers.
#[derive(Debug)]
pub(crate) struct Map {
    known: BTreeMap<u32, Known>,
    walked: usize,
    rounds: usize,
    /// Whether everything was followed to its end.
    pub(crate) is_complete: bool,
}

impl Map {
    pub(crate) fn new() -> Self {
        Self { known: BTreeMap::new(), walked: 0, rounds: ROUNDS, is_complete: true }
    }

    pub(crate) fn get(&self, number: u32) -> Option<Known> {
        self.known.get(&number).copied()
    }

    /// Forgets an object that was deleted, whose number may be used again.
    pub(crate) fn forget(&mut self, number: u32) {
        self.known.remove(&number);
    }

    /// Follows the objects from these on that are not known yet, those first that matter most.
    pub(crate) fn follow(
        &mut self,
        document: &mut Document,
        state: State,
        from: impl IntoIterator<Item = (u32, Known)>,
    ) -> Result<(), Fault> {
        let mut queues: [VecDeque<(u32, Known)>; Role::RANKS] = Default::default();
        let enqueue = |queues: &mut [VecDeque<(u32, Known)>; Role::RANKS], number, known: Known| {
            if let Some(queue) = queues.get_mut(known.role.rank()) {
                queue.push_back((number, known));
            }
        };
        for (number, known) in from {
            enqueue(&mut queues, number, known);
        }
        let most = WALKED.min(LOOKED / document.xref.parts.len().max(1));
        while let Some(queue) = queues.iter_mut().find(|queue| !queue.is_empty()) {
            let Some((number, mut known)) = queue.pop_front() else { break };
            if self.known.contains_key(&number) {
                continue;
            }
            let entry = document.entry_in(state, number)?;
            if self.walked >= most || !self.is_readable(document, state, entry, queue)? {
                self.is_complete = false;
                continue;
            }
            self.walked += 1;
            let Some(body) = document.body_at(state, number, entry)? else { continue };
            known.role = refined(known.role, &body);
            let is_field = known.role == Role::Field && body.dictionary().is_some_and(is_field);
            if known.role == Role::Page || is_field {
                known.owner = number;
            }
            self.known.insert(number, known);
            for (below, role) in edges(known.role, &body.object) {
                let owner = if role == Role::Node { 0 } else { known.owner };
                enqueue(&mut queues, below, Known { role, owner });
            }
        }
        Ok(())
    }

    /// Whether an object can be looked at: without a read, or by one of the few rounds, which then reads what else is due.
    fn is_readable(
        &mut self,
        document: &mut Document,
        state: State,
        entry: Entry,
        due: &VecDeque<(u32, Known)>,
    ) -> Result<bool, Fault> {
        if document.is_at_hand(state, entry)? {
            return Ok(true);
        }
        if self.rounds == 0 {
            return Ok(false);
        }
        self.rounds -= 1;
        let mut places = Vec::new();
        let numbers = due.iter().map(|(number, _)| *number).take(READ).collect::<Vec<_>>();
        let mut entries = vec![entry];
        for number in numbers {
            entries.push(document.entry_in(state, number)?);
        }
        for entry in entries {
            let entry = match entry {
                Entry::In { stream, .. } => document.entry_in(state, stream)?,
                entry => entry,
            };
            if let Entry::At(offset) = entry {
                places.push(offset..offset.saturating_add(SMALL_OBJECT as u64));
            }
        }
        document.reader.prefetch(&places)?;
        document.is_at_hand(state, entry)
    }
}
