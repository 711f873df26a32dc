//! The role of each object in a signed state, found through typed paths from the catalog, and the objects with several
//! uses: an update may change an object only in a single role.

mod expected;
mod links;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::revision_range::RevisionRange;
use expected::{is_expected, zone_below};
use links::Link;
pub(super) use links::links;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::{Body, State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum objects visited in one state.
const MAX_VISITED: usize = 120_000;

/// The role of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Catalog,
    /// A node of the page tree (7.7.3.2).
    Node,
    /// An array of a node's kids.
    NodeList,
    Page,
    /// An array of a page's annotations.
    AnnotationList,
    /// An annotation that is no widget.
    Annotation,
    /// The interactive form (12.7.2).
    Form,
    /// An array of fields.
    FieldList,
    /// A field, its widget, or both in one.
    Field,
    /// The form's default resources, or one category of them.
    FormResources,
    /// An appearance dictionary, or one of its states (12.5.5).
    Appearances,
    /// An appearance stream.
    Appearance,
    /// A field's value: a text, an array of texts or a signature.
    Value,
    /// The document security store or part of it (ISO 32000-2, 12.8.4.3).
    Validation,
    /// The document information dictionary.
    Information,
    /// The document's XMP.
    Metadata,
    /// The structure tree or part of it (14.7).
    Tags,
}

impl Part {
    /// Whether an object of this type can have this role.
    pub(super) fn fits(self, body: &Body) -> bool {
        let (is_stream, object) = (body.stream.is_some(), &body.object);
        let is_dictionary = !is_stream && object.as_dictionary().is_some();
        match self {
            Self::NodeList | Self::AnnotationList | Self::FieldList => matches!(object, Object::Array(_)),
            Self::Appearance | Self::Metadata => is_stream,
            Self::Value => !is_stream || object.as_dictionary().is_some(),
            Self::Validation | Self::Tags => is_stream || matches!(object, Object::Dictionary(_) | Object::Array(_)),
            _ => is_dictionary,
        }
    }
}

/// A role, the page, field or annotation that owns it, and the referencing object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) part: Part,
    pub(super) owner: u32,
    pub(super) parent: u32,
}

/// The kind of path to an object without a specific role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Zone {
    /// A specific role.
    Own,
    /// Resources of pages.
    PageResource,
    /// Resources of appearances.
    AppearanceResource,
    /// Actions, destinations, bookmarks, names.
    Navigation,
    Tags,
    Other,
}

/// The roles of a state's objects.
#[derive(Debug, Default)]
pub(super) struct Roles {
    places: BTreeMap<u32, Place>,
    /// Objects with other uses as well.
    shared: BTreeSet<u32>,
    seen: BTreeSet<(u32, Zone)>,
    /// The referencing objects of watched objects.
    referrers: BTreeMap<u32, BTreeSet<u32>>,
    /// Referenced numbers without an object.
    missing: BTreeSet<u32>,
    /// Whether the state has too many or unreadable objects.
    pub(super) is_truncated: bool,
    /// Whether the document is tagged.
    pub(super) has_tags: bool,
    /// An object that other readers may parse differently, if there is one.
    pub(super) malformed: Option<u32>,
    /// Whether appearances or pages use the form's resources as their own.
    pub(super) lends_form_resources: bool,
}

/// The roots of a state.
pub(super) struct Start<'s> {
    pub(super) state: State,
    pub(super) root: Id,
    pub(super) info: Option<Id>,
    pub(super) form: &'s FormFields,
    /// Whether the structure tree matters.
    pub(super) with_tags: bool,
    /// Objects whose referencing objects matter.
    pub(super) watched: &'s BTreeSet<u32>,
}

impl Roles {
    /// Finds the roles of a state's objects.
    pub(super) fn read(document: &mut Document, start: &Start) -> Result<Self, Fault> {
        let mut roles = Self::default();
        let root = start.root.number;
        roles.assign(root, Part::Catalog, 0, 0);
        if let Some(info) = start.info {
            roles.assign(info.number, Part::Information, 0, 0);
        }
        let Some(body) = document.view(start.state).object(root)? else { return Ok(roles) };
        let catalog = body.dictionary().cloned().unwrap_or_default();
        let view = &mut Walk { document, state: start.state };
        roles.pages(view, catalog.get(b"Pages"), root)?;
        roles.form(view, &catalog, root, start.form)?;
        roles.all_below(view, catalog.get(b"DSS"), (Part::Validation, root))?;
        roles.reference(catalog.get(b"Metadata"), Part::Metadata, root);
        roles.has_tags = !catalog.get(b"StructTreeRoot").is_null();
        roles.reference(catalog.get(b"StructTreeRoot"), Part::Tags, root);
        if start.with_tags {
            roles.tags(view, catalog.get(b"StructTreeRoot"), root)?;
        }
        roles.follow(view, start)?;
        Ok(roles)
    }

