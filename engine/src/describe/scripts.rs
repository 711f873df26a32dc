//! Scripts: JavaScript actions (ISO 32000-1, 12.6.4.16) of the document, its form, its pages and their annotations, with what
//! follows them (12.6.2, `/Next`).

use std::collections::BTreeSet;

use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Actions that are looked at, and how long a chain of them may be.
const ACTIONS: usize = 2_000;
const CHAIN: usize = 32;

/// Where actions are.
#[derive(Default)]
pub(super) struct Triggers {
    /// What is done on the one event that an object has: `/A`, `/OpenAction`.
    actions: Vec<Object>,
    /// What is done on events of several kinds: `/AA` (12.6.3).
    additional: Vec<Object>,
}

impl Triggers {
    /// Takes the actions of an annotation, a field or a page.
    pub(super) fn take(&mut self, dictionary: &Dictionary) {
        self.take_entry(dictionary, b"A");
        let additional = dictionary.get(b"AA");
        if !additional.is_null() {
            self.additional.push(additional.clone());
        }
    }

    /// Takes the action that this entry is.
    pub(super) fn take_entry(&mut self, dictionary: &Dictionary, key: &[u8]) {
        let action = dictionary.get(key);
        if !action.is_null() {
            self.actions.push(action.clone());
        }
    }

    /// Whether any of them is a script, or leads to one; none if that takes too much to tell.
    pub(super) fn have_script(self, view: &mut View) -> Result<Option<bool>, Fault> {
        let Self { mut actions, additional } = self;
        view.prefetch_many(&additional)?;
        for events in &additional {
            actions.extend(view.dictionary(events)?.iter().map(|(_, action)| action.clone()));
        }
        let mut search = Search { seen: BTreeSet::new(), left: ACTIONS };
        for _ in 0..CHAIN {
            if actions.is_empty() {
                return Ok(Some(false));
            }
            let mut next = Vec::new();
            if search.has_script(view, actions, &mut next)? {
                return Ok(Some(true));
            }
            if search.left == 0 {
                return Ok(None);
            }
            actions = next;
        }
        Ok(None)
    }
}

struct Search {
    /// Numbers of the actions that were looked at.
    seen: BTreeSet<u32>,
    left: usize,
}

impl Search {
    /// Whether any of these actions is a script; else what follows them is added to `next`. Those at hand come first, so that
    /// the others need not be read if one of them is.
    fn has_script(&mut self, view: &mut View, actions: Vec<Object>, next: &mut Vec<Object>) -> Result<bool, Fault> {
        let (mut elsewhere, here): (Vec<_>, Vec<_>) =
            actions.into_iter().partition(|action| action.as_reference().is_some());
        elsewhere.retain(|action| action.as_reference().is_some_and(|id| self.seen.insert(id.number)));
        for (actions, is_here) in [(here, true), (elsewhere, false)] {
            let actions = actions.get(..self.left.min(actions.len())).unwrap_or_default();
            self.left -= actions.len();
            if !is_here {
                view.prefetch_many(actions)?;
            }
            for action in actions {
                match &*view.resolve(action)? {
                    Object::Array(several) => next.extend(several.iter().cloned()),
                    Object::Dictionary(action) => {
                        // a rendition's script stands beside its type (12.6.4.13)
                        if action.has(b"JS") || view.resolve(action.get(b"S"))?.is_name(b"JavaScript") {
                            return Ok(true);
                        }
                        next.extend(Some(action.get(b"Next").clone()).filter(|next| !next.is_null()));
                    }
                    _ => {}
                }
            }
        }
        Ok(false)
    }
}
