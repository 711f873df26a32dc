//! Contents of XMP packets (ISO 16684-1): reported properties, the document's history, or all properties for
//! comparison.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::text_string;
pub use super::xmp_difference::{PropertyDifference, differences};
use super::xmp_form;
pub use super::xmp_form::Statement;
use super::xmp_history::{HistoryEntry, HistoryReader};
pub use super::xmp_irregularity::Irregularity;
use super::xmp_namespace::Namespace;
use super::xmp_property::Property;
pub use super::xmp_reader::LONGEST;
use super::xmp_reader::{self, Element, Visitor};

/// Maximum bytes of a value, and of all items of a list.
const MAX_VALUE_BYTES: usize = 32 << 10;

/// The reported contents of a packet.
#[derive(Debug, Default, PartialEq)]
pub struct Packet {
    /// Reported properties, each with its first value.
    values: Vec<(Property, String)>,
    /// The steps of `xmpMM:History`, oldest first.
    pub history: Vec<HistoryEntry>,
    /// Whether `xmpMM:DerivedFrom` names another document.
    pub is_derived: bool,
}

impl Packet {
    /// Reads a packet as far as it can be parsed.
    pub fn parse(bytes: &[u8]) -> Self {
        let reader: PacketReader = xmp_reader::read(bytes);
        Self { history: reader.history.finish(), ..reader.packet }
    }

    /// The value of a property, on one line.
    pub fn get(&self, property: Property) -> Option<String> {
        self.values.iter().find(|(found, _)| *found == property).map(|(_, value)| value.clone())
    }

    fn add(&mut self, property: Property, value: &str) {
        let is_new = self.values.iter().all(|(found, _)| *found != property);
        if let Some(value) = text_string::line(limited(value)).filter(|_| is_new) {
            self.values.push((property, value));
        }
    }
}

#[derive(Default)]
struct PacketReader {
    packet: Packet,
    history: HistoryReader,
    open: Open,
}

/// The open property.
#[derive(Default)]
enum Open {
    #[default]
    None,
    /// A property that is not reported.
    Other,
    History,
    Value(OpenValue),
}

impl Visitor for PacketReader {
    fn attribute(&mut self, namespace: Namespace, name: &str, value: &str) {
        if let Some(property) = Property::named(namespace, name) {
            self.packet.add(property, value);
        }
    }

    fn open(&mut self, depth: usize, element: &Element) {
        match &mut self.open {
            Open::None => self.open = self.property(element),
            Open::Other => {}
            Open::History => self.history.open(depth, element),
            Open::Value(value) => value.open(depth, element),
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.open {
            Open::None | Open::Other => {}
            Open::History => self.history.text(text),
            Open::Value(value) => value.text(text),
        }
    }

    fn close(&mut self, depth: usize) {
        match &mut self.open {
            Open::History => self.history.close(depth),
            Open::Value(value) if depth == 1 => self.packet.add(value.property, &value.value()),
            Open::Value(value) => value.close(depth),
            Open::None | Open::Other => {}
        }
        if depth == 1 {
            self.open = Open::None;
        }
    }
}

impl PacketReader {
    fn property(&mut self, element: &Element) -> Open {
        match (element.namespace, element.name) {
            (Namespace::XmpMm, "History") => Open::History,
            (Namespace::XmpMm, "DerivedFrom") => {
                self.packet.is_derived = true;
                Open::Other
            }
            (namespace, name) => Property::named(namespace, name).map_or(Open::Other, |property| {
                let mut value = OpenValue::new(property);
                value.take_attributes(element);
                Open::Value(value)
            }),
        }
    }
}

/// The value of a property while it is read.
struct OpenValue {
    property: Property,
    /// Text since the last relevant tag.
    text: String,
    /// The depth of an element that is not part of the value: a qualifier (7.8), or a field of a structure.
    aside: Option<usize>,
    /// The depth of the open item.
    item: Option<usize>,
    /// Completed items of an array (7.7).
    items: Vec<String>,
    /// Bytes of all items.
    kept: usize,
    /// The current item is the default of its language alternatives (8.2.2.4).
    is_default: bool,
    default: Option<String>,
}

impl OpenValue {
    fn new(property: Property) -> Self {
        let (text, items) = (String::new(), Vec::new());
        Self { property, text, aside: None, item: None, items, kept: 0, is_default: false, default: None }
    }

