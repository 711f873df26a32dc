//! The interactive form (ISO 32000-1, 12.7): its fields with fully qualified names and inherited entries.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::objects::Body;
use super::view::{Resolved, View};
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use crate::text::text_string;

/// Maximum fields, separate widgets included.
const MAX_FIELDS: usize = 20_000;
/// Maximum ancestors of a field.
const MAX_FIELD_DEPTH: usize = 32;
/// Maximum length of a field name, in bytes.
const MAX_NAME_BYTES: usize = 4_096;
/// Flags of all fields (12.7.3.1, table 221) and of buttons (12.7.4.2.1, table 226).
const READ_ONLY: i64 = 1;
const PUSH_BUTTON: i64 = 1 << 16;
const RADIO: i64 = 1 << 15;
/// Flag of choice fields (12.7.4.4, table 230): a drop-down list, which shows the chosen option only.
const COMBO: i64 = 1 << 17;
/// Flags of text fields (12.7.4.3, table 228): several lines, password, and comb with a cell for each letter.
const MULTILINE: i64 = 1 << 12;
const PASSWORD: i64 = 1 << 13;
const COMB: i64 = 1 << 24;
/// Flag of choice fields (12.7.4.4, table 230): a value other than the options may be entered.
const EDIT: i64 = 1 << 18;

/// A field, or a widget of one, with inherited entries (12.7.3.1).
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// Its object number; none if direct.
    pub number: Option<u32>,
    /// Its fully qualified name (12.7.3.2).
    pub name: String,
    /// Object numbers of the field and its ancestors.
    pub line: Vec<u32>,
    /// Its object.
    body: Option<Rc<Body>>,
    /// `/V`, possibly inherited.
    pub value: Object,
    /// `/Opt`.
    options: Object,
    /// `/MaxLen`.
    longest: Option<i64>,
    /// `/FT`.
    kind: Object,
    /// `/Ff`.
    flags: i64,
    /// Its format script (12.6.3, table 196, `/F`), if any; null if unreadable.
    format: Option<Object>,
    /// Its calculation script (`/C`), likewise.
    calculation: Option<Object>,
    /// Index of its parent.
    parent: Option<usize>,
}

impl Field {
    /// Returns its own entries.
    pub fn dictionary(&self) -> &Dictionary {
        self.body.as_ref().and_then(|body| body.dictionary()).unwrap_or(Dictionary::empty())
    }

    /// Whether it is a widget, merged or of its parent.
    pub fn is_widget(&self) -> bool {
        self.dictionary().get(b"Subtype").is_name(b"Widget")
    }

    /// Whether it has a type of field, possibly inherited: others only group fields, and have no value (12.7.3.1).
    pub fn has_type(&self) -> bool {
        !self.kind.is_null()
    }

    /// Whether it is a signature field (12.7.4.5).
    pub fn is_signature(&self) -> bool {
        self.kind.is_name(b"Sig")
    }

    /// Whether it is a text field (12.7.4.3).
    pub fn is_text(&self) -> bool {
        self.kind.is_name(b"Tx")
    }

    /// Whether it is a choice field (12.7.4.4).
    pub fn is_choice(&self) -> bool {
        self.kind.is_name(b"Ch")
    }

    /// Whether it is a button of any kind (12.7.4.2).
    pub fn is_button(&self) -> bool {
        self.kind.is_name(b"Btn")
    }

    /// Whether it is a push button, which has no value.
    pub fn is_push_button(&self) -> bool {
        self.is_button() && self.flags & PUSH_BUTTON != 0
    }

    /// Whether it is a radio button, of which one of several is chosen.
    pub fn is_radio_button(&self) -> bool {
        self.is_button() && self.flags & RADIO != 0 && !self.is_push_button()
    }

    /// Whether it is read-only.
    pub fn is_read_only(&self) -> bool {
        self.flags & READ_ONLY != 0
    }

    /// Whether a script may format its value differently.
    pub fn is_formatted(&self) -> bool {
        self.format.is_some()
    }

    /// Returns its format script, if text.
    pub fn format(&self) -> Option<String> {
        text_string::decode(self.format.as_ref()?.as_string()?)
    }

    /// Whether a script calculates its value from other fields.
    pub fn is_calculated(&self) -> bool {
        self.calculation.is_some()
    }

