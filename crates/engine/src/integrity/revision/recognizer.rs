//! Recognizes the operations of an incremental update: it is recognized only if a closed set of operations writes
//! exactly these changes. Each changed object has one role in the signed state, and its entries differ only as the
//! operations of that role write them; new objects are reachable only through predicted entries, and match their
//! templates. Everything else is unknown, which is neither a finding nor a clean result.

mod button_states;
mod claim;
mod entry_types;
mod field_template;
mod filled_fields;
mod note_texts;
mod shapes;
mod tag_template;
mod templates;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::examiner::{Examiner, Step};
use super::indeterminate::{read_differently, unreadable};
use super::object_change::ObjectChange;
use super::revision_range::RevisionRange;
use super::structure::graph::{ObjectGraph, Roots, Use};
use super::structure::links::links;
use super::structure::role::Role;
use crate::integrity::clause::{Clause, Word};
use crate::integrity::event::{Event, EventKind, Subject};
use claim::Claim;
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum unknown changes reported of one update.
const MAX_REPORTED: usize = 20;

/// Why a difference is not part of a recognized operation: signing, adding validation data, filling in, annotating,
/// tagging, describing the document, and entries without visible effect.
#[derive(Debug)]
enum Stop {
    /// Not predicted by any template; what, unless the caller knows better.
    Unknown(Option<Clause>),
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Whether a difference is part of a recognized operation.
type Recognition = Result<(), Stop>;

fn unknown(what: impl Into<Clause>) -> Recognition {
    Err(Stop::Unknown(Some(what.into())))
}

/// An entry that no template lists.
fn unlisted() -> Recognition {
    Err(Stop::Unknown(None))
}

/// An object of the signed state in both of its states.
struct Site<'s> {
    number: u32,
    place: Use,
    old: &'s Dictionary,
    new: &'s Dictionary,
}

/// The recognition of one update.
struct Recognizer<'r, 'e, 's> {
    examiner: &'r mut Examiner<'e, 's>,
    step: &'r Step,
    roles: Rc<ObjectGraph>,
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
        let what = Subject::Inconclusive("the file has another catalog than when it was signed".into());
        return Ok(vec![step.event(EventKind::Ambiguous, what)]);
    }
    let freed: BTreeSet<u32> =
        changed.iter().filter(|change| change.new.is_absent()).map(|change| change.number).collect();
    let roots = Roots { state: step.pair.old, catalog: root, info: older.last_info, with_tags: false };
    if !examiner.is_signed && examiner.visits_left == 0 {
        return Ok(Vec::new());
    }
    let mut roles = examiner.graph(roots)?;
    examiner.visits_left = examiner.visits_left.saturating_sub(roles.visits());
    // an object whose entries have no templates may be a tag, too
    let may_be_tag = |change: &ObjectChange| {
        let is_free = |place: Use| matches!(place.role, Role::Validation | Role::Information | Role::FieldValue);
        !change.old.is_absent() && roles.place(change.number).is_none_or(is_free)
    };
    if roles.has_tags && changed.iter().any(may_be_tag) {
        roles = examiner.graph(Roots { with_tags: true, ..roots })?;
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
        recognizer.not_understood(Some(number), read_differently(number));
    }
    Ok(recognizer.unknown)
}

impl Recognizer<'_, '_, '_> {
    fn not_understood(&mut self, object: Option<u32>, what: impl Into<Clause>) {
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
            self.not_understood(Some(number), read_differently(number));
            return Ok(());
        }
        if change.new.is_unreadable() || is_reached && change.old.is_unreadable() {
            self.not_understood(Some(number), unreadable(number));
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
            let what = Clause::of("object {}, which was missing when the file was signed, was added", &[number.into()]);
            self.not_understood(Some(number), what);
            return Ok(());
        };
        let Some(place) = self.roles.place(number) else {
            self.not_understood(Some(number), Clause::of("object {} ({}) was changed", &[number.into(), kind(old)]));
            return Ok(());
        };
        let Some(new) = change.new.body() else { return Ok(()) };
        if !self.roles.is_single(number) || !place.role.fits_both(old, new) {
            let what =
                Clause::of("object {} ({}), which was rewritten, has more than one use", &[number.into(), kind(old)]);
            self.not_understood(Some(number), what);
            return Ok(());
        }
        if !self.step.pair.are_strict(self.examiner.document, old, new)?
            || !self.step.pair.are_read_alike(self.examiner.document, old, new)?
            || !shapes::has_plain_keys(&new.object)
        {
            self.not_understood(Some(number), read_differently(number));
            return Ok(());
        }
        let is_drawn = !matches!(place.role, Role::Metadata | Role::Validation | Role::Information);
        if is_drawn && let Some(what) = self.undecrypted(number, new)? {
            self.not_understood(Some(number), what);
            return Ok(());
        }
        self.compare(number, place, old, new)
    }

    /// Why viewers may decrypt something else than is read here.
    fn undecrypted(&mut self, number: u32, body: &Body) -> Result<Option<Clause>, Fault> {
        if body.has_unread_string {
            return Ok(Some(Clause::of("a text of object {} cannot be decrypted", &[number.into()])));
        }
        let is_different = self.examiner.document.is_decrypted_differently(self.step.pair.new, body)?;
        Ok(is_different.then(|| Clause::of("viewers decrypt object {} differently", &[number.into()])))
    }

    /// Classifies an object of an unsigned file, where only uses that no rule covers matter.
    fn unsigned(&mut self, change: &ObjectChange) {
        let (Some(old), Some(new)) = (change.old.body(), change.new.body()) else { return };
        let Some(place) = self.roles.place(change.number) else {
            // drawn through a path that no rule covers
            if self.roles.is_drawn(change.number) && self.examiner.map.places(change.number).is_empty() {
                let what = Clause::of("object {} ({}) was changed", &[change.number.into(), kind(old)]);
                self.not_understood(Some(change.number), what);
            }
            return;
        };
        if !self.roles.is_single(change.number) || !place.role.fits_both(old, new) {
            let what = Clause::of(
                "object {} ({}), which was rewritten, has more than one use",
                &[change.number.into(), kind(old)],
            );
            self.not_understood(Some(change.number), what);
        }
    }

    /// Compares two states of an object by the template of its role.
    fn compare(&mut self, number: u32, place: Use, old: &Body, new: &Body) -> Result<(), Fault> {
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
                self.not_understood(Some(number), what.unwrap_or_else(|| "an object was changed".into()));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Checks that nothing references a freed number.
    fn freed(&mut self, freed: &BTreeSet<u32>) -> Result<(), Fault> {
        for &number in freed {
            for &referrer in self.roles.referrers(number) {
                let body = self.examiner.document.view(self.step.pair.new).object(referrer)?;
                if body.is_some_and(|body| links(&body.object).iter().any(|link| link.target.number == number)) {
                    let what =
                        Clause::of("object {} was deleted although the file still refers to it", &[number.into()]);
                    self.not_understood(Some(number), what);
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The type that an object declares.
fn kind(body: &Body) -> Word<'_> {
    let name = |key: &[u8]| Some(Word::Key(body.dictionary()?.get(key).as_name()?));
    match (name(b"Type"), name(b"Subtype")) {
        (_, Some(subtype)) => subtype,
        (Some(kind), None) => kind,
        _ if body.stream.is_some() => Word::Own("a stream"),
        _ if body.dictionary().is_some() => Word::Own("a dictionary"),
        _ => Word::Own("a value"),
    }
}
