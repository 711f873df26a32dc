//! Reads the properties we show out of an XMP packet (ISO 16684-1), as a stream and without expanding entities.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use memchr::memrchr;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::{Reader, escape};

use super::text_string;
use super::xmp_property::{Bindings, Property};

/// How much of a packet is read. Larger ones carry thumbnails and histories behind what we look for.
pub(crate) const LONGEST: usize = 4 << 20;
/// Bytes kept of one value, and of all items of one list.
const LONGEST_VALUE: usize = 32 << 10;

/// The properties found in a packet, each with its first value.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Packet(Vec<(Property, String)>);

impl Packet {
    /// Reads a packet as far as it is well-formed.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = text_of(bytes);
        let mut reader = lenient(&text);
        let mut parser = XmpParser::default();
        while reader.read_event().is_ok_and(|event| parser.event(event).is_continue()) {}
        parser.packet
    }

    /// The value of a property, on one line.
    pub(crate) fn get(&self, property: Property) -> Option<String> {
        self.0.iter().find(|(found, _)| *found == property).map(|(_, value)| value.clone())
    }

    fn add(&mut self, property: Property, value: &str) {
        let is_new = self.0.iter().all(|(found, _)| *found != property);
        if let Some(value) = text_string::line(limited(value)).filter(|_| is_new) {
            self.0.push((property, value));
        }
    }
}

#[derive(Default)]
struct XmpParser {
    packet: Packet,
    bindings: Bindings,
    depth: usize,
    open: Option<OpenProperty>,
}

/// A property element being read.
struct OpenProperty {
    property: Property,
    /// How deep its tag is.
    depth: usize,
    /// Text since the last tag that matters.
    text: String,
    /// Items of an array (7.9), as far as they are closed.
    items: Vec<String>,
    /// Bytes of all items.
    kept: usize,
    /// The current item is the default of its language alternatives (8.2.2.4).
    is_default: bool,
    default: Option<String>,
}

impl XmpParser {
    /// Takes what comes next; the end of all properties is the end.
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                self.start(&tag);
            }
            Event::Empty(tag) if self.open.is_none() => self.attributes(&tag),
            Event::Text(text) => self.push(&text.into_inner()),
            Event::CData(text) => self.push(&text.into_inner()),
            Event::GeneralRef(reference) => self.push(&resolve(&reference)),
            Event::End(tag) => {
                let is_end = tag.local_name().as_ref() == "RDF";
                self.end(tag.name());
                self.depth = self.depth.saturating_sub(1);
                return if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
            Event::Eof => return ControlFlow::Break(()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, tag: &BytesStart) {
        if let Some(open) = &mut self.open {
            open.start_item(tag);
            return;
        }
        self.attributes(tag);
        if let Some(property) = self.bindings.property(tag.name()) {
            let (text, items) = (String::new(), Vec::new());
            self.open = Some(OpenProperty {
                property,
                depth: self.depth,
                text,
                items,
                kept: 0,
                is_default: false,
                default: None,
            });
        }
    }

    /// Namespaces, and simple properties written as attributes (7.9.2.2).
    fn attributes(&mut self, tag: &BytesStart) {
        for Attribute { key, value } in tag.attributes().with_checks(false).flatten() {
            if self.bindings.bind(key, &value) {
                continue;
            }
            if let Some(property) = self.bindings.property(key) {
                let value = escape::unescape(&value).unwrap_or(Cow::Borrowed(&*value));
                self.packet.add(property, &value);
            }
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.text.push_str(limited(text));
            let length = limited(&open.text).len();
            open.text.truncate(length);
        }
    }

    fn end(&mut self, name: QName) {
        let Some(open) = &mut self.open else { return };
        if self.depth <= open.depth {
            if let Some(open) = self.open.take() {
                self.packet.add(open.property, &open.value());
            }
        } else if name.local_name().as_ref() == "li" {
            open.end_item();
        }
    }
}

impl OpenProperty {
    fn start_item(&mut self, tag: &BytesStart) {
        if tag.local_name().as_ref() == "li" {
            self.text.clear();
            let mut attributes = tag.attributes();
            let mut attributes = attributes.with_checks(false).flatten();
            self.is_default =
                attributes.any(|attribute| attribute.key.0 == "xml:lang" && attribute.value == "x-default");
        }
    }

    fn end_item(&mut self) {
        let item = self.text.trim().to_owned();
        self.text.clear();
        if item.is_empty() || self.kept > LONGEST_VALUE {
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

/// A character reference or one of XML's own five entities; others are dropped, never expanded.
fn resolve(reference: &BytesRef) -> String {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => character.to_string(),
        _ => escape::resolve_xml_entity(&reference.xml10_content()).unwrap_or_default().to_owned(),
    }
}

fn limited(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_VALUE)).unwrap_or(text)
}

