//! Recognizes the operations of an incremental update: it is recognized only if a closed set of operations writes
//! exactly these changes. Each changed object has one role in the signed state, and its entries differ only as the
//! operations of that role write them; new objects are reachable only through predicted entries, and match their
//! templates. Everything else is unknown, which is neither a finding nor a clean result.

mod claim;
mod entry_types;
mod field_template;
mod shapes;
mod tag_template;
mod templates;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::examiner::{Examiner, Step};
use super::object_change::ObjectChange;
use super::revision_range::RevisionRange;
use super::roles::{Part, Place, Roles, Start, links};
use super::rules::appearance_match::appearance_match;
use super::rules::button_appearance::{draws_unknown_mark, words_of_mark};
use super::rules::field;
use super::rules::field_appearance;
use super::rules::generated_appearance::is_drawn_alike;
use super::rules::text_appearance::AppearanceMatch;
use super::signature_field_template;
use crate::integrity::event::{Event, EventKind, Subject};
use claim::Claim;
use pdf_content::legible;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::{Body, State};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum unknown changes reported of one update.
const MAX_REPORTED: usize = 20;

/// Why a difference is not part of a recognized operation: signing, adding validation data, filling in, annotating,
/// tagging, describing the document, and entries without visible effect.
#[derive(Debug)]
enum Stop {
    /// Not predicted by any template; what, as a clause, or nothing if the caller knows better.
    Unknown(String),
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Whether a difference is part of a recognized operation.
type Recognition = Result<(), Stop>;

fn unknown(what: impl Into<String>) -> Recognition {
    Err(Stop::Unknown(what.into()))
}

/// An object of the signed state in both of its states.
struct Site<'s> {
    number: u32,
    place: Place,
    old: &'s Dictionary,
    new: &'s Dictionary,
}

/// The recognition of one update.
struct Recognizer<'r, 'e, 's> {
    examiner: &'r mut Examiner<'e, 's>,
    step: &'r Step,
    roles: Roles,
    changed: BTreeMap<u32, &'r ObjectChange>,
    /// New objects, each with its expected form.
    claimed: BTreeMap<u32, Claim>,
    due: VecDeque<u32>,
    unknown: Vec<Event>,
}

/// The parts of an update that are not understood, as events.
pub(super) fn recognize(
    examiner: &mut Examiner,
    step: &Step,
    (older, range): (&RevisionRange, &RevisionRange),
    changed: &[ObjectChange],
) -> Result<Vec<Event>, Fault> {
    let ([Some(root), Some(new_root)], false) = (step.roots, changed.is_empty()) else { return Ok(Vec::new()) };
    if root != new_root {
        let what = Subject::Inconclusive("the file has another catalog than when it was signed".to_owned());
        return Ok(vec![step.event(EventKind::Ambiguous, what)]);
    }
    let freed: BTreeSet<u32> =
        changed.iter().filter(|change| change.new.is_absent()).map(|change| change.number).collect();
    let [form, _] = step.forms.clone();
    let mut start =
        Start { state: step.pair.old, root, info: older.last_info, form: &form, with_tags: false, watched: &freed };
    if !examiner.is_signed && examiner.visits_left == 0 {
        return Ok(Vec::new());
    }
    let mut roles = Roles::read(examiner.document, &start)?;
    examiner.visits_left = examiner.visits_left.saturating_sub(roles.visited());
    // an object whose entries have no templates may be a tag, too
    let may_be_tag = |change: &ObjectChange| {
        let is_free = |place: Place| matches!(place.part, Part::Validation | Part::Information | Part::Value);
        !change.old.is_absent() && roles.place(change.number).is_none_or(is_free)
    };
    if roles.has_tags && changed.iter().any(may_be_tag) {
        start.with_tags = true;
        roles = Roles::read(examiner.document, &start)?;
    }
    let by_number = changed.iter().map(|change| (change.number, change)).collect();
    let mut recognizer = Recognizer {
        examiner,
        step,
        roles,
        changed: by_number,
        claimed: BTreeMap::new(),
        due: VecDeque::new(),
        unknown: Vec::new(),
    };
    recognizer.information(older, range);
    for change in changed {
        recognizer.touched(change)?;
    }
    if !recognizer.examiner.is_signed {
        return Ok(recognizer.unknown);
    }
    recognizer.claims()?;
    recognizer.freed(&freed)?;
    recognizer.filled()?;
    if recognizer.roles.is_truncated {
        recognizer
            .not_understood(None, "the signed file has more objects than are compared, or some that cannot be read");
    }
    // another reference there may lead to what the update writes
    if let Some(number) = recognizer.roles.malformed {
        recognizer.not_understood(Some(number), format!("viewers may read object {number} differently"));
    }
    Ok(recognizer.unknown)
}

