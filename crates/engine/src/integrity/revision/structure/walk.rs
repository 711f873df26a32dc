//! Finds the roles of objects at every place that references them, from the catalog, within limits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::role::Role;
use super::schema::edges;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::objects::Stored;
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::placed::SMALL_OBJECT;
use pdf_syntax::syntax::object::{Id, Object};

/// Maximum objects visited, in all revisions together.
const MAX_WALKED: usize = 60_000;
/// Maximum look-ups: objects times cross-reference sections.
const MAX_LOOKUPS: usize = 20_000_000;
/// Objects prefetched in one round.
const READ_ROUND_OBJECTS: usize = 200;

/// A place that references an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MapPlace {
    pub(crate) role: Role,
    /// Object number of the page or field that owns it; 0 if none or several do.
    pub(crate) owner: u32,
}

/// The place of the catalog.
pub(crate) const CATALOG: MapPlace = MapPlace { role: Role::Catalog, owner: 0 };

/// An object to be visited.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) number: u32,
    pub(crate) place: MapPlace,
    /// Number of the referencing object; 0 for the trailer.
    pub(crate) from: u32,
}

/// The referencing places of objects, by object number.
#[derive(Debug, Default, Clone)]
pub(crate) struct Map {
    places: BTreeMap<u32, Vec<MapPlace>>,
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

impl Map {
    /// An empty map that records the references to these objects.
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

    /// All places of an object.
    pub(crate) fn places(&self, number: u32) -> &[MapPlace] {
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
        from: impl IntoIterator<Item = Reached>,
    ) -> Result<(), Fault> {
        let mut due = Due::default();
        from.into_iter().for_each(|reached| due.push(reached));
        let most = MAX_WALKED.min(MAX_LOOKUPS / document.xref.parts.len().max(1));
        while let Some(reached) = due.pop() {
            let Reached { number, place, from } = reached;
            if let Some(referrers) = self.referrers.get_mut(&number) {
                referrers.insert(from);
            }
            if (place.role.points() && self.is_landmark(number)) || !self.is_news(reached) {
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
            let place = MapPlace { role, owner: if is_owner { number } else { place.owner } };
            if !self.add(number, place) {
                continue;
            }
            if role == Role::Field {
                let kids = body.dictionary().map_or(&body.object, |field| field.get(b"Kids"));
                for kid in kids.elements().iter().filter_map(Object::as_reference) {
                    self.parents.entry(kid.number).or_insert(place.owner);
                }
            }
            for (below, role) in edges(role, &body.object, body.stream.is_some()) {
                let owner = if role == Role::Node { 0 } else { place.owner };
                due.push(Reached { number: below, place: MapPlace { role, owner }, from: number });
            }
        }
        Ok(())
    }

    /// Visits the structure tree, too.
    pub(crate) fn follow_tags(&mut self, document: &mut Document, state: State) -> Result<(), Fault> {
        let is_root = |places: &Vec<MapPlace>| places.iter().any(|place| place.role == Role::Structure);
        let roots: Vec<u32> = self.places.iter().filter(|(_, places)| is_root(places)).map(|(root, _)| *root).collect();
        let mut from = Vec::new();
        for root in roots {
            let Some(body) = document.view(state).object(root)? else { continue };
            let below = edges(Role::Tag, &body.object, false).into_iter();
            from.extend(below.map(|(number, role)| Reached { number, place: MapPlace { role, owner: 0 }, from: root }));
        }
        self.follow(document, state, from)
    }

    /// Whether it belongs to a tree of dictionaries, whatever else leads to it. A stream there is used by its other places.
    fn is_landmark(&self, number: u32) -> bool {
        !self.streams.contains(&number) && self.places(number).iter().any(|place| place.role.is_landmark())
    }

    /// Whether this place of the object is new.
    fn is_news(&self, reached: Reached) -> bool {
        let known = self.places(reached.number).iter().find(|place| place.role == reached.place.role);
        known
            .is_none_or(|known| known.owner != reached.place.owner && known.owner != 0 && known.owner != reached.number)
    }

    /// Adds a place; returns whether it is new. Objects with several owners have none.
    fn add(&mut self, number: u32, place: MapPlace) -> bool {
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

/// The objects to be visited, by rank.
#[derive(Debug, Default)]
struct Due([VecDeque<Reached>; Role::RANKS]);

impl Due {
    fn push(&mut self, reached: Reached) {
        if let Some(queue) = self.0.get_mut(reached.place.role.rank()) {
            queue.push_back(reached);
        }
    }

    fn pop(&mut self) -> Option<Reached> {
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
        let next = queue.into_iter().flatten().map(|reached| reached.number).take(READ_ROUND_OBJECTS);
        let wanted: Vec<Object> = [number].into_iter().chain(next).map(reference).collect();
        document.view(state).prefetch_many(&wanted)
    }
}