    /// Returns its calculation script, if text.
    pub fn calculation(&self) -> Option<String> {
        text_string::decode(self.calculation.as_ref()?.as_string()?)
    }

    /// Returns its value as one line to display, if text.
    pub fn text(&self) -> Option<String> {
        text_string::decode(self.value.as_string()?)
    }

    /// Returns all characters of its value, if text.
    pub fn characters(&self) -> Option<String> {
        exact(&self.value)
    }

    /// Whether it is a password field.
    pub fn is_secret(&self) -> bool {
        self.flags & PASSWORD != 0
    }

    /// Returns the number of comb cells; none if it is not a comb field.
    pub fn cells(&self) -> Option<i64> {
        self.longest.filter(|&longest| self.is_text() && self.flags & COMB != 0 && longest > 0)
    }

    /// Returns the maximum length of its text, in characters; none if unlimited.
    pub fn max_length(&self) -> Option<i64> {
        self.longest
    }

    /// Whether it shows its options in a list (12.7.4.4, table 230, without Combo).
    pub fn is_list(&self) -> bool {
        self.is_choice() && self.flags & COMBO == 0
    }

    /// Returns the export values and display texts of all options, all characters of each (12.7.4.4, table 231).
    pub fn options(&self) -> Vec<[String; 2]> {
        let text = |object: &Object| exact(object).unwrap_or_default();
        let options = self.options.elements().iter().map(|option| match option.elements() {
            [export, shown] => [text(export), text(shown)],
            _ => [text(option), text(option)],
        });
        options.collect()
    }

    /// Whether both offer the same options in the same order. One without an export value has its text as one (12.7.4.4,
    /// table 231).
    pub fn offers_same(&self, other: &Self) -> bool {
        let text = |object: &Object| object.as_string().and_then(text_string::comparable);
        let options = |field: &Self| -> Option<Vec<[String; 2]>> {
            let options = field.options.elements().iter().map(|option| match option.elements() {
                [export, shown] => Some([text(export)?, text(shown)?]),
                _ => Some([text(option)?, text(option)?]),
            });
            options.collect()
        };
        options(self).is_some_and(|own| !own.is_empty() && options(other) == Some(own))
    }

    /// Whether its text may have several lines.
    pub fn is_multiline(&self) -> bool {
        self.is_text() && self.flags & MULTILINE != 0
    }

    /// Whether it offers options and no other value may be entered, and it does not offer this value. White space at the
    /// ends is ignored.
    pub fn rejects(&self, value: &str) -> bool {
        let offers = |option: &Object| {
            let texts = if option.elements().is_empty() { std::slice::from_ref(option) } else { option.elements() };
            let is_it = |text: &Object| exact(text).is_some_and(|text| text.trim() == value.trim());
            texts.iter().any(|text| text.as_reference().is_some() || is_it(text))
        };
        let options = self.options.elements();
        self.is_choice() && self.flags & EDIT == 0 && !options.is_empty() && !options.iter().any(offers)
    }

    /// Returns the display text of an option by its export value, whose white space at the ends is ignored (12.7.4.4, table
    /// 231).
    pub fn option(&self, value: &str) -> Option<String> {
        self.options.elements().iter().filter(|_| self.is_choice()).find_map(|option| match option.elements() {
            [export, shown] if exact(export)?.trim() == value.trim() => exact(shown),
            _ => None,
        })
    }