    /// Finds the roles of the objects in the state after a revision.
    pub(super) fn after(
        document: &mut Document,
        range: &RevisionRange,
        watched: &BTreeSet<u32>,
    ) -> Result<Self, Fault> {
        let Some(root) = range.root else { return Ok(Self { is_truncated: true, ..Self::default() }) };
        let (state, info) = (range.state(), range.last_info);
        let form = FormFields::read(&mut document.view(state))?;
        Self::read(document, &Start { state, root, info, form: &form, with_tags: true, watched })
    }

    pub(super) fn place(&self, number: u32) -> Option<Place> {
        self.places.get(&number).copied()
    }

    /// Whether anything references this number.
    pub(super) fn is_reached(&self, number: u32) -> bool {
        self.places.contains_key(&number)
            || self.missing.contains(&number)
            || self.seen.range((number, Zone::Own)..=(number, Zone::Other)).next().is_some()
    }

    /// The same if not all of the state was read.
    pub(super) fn may_reach(&self, number: u32) -> bool {
        self.is_truncated || self.is_reached(number)
    }

    /// Whether pages or appearances use an object as a resource, under any name.
    pub(super) fn is_drawn(&self, number: u32) -> bool {
        self.seen.contains(&(number, Zone::PageResource)) || self.seen.contains(&(number, Zone::AppearanceResource))
    }

    /// The number of visited objects.
    pub(super) fn visited(&self) -> usize {
        self.seen.len()
    }

    /// The objects that reference a watched object.
    pub(super) fn referrers(&self, number: u32) -> Vec<u32> {
        self.referrers.get(&number).into_iter().flatten().copied().collect()
    }

    /// Whether all references to a watched object have its generation (7.3.10).
    pub(super) fn has_one_generation(&self, document: &mut Document, state: State, id: Id) -> Result<bool, Fault> {
        for referrer in self.referrers(id.number) {
            let Some(body) = document.view(state).object(referrer)? else { return Ok(false) };
            if links(&body.object).iter().any(|link| link.target.number == id.number && link.target != id) {
                return Ok(false);
            }
        }
        Ok(!self.is_truncated)
    }

    /// Whether an object and its owners have one role each.
    pub(super) fn is_single(&self, number: u32) -> bool {
        let mut number = number;
        for _ in 0..64 {
            let Some(place) = self.places.get(&number) else { return true };
            if self.shared.contains(&number) || self.shared.contains(&place.owner) {
                return false;
            }
            if place.parent == 0 {
                return true;
            }
            number = place.parent;
        }
        false
    }

    fn assign(&mut self, number: u32, part: Part, owner: u32, parent: u32) -> bool {
        match self.places.get(&number) {
            None => {
                self.places.insert(number, Place { part, owner, parent });
                true
            }
            Some(known) => {
                // both the form and the page reference a field
                if known.part != part || known.owner != owner {
                    self.shared.insert(number);
                }
                false
            }
        }
    }

    fn reference(&mut self, object: &Object, part: Part, parent: u32) {
        if let Some(id) = object.as_reference() {
            self.assign(id.number, part, 0, parent);
        }
    }

    fn pages(&mut self, view: &mut Walk, tree: &Object, root: u32) -> Result<(), Fault> {
        let mut waiting: Vec<(Object, u32)> = vec![(tree.clone(), root)];
        while let Some((kid, parent)) = waiting.pop() {
            if self.places.len() > MAX_VISITED {
                self.is_truncated = true;
                return Ok(());
            }
            let body = view.body(&kid)?;
            let object = body.as_ref().map_or(&kid, |body| &body.object);
            let number = body.as_ref().map(|body| body.id.number);
            let above = number.unwrap_or(parent);
            let (part, owner) = match object {
                Object::Array(elements) => {
                    waiting.extend(elements.iter().map(|element| (element.clone(), above)));
                    (Part::NodeList, 0)
                }
                Object::Dictionary(node) if node.has(b"Kids") => {
                    let is_new = number.is_none_or(|number| !self.places.contains_key(&number));
                    if is_new {
                        waiting.push((node.get(b"Kids").clone(), above));
                    }
                    (Part::Node, 0)
                }
                Object::Dictionary(_) => (Part::Page, above),
                _ => continue,
            };
            let is_new = number.is_none_or(|number| self.assign(number, part, owner, parent));
            if let (true, Part::Page, Object::Dictionary(page)) = (is_new, part, object) {
                self.annotations(view, page.get(b"Annots"), above)?;
            }
        }
        Ok(())
    }

