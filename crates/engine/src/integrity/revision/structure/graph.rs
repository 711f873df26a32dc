//! The object graph of one state: the role of each object, found through typed paths from the catalog, and the objects
//! with several uses: an update may change an object only in a single role.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::expected::{is_expected, path_role};
use super::links::links;
use super::role::Role;
use super::schema::owned;
use crate::integrity::revision::revision_range::RevisionRange;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, State, Stored};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum objects visited in one state.
const MAX_VISITED: usize = 120_000;
/// Maximum owners of an object, one above the other.
const MAX_DEPTH: usize = 64;

/// The entries that say what an object is.
const TYPES: [&[u8]; 3] = [b"Type", b"Subtype", b"FT"];

/// A use of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) role: Role,
    /// Number of the page, field or annotation that owns it; 0 if none does.
    pub(crate) owner: u32,
    /// Number of the referencing object; 0 for the trailer.
    pub(crate) parent: u32,
}

impl Use {
    /// The use of a catalog by the trailer.
    pub(crate) const CATALOG: Self = Self { role: Role::Catalog, owner: 0, parent: 0 };
}

/// What is known of an object.
#[derive(Debug, Default)]
struct GraphNode {
    /// The use by the object's owner, if it has one.
    own: Option<Use>,
    /// Whether it has unexpected uses as well.
    is_shared: bool,
    /// The roles that it was visited in, without an owner those of the paths to it.
    visited: Vec<Role>,
    referrers: Vec<u32>,
}

/// The object graph of a state.
#[derive(Debug, Default)]
pub(crate) struct ObjectGraph {
    nodes: BTreeMap<u32, GraphNode>,
    visits: usize,
    /// Whether the state has too many or unreadable objects.
    pub(crate) is_truncated: bool,
    /// Whether the document is tagged.
    pub(crate) has_tags: bool,
    /// An object that other readers may parse differently, if there is one.
    pub(crate) malformed: Option<u32>,
    /// Whether appearances or pages use the form's resources as their own.
    pub(crate) lends_form_resources: bool,
}

/// The roots of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Roots {
    pub(crate) state: State,
    pub(crate) catalog: Id,
    pub(crate) info: Option<Id>,
    /// Whether the structure tree matters.
    pub(crate) with_tags: bool,
}

impl Roots {
    /// The roots of the state after a revision; `None` without a catalog.
    pub(crate) fn after(range: &RevisionRange) -> Option<Self> {
        Some(Self { state: range.state(), catalog: range.root?, info: range.last_info, with_tags: true })
    }
}

impl ObjectGraph {
    /// Reads the graph of a state.
    pub(crate) fn read(document: &mut Document, roots: &Roots) -> Result<Self, Fault> {
        let mut graph = Self::default();
        let catalog = roots.catalog.number;
        graph.own(catalog, Use::CATALOG);
        if let Some(info) = roots.info {
            graph.own(info.number, Use { role: Role::Information, owner: 0, parent: 0 });
        }
        let view = &mut document.view(roots.state);
        let Some(body) = view.object(catalog)? else { return Ok(graph) };
        graph.has_tags = body.dictionary().is_some_and(|catalog| !catalog.get(b"StructTreeRoot").is_null());
        graph.assign_roles(view, roots, &body.object)?;
        graph.follow(document, roots)?;
        Ok(graph)
    }

    /// The fields of the form, the widgets on pages and lists of them.
    pub(crate) fn fields(&self) -> impl Iterator<Item = u32> {
        let is_field = |node: &GraphNode| node.own.is_some_and(|own| own.role == Role::Field);
        self.nodes.iter().filter(move |(_, node)| is_field(node)).map(|(number, _)| *number)
    }

    /// The use of an object by its owner.
    pub(crate) fn place(&self, number: u32) -> Option<Use> {
        self.nodes.get(&number)?.own
    }

    /// Whether anything references this number.
    pub(crate) fn is_reached(&self, number: u32) -> bool {
        self.nodes.contains_key(&number)
    }

    /// Whether anything references this number, or not all of the state was read.
    pub(crate) fn may_reach(&self, number: u32) -> bool {
        self.is_truncated || self.is_reached(number)
    }

    /// Whether pages or appearances use an object as a resource, under any name.
    pub(crate) fn is_drawn(&self, number: u32) -> bool {
        let is_resource = |role: &Role| matches!(role, Role::PageResource | Role::AppearanceResource);
        self.nodes.get(&number).is_some_and(|node| node.visited.iter().any(is_resource))
    }

    /// The number of visited objects.
    pub(crate) fn visits(&self) -> usize {
        self.visits
    }

    /// The objects that reference an object.
    pub(crate) fn referrers(&self, number: u32) -> &[u32] {
        self.nodes.get(&number).map_or(&[], |node| &node.referrers)
    }

    /// Whether all references to an object have its generation (7.3.10).
    pub(crate) fn has_one_generation(&self, document: &mut Document, state: State, id: Id) -> Result<bool, Fault> {
        for &referrer in self.referrers(id.number) {
            let Some(body) = document.view(state).object(referrer)? else { return Ok(false) };
            if links(&body.object).iter().any(|link| link.target.number == id.number && link.target != id) {
                return Ok(false);
            }
        }
        Ok(!self.is_truncated)
    }

    /// Whether an object and its owners have one role each.
    pub(crate) fn is_single(&self, number: u32) -> bool {
        let is_shared = |number: u32| self.nodes.get(&number).is_some_and(|node| node.is_shared);
        let mut number = number;
        for _ in 0..MAX_DEPTH {
            let Some(place) = self.place(number) else { return true };
            if is_shared(number) || is_shared(place.owner) {
                return false;
            }
            if place.parent == 0 {
                return true;
            }
            number = place.parent;
        }
        false
    }