    /// Returns a field of which this is the line of objects, the lowest first, without reading its form. Its options are
    /// read if they are indirect.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn of_line(view: &mut View, line: &[Dictionary]) -> Result<Self, Fault> {
        let mut field = Self::default();
        for entries in line.iter().rev() {
            let body = Rc::new(Body::inline(Object::Dictionary(entries.clone())));
            field = Self::below(view, Some(&field), None, &body)?;
        }
        field.options = view.settled(&field.options)?;
        Ok(field)
    }

    /// Returns the field of this object under a parent.
    fn below(view: &mut View, above: Option<&Self>, number: Option<u32>, body: &Rc<Body>) -> Result<Self, Fault> {
        let mut field = above.cloned().unwrap_or_default();
        let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
        let part = view.resolve(dictionary.get(b"T"))?.as_string().and_then(text_string::decode);
        if let Some(part) = part.filter(|part| field.name.len() + part.len() < MAX_NAME_BYTES) {
            let point = if field.name.is_empty() { "" } else { "." };
            field.name = format!("{}{point}{part}", field.name);
        }
        let kind = view.resolve(dictionary.get(b"FT"))?;
        if !kind.is_null() {
            field.kind = kind.into_owned();
        }
        if let Some(flags) = view.integer(dictionary.get(b"Ff"))? {
            field.flags = flags;
        }
        if dictionary.has(b"Opt") {
            field.options = view.resolve(dictionary.get(b"Opt"))?.into_owned();
        }
        if let Some(longest) = view.integer(dictionary.get(b"MaxLen"))? {
            field.longest = Some(longest);
        }
        // the actions of a field are those of its widgets, but not of other fields below it
        if dictionary.has(b"T") {
            (field.format, field.calculation) = (None, None);
        }
        let actions = view.dictionary(dictionary.get(b"AA"))?;
        field.format = script(view, &actions, b"F")?.or(field.format);
        field.calculation = script(view, &actions, b"C")?.or(field.calculation);
        if dictionary.has(b"V") {
            field.value = dictionary.get(b"V").clone();
        }
        if let Some(number) = number {
            field.line.insert(0, number);
        }
        (field.number, field.body) = (number, Some(Rc::clone(body)));
        Ok(field)
    }
}

/// All characters of a text, which may be compared.
fn exact(text: &Object) -> Option<String> {
    text.as_string().map(text_string::characters)
}

/// Returns the fields of the form's list without the kids of others in it, which WeasyPrint lists as well: their values are
/// inherited (12.7.3.1).
fn roots(view: &mut View, listed: &[Object]) -> Result<Vec<(Object, Option<usize>)>, Fault> {
    view.prefetch_many(listed.iter())?;
    let mut kids = BTreeSet::new();
    let number = |object: &Object| object.as_reference().map(|id| id.number);
    let listed = listed.iter().take(MAX_FIELDS + 1);
    for field in listed.clone() {
        let dictionary = view.dictionary(field)?;
        if let Some(parent) = number(field).filter(|_| dictionary.has(b"Kids") && !dictionary.has(b"Parent")) {
            let list = view.resolve(dictionary.get(b"Kids"))?;
            view.work(list.elements().len())?;
            kids.extend(list.elements().iter().filter_map(|kid| Some((number(kid)?, parent))));
        }
    }
    let mut roots = Vec::new();
    for field in listed {
        let parent = number(view.dictionary(field)?.get(b"Parent"));
        let is_kid = number(field).zip(parent).is_some_and(|kid| kids.contains(&kid));
        roots.extend((!is_kid).then(|| (field.clone(), None)));
    }
    Ok(roots)
}

/// Returns the script of an additional action, if any; null if unreadable, or if further actions follow it.
fn script(view: &mut View, actions: &Dictionary, trigger: &[u8]) -> Result<Option<Object>, Fault> {
    if !actions.has(trigger) {
        return Ok(None);
    }
    let action = view.dictionary(actions.get(trigger))?;
    let script = Some(action.get(b"JS").clone()).filter(|_| !action.has(b"Next"));
    Ok(Some(view.resolve(&script.unwrap_or_default())?.into_owned()))
}

/// The form of a revision.
#[derive(Debug, Default)]
pub struct FormFields {
    /// The catalog's `/AcroForm`.
    pub dictionary: Dictionary,
    /// Fields level by level, in file order.
    pub fields: Vec<Field>,
    /// Field index by object number.
    places: BTreeMap<u32, usize>,
    /// Whether fields are missing: too many, or unreadable.
    pub is_cut: bool,
    /// Whether a field names another parent than the field whose kid it is: readers follow either (12.7.3.1).
    pub has_stray_parent: bool,
}