    fn annotations(&mut self, view: &mut Walk, list: &Object, page: u32) -> Result<(), Fault> {
        let body = view.body(list)?;
        let parent = list.as_reference().map_or(page, |id| id.number);
        if parent != page {
            self.assign(parent, Part::AnnotationList, page, page);
        }
        for element in body.as_ref().map_or(list, |body| &body.object).elements() {
            let (Some(id), Some(body)) = (element.as_reference(), view.body(element)?) else { continue };
            let Some(annotation) = body.dictionary() else { continue };
            if annotation.get(b"Subtype").is_name(b"Widget") {
                self.field(view, id.number, annotation, parent)?;
            } else if self.assign(id.number, Part::Annotation, page, parent) {
                self.appearances(view, id.number, annotation.get(b"AP"))?;
            }
        }
        Ok(())
    }

    fn field(&mut self, view: &mut Walk, number: u32, field: &Dictionary, parent: u32) -> Result<(), Fault> {
        if self.assign(number, Part::Field, number, parent) {
            self.appearances(view, number, field.get(b"AP"))?;
            if let Some(value) = field.get(b"V").as_reference() {
                self.assign(value.number, Part::Value, number, number);
            }
            if let Some(kids) = field.get(b"Kids").as_reference() {
                self.assign(kids.number, Part::FieldList, number, number);
            }
        }
        Ok(())
    }

    fn appearances(&mut self, view: &mut Walk, owner: u32, appearances: &Object) -> Result<(), Fault> {
        let mut waiting = vec![(appearances.clone(), owner, 0)];
        while let Some((object, parent, depth)) = waiting.pop() {
            let body = view.body(&object)?;
            let number = object.as_reference().map(|id| id.number);
            let is_stream = body.as_ref().is_some_and(|body| body.stream.is_some());
            if let Some(number) = number {
                let part = if is_stream { Part::Appearance } else { Part::Appearances };
                self.assign(number, part, owner, parent);
            }
            let value = body.as_ref().map_or(&object, |body| &body.object);
            let entries = value.as_dictionary().filter(|_| !is_stream && depth < 2);
            for (_, value) in entries.into_iter().flat_map(Dictionary::iter) {
                waiting.push((value.clone(), number.unwrap_or(parent), depth + 1));
            }
        }
        Ok(())
    }

    fn form(&mut self, view: &mut Walk, catalog: &Dictionary, root: u32, form: &FormFields) -> Result<(), Fault> {
        self.is_truncated |= form.is_cut;
        let own = catalog.get(b"AcroForm").as_reference().map_or(root, |id| id.number);
        if own != root {
            self.assign(own, Part::Form, 0, root);
        }
        if let Some(fields) = form.dictionary.get(b"Fields").as_reference() {
            self.assign(fields.number, Part::FieldList, 0, own);
        }
        self.resources(view, form.dictionary.get(b"DR"), own)?;
        for field in &form.fields {
            let Some(number) = field.number else { continue };
            let parent = field.line.get(1).copied().unwrap_or(own);
            self.field(view, number, field.dictionary(), parent)?;
        }
        Ok(())
    }

    fn resources(&mut self, view: &mut Walk, resources: &Object, parent: u32) -> Result<(), Fault> {
        self.reference(resources, Part::FormResources, parent);
        let parent = resources.as_reference().map_or(parent, |id| id.number);
        let body = view.body(resources)?;
        let entries = body.as_ref().map_or(resources, |body| &body.object).as_dictionary();
        for (_, category) in entries.into_iter().flat_map(Dictionary::iter) {
            self.reference(category, Part::FormResources, parent);
        }
        Ok(())
    }

    /// Assigns a role to everything that an object references.
    fn all_below(&mut self, view: &mut Walk, object: &Object, (part, parent): (Part, u32)) -> Result<(), Fault> {
        let mut waiting = vec![(object.clone(), parent)];
        while let Some((object, parent)) = waiting.pop() {
            for link in links(&object) {
                if self.assign(link.target.number, part, 0, parent)
                    && let Some(body) = view.number(link.target.number)?
                {
                    waiting.push((body.object.clone(), link.target.number));
                }
            }
        }
        Ok(())
    }

