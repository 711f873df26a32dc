//! Scripts: JavaScript actions (ISO 32000-1, 12.6.4.16) of the document, its form, its pages and their annotations,
//! including subsequent actions (12.6.2, `/Next`).

use std::collections::BTreeSet;

use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum actions, and maximum length of a chain of them.
const MAX_ACTIONS: usize = 2_000;
const MAX_CHAIN_LENGTH: usize = 32;

/// Entries with actions.
#[derive(Default)]
pub(super) struct Triggers {
    /// A single action: `/A`, `/OpenAction`.
    actions: Vec<Object>,
    /// Actions for several events: `/AA` (12.6.3).
    additional: Vec<Object>,
}

impl Triggers {
    /// Adds the actions of an annotation, a field or a page.
    pub(super) fn take(&mut self, dictionary: &Dictionary) {
        self.take_entry(dictionary, b"A");
        let additional = dictionary.get(b"AA");
        if !additional.is_null() {
            self.additional.push(additional.clone());
        }
    }

    /// Adds the action of an entry.
    pub(super) fn take_entry(&mut self, dictionary: &Dictionary, key: &[u8]) {
        let action = dictionary.get(key);
        if !action.is_null() {
            self.actions.push(action.clone());
        }
    }

    /// Whether any of them is a script or is followed by one; none if that exceeds the limits.
    pub(super) fn have_script(self, view: &mut View) -> Result<Option<bool>, Fault> {
        let Self { mut actions, additional } = self;
        view.prefetch_many(&additional)?;
        for events in &additional {
            actions.extend(view.dictionary(events)?.iter().map(|(_, action)| action.clone()));
        }
        let mut search = Search { seen: BTreeSet::new(), left: MAX_ACTIONS };
        for _ in 0..MAX_CHAIN_LENGTH {
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
    /// Object numbers of visited actions.
    seen: BTreeSet<u32>,
    left: usize,
}

impl Search {
    /// Whether any of these actions is a script; otherwise adds following actions to `next`. Cached ones come first, so
    /// that the others need not be read if one of these is a script.
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
                        // a rendition action's script is in its own dictionary (12.6.4.13)
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
