//! Optional content (8.11): which content is optional, and which groups are off initially.

use std::collections::BTreeSet;

use super::reading::Reading;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};

/// Maximum groups of a membership dictionary, and operands of its visibility expression.
const MAX_MEMBERS: usize = 100;
/// Maximum depth of a visibility expression.
const MAX_EXPRESSION_DEPTH: usize = 8;

/// Whether content is optional, and whether it is off; of nested optional content, the larger one applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    /// It is not optional.
    #[default]
    None,
    On,
    Off,
}

/// Object numbers of groups that are off in the default configuration (8.11.4.3).
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OptionalContent {
    off: BTreeSet<u32>,
    /// Whether content is off only if it is off in every reader.
    is_certain: bool,
}

impl OptionalContent {
    /// Reads the groups. With `is_certain`, what readers evaluate differently is on: usage (8.11.4.4), intent (8.11.2.3),
    /// visibility expressions (8.11.2.2), and groups that are both on and off.
    pub(super) fn read(view: &mut View, is_certain: bool) -> Result<Self, Fault> {
        let catalog = view.catalog()?;
        let properties = view.dictionary(catalog.get(b"OCProperties"))?;
        let configuration = view.dictionary(properties.get(b"D"))?;
        // viewers ignore groups that are not listed
        let known: BTreeSet<u32> = numbers(&*view.resolve(properties.get(b"OCGs"))?).collect();
        view.work(known.len())?;
        let mut off = BTreeSet::new();
        if configuration.get(b"BaseState").is_name(b"OFF") {
            off.clone_from(&known);
        }
        let on: BTreeSet<u32> = numbers(&*view.resolve(configuration.get(b"ON"))?).collect();
        off.retain(|number| !on.contains(number));
        off.extend(numbers(&*view.resolve(configuration.get(b"OFF"))?));
        off.retain(|number| known.contains(number));
        if is_certain && !off.is_empty() {
            off.retain(|number| !on.contains(number));
            if !is_for_view(view, &configuration)? {
                off.clear();
            }
            for number in off.clone() {
                view.work(1)?;
                let group = view.dictionary(&Object::Reference(Id { number, generation: 0 }))?.into_owned();
                if !is_for_view(view, &group)? {
                    off.remove(&number);
                }
            }
            for usage in view.resolve(configuration.get(b"AS"))?.elements() {
                let usage = view.dictionary(usage)?.into_owned();
                for number in numbers(&*view.resolve(usage.get(b"OCGs"))?) {
                    off.remove(&number);
                }
            }
        }
        Ok(Self { off, is_certain })
    }

    /// Returns the state of content of this group or membership (8.11.2) in a reading.
    pub(super) fn state(&self, view: &mut View, content: &Object, reading: Reading) -> Result<Layer, Fault> {
        if content.is_null() {
            return Ok(Layer::None);
        }
        Ok(if self.is_off(view, content, reading)? { Layer::Off } else { Layer::On })
    }