    /// Assigns the roles of the structure tree, down to the tagged content (14.7.2).
    fn tags(&mut self, view: &mut Walk, tree: &Object, parent: u32) -> Result<(), Fault> {
        let mut waiting = vec![(tree.clone(), parent)];
        while let Some((object, parent)) = waiting.pop() {
            let body = view.body(&object)?;
            let number = object.as_reference().map(|id| id.number);
            if let Some(number) = number {
                if !self.seen.insert((number, Zone::Tags)) {
                    continue;
                }
                if self.places.len() > MAX_VISITED {
                    self.is_truncated = true;
                    return Ok(());
                }
                self.assign(number, Part::Tags, 0, parent);
            }
            let above = number.unwrap_or(parent);
            match body.as_ref().map_or(&object, |body| &body.object) {
                Object::Array(elements) => waiting.extend(elements.iter().map(|element| (element.clone(), above))),
                Object::Dictionary(entries) => {
                    for (key, value) in entries.iter() {
                        let is_below = matches!(key.as_bytes(), b"K" | b"ParentTree" | b"IDTree" | b"Kids" | b"Nums");
                        waiting.extend(is_below.then(|| (value.clone(), above)));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Follows all references of the state and records the roles that are referenced from unexpected places.
    fn follow(&mut self, view: &mut Walk, start: &Start) -> Result<(), Fault> {
        let mut due: VecDeque<(u32, Zone)> = [(start.root.number, Zone::Own)].into();
        due.extend(start.info.map(|info| (info.number, Zone::Own)));
        let encrypt = view.document.xref.trailer.get(b"Encrypt").as_reference();
        due.extend(encrypt.map(|id| (id.number, Zone::Other)));
        while let Some((number, zone)) = due.pop_front() {
            if !self.seen.insert((number, zone)) {
                continue;
            }
            if self.seen.len() > MAX_VISITED {
                self.is_truncated = true;
                return Ok(());
            }
            let body = match view.document.view(view.state).stored(number)? {
                Stored::Object(body) => body,
                Stored::Absent => {
                    self.missing.insert(number);
                    continue;
                }
                Stored::Unreadable => {
                    self.is_truncated = true;
                    continue;
                }
            };
            if body.has_stray_tokens || is_in_malformed(view, body.entry)? {
                self.malformed.get_or_insert(number);
            }
            let from = self.places.get(&number).copied();
            if from.is_some_and(|place| !place.part.fits(&body)) {
                self.shared.insert(number);
            }
            let found = links(&body.object);
            view.document.budget.work(found.len())?;
            // some writers name another object as the page, which viewers know from its annotations
            let is_no_page = |link: &Link| {
                let is_widget = from.is_some_and(|place| matches!(place.part, Part::Field | Part::Annotation));
                let target = self.places.get(&link.target.number);
                is_widget && link.top == b"P" && target.is_none_or(|place| place.part != Part::Page)
            };
            let found: Vec<_> = found.into_iter().filter(|link| !is_no_page(link)).collect();
            for link in found {
                if start.watched.contains(&link.target.number) {
                    self.referrers.entry(link.target.number).or_default().insert(number);
                }
                if let Some(target) = self.places.get(&link.target.number).copied() {
                    if !is_expected(target, (number, from, zone), &link) {
                        self.shared.insert(link.target.number);
                    }
                    let is_form = |place: Place| {
                        matches!(place.part, Part::Form | Part::FormResources | Part::Catalog | Part::Field)
                    };
                    self.lends_form_resources |= target.part == Part::FormResources && !from.is_some_and(is_form);
                    let is_followed = target.part != Part::Tags || start.with_tags;
                    if is_followed && !self.seen.contains(&(link.target.number, Zone::Own)) {
                        due.push_back((link.target.number, Zone::Own));
                    }
                } else {
                    let zone = from.map_or(zone, |place| zone_below(place.part, link.top));
                    due.push_back((link.target.number, zone));
                }
            }
        }
        Ok(())
    }
}

/// Whether an object is in an object stream whose dictionary other readers may parse differently.
fn is_in_malformed(view: &mut Walk, entry: XrefEntry) -> Result<bool, Fault> {
    let XrefEntry::In { stream, .. } = entry else { return Ok(false) };
    Ok(view.number(stream)?.is_none_or(|container| container.has_stray_tokens))
}

/// A traversal of a state.
struct Walk<'w, 's> {
    document: &'w mut Document<'s>,
    state: State,
}

impl Walk<'_, '_> {
    fn body(&mut self, object: &Object) -> Result<Option<Rc<Body>>, Fault> {
        self.document.view(self.state).body(object)
    }

    fn number(&mut self, number: u32) -> Result<Option<Rc<Body>>, Fault> {
        self.document.view(self.state).object(number)
    }
}
