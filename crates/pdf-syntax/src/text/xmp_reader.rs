//! Reads the document's description in an XMP packet as RDF/XML (ISO 16684-1, 7), as a stream, with names by namespace
//! and without expanding entities. Only its top-level properties are the document's; nested ones, such as the metadata
//! of a placed image, are passed on as part of their property.

use std::borrow::Cow;

use memchr::{memchr, memmem, memrchr};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::{Reader, escape};

use super::text_string;
use super::xml;
use super::xmp_namespace::{Namespace, Scope};

/// Maximum bytes of a packet. Larger ones have thumbnails and histories after the relevant properties.
pub const LONGEST: usize = 4 << 20;
/// Maximum nesting of elements; real packets stay below 30.
const MAX_ELEMENT_DEPTH: usize = 256;

/// Receives the contents of a packet, in order.
pub(super) trait Visitor: Default {
    /// A simple property of the document, written as an attribute (7.9.2.2).
    fn attribute(&mut self, namespace: Namespace, name: &str, value: &str);
    /// An element in the document's description: a property at depth 1, part of one otherwise.
    fn open(&mut self, depth: usize, element: &Element);
    /// Text in the innermost open element.
    fn text(&mut self, text: &str);
    /// The end of the innermost open element.
    fn close(&mut self, depth: usize);
}

/// An element's start.
pub(super) struct Element<'e> {
    pub(super) namespace: Namespace,
    pub name: &'e str,
    attributes: &'e [Attribute<'e>],
    scope: &'e Scope,
}

impl Element<'_> {
    /// Its attributes, without namespace declarations.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (Namespace, &str, Cow<'_, str>)> {
        let attributes = self.attributes.iter().filter(|attribute| attribute.key.as_namespace_binding().is_none());
        attributes.map(|attribute| {
            let value = escape::unescape(&attribute.value).unwrap_or(Cow::Borrowed(&*attribute.value));
            (self.scope.of_attribute(attribute.key), local(attribute.key), value)
        })
    }
}

/// The role of an open element.
#[derive(Clone, Copy)]
enum Role {
    /// An ancestor of the description, or unrelated.
    Outside,
    /// `rdf:RDF`.
    Root,
    /// `rdf:Description` right below that.
    Description,
    /// A property, at depth 1, or part of one.
    Property(usize),
}

struct OpenElement {
    role: Role,
    /// Start of its name in the concatenated names of open elements.
    name: usize,
    /// Number of namespace declarations before it.
    bindings: usize,
}

/// Reads a packet as far as it can be parsed.
pub(super) fn read<V: Visitor>(packet: &[u8]) -> V {
    let text = decode(without_padding(packet.get(..LONGEST).unwrap_or(packet)));
    if let Some(visitor) = pass(&text, true) {
        return visitor;
    }
    // text with a stray `<`: read again with it escaped
    pass(&escaped(&text), false).unwrap_or_default()
}

/// Reads the text once; none if `is_strict` and the text is not well-formed.
fn pass<V: Visitor>(text: &str, is_strict: bool) -> Option<V> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let (visitor, scope, open, names) = (V::default(), Scope::default(), Vec::new(), String::new());
    let mut walk = Walk { visitor, scope, open, names, is_malformed: false };
    loop {
        let is_over = match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if is_strict && !is_tag(&tag) => return None,
            Ok(Event::Start(tag)) => walk.start(&tag),
            Ok(Event::Empty(tag)) => walk.start(&tag) || walk.end_innermost(),
            Ok(Event::Text(text)) => walk.text(&text.into_inner()),
            Ok(Event::CData(text)) => walk.text(&text.into_inner()),
            // undefined ones are dropped, never expanded
            Ok(Event::GeneralRef(reference)) => walk.text(&xml::resolve(&reference).unwrap_or_default()),
            Ok(Event::End(tag)) => walk.end(tag.name().0),
            Ok(Event::Eof) => true,
            Ok(_) => false,
            Err(_) if is_strict => return None,
            Err(_) => true,
        };
        if is_strict && walk.is_malformed {
            return None;
        }
        if is_over {
            return Some(walk.finish());
        }
    }
}

struct Walk<V> {
    visitor: V,
    scope: Scope,
    open: Vec<OpenElement>,
    names: String,
    /// Whether an invalid tag was found.
    is_malformed: bool,
}

impl<V: Visitor> Walk<V> {
    fn role(&self) -> Role {
        self.open.last().map_or(Role::Outside, |innermost| innermost.role)
    }

