//! Finds out what objects are there for, at every place that leads to them from the catalog, within bounds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::role::Role;
use super::schema::edges;
use crate::document::Document;
use crate::document::objects::State;
use crate::document::objects::Stored;
use crate::failure::Fault;
use crate::stream::placed::SMALL_OBJECT;
use crate::syntax::object::{Id, Object};

/// Objects looked at, in all revisions together.
const WALKED: usize = 60_000;
/// Look-ups of objects times sections of the cross-reference.
const LOOKED: usize = 20_000_000;
/// Objects read in one round.
const READ: usize = 200;

/// A place from which an object is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MapPlace {
    pub(crate) role: Role,
    /// Number of the page or of the field that it belongs to; 0 if it belongs to none, or to several.
    pub(crate) owner: u32,
}

/// Where the trailer leads.
pub(crate) const CATALOG: MapPlace = MapPlace { role: Role::Catalog, owner: 0 };

/// An object that is yet to be looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) number: u32,
    pub(crate) place: MapPlace,
    /// Number of the object that refers to it; 0 for the trailer.
    pub(crate) from: u32,
}

/// From where objects are reached, by their numbers.
#[derive(Debug, Default, Clone)]
pub(crate) struct Map {
    places: BTreeMap<u32, Vec<MapPlace>>,
    /// What refers to them, of those objects of which that matters.
    referrers: BTreeMap<u32, BTreeSet<u32>>,
    /// The field that has a field among its kids.
    parents: BTreeMap<u32, u32>,
    /// The page that has an annotation among its own.
    pages: BTreeMap<u32, u32>,
    walked: usize,
    /// Whether there is something that was not followed to its end.
    pub(crate) is_cut: bool,
}

impl Map {
    /// Knows nothing yet; it is to remember what refers to these.
    pub(crate) fn new(watched: impl IntoIterator<Item = u32>) -> Self {
        let referrers = watched.into_iter().map(|number| (number, BTreeSet::new())).collect();
        Self { referrers, ..Self::default() }
    }

    /// Whether nothing was followed yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The numbers of all objects that are reached.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.places.keys().copied()
    }

    /// All places of an object.
    pub(crate) fn places(&self, number: u32) -> &[MapPlace] {
        self.places.get(&number).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether it is known in this role.
    pub(crate) fn is(&self, number: u32, role: Role) -> bool {
        self.places(number).iter().any(|place| place.role == role)
    }

    /// What refers to an object.
    pub(crate) fn referrers(&self, number: u32) -> impl Iterator<Item = u32> {
        self.referrers.get(&number).into_iter().flatten().copied()
    }

    /// The field that has this one among its kids.
    pub(crate) fn parent(&self, field: u32) -> Option<u32> {
        self.parents.get(&field).copied()
    }

    /// The page that has this annotation.
    pub(crate) fn page(&self, annotation: u32) -> Option<u32> {
        self.pages.get(&annotation).copied()
    }

    /// Forgets an object that was deleted, whose number may be used again.
    pub(crate) fn forget(&mut self, number: u32) {
        self.places.remove(&number);
    }

    /// Follows the objects from these on as far as they are not known yet, those first that tell what others are.
    pub(crate) fn follow(
        &mut self,
        document: &mut Document,
        state: State,
        from: impl IntoIterator<Item = Reached>,
    ) -> Result<(), Fault> {
        let mut due = Due::default();
        from.into_iter().for_each(|reached| due.push(reached));
        let most = WALKED.min(LOOKED / document.xref.parts.len().max(1));
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
                self.is_cut = true;
                continue;
            }
            due.prefetch(document, state, number)?;
            self.walked += 1;
            if place.role == Role::Annotations {
                self.pages.entry(number).or_insert(place.owner);
            }
            let stored = document.stored(state, number, entry)?;
            self.is_cut |= stored.is_unreadable();
            let Stored::Object(body) = stored else {
                self.add(number, place);
                continue;
            };
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

    /// Follows how the document is tagged, too, from the root of that on.
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

    fn is_landmark(&self, number: u32) -> bool {
        self.places(number).iter().any(|place| place.role.is_landmark())
    }

    /// Whether it is not known yet that the object is reached in this way.
    fn is_news(&self, reached: Reached) -> bool {
        let known = self.places(reached.number).iter().find(|place| place.role == reached.place.role);
        known
            .is_none_or(|known| known.owner != reached.place.owner && known.owner != 0 && known.owner != reached.number)
    }

    /// Adds a place; whether there is anything new in that. What belongs to several belongs to none.
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

/// What is yet to be looked at, by rank.
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

    /// Reads an object, if it is not here, together with what comes next of the first rank that is not empty.
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
        let next = queue.into_iter().flatten().map(|reached| reached.number).take(READ);
        let wanted: Vec<Object> = [number].into_iter().chain(next).map(reference).collect();
        document.view(state).prefetch_many(&wanted)
    }
}