    fn open(&mut self, depth: usize, element: &Element) {
        if self.aside.is_some() {
            return;
        }
        match (element.namespace, element.name) {
            (Namespace::Rdf, "li") if self.item.is_none() => {
                self.item = Some(depth);
                self.text.clear();
                let mut attributes = element.attributes();
                self.is_default = attributes.any(|(namespace, name, value)| {
                    (namespace, name) == (Namespace::Xml, "lang") && value == "x-default"
                });
                self.take_attributes(element);
            }
            (Namespace::Rdf, "Alt" | "Bag" | "Seq") if self.item.is_none() => {}
            // a value with qualifiers (7.9.2.6)
            (Namespace::Rdf, "Description" | "value") => self.take_attributes(element),
            _ => self.aside = Some(depth),
        }
    }

    /// Takes a value written as an attribute: beside qualifiers, or as a URI.
    fn take_attributes(&mut self, element: &Element) {
        let is_value = |namespace, name: &str| namespace == Namespace::Rdf && matches!(name, "value" | "resource");
        for (.., value) in element.attributes().filter(|(namespace, name, _)| is_value(*namespace, name)) {
            self.text(&value);
        }
    }

    fn text(&mut self, text: &str) {
        if self.aside.is_none() {
            self.text.push_str(limited(text));
            let length = limited(&self.text).len();
            self.text.truncate(length);
        }
    }

    fn close(&mut self, depth: usize) {
        if self.aside.is_some() {
            self.aside.take_if(|aside| *aside == depth);
        } else if self.item.take_if(|item| *item == depth).is_some() {
            self.end_item();
        }
    }

    fn end_item(&mut self) {
        let item = self.text.trim().to_owned();
        self.text.clear();
        if item.is_empty() || self.kept > MAX_VALUE_BYTES {
            return;
        }
        self.kept += item.len();
        if self.is_default {
            self.default.get_or_insert_with(|| item.clone());
        }
        self.items.push(item);
    }

    fn value(&self) -> Cow<'_, str> {
        match (&self.default, self.items.as_slice()) {
            (Some(value), _) | (None, [value]) => Cow::Borrowed(value),
            (None, [first, ..]) if self.property.is_alternatives() => Cow::Borrowed(first),
            (None, [_, ..]) => Cow::Owned(self.items.join(", ")),
            (None, []) => Cow::Borrowed(&self.text),
        }
    }
}

fn limited(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_VALUE_BYTES)).unwrap_or(text)
}

/// Maximum bytes of a property's text in [`properties`].
const MAX_PROPERTY_BYTES: usize = 1 << 10;
/// Maximum properties in [`properties`].
const MAX_PROPERTIES: usize = 500;

/// Properties that every saving program updates (ISO 16684-1, 8.4 and 8.6).
const REWRITTEN: [(Namespace, &str); 7] = [
    (Namespace::Xmp, "ModifyDate"),
    (Namespace::Xmp, "MetadataDate"),
    (Namespace::XmpMm, "InstanceID"),
    (Namespace::XmpMm, "History"),
    (Namespace::XmpMm, "VersionID"),
    (Namespace::Pdf, "Producer"),
    (Namespace::Dc, "format"),
];

/// Returns all properties of a packet, without those that every saving program updates, by name without prefix, which
/// programs choose freely, with their texts concatenated.
pub fn properties(bytes: &[u8]) -> BTreeMap<String, String> {
    xmp_reader::read::<Properties<false>>(bytes).found
}

/// Returns the properties that only a packet states: all but those that programs write of themselves and their work
/// into any packet (dates, programs and identifiers), and the identification of PDF/A and PDF/UA.
pub fn own_properties(bytes: &[u8]) -> BTreeMap<String, String> {
    xmp_reader::read::<Properties<true>>(bytes).found
}