    /// Handles a start tag; returns whether reading is over.
    fn start(&mut self, tag: &BytesStart) -> bool {
        let mut attributes: Vec<Attribute> = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            self.is_malformed |= attribute.is_err();
            attributes.extend(attribute);
        }
        let bindings = self.scope.len();
        // a declaration applies to all attributes of the tag, in any order
        for attribute in &attributes {
            if let Some(prefix) = attribute.key.as_namespace_binding() {
                self.scope.bind(prefix, &attribute.value);
            }
        }
        let tag_name = tag.name();
        let element = Element {
            namespace: self.scope.of_element(tag_name),
            name: local(tag_name),
            attributes: &attributes,
            scope: &self.scope,
        };
        let role = match (self.role(), element.namespace, element.name) {
            (Role::Outside, Namespace::Rdf, "RDF") => Role::Root,
            (Role::Outside, Namespace::Rdf, "Description") | (Role::Root, ..) => Role::Description,
            (Role::Outside, ..) => Role::Outside,
            (Role::Description, ..) => Role::Property(1),
            (Role::Property(depth), ..) => Role::Property(depth + 1),
        };
        match role {
            Role::Description => {
                for (namespace, name, value) in element.attributes() {
                    self.visitor.attribute(namespace, name, &value);
                }
            }
            Role::Property(depth) => self.visitor.open(depth, &element),
            Role::Outside | Role::Root => {}
        }
        self.open.push(OpenElement { role, name: self.names.len(), bindings });
        self.names.push_str(tag_name.0);
        self.open.len() > MAX_ELEMENT_DEPTH
    }

    fn text(&mut self, text: &str) -> bool {
        if let Role::Property(_) = self.role() {
            self.visitor.text(text);
        }
        false
    }

    /// Handles an end tag: ends the innermost element with this name and all elements in it, if there is one. Returns
    /// whether reading is over.
    fn end(&mut self, name: &str) -> bool {
        let mut end = self.names.len();
        let place = self.open.iter().rposition(|open| {
            let is_it = self.names.get(open.name..end) == Some(name);
            end = open.name;
            is_it
        });
        let Some(place) = place else { return false };
        while self.open.len() > place {
            if self.end_innermost() {
                return true;
            }
        }
        false
    }

    /// Ends the innermost element; returns whether that was the description.
    fn end_innermost(&mut self) -> bool {
        let Some(OpenElement { role, name, bindings }) = self.open.pop() else { return false };
        self.names.truncate(name);
        self.scope.truncate(bindings);
        if let Role::Property(depth) = role {
            self.visitor.close(depth);
        }
        matches!(role, Role::Root)
    }

    /// Ends all open elements.
    fn finish(mut self) -> V {
        while !self.open.is_empty() {
            self.end_innermost();
        }
        self.visitor
    }
}

/// Whether apparent markup is a valid tag.
fn is_tag(tag: &BytesStart) -> bool {
    tag.starts_with(is_name_start) && memchr(b'<', tag.as_bytes()).is_none()
}

fn is_name_start(first: char) -> bool {
    first.is_alphabetic() || first == '_'
}

/// The name without its prefix.
fn local<'n>(name: QName<'n>) -> &'n str {
    name.0.split_once(':').map_or(name.0, |(_, local)| local)
}

/// Returns the packet without its trailer and the padding before that (ISO 16684-1, 7.3.3), which is half of most
/// packets.
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

