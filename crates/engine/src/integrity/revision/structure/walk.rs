//! Finds the roles of objects at every place that references them, from the catalog, within limits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::Use;
use super::role::Role;
use super::schema::edges;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::placed::SMALL_OBJECT;
use pdf_syntax::syntax::object::{Id, Object};

/// Maximum objects visited, in all revisions together.
const MAX_WALKED: usize = 60_000;
/// Maximum look-ups: objects times cross-reference sections.
const MAX_LOOKUPS: usize = 20_000_000;
/// Objects prefetched in one round.
const READ_ROUND_OBJECTS: usize = 200;

/// The uses of objects in all states so far, by object number. An object of several pages or fields has no owner.
#[derive(Debug, Default, Clone)]
pub(crate) struct CumulativeUses {
    places: BTreeMap<u32, Vec<Use>>,
    /// The referencing objects of watched objects.
    referrers: BTreeMap<u32, BTreeSet<u32>>,
    /// The parent field of each field.
    parents: BTreeMap<u32, u32>,
    /// The page of each annotation.
    pages: BTreeMap<u32, u32>,
    /// Streams.
    streams: BTreeSet<u32>,
    walked: usize,
    /// Whether the traversal was incomplete.
    pub(crate) is_truncated: bool,
}

impl CumulativeUses {
    /// Without any uses; records the references to these objects.
    pub(crate) fn new(watched: impl IntoIterator<Item = u32>) -> Self {
        let referrers = watched.into_iter().map(|number| (number, BTreeSet::new())).collect();
        Self { referrers, ..Self::default() }
    }

    /// Whether nothing was visited yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The numbers of all referenced objects.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.places.keys().copied()
    }

    /// All uses of an object.
    pub(crate) fn places(&self, number: u32) -> &[Use] {
        self.places.get(&number).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether it has this role.
    pub(crate) fn is(&self, number: u32, role: Role) -> bool {
        self.places(number).iter().any(|place| place.role == role)
    }

    /// The objects that reference an object.
    pub(crate) fn referrers(&self, number: u32) -> impl Iterator<Item = u32> {
        self.referrers.get(&number).into_iter().flatten().copied()
    }

    /// The parent of this field.
    pub(crate) fn parent(&self, field: u32) -> Option<u32> {
        self.parents.get(&field).copied()
    }

    /// The page of this annotation.
    pub(crate) fn page(&self, annotation: u32) -> Option<u32> {
        self.pages.get(&annotation).copied()
    }

    /// Removes a deleted object, whose number may be reused.
    pub(crate) fn forget(&mut self, number: u32) {
        self.places.remove(&number);
    }

    /// Visits these objects and their unvisited targets, those first that determine the roles of others.
    pub(crate) fn follow(
        &mut self,
        document: &mut Document,
        state: State,
        from: impl IntoIterator<Item = (u32, Use)>,
    ) -> Result<(), Fault> {
        let mut due = Due::default();
        from.into_iter().for_each(|(number, place)| due.push(number, place));
        let most = MAX_WALKED.min(MAX_LOOKUPS / document.xref.parts.len().max(1));
        while let Some((number, place)) = due.pop() {
            if let Some(referrers) = self.referrers.get_mut(&number) {
                referrers.insert(place.parent);
            }
            if (place.role.points() && self.is_landmark(number)) || !self.is_new(number, place) {
                continue;
            }
            let entry = document.entry(state, number)?;
            if self.walked >= most {
                self.is_truncated = true;
                continue;
            }
            due.prefetch(document, state, number)?;
            self.walked += 1;
            if place.role == Role::Annotations {
                self.pages.entry(number).or_insert(place.owner);
            }
            let stored = document.stored(state, number, entry)?;
            self.is_truncated |= stored.is_unreadable();
            let Stored::Object(body) = stored else {
                self.add(number, place);
                continue;
            };
            if body.stream.is_some() {
                self.streams.insert(number);
            }
            let role = place.role.refined(body.dictionary());
            let is_owner = role == Role::Page || role == Role::Field && body.dictionary().is_some();
            let place = Use { role, owner: if is_owner { number } else { place.owner }, ..place };
            if !self.add(number, place) {
                continue;
            }
            if role == Role::Field {
                let kids = body.dictionary().map_or(&body.object, |field| field.get(b"Kids"));
                for kid in kids.elements().iter().filter_map(Object::as_reference) {
                    self.parents.entry(kid.number).or_insert(place.owner);
                }
            }
            for (below, place) in uses_below(number, place, &body) {
                due.push(below, place);
            }
        }
        Ok(())
    }

    /// Visits the structure tree, too.
    pub(crate) fn follow_tags(&mut self, document: &mut Document, state: State) -> Result<(), Fault> {
        let roots: Vec<u32> = self.numbers().filter(|&number| self.is(number, Role::Structure)).collect();
        let mut from = Vec::new();
        for root in roots {
            let Some(body) = document.view(state).object(root)? else { continue };
            from.extend(uses_below(root, Use { role: Role::Tag, owner: 0, parent: 0 }, &body));
        }
        self.follow(document, state, from)
    }

    /// Whether it belongs to a tree of dictionaries, whatever else leads to it. A stream there is used by its other places.
    fn is_landmark(&self, number: u32) -> bool {
        !self.streams.contains(&number) && self.places(number).iter().any(|place| place.role.is_landmark())
    }

    /// Whether this use of an object is new.
    fn is_new(&self, number: u32, place: Use) -> bool {
        let known = self.places(number).iter().find(|known| known.role == place.role);
        known.is_none_or(|known| known.owner != place.owner && known.owner != 0 && known.owner != number)
    }

    /// Adds a use; returns whether it is new.
    fn add(&mut self, number: u32, place: Use) -> bool {
        let places = self.places.entry(number).or_default();
        match places.iter_mut().find(|known| known.role == place.role) {
            Some(known) if known.owner == place.owner || known.owner == 0 => false,
            Some(known) => {
                known.owner = 0;
                true
            }
            None => {
                places.push(place);
                true
            }
        }
    }
}

