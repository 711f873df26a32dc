//! A packet as an XML document that every reader parses alike: well-formed, one root element read to the last byte,
//! without constructs that parsers of XMP treat differently (ISO 16684-1, 7).

use std::collections::BTreeMap;
use std::str;

use quick_xml::events::attributes::Attribute as RawAttribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, escape};

use super::xml;
use super::xmp_irregularity::Irregularity;
use super::xmp_namespace::{XML, is_misspelled, standard_uri};

/// Maximum nesting of elements; real packets stay below 30.
const MAX_ELEMENT_DEPTH: usize = 64;
/// Maximum length of a packet's header (7.3.2).
const HEADER_MAX_BYTES: usize = 128;

/// A name with its namespace's URI, empty without one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) uri: String,
    pub(super) local: String,
}

impl Name {
    pub(super) fn is(&self, uri: &str, local: &str) -> bool {
        self.uri == uri && self.local == local
    }
}

/// An element.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) name: Name,
    /// Attributes without namespace declarations.
    pub(super) attributes: BTreeMap<Name, String>,
    pub(super) children: Vec<Node>,
    /// Its text, without that of its children.
    pub(super) text: String,
}

impl Node {
    /// Whether it has no text but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

type Parsed<T> = Result<T, Irregularity>;

/// Parses a packet, possibly within its header and trailer (7.3.2).
pub(super) fn parse(packet: &[u8]) -> Parsed<Node> {
    let mut tree = Tree::default();
    let packet = packet.strip_prefix("\u{feff}".as_bytes()).unwrap_or(packet);
    let (header, rest) = packet.split_at(header_length(packet));
    tree.wrappers[0] = usize::from(!header.is_empty());
    let text = str::from_utf8(rest).map_err(|_| Irregularity::Encoding)?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    loop {
        match reader.read_event().map_err(|_| Irregularity::Malformed)? {
            Event::Start(tag) => tree.start(&tag)?,
            Event::Empty(tag) => {
                tree.start(&tag)?;
                tree.end()?;
            }
            Event::End(_) => tree.end()?,
            Event::Text(text) => tree.text(&text.into_inner())?,
            Event::GeneralRef(reference) => tree.text(&xml::resolve(&reference).ok_or(Irregularity::Malformed)?)?,
            Event::PI(instruction) => tree.instruction(instruction.target(), &instruction)?,
            Event::Decl(declaration) => tree.declaration(declaration.encoding())?,
            Event::Comment(_) | Event::CData(_) => return Err(Irregularity::Comment),
            Event::DocType(_) => return Err(Irregularity::Malformed),
            Event::Eof => return tree.root.filter(|_| tree.open.is_empty()).ok_or(Irregularity::Malformed),
        }
    }
}

#[derive(Default)]
struct Tree {
    root: Option<Node>,
    open: Vec<Node>,
    /// Declared prefixes with the depth of their declarations.
    declared: Vec<(String, usize)>,
    /// The only URI of each prefix.
    uris: BTreeMap<String, String>,
    /// Packet headers and trailers.
    wrappers: [usize; 2],
}

impl Tree {
    fn start(&mut self, tag: &BytesStart) -> Parsed<()> {
        if self.open.is_empty() && (self.root.is_some() || self.wrappers[1] > 0) {
            return Err(Irregularity::SecondPacket);
        }
        if self.open.len() >= MAX_ELEMENT_DEPTH {
            return Err(Irregularity::Malformed);
        }
        let attributes: Vec<RawAttribute> =
            tag.attributes().collect::<Result<_, _>>().map_err(|_| Irregularity::Malformed)?;
        for attribute in &attributes {
            // a delimiter that is not escaped ends the tag for lenient readers
            if attribute.value.contains(['<', '>']) {
                return Err(Irregularity::Malformed);
            }
            self.declare(attribute)?;
        }
        let mut node = Node { name: self.resolve(tag.name().0)?, ..Node::default() };
        for attribute in attributes.iter().filter(|attribute| attribute.key.as_namespace_binding().is_none()) {
            let value = escape::unescape(&attribute.value).map_err(|_| Irregularity::Malformed)?;
            if node.attributes.insert(self.resolve(attribute.key.0)?, value.into_owned()).is_some() {
                return Err(Irregularity::Malformed);
            }
        }
        self.open.push(node);
        Ok(())
    }

    fn declare(&mut self, attribute: &RawAttribute) -> Parsed<()> {
        let name = attribute.key.0;
        let Some(prefix) = name.strip_prefix("xmlns:") else {
            // a default namespace applies to elements without a prefix, which packets do not have
            return Ok(());
        };
        let uri = &*attribute.value;
        let is_standard = standard_uri(prefix).is_none_or(|standard| standard == uri) && !is_misspelled(uri);
        let known = self.uris.entry(prefix.to_owned()).or_insert_with(|| uri.to_owned());
        if !is_standard || known != uri || uri.contains('&') {
            return Err(Irregularity::Namespace);
        }
        self.declared.push((prefix.to_owned(), self.open.len()));
        Ok(())
    }

    fn resolve(&self, name: &str) -> Parsed<Name> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let is_name = |part: &str| {
            part.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && part.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
        };
        if !is_name(local) || !prefix.is_empty() && !is_name(prefix) {
            return Err(Irregularity::Malformed);
        }
        let uri = match prefix {
            "" => "",
            "xml" => XML,
            _ if self.declared.iter().any(|(declared, _)| declared == prefix) => {
                self.uris.get(prefix).map_or("", String::as_str)
            }
            _ => return Err(Irregularity::Namespace),
        };
        Ok(Name { uri: uri.to_owned(), local: local.to_owned() })
    }

    fn end(&mut self) -> Parsed<()> {
        let node = self.open.pop().ok_or(Irregularity::Malformed)?;
        self.declared.retain(|(_, depth)| *depth < self.open.len());
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => self.root = Some(node),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Parsed<()> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => return Err(Irregularity::Malformed),
        }
        Ok(())
    }

    /// The packet's header, its trailer, or the notice of old programs of how they escaped line ends.
    fn instruction(&mut self, target: &str, content: &str) -> Parsed<()> {
        let place = usize::from(self.root.is_some());
        match target {
            _ if !self.open.is_empty() || content.contains('<') => return Err(Irregularity::Comment),
            "xpacket" => {
                let count = self.wrappers.get_mut(place).ok_or(Irregularity::Malformed)?;
                *count += 1;
                if *count > 1 {
                    return Err(Irregularity::SecondPacket);
                }
            }
            "adobe-xap-filters" if place == 0 => {}
            _ => return Err(Irregularity::Comment),
        }
        Ok(())
    }

    fn declaration<E>(&self, encoding: Option<Result<impl AsRef<str>, E>>) -> Parsed<()> {
        let is_utf8 = match encoding {
            None => true,
            Some(Ok(name)) => name.as_ref().eq_ignore_ascii_case("UTF-8"),
            Some(Err(_)) => false,
        };
        if self.root.is_some() || self.wrappers[0] > 0 || !is_utf8 { Err(Irregularity::Encoding) } else { Ok(()) }
    }
}

/// The length of the packet's header, whose byte order mark some programs write in part.
fn header_length(packet: &[u8]) -> usize {
    let header =
        packet.get(..HEADER_MAX_BYTES.min(packet.len())).filter(|start| start.starts_with(b"<?xpacket begin="));
    let end = header.and_then(|header| header.windows(2).position(|pair| pair == b"?>"));
    let end = end.map_or(0, |end| end + 2);
    let is_plain = packet.get(1..end).is_none_or(|inside| !inside.contains(&b'<'));
    if is_plain { end } else { 0 }
}