/// Decodes the packet from UTF-8, UTF-16 or UTF-32 (7.3.2), detected by its byte order mark or by the bytes of its root
/// element, possibly after stray bytes.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0, 0, 0xfe, 0xff, ..] => return utf32(bytes, u32::from_be_bytes),
        [0xff, 0xfe, 0, 0, ..] => return utf32(bytes, u32::from_le_bytes),
        [0xfe, 0xff, text @ ..] => return utf16(text, u16::from_be_bytes),
        [0xff, 0xfe, text @ ..] => return utf16(text, u16::from_le_bytes),
        _ => {}
    }
    if memchr(0, bytes).is_some()
        && let Some(text) = wide(bytes)
    {
        return text;
    }
    // checked first: several times as fast as a lossy conversion
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Decodes UTF-16 or UTF-32 without a byte order mark.
fn wide(bytes: &[u8]) -> Option<Cow<'_, str>> {
    type Decoder = fn(&[u8]) -> Cow<'_, str>;
    const ROOT: &[u8] = b":RDF";
    let codings: [(usize, Vec<u8>, Decoder); 4] = [
        (4, ROOT.iter().flat_map(|&sign| u32::from(sign).to_be_bytes()).collect(), |text| {
            utf32(text, u32::from_be_bytes)
        }),
        (4, ROOT.iter().flat_map(|&sign| u32::from(sign).to_le_bytes()).collect(), |text| {
            utf32(text, u32::from_le_bytes)
        }),
        (2, ROOT.iter().flat_map(|&sign| u16::from(sign).to_be_bytes()).collect(), |text| {
            utf16(text, u16::from_be_bytes)
        }),
        (2, ROOT.iter().flat_map(|&sign| u16::from(sign).to_le_bytes()).collect(), |text| {
            utf16(text, u16::from_le_bytes)
        }),
    ];
    // misaligned by a byte, one byte order resembles the other: try aligned with the packet's start first
    for is_aligned in [true, false] {
        for (width, root, decoder) in &codings {
            let start = memmem::find(bytes, root).map(|place| place % width);
            if let Some(start) = start.filter(|start| (*start == 0) == is_aligned) {
                return Some(decoder(bytes.get(start..).unwrap_or_default()));
            }
        }
    }
    None
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'_, str> {
    text_string::utf16(bytes, unit).collect()
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Cow<'_, str> {
    let (units, _) = bytes.as_chunks::<4>();
    units.iter().map(|bytes| char::from_u32(unit(*bytes)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Returns the text with every `<` escaped that does not start markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 16);
    let (mut rest, mut search) = (text, Search::default());
    while let Some((before, markup)) = memchr(b'<', rest.as_bytes()).and_then(|at| rest.split_at_checked(at)) {
        escaped.push_str(before);
        match search.markup(markup).and_then(|length| markup.split_at_checked(length)) {
            Some((markup, after)) => {
                // in values of attributes, too
                let is_element = markup.get(1..).is_some_and(|inside| inside.starts_with(is_name_start));
                let (sign, inside) = markup.split_at_checked(usize::from(is_element)).unwrap_or_default();
                escaped.push_str(sign);
                escaped.push_str(&if is_element { Cow::Owned(inside.replace('<', "&lt;")) } else { inside.into() });
                rest = after;
            }
            None => {
                escaped.push_str("&lt;");
                rest = markup.get(1..).unwrap_or_default();
            }
        }
    }
    escaped + rest
}

/// Finds the ends of markup.
#[derive(Default)]
struct Search {
    /// Delimiters that the rest of the text lacks, so that each is searched only once.
    gone: Vec<&'static str>,
}

impl Search {
    /// Returns the length of the markup at the start of `text`, if any.
    fn markup(&mut self, text: &str) -> Option<usize> {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
            if text.starts_with(start) {
                return self.behind(text, start.len(), end);
            }
        }
        let is_end = text.starts_with("</");
        let mut at = name(text, if is_end { 2 } else { 1 })?;
        loop {
            let spaces = spaces(text, at);
            at += spaces;
            match text.get(at..)?.as_bytes() {
                [b'>', ..] => return Some(at + 1),
                [b'/', b'>', ..] if !is_end => return Some(at + 2),
                _ if is_end || spaces == 0 => return None,
                _ => at = self.attribute(text, at)?,
            }
        }
    }

    /// Returns the end of the attribute at `start`.
    fn attribute(&mut self, text: &str, start: usize) -> Option<usize> {
        let mut at = name(text, start)?;
        at += spaces(text, at);
        at = text.get(at..)?.starts_with('=').then_some(at + 1)?;
        at += spaces(text, at);
        let quote = ["\"", "'"].into_iter().find(|quote| text.get(at..).is_some_and(|text| text.starts_with(quote)))?;
        self.behind(text, at + 1, quote)
    }

    /// Returns the end of the next `end`.
    fn behind(&mut self, text: &str, from: usize, end: &'static str) -> Option<usize> {
        if self.gone.contains(&end) {
            return None;
        }
        let found = memmem::find(text.get(from..)?.as_bytes(), end.as_bytes());
        if found.is_none() {
            self.gone.push(end);
        }
        Some(from + found? + end.len())
    }
}

/// Returns the end of the name at `start`.
fn name(text: &str, start: usize) -> Option<usize> {
    let text = text.get(start..).filter(|text| text.starts_with(is_name_start))?;
    let length = text.find(|character: char| !character.is_alphanumeric() && !"_-.:".contains(character));
    Some(start + length.unwrap_or(text.len()))
}

fn spaces(text: &str, start: usize) -> usize {
    let text = text.get(start..).unwrap_or_default();
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_starts_no_markup_is_escaped() {
        for (text, expected) in [
            ("<a>1 < 2</a>", "<a>1 &lt; 2</a>"),
            ("<a>x<y</a>", "<a>x&lt;y</a>"),
            ("<a>1 <= 2 <3</a>", "<a>1 &lt;= 2 &lt;3</a>"),
            ("<a b='1 < 2' c=\"<\"/>", "<a b='1 &lt; 2' c=\"&lt;\"/>"),
            ("<!-- < --><?p < ?><![CDATA[<]]></a >", "<!-- < --><?p < ?><![CDATA[<]]></a >"),
            ("<a b='unclosed><c/>", "&lt;a b='unclosed><c/>"),
            ("<", "&lt;"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