impl Recognizer<'_, '_, '_> {
    fn not_understood(&mut self, object: Option<u32>, what: impl Into<String>) {
        if self.unknown.len() < MAX_REPORTED {
            let page = object.and_then(|object| self.page_of(object));
            let event = self.step.event(EventKind::Ambiguous, Subject::Inconclusive(what.into()));
            self.unknown.push(Event { object, page, ..event });
        }
    }

    /// Whether the signed state reaches the object that has this number now.
    fn is_reached(&self, number: u32) -> bool {
        self.roles.is_reached(number) && !self.step.renewed.contains(&number)
    }

    fn page_of(&self, object: u32) -> Option<u32> {
        let owner = self.roles.place(object).map(|place| place.owner);
        let page = |object: u32| self.step.page_number(self.examiner.map.page(object).unwrap_or(object));
        page(object).or_else(|| owner.and_then(page))
    }

    /// The trailer may reference another document information dictionary if it is new.
    fn information(&mut self, older: &RevisionRange, range: &RevisionRange) {
        let [before, after] = [older.last_info, range.info].map(|info| info.map(|id| id.number));
        if let Some(number) = after.filter(|_| before != after) {
            self.claim_number(number, Claim::Information);
        }
    }

    /// Classifies an object that the update changed.
    fn touched(&mut self, change: &ObjectChange) -> Result<(), Fault> {
        let number = change.number;
        let is_reached = self.is_reached(number);
        if change.is_ambiguous || is_reached && change.is_repointed {
            self.not_understood(Some(number), format!("viewers may read object {number} differently"));
            return Ok(());
        }
        if change.new.is_unreadable() || is_reached && change.old.is_unreadable() {
            self.not_understood(Some(number), format!("object {number} cannot be read"));
            return Ok(());
        }
        if !is_reached {
            return Ok(());
        }
        if !self.examiner.is_signed {
            self.unsigned(change);
            return Ok(());
        }
        let Some(old) = change.old.body() else {
            let what = format!("object {number}, which was missing when the file was signed, was added");
            self.not_understood(Some(number), what);
            return Ok(());
        };
        let Some(place) = self.roles.place(number) else {
            self.not_understood(Some(number), format!("object {number} ({}) was changed", kind(old)));
            return Ok(());
        };
        let Some(new) = change.new.body() else { return Ok(()) };
        if !self.roles.is_single(number) || !place.part.fits(old) || !place.part.fits(new) {
            let what = format!("object {number} ({}), which was rewritten, has more than one use", kind(old));
            self.not_understood(Some(number), what);
            return Ok(());
        }
        if !self.step.pair.are_strict(self.examiner.document, old, new)? || !shapes::has_plain_keys(&new.object) {
            self.not_understood(Some(number), format!("viewers may read object {number} differently"));
            return Ok(());
        }
        let is_drawn = !matches!(place.part, Part::Metadata | Part::Validation | Part::Information);
        if is_drawn && let Some(what) = self.undecrypted(number, new)? {
            self.not_understood(Some(number), what);
            return Ok(());
        }
        self.compare(number, place, old, new)
    }

    /// Why viewers may decrypt something else than is read here, as a clause.
    fn undecrypted(&mut self, number: u32, body: &Body) -> Result<Option<String>, Fault> {
        if body.has_unread_string {
            return Ok(Some(format!("a text of object {number} cannot be decrypted")));
        }
        let is_different = self.examiner.document.is_decrypted_differently(self.step.pair.new, body)?;
        Ok(is_different.then(|| format!("viewers decrypt object {number} differently")))
    }

    /// Classifies an object of an unsigned file, where only uses that no rule covers matter.
    fn unsigned(&mut self, change: &ObjectChange) {
        let (Some(old), Some(new)) = (change.old.body(), change.new.body()) else { return };
        let Some(place) = self.roles.place(change.number) else {
            // drawn through a path that no rule covers
            if self.roles.is_drawn(change.number) && self.examiner.map.places(change.number).is_empty() {
                let what = format!("object {} ({}) was changed", change.number, kind(old));
                self.not_understood(Some(change.number), what);
            }
            return;
        };
        if !self.roles.is_single(change.number) || !place.part.fits(old) || !place.part.fits(new) {
            let what = format!("object {} ({}), which was rewritten, has more than one use", change.number, kind(old));
            self.not_understood(Some(change.number), what);
        }
    }

    /// Compares two states of an object by the template of its role.
    fn compare(&mut self, number: u32, place: Place, old: &Body, new: &Body) -> Result<(), Fault> {
        let recognized = match (old.dictionary(), new.dictionary()) {
            (Some(before), Some(after)) => {
                let site = Site { number, place, old: before, new: after };
                self.dictionary(&site, old, new)
            }
            _ => self.list(number, place, &old.object, &new.object),
        };
        self.take(number, recognized)
    }

    fn take(&mut self, number: u32, recognized: Recognition) -> Result<(), Fault> {
        match recognized {
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Unknown(what)) => {
                self.not_understood(Some(number), what);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Checks that every widget of a filled field shows the field's value.
    fn filled(&mut self) -> Result<(), Fault> {
        let [_, form] = self.step.forms.clone();
        for &number in &self.step.filled {
            if let Some(what) = self.names_no_state(&form, number)? {
                self.not_understood(Some(number), what);
            }
            for widget in form.kids(number).chain([number]).collect::<Vec<_>>() {
                let view = &mut self.examiner.document.view(self.step.pair.new);
                let Some(body) = view.object(widget)? else { continue };
                // also of a widget that the form does not list
                let field = form.field_of(view, widget, body.dictionary().unwrap_or(Dictionary::empty()))?;
                if !field.is_widget() || field.is_signature() {
                    continue;
                }
                let mut what = self.misled(&field)?;
                if what.is_none() {
                    what = self.shown_otherwise(&form, (widget, &field))?;
                }
                if let Some(what) = what {
                    self.not_understood(Some(widget), what);
                }
            }
        }
        Ok(())
    }

    /// Why a widget may show something else than the value of its field, as a clause.
    fn shown_otherwise(&mut self, form: &FormFields, (widget, field): (u32, &Field)) -> Result<Option<String>, Fault> {
        let appearances = field.dictionary().get(b"AP");
        let appearances = self.examiner.document.view(self.step.pair.new).dictionary(appearances)?.into_owned();
        let name = &field.name;
        // viewers generate one from the value; where the form asks them to, a signed one may be out of date
        let is_generated = !appearances.has(b"N");
        if is_generated || self.step.needs_appearances {
            let state = (self.step.pair.new, form);
            if !field.is_button() && !is_drawn_alike(self.examiner, self.step, state, field)? {
                let value = legible(&field.text().filter(|_| !field.is_secret()).unwrap_or_default());
                return Ok(Some(format!(
                    "viewers draw the value \u{201c}{value}\u{201d} of the form field \u{201c}{name}\u{201d} differently"
                )));
            }
            if is_generated || !self.is_touched(&appearances)? {
                return Ok(None);
            }
        }
        if field.is_button() {
            return self.button_shown_otherwise(form, (widget, field), &appearances);
        }
        if has_own_value(form, field) {
            return Ok(Some(format!("the form field \u{201c}{name}\u{201d} has several values")));
        }
        Ok(match appearance_match(self.examiner, self.step, field)? {
            AppearanceMatch::Value => None,
            AppearanceMatch::Other => {
                Some(format!("the form field \u{201c}{name}\u{201d} shows something else than its value"))
            }
            AppearanceMatch::Unknown => Some(field_appearance::unreadable(field)),
        })
    }

    /// The same for a button with these appearances.
    fn button_shown_otherwise(
        &mut self,
        form: &FormFields,
        (widget, field): (u32, &Field),
        appearances: &Dictionary,
    ) -> Result<Option<String>, Fault> {
        let (name, dictionary, new) = (&field.name, field.dictionary(), self.step.pair.new);
        let view = &mut self.examiner.document.view(new);
        let states = view.dictionary(appearances.get(b"N"))?.into_owned();
        let value = view.resolve(field::button_value(form, field))?.into_owned();
        let state = view.resolve(dictionary.get(b"AS"))?.into_owned();
        let value = field::button_state(&value).unwrap_or(b"Off");
        let state = state.as_name().unwrap_or(b"Off");
        let is_value = state == value || !states.has(value) && field::names_option(form, field, Some(value));
        if !is_value && (states.has(value) || state != b"Off") {
            return Ok(Some(format!("the button \u{201c}{name}\u{201d} does not show its value")));
        }
        // viewers draw marks of their own
        if state != b"Off" && !states.has(state) {
            return Ok(Some(format!("the button \u{201c}{name}\u{201d} has no appearance for its state")));
        }
        if self.has_other_states(form, (widget, field), &states)? {
            return Ok(Some(format!("the states of the button \u{201c}{name}\u{201d} were renamed")));
        }
        let is_touched = self.is_touched(appearances)?;
        if state == b"Off" {
            let may_show_mark =
                is_touched && appearance_match(self.examiner, self.step, field)? != AppearanceMatch::Value;
            return Ok(may_show_mark.then(|| format!("the button \u{201c}{name}\u{201d} is off and may show a mark")));
        }
        if !self.changed.contains_key(&widget) {
            return Ok(None);
        }
        if let Some(words) = words_of_mark(self.examiner, self.step, widget, state)? {
            return Ok(Some(format!("the button \u{201c}{name}\u{201d} shows \u{201c}{words}\u{201d}")));
        }
        let is_marked = appearance_match(self.examiner, self.step, field)? == AppearanceMatch::Value
            && !signature_field_template::draws_nothing(self.examiner, new, dictionary)?;
        let is_drawn_otherwise = draws_unknown_mark(self.examiner, self.step, dictionary)?;
        // an appearance from the signed state is drawn as it was signed
        let is_unread = is_drawn_otherwise || !is_marked && is_touched;
        Ok(is_unread.then(|| format!("what marks the button \u{201c}{name}\u{201d} cannot be read")))
    }

    /// Why no button of a filled field has the state that the field's value names, as a clause.
    fn names_no_state(&mut self, form: &FormFields, number: u32) -> Result<Option<String>, Fault> {
        // LaTeX lists only the first button of several with one name
        let is_listed = |field: &&Field| !field.is_radio_button() || form.kids(number).next().is_some();
        let is_choice = |field: &&Field| field.is_button() && !field.is_push_button();
        let Some(field) = form.field(number).filter(is_choice).filter(is_listed) else { return Ok(None) };
        let value = self.examiner.document.view(self.step.pair.new).resolve(&field.value)?.into_owned();
        // PDFBox writes an empty one for Off
        let is_on = |value: &&[u8]| !value.is_empty() && *value != b"Off";
        let Some(value) = field::button_state(&value).filter(is_on) else { return Ok(None) };
        let mut has_states = false;
        for widget in form.kids(number).chain([number]).filter_map(|widget| form.field(widget)) {
            let states = self.states(self.step.pair.new, widget.dictionary())?;
            if states.has(value) || field::names_option(form, widget, Some(value)) {
                return Ok(None);
            }
            has_states |= has_on_state(&states);
        }
        let what = || format!("no button of the form field \u{201c}{}\u{201d} has the state of its value", field.name);
        Ok(has_states.then(what))
    }

    /// Whether one of several buttons has another state than when it was signed: the states are what its values mean
    /// (12.7.4.2.3). A check box alone means the same by any name.
    fn has_other_states(
        &mut self,
        form: &FormFields,
        (widget, field): (u32, &Field),
        states: &Dictionary,
    ) -> Result<bool, Fault> {
        let is_one_of_several = field.line.iter().any(|&above| form.kids(above).nth(1).is_some());
        if !field.is_radio_button() && !is_one_of_several {
            return Ok(false);
        }
        let signed = self.examiner.document.view(self.step.pair.old).object(widget)?;
        let Some(signed) = signed.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        let signed = self.states(self.step.pair.old, signed)?;
        let is_other = |(name, _): (&Name, &Object)| name.as_bytes() != b"Off" && !signed.has(name.as_bytes());
        Ok(has_on_state(&signed) && states.iter().any(is_other))
    }

    /// The appearances of a button by its states.
    fn states(&mut self, state: State, widget: &Dictionary) -> Result<Dictionary, Fault> {
        let view = &mut self.examiner.document.view(state);
        let normal = view.dictionary(widget.get(b"AP"))?.get(b"N").clone();
        Ok(view.dictionary(&normal)?.into_owned())
    }

    /// Why the value of a filled field says something else than it seems, as a clause.
    fn misled(&mut self, field: &Field) -> Result<Option<String>, Fault> {
        let ([_, form], name) = (self.step.forms.clone(), &field.name);
        let value = field.text().filter(|_| !field.is_secret());
        if let Some(value) = value.filter(|value| field.rejects(value)) {
            let value = legible(&value);
            return Ok(Some(format!(
                "the form field \u{201c}{name}\u{201d} does not offer its value \u{201c}{value}\u{201d}"
            )));
        }
        let is_namesake = |other: &&Field| {
            other.name == *name
                && other.dictionary().has(b"T")
                && !field.line.iter().any(|number| other.line.contains(number))
        };
        if form.fields.iter().filter(is_namesake).any(|other| other.text() != field.text()) {
            return Ok(Some(format!("fields with the name \u{201c}{name}\u{201d} have different values")));
        }
        if !self.step.needs_appearances && field_appearance::contradicted(self.examiner, self.step, field)? {
            let what = format!(
                "the form field \u{201c}{name}\u{201d} showed something else than its value when it was signed"
            );
            return Ok(Some(what));
        }
        Ok(None)
    }

    /// Whether a value references a touched or new object.
    fn is_touched(&mut self, appearances: &Dictionary) -> Result<bool, Fault> {
        let mut waiting = vec![Object::Dictionary(appearances.clone())];
        while let Some(value) = waiting.pop() {
            for link in links(&value) {
                if self.changed.contains_key(&link.target.number) {
                    return Ok(true);
                }
                let body = self.examiner.document.view(self.step.pair.new).object(link.target.number)?;
                waiting.extend(body.filter(|body| body.stream.is_none()).map(|body| body.object.clone()));
            }
            self.examiner.document.budget.work(1)?;
        }
        Ok(false)
    }

    /// Checks that nothing references a freed number.
    fn freed(&mut self, freed: &BTreeSet<u32>) -> Result<(), Fault> {
        for &number in freed {
            for referrer in self.roles.referrers(number) {
                let body = self.examiner.document.view(self.step.pair.new).object(referrer)?;
                if body.is_some_and(|body| refers_to(&body.object, number)) {
                    let what = format!("object {number} was deleted although the file still refers to it");
                    self.not_understood(Some(number), what);
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Whether a widget has another value than the field that it shows, or than another widget of it (12.7.3.2).
fn has_own_value(form: &FormFields, widget: &Field) -> bool {
    let is_own = |field: &Field| !field.dictionary().has(b"T") && field.dictionary().has(b"V");
    let Some(&parent) = widget.line.get(1).filter(|_| is_own(widget)) else { return false };
    let mut widgets = form.kids(parent).filter_map(|kid| form.field(kid));
    form.field(parent).and_then(Field::text).is_some_and(|text| Some(text) != widget.text())
        || widgets.any(|other| other.text() != widget.text())
}

/// The type that an object declares.
fn kind(body: &Body) -> String {
    let name = |key: &[u8]| {
        let name = body.dictionary()?.get(key).as_name()?;
        Some(format!("/{}", String::from_utf8_lossy(name)))
    };
    match (name(b"Type"), name(b"Subtype")) {
        (_, Some(subtype)) => subtype,
        (Some(kind), None) => kind,
        _ if body.stream.is_some() => "a stream".to_owned(),
        _ if body.dictionary().is_some() => "a dictionary".to_owned(),
        _ => "a value".to_owned(),
    }
}

fn refers_to(object: &Object, number: u32) -> bool {
    match object {
        Object::Reference(id) => id.number == number,
        Object::Array(elements) => elements.iter().any(|element| refers_to(element, number)),
        Object::Dictionary(entries) => entries.iter().any(|(_, value)| refers_to(value, number)),
        _ => false,
    }
}

/// Whether any of a button's states is on.
fn has_on_state(states: &Dictionary) -> bool {
    states.iter().any(|(name, _)| name.as_bytes() != b"Off")
}