    /// Whether some viewers show content of this group or membership, and others do not.
    pub(super) fn is_contested(&self, view: &mut View, content: &Object) -> Result<bool, Fault> {
        let is_off = !content.is_null() && self.is_off(view, content, Reading::default())?;
        for reading in Reading::VIEWERS {
            if !content.is_null() && self.is_off(view, content, reading)? != is_off {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_off(&self, view: &mut View, content: &Object, reading: Reading) -> Result<bool, Fault> {
        let entries = view.dictionary(content)?.into_owned();
        let is_membership = entries.is_type(b"OCMD");
        if is_membership && !(self.is_certain && entries.has(b"VE")) {
            return self.is_membership_off(view, &entries, reading);
        }
        match content.as_reference() {
            Some(group) if !is_membership => self.is_group_off(view, group, reading),
            _ => Ok(false),
        }
    }

    /// Whether a group is off by the configuration; in MuPDF and PDFium, what it says of viewing (8.11.4.4) goes before.
    fn is_group_off(&self, view: &mut View, group: Id, reading: Reading) -> Result<bool, Fault> {
        let is_listed = self.off.contains(&group.number);
        if self.is_certain || !matches!(reading, Reading::MuPdf | Reading::Pdfium) {
            return Ok(is_listed);
        }
        let entries = view.dictionary(&Object::Reference(group))?.into_owned();
        if !includes_view(&*view.resolve(entries.get(b"Intent"))?) {
            return Ok(is_listed && reading == Reading::MuPdf);
        }
        let usage = view.dictionary(entries.get(b"Usage"))?.into_owned();
        let usage = view.dictionary(usage.get(b"View"))?.into_owned();
        Ok(match view.resolve(usage.get(b"ViewState"))?.as_name() {
            Some(b"OFF") => true,
            Some(b"ON") => false,
            _ => is_listed,
        })
    }

    /// Evaluates the visibility expression, which MuPDF ignores, otherwise the membership policy (table 99).
    fn is_membership_off(&self, view: &mut View, membership: &Dictionary, reading: Reading) -> Result<bool, Fault> {
        let expression = if reading == Reading::MuPdf { &Object::Null } else { membership.get(b"VE") };
        let mut expressed = Expression { content: self, reading, members_left: MAX_MEMBERS };
        if let Some(is_shown) = expressed.is_shown(view, expression, MAX_EXPRESSION_DEPTH)? {
            return Ok(!is_shown);
        }
        let groups = membership.get(b"OCGs");
        let array = view.resolve(groups)?.into_owned();
        let members = if let Object::Array(members) = &array { members } else { std::slice::from_ref(groups) };
        let (mut is_any_off, mut is_any_on) = (false, false);
        for group in members.iter().take(MAX_MEMBERS).filter_map(Object::as_reference) {
            let is_off = self.is_group_off(view, group, reading)?;
            is_any_off |= is_off;
            is_any_on |= !is_off;
        }
        if !is_any_off && !is_any_on {
            return Ok(false);
        }
        let is_shown = match membership.get(b"P").as_name().unwrap_or_default() {
            b"AllOn" => !is_any_off,
            b"AnyOff" => is_any_off,
            b"AllOff" => !is_any_on,
            _ => is_any_on,
        };
        Ok(!is_shown)
    }
}

/// The evaluation of a visibility expression (8.11.2.2).
struct Expression<'c> {
    content: &'c OptionalContent,
    reading: Reading,
    members_left: usize,
}

impl Expression<'_> {
    /// Whether an expression is true; none if it is invalid or too large.
    fn is_shown(&mut self, view: &mut View, expression: &Object, depth: usize) -> Result<Option<bool>, Fault> {
        let resolved = view.resolve(expression)?.into_owned();
        let [operator, operands @ ..] = resolved.elements() else {
            let is_group = resolved.as_dictionary().is_some_and(|group| group.is_type(b"OCG"));
            let Some(group) = expression.as_reference().filter(|_| is_group) else { return Ok(None) };
            return Ok(Some(!self.content.is_group_off(view, group, self.reading)?));
        };
        let Some(below) = depth.checked_sub(1) else { return Ok(None) };
        let mut shown = Vec::new();
        for operand in operands {
            let Some(left) = self.members_left.checked_sub(1) else { return Ok(None) };
            self.members_left = left;
            let Some(is_shown) = self.is_shown(view, operand, below)? else { return Ok(None) };
            shown.push(is_shown);
        }
        Ok(match (operator.as_name(), &shown[..]) {
            (Some(b"Not"), [is_shown]) => Some(!is_shown),
            (Some(b"And"), [_, ..]) => Some(shown.iter().all(|is_shown| *is_shown)),
            (Some(b"Or"), [_, ..]) => Some(shown.iter().any(|is_shown| *is_shown)),
            _ => None,
        })
    }
}

/// Whether an intent (8.11.2.3) includes viewing.
fn includes_view(intent: &Object) -> bool {
    let is_view = |name: &Object| name.is_name(b"View") || name.is_name(b"All");
    intent.is_null() || is_view(intent) || intent.elements().iter().any(is_view)
}

/// Whether the intent of a configuration or a group is viewing alone, as it is without one.
fn is_for_view(view: &mut View, entries: &Dictionary) -> Result<bool, Fault> {
    let intent = view.resolve(entries.get(b"Intent"))?;
    Ok(intent.is_null() || intent.is_name(b"View"))
}

/// Whether content of this group is on in every viewer, on screen and in print, and no object of the group is among
/// `changed`. Memberships, groups that depend on usage or intent, and groups that exclude each other may be off in some.
pub(super) fn is_always_on(view: &mut View, content: &Object, changed: &BTreeSet<u32>) -> Result<bool, Fault> {
    let Some(group) = content.as_reference().filter(|group| !changed.contains(&group.number)) else { return Ok(false) };
    let entries = view.dictionary(content)?.into_owned();
    let catalog = view.catalog()?;
    let properties = view.dictionary(catalog.get(b"OCProperties"))?.into_owned();
    let configuration = view.dictionary(properties.get(b"D"))?.into_owned();
    let base = view.resolve(configuration.get(b"BaseState"))?.into_owned();
    let mut lists = |list: &Object| -> Result<bool, Fault> {
        Ok(numbers(&*view.resolve(list)?).any(|number| number == group.number))
    };
    let is_on = lists(properties.get(b"OCGs"))? && !lists(configuration.get(b"OFF"))?;
    Ok(is_on
        && entries.is_type(b"OCG")
        && (base.is_null() || base.is_name(b"ON"))
        && !configuration.has(b"RBGroups")
        && is_for_view(view, &configuration)?
        && is_for_view(view, &entries)?
        && is_used_everywhere(view, entries.get(b"Usage"))?)
}

/// Whether a usage dictionary (8.11.4.4) switches its group off nowhere.
fn is_used_everywhere(view: &mut View, usage: &Object) -> Result<bool, Fault> {
    for (key, value) in view.dictionary(usage)?.into_owned().iter() {
        let state: &[u8] = match key.as_bytes() {
            b"CreatorInfo" | b"PageElement" => continue,
            b"View" => b"ViewState",
            b"Print" => b"PrintState",
            b"Export" => b"ExportState",
            _ => return Ok(false),
        };
        let value = view.dictionary(value)?.into_owned();
        if !view.resolve(value.get(state))?.is_name(b"ON") {
            return Ok(false);
        }
    }
    Ok(true)
}

fn numbers(array: &Object) -> impl Iterator<Item = u32> {
    array.elements().iter().filter_map(|element| Some(element.as_reference()?.number))
}
