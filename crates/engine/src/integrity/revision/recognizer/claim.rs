//! New objects, each reached through a predicted entry, with the form that this entry requires.

use super::{Recognizer, unknown};
use crate::integrity::clause::{Clause, Word};
use crate::integrity::revision::structure::links::links;
use crate::integrity::revision::structure::role::Role;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// The required form of a new object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    Form,
    /// An array of fields or annotations, whose elements are compared.
    List,
    /// A signature field or its widget.
    Field,
    /// A note on a page, with its owner.
    Note(u32),
    /// A resource of an appearance or of a value's font.
    AppearanceResource,
    /// A signature dictionary or a field's text.
    Value,
    Validation,
    Information,
    Metadata,
    /// A packet of the XFA form, which is compared where it is referenced.
    Packet,
    /// An annotation that stood directly in its list, and is compared with that.
    Rewritten,
    /// A structure element or what it contains (14.7.2 and 14.7.5).
    Tag,
    /// A node of the tree from content to structure elements, or the elements of one content stream (14.7.5.4).
    TagIndex,
    /// An object without visible effect.
    Private,
}

impl Claim {
    /// What an object of this form is, in words.
    fn what(self) -> &'static str {
        match self {
            Self::Form => "the form",
            Self::List => "a list of fields or annotations",
            Self::Field => "a signature field",
            Self::Note(_) | Self::Rewritten => "an annotation",
            Self::AppearanceResource => "a resource of an appearance",
            Self::Value => "a value of a field",
            Self::Validation => "validation data",
            Self::Information => "document information",
            Self::Metadata => "metadata",
            Self::Packet => "a packet of the XFA form",
            Self::Tag => "a tag",
            Self::TagIndex => "an index of tags",
            Self::Private => "private data",
        }
    }

    /// The role in the signed state of objects that may be used here unchanged.
    fn role(self) -> Option<Role> {
        Some(match self {
            Self::Validation => Role::Validation,
            Self::TagIndex => Role::Tag,
            _ => return None,
        })
    }
}

impl Recognizer<'_, '_, '_> {
    /// Claims every object that a value references.
    pub(super) fn claim(&mut self, value: &Object, claim: Claim) {
        for link in links(value) {
            self.claim_number(link.target.number, claim);
        }
    }

    /// Claims the object that a value references directly.
    pub(super) fn claim_reference(&mut self, value: &Object, claim: Claim) {
        if let Some(id) = value.as_reference() {
            self.claim_number(id.number, claim);
        }
    }

    /// Claims a packet that the form did not have before.
    pub(super) fn claim_packet(&mut self, packet: &Object) {
        let is_packet = |number| self.roles.place(number).is_some_and(|place| place.role == Role::Xfa);
        if !packet.as_reference().is_some_and(|id| is_packet(id.number)) {
            self.claim_reference(packet, Claim::Packet);
        }
    }

    /// Claims the kids of a new field, and their list if it is an object.
    pub(super) fn claim_kids(&mut self, kids: &Object) -> Result<(), Fault> {
        let list = self.examiner.document.view(self.step.pair.new).resolve(kids)?.into_owned();
        if matches!(list, Object::Array(_)) {
            self.claim_reference(kids, Claim::List);
            self.claim(&list, Claim::Field);
        } else {
            self.claim(kids, Claim::Field);
        }
        Ok(())
    }

    pub(super) fn claim_number(&mut self, number: u32, claim: Claim) {
        if !self.is_reached(number) {
            match self.claimed.get(&number) {
                None => {
                    self.claimed.insert(number, claim);
                    self.due.push_back(number);
                }
                Some(known) if *known == claim => {}
                Some(known) => {
                    let uses = [number.into(), Word::Own(known.what()), Word::Own(claim.what())];
                    self.not_understood(Some(number), Clause::of("object {} is used both as {} and as {}", &uses));
                }
            }
            return;
        }
        let role = self.roles.place(number).map(|place| place.role);
        let is_kept = !self.changed.contains_key(&number);
        let is_fitting = match claim {
            Claim::AppearanceResource => is_kept || role.is_some_and(Role::is_form_resource),
            Claim::Private => true,
            Claim::Validation | Claim::TagIndex => role.is_some() && role == claim.role() || is_kept,
            _ => false,
        };
        if !is_fitting {
            let what = "object {}, which was there when the file was signed, is used for something else";
            self.not_understood(Some(number), Clause::of(what, &[number.into()]));
        }
    }

    /// Checks the form of every claimed new object.
    pub(super) fn claims(&mut self) -> Result<(), Fault> {
        while let Some(number) = self.due.pop_front() {
            self.examiner.document.budget.work(1)?;
            let Some(claim) = self.claimed.get(&number).copied() else { continue };
            let body = self.examiner.document.view(self.step.pair.new).object(number)?;
            let recognized = match body {
                Some(body) => self.shape(number, claim, &body),
                None => unknown(Clause::of("object {}, which the update refers to, is missing", &[number.into()])),
            };
            self.take(number, recognized)?;
        }
        Ok(())
    }
}