impl FormFields {
    /// Reads all fields, level by level, each in one round.
    pub fn read(view: &mut View) -> Result<Self, Fault> {
        let catalog = view.catalog()?;
        let mut form = Self { dictionary: view.dictionary(catalog.get(b"AcroForm"))?.into_owned(), ..Self::default() };
        let fields = view.resolve(form.dictionary.get(b"Fields"))?;
        let mut level = roots(view, fields.elements())?;
        let mut seen = BTreeSet::new();
        for _ in 0..MAX_FIELD_DEPTH {
            view.prefetch_many(level.iter().map(|(field, _)| field))?;
            let mut next = Vec::new();
            for (object, parent) in level {
                let resolved = view.resolve(&object)?;
                form.is_cut |= matches!(resolved, Resolved::Unreadable);
                let (number, body) = match resolved {
                    Resolved::There(body) => (Some(body.id.number), body),
                    resolved => (None, Rc::new(Body::inline(resolved.into_owned()))),
                };
                if body.dictionary().is_none() || number.is_some_and(|number| !seen.insert(number)) {
                    continue;
                }
                if form.fields.len() >= MAX_FIELDS {
                    form.is_cut = true;
                    return Ok(form);
                }
                let above = parent.and_then(|parent| form.fields.get(parent));
                let named = body.dictionary().and_then(|field| field.get(b"Parent").as_reference());
                let is_stray = named.is_some_and(|named| above.and_then(|above| above.number) != Some(named.number));
                let field = Field { parent, ..Field::below(view, above, number, &body)? };
                form.has_stray_parent |= is_stray;
                let place = form.fields.len();
                let kids = view.resolve(field.dictionary().get(b"Kids"))?;
                view.work(kids.elements().len())?;
                next.extend(kids.elements().iter().map(|kid| (kid.clone(), Some(place))));
                form.places.extend(number.map(|number| (number, place)));
                form.fields.push(field);
            }
            level = next;
            if level.is_empty() {
                return Ok(form);
            }
        }
        form.is_cut = true;
        Ok(form)
    }

    /// Returns the field with an object number.
    pub fn field(&self, number: u32) -> Option<&Field> {
        self.places.get(&number).and_then(|place| self.fields.get(*place))
    }

    /// Returns an inheritable attribute of the fields on a line, the lowest first, or the form's (12.7.3.1); null if none
    /// has it.
    pub fn inherited<'f>(&'f self, line: &[u32], key: &[u8]) -> &'f Object {
        let fields = line.iter().filter_map(|&number| self.field(number)).map(Field::dictionary);
        let mut values = fields.chain([&self.dictionary]).map(|entries| entries.get(key));
        values.find(|value| !value.is_null()).unwrap_or(&Object::Null)
    }

    /// Returns the field with an object number, or for a widget outside the form the field of its `/Parent`.
    pub fn field_of(&self, view: &mut View, number: u32, widget: &Dictionary) -> Result<Field, Fault> {
        if let Some(field) = self.field(number) {
            return Ok(field.clone());
        }
        let parent = widget.get(b"Parent").as_reference().and_then(|parent| self.places.get(&parent.number)).copied();
        let above = parent.and_then(|parent| self.fields.get(parent));
        Ok(Field {
            parent,
            ..Field::below(view, above, Some(number), &Rc::new(Body::inline(Object::Dictionary(widget.clone()))))?
        })
    }

    /// Returns the object numbers of a field and of all fields and widgets below it, which inherit its value (12.7.3.1).
    pub fn family(&self, number: u32) -> Vec<u32> {
        let mut family = vec![number];
        let mut next = 0;
        while let Some(&above) = family.get(next) {
            family.extend(self.kids(above));
            next += 1;
        }
        family
    }

    /// Returns the field that a widget is of: the lowest on its line with a name of its own, otherwise the highest
    /// (12.7.3.2).
    pub fn named<'f>(&'f self, widget: &'f Field) -> &'f Field {
        let is_named = |field: &&Field| field.dictionary().has(b"T");
        let mut above = widget.line.iter().skip(1).filter_map(|&number| self.field(number));
        let highest = above.clone().next_back().unwrap_or(widget);
        if is_named(&widget) { widget } else { above.find(is_named).unwrap_or(highest) }
    }

    /// Returns the object numbers of a field's kids: widgets or fields. Level by level, they are in the order of their
    /// parents.
    pub fn kids(&self, number: u32) -> impl Iterator<Item = u32> {
        let place = self.places.get(&number).copied();
        let first = place.map_or(self.fields.len(), |_| self.fields.partition_point(|field| field.parent < place));
        let below = self.fields.get(first..).unwrap_or_default().iter();
        below.take_while(move |field| field.parent == place).filter_map(|field| field.number)
    }
}