    /// Records the owner of an object; returns whether it is the first one.
    fn own(&mut self, number: u32, place: Use) -> bool {
        let node = self.nodes.entry(number).or_default();
        // both the form and the page reference a field
        node.is_shared |= node.own.is_some_and(|known| known.role != place.role || known.owner != place.owner);
        let is_first = node.own.is_none();
        node.own.get_or_insert(place);
        is_first
    }

    /// Finds the objects that others own, those of pages before those of the form.
    fn assign_roles(&mut self, view: &mut View, roots: &Roots, catalog: &Object) -> Result<(), Fault> {
        let (mut due, mut tags) = (Vec::new(), BTreeSet::new());
        owned_by(catalog, Use { parent: roots.catalog.number, ..Use::CATALOG }, &mut due);
        while let Some((object, place)) = due.pop() {
            if self.nodes.len() > MAX_VISITED {
                self.is_truncated = true;
                return Ok(());
            }
            let body = view.body(&object)?;
            let value = body.as_ref().map_or(&object, |body| &body.object);
            let is_stream = body.as_ref().is_some_and(|body| body.stream.is_some());
            let number = object.as_reference().map(|id| id.number);
            let Some(role) = place.role.owned_as(value, is_stream, number.is_some()) else { continue };
            let parent = number.unwrap_or(place.parent);
            let is_owner = role == Role::Page || role == Role::Field && value.as_dictionary().is_some();
            let owner = if is_owner { parent } else { place.owner };
            let is_first = number.is_none_or(|number| self.own(number, Use { role, owner, ..place }));
            let is_followed = match role {
                // also of objects that have another role already
                Role::Tag => roots.with_tags && number.is_none_or(|number| tags.insert(number)),
                _ => is_first,
            };
            if is_followed {
                let owner = if role == Role::Annotation { parent } else { owner };
                owned_by(value, Use { role, owner, parent }, &mut due);
            }
        }
        Ok(())
    }

    /// Follows all references of the state and finds the unexpected ones.
    fn follow(&mut self, document: &mut Document, roots: &Roots) -> Result<(), Fault> {
        let encrypt = document.xref.trailer.get(b"Encrypt").as_reference();
        let first = [Some(roots.catalog), roots.info, encrypt].into_iter().flatten();
        let mut due: VecDeque<(u32, Role)> = first.map(|id| (id.number, Role::Other)).collect();
        while let Some((number, path)) = due.pop_front() {
            let node = self.nodes.entry(number).or_default();
            let (from, role) = (node.own, node.own.map_or(path, |own| own.role));
            if node.visited.contains(&role) {
                continue;
            }
            node.visited.push(role);
            self.visits += 1;
            if self.visits > MAX_VISITED {
                self.is_truncated = true;
                return Ok(());
            }
            let view = &mut document.view(roots.state);
            let body = match view.stored(number)? {
                Stored::Object(body) => body,
                Stored::Absent => continue,
                Stored::Unreadable => {
                    self.is_truncated = true;
                    continue;
                }
            };
            if body.has_stray_tokens || has_indirect_type(&body) || is_in_malformed(view, body.entry)? {
                self.malformed.get_or_insert(number);
            }
            node.is_shared |= from.is_some() && !role.fits(&body);
            let found = links(&body.object);
            view.work(found.len())?;
            for link in found {
                let below = link.target.number;
                // some writers name another object as the page, which viewers know from its annotations
                let names_page = link.top == b"P" && matches!(role, Role::Annotation | Role::Field);
                if names_page && self.place(below).is_none_or(|own| own.role != Role::Page) {
                    continue;
                }
                let target = self.nodes.entry(below).or_default();
                if target.referrers.last() != Some(&number) {
                    target.referrers.push(number);
                }
                let Some(own) = target.own else {
                    due.push_back((below, path_role(role, link.top)));
                    continue;
                };
                target.is_shared |= !is_expected(own.role, role, &link);
                if (own.role != Role::Tag || roots.with_tags) && target.visited.is_empty() {
                    due.push_back((below, own.role));
                }
                let is_of_form = matches!(role, Role::Catalog | Role::Form | Role::Field) || role.is_form_resource();
                self.lends_form_resources |= own.role.is_form_resource() && !is_of_form;
            }
        }
        Ok(())
    }
}

/// The values that a value of this role owns, the first one last.
fn owned_by(value: &Object, by: Use, due: &mut Vec<(Object, Use)>) {
    match value {
        Object::Array(elements) if by.role.is_listed() => {
            let role = if by.role == Role::Annotations { Role::Annotation } else { by.role };
            due.extend(elements.iter().map(|element| (element.clone(), Use { role, ..by })));
        }
        Object::Dictionary(entries) => {
            let first = due.len();
            let below = entries.iter().filter_map(|(key, value)| Some((value, owned(by.role, key.as_bytes())?)));
            due.extend(below.map(|(value, role)| (value.clone(), Use { role, ..by })));
            if let Some(below) = due.get_mut(first..) {
                below.sort_by_key(|(_, place)| Reverse(place.role));
            }
        }
        _ => {}
    }
}

/// Whether the name that says what an object is has an object of its own, in which some readers do not look for it.
fn has_indirect_type(body: &Body) -> bool {
    let names = body.dictionary().into_iter().flat_map(|entries| TYPES.iter().map(|key| entries.get(key)));
    names.into_iter().any(|name| name.as_reference().is_some())
}

/// Whether an object is in an object stream whose dictionary other readers may parse differently.
fn is_in_malformed(view: &mut View, entry: XrefEntry) -> Result<bool, Fault> {
    let XrefEntry::In { stream, .. } = entry else { return Ok(false) };
    Ok(view.object(stream)?.is_none_or(|container| container.has_stray_tokens))
}