/// What reads XML of which not everything is as it should be.
pub(super) fn lenient(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// The text of a packet, as much of it as is read.
fn text_of(packet: &[u8]) -> Cow<'_, str> {
    decode(without_padding(packet.get(..LONGEST).unwrap_or(packet)))
}

/// The packet without its trailer and the white space before that (ISO 16684-1, 7.3.3), which is half of most.
fn without_padding(bytes: &[u8]) -> &[u8] {
    let trailer = memrchr(b'<', bytes).and_then(|start| bytes.split_at_checked(start));
    match trailer {
        Some((packet, trailer)) if trailer.starts_with(b"<?xpacket") => {
            let end = memrchr(b'>', packet).map_or(0, |end| end + 1);
            packet.get(..end).unwrap_or(packet)
        }
        _ => bytes,
    }
}

/// The packet as text: UTF-8 or UTF-16, by byte order mark or by its first character.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xfe, 0xff, text @ ..] | text @ [0, b'<', ..] => text_string::utf16(text, u16::from_be_bytes).collect(),
        [0xff, 0xfe, text @ ..] | text @ [b'<', 0, ..] => text_string::utf16(text, u16::from_le_bytes).collect(),
        // asked first because that is several times as fast as looking for what to replace
        [0xef, 0xbb, 0xbf, text @ ..] | text => match str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(text),
        },
    }
}

/// Longest text kept of a property in [`properties`].
const LONGEST_PROPERTY: usize = 1 << 10;
/// Properties kept there.
const PROPERTIES: usize = 500;

/// All properties of a packet by their names without prefixes, which programs choose anew, and with their texts one
/// after the other.
pub(crate) fn properties(bytes: &[u8]) -> BTreeMap<String, String> {
    let text = text_of(bytes);
    let mut reader = lenient(&text);
    let (mut found, mut depth, mut top, mut current) = (BTreeMap::new(), 0_usize, None, None);
    // an error ends it: what came before counts
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => {
                depth += 1;
                top = enter(&mut found, &tag, depth, top, &mut current);
            }
            Event::Empty(tag) => {
                let mut nested = current.clone();
                enter(&mut found, &tag, depth + 1, top, &mut nested);
            }
            Event::Text(text) => append(&mut found, current.as_ref(), &text.into_inner()),
            Event::CData(text) => append(&mut found, current.as_ref(), &text.into_inner()),
            Event::GeneralRef(reference) => append(&mut found, current.as_ref(), &resolve(&reference)),
            Event::End(_) => {
                if top.is_some_and(|top| depth == top + 1) {
                    current = None;
                } else if top == Some(depth) {
                    top = None;
                }
                depth = depth.saturating_sub(1);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    found
}

/// Takes note of a tag: a description, whose depth it returns, a property of one, or part of a property.
fn enter(
    found: &mut BTreeMap<String, String>,
    tag: &BytesStart,
    depth: usize,
    top: Option<usize>,
    current: &mut Option<String>,
) -> Option<usize> {
    let is_top = top.is_none() && tag.local_name().as_ref() == "Description";
    if top.is_some_and(|top| depth == top + 1) {
        *current = Some(tag.local_name().as_ref().to_owned());
        append(found, current.as_ref(), "");
    }
    for Attribute { key, value } in tag.attributes().with_checks(false).flatten() {
        let is_name = key.0.starts_with("xmlns") || key.0.starts_with("rdf:") || key.0.starts_with("xml:");
        let value = escape::unescape(&value).unwrap_or(Cow::Borrowed(&*value));
        match (is_name, is_top) {
            (true, _) => {}
            (false, true) => append(found, Some(&key.local_name().as_ref().to_owned()), &value),
            (false, false) => append(found, current.as_ref(), &value),
        }
    }
    if is_top { Some(depth) } else { top }
}

fn append(found: &mut BTreeMap<String, String>, property: Option<&String>, text: &str) {
    let Some(property) = property.filter(|property| found.len() < PROPERTIES || found.contains_key(*property)) else {
        return;
    };
    let value = found.entry(property.clone()).or_default();
    let text = text.trim();
    if !value.is_empty() && !text.is_empty() && value.len() < LONGEST_PROPERTY {
        value.push(' ');
    }
    let room = LONGEST_PROPERTY.saturating_sub(value.len());
    value.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or(text));
}