/// The objects that an object references, with their uses there.
pub(crate) fn uses_below(number: u32, place: Use, body: &Body) -> impl Iterator<Item = (u32, Use)> {
    edges(place.role, &body.object, body.stream.is_some()).into_iter().map(move |(below, role)| {
        let owner = if role == Role::Node { 0 } else { place.owner };
        (below, Use { role, owner, parent: number })
    })
}

/// The objects to be visited, by rank.
#[derive(Debug, Default)]
struct Due([VecDeque<(u32, Use)>; Role::RANKS]);

impl Due {
    fn push(&mut self, number: u32, place: Use) {
        if let Some(queue) = self.0.get_mut(place.role.rank()) {
            queue.push_back((number, place));
        }
    }

    fn pop(&mut self) -> Option<(u32, Use)> {
        self.0.iter_mut().find_map(VecDeque::pop_front)
    }

    /// Prefetches an object with the next ones of the first nonempty rank.
    fn prefetch(&self, document: &mut Document, state: State, number: u32) -> Result<(), Fault> {
        if document.reader.is_in_memory() {
            return Ok(());
        }
        let reference = |number| Object::Reference(Id { number, generation: 0 });
        let places = document.view(state).starts([&reference(number)], SMALL_OBJECT)?;
        if places.iter().all(|place| document.reader.at_hand(place.start, SMALL_OBJECT) > 0) {
            return Ok(());
        }
        let queue = self.0.iter().find(|queue| !queue.is_empty());
        let next = queue.into_iter().flatten().map(|(number, _)| *number).take(READ_ROUND_OBJECTS);
        let wanted: Vec<Object> = [number].into_iter().chain(next).map(reference).collect();
        document.view(state).prefetch_many(&wanted)
    }
}