/// All properties, or those that only a packet states.
#[derive(Default)]
struct Properties<const IS_OWN: bool = false> {
    found: BTreeMap<String, String>,
    /// The property being read; none if every saving program updates it.
    current: Option<String>,
    /// Text since the last tag, of which references are pieces of their own.
    text: String,
}

impl<const IS_OWN: bool> Properties<IS_OWN> {
    fn is_ignored(namespace: Namespace, name: &str) -> bool {
        is_rewritten(namespace, name) || IS_OWN && is_written_by_programs(namespace, name)
    }

    fn add(&mut self, text: &str) {
        if let Some(current) = &self.current {
            append(&mut self.found, current, text);
        }
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.add(&text);
    }
}

impl<const IS_OWN: bool> Visitor for Properties<IS_OWN> {
    fn attribute(&mut self, namespace: Namespace, name: &str, value: &str) {
        if !is_syntax(namespace) && !Self::is_ignored(namespace, name) {
            append(&mut self.found, name, value);
        }
    }

    fn open(&mut self, depth: usize, element: &Element) {
        self.end_text();
        if depth == 1 {
            self.current = (!Self::is_ignored(element.namespace, element.name)).then(|| element.name.to_owned());
            self.add("");
        }
        let is_content = |namespace, name: &str| !is_syntax(namespace) || is_uri(namespace, name);
        for (.., value) in element.attributes().filter(|(namespace, name, _)| is_content(*namespace, name)) {
            self.add(&value);
        }
    }

    fn text(&mut self, text: &str) {
        let room = MAX_PROPERTY_BYTES.saturating_sub(self.text.len());
        self.text.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or(text));
    }

    fn close(&mut self, _: usize) {
        self.end_text();
    }
}

/// Returns all statements of a packet, in comparable form, without those of properties that every saving program
/// updates.
///
/// # Errors
/// Why readers may read others.
pub fn statements(packet: &[u8]) -> Result<Vec<Statement>, Irregularity> {
    if packet.len() > LONGEST {
        return Err(Irregularity::Length);
    }
    xmp_form::statements(packet, |name| is_rewritten(Namespace::of(&name.uri), &name.local))
}

fn is_rewritten(namespace: Namespace, name: &str) -> bool {
    REWRITTEN.contains(&(namespace, name))
}

/// Whether programs write a property of themselves and their work, not of the document's content.
fn is_written_by_programs(namespace: Namespace, name: &str) -> bool {
    match namespace {
        Namespace::Xmp => matches!(name, "CreateDate" | "CreatorTool"),
        Namespace::XmpMm => matches!(name, "DocumentID" | "OriginalDocumentID" | "RenditionClass"),
        Namespace::Pdf => name == "PDFVersion",
        Namespace::PdfAId | Namespace::PdfUaId => matches!(name, "part" | "conformance" | "amd" | "corr" | "rev"),
        Namespace::PdfAExtension => name == "schemas",
        _ => false,
    }
}

/// Whether attributes of a namespace concern syntax, not content.
fn is_syntax(namespace: Namespace) -> bool {
    matches!(namespace, Namespace::None | Namespace::Rdf | Namespace::Xml)
}

/// Whether an attribute is the value of its element, a URI (ISO 16684-1, 7.5).
fn is_uri(namespace: Namespace, name: &str) -> bool {
    namespace == Namespace::Rdf && name == "resource"
}

fn append(found: &mut BTreeMap<String, String>, property: &str, text: &str) {
    if found.len() >= MAX_PROPERTIES && !found.contains_key(property) {
        return;
    }
    let value = found.entry(property.to_owned()).or_default();
    let text = text.trim();
    if !value.is_empty() && !text.is_empty() && value.len() < MAX_PROPERTY_BYTES {
        value.push(' ');
    }
    let room = MAX_PROPERTY_BYTES.saturating_sub(value.len());
    value.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or(text));
}
