//! XFA packets (ISO 32000-1, 12.7.8): their elements, and the texts that were filled into their data.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, escape};

use super::xml;

/// Maximum nesting of elements, and maximum elements of a packet.
const MAX_DEPTH: usize = 64;
const MAX_ELEMENTS: usize = 1 << 16;

/// A packet, or all of them in one document.
#[derive(Debug, PartialEq, Eq)]
pub struct Packet {
    root: Element,
}

/// A text of the data that differs from the one before.
#[derive(Debug, PartialEq, Eq)]
pub struct DataText {
    /// The name of its element without prefix.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it is now.
    pub after: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Element {
    name: String,
    /// Ascending by name.
    attributes: Vec<(String, String)>,
    content: Vec<Content>,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    Element(Element),
    Text(String),
}

impl Packet {
    /// Reads a packet; none if it is no well-formed XML of elements and texts alone.
    pub fn read(text: &[u8]) -> Option<Self> {
        let mut reader = Reader::from_str(std::str::from_utf8(text).ok()?.trim_start_matches('\u{feff}'));
        // the innermost last
        let (mut open, mut root, mut count) = (Vec::<Element>::new(), None, 0_usize);
        loop {
            let closed = match reader.read_event().ok()? {
                Event::Start(tag) => {
                    count += 1;
                    (root.is_none() && open.len() < MAX_DEPTH && count <= MAX_ELEMENTS).then_some(())?;
                    open.push(Element::read(&tag)?);
                    continue;
                }
                Event::Empty(tag) => {
                    count += 1;
                    (root.is_none() && count <= MAX_ELEMENTS).then_some(())?;
                    Element::read(&tag)?
                }
                // quick-xml compares it with the name of its start
                Event::End(_) => open.pop()?,
                Event::Text(words) => {
                    let words = words.into_inner();
                    match open.last_mut() {
                        Some(element) => element.push(&words),
                        None => words.trim().is_empty().then_some(())?,
                    }
                    continue;
                }
                Event::GeneralRef(reference) => {
                    open.last_mut()?.push(&xml::resolve(&reference)?);
                    continue;
                }
                Event::Decl(declaration) if count == 0 => {
                    let encoding = declaration.encoding().map_or(Some(None), |encoding| encoding.ok().map(Some))?;
                    encoding.is_none_or(|encoding| encoding.eq_ignore_ascii_case("utf-8")).then_some(())?;
                    continue;
                }
                Event::Eof => return root.filter(|_| open.is_empty()).map(|root| Self { root }),
                _ => return None,
            };
            match open.last_mut() {
                Some(outer) => outer.content.push(Content::Element(closed)),
                None => root = Some(closed),
            }
        }
    }

    /// Returns the texts of its data that differ from those of an older packet; none if it differs in anything else.
    pub fn filled_since(&self, older: &Self) -> Option<Vec<DataText>> {
        let mut filled = Vec::new();
        self.root.compare(&older.root, Zone::of(&self.root), &mut filled)?;
        Some(filled)
    }
}

/// Where an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    /// The document of all packets.
    Document,
    /// The packet with the data sets.
    DataSets,
    Data,
    Other,
}

impl Zone {
    fn of(root: &Element) -> Self {
        match root.local_name() {
            "xdp" => Self::Document,
            "datasets" => Self::DataSets,
            _ => Self::Other,
        }
    }

    fn below(self, element: &Element) -> Self {
        match (self, element.local_name()) {
            (Self::Document, "datasets") => Self::DataSets,
            (Self::DataSets, "data") | (Self::Data, _) => Self::Data,
            _ => Self::Other,
        }
    }
}

impl Element {
    fn read(tag: &BytesStart) -> Option<Self> {
        let name = tag.name().into_inner().to_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            let value = escape::unescape(&attribute.value).ok()?.into_owned();
            attributes.push((attribute.key.into_inner().to_owned(), value));
        }
        attributes.sort_unstable();
        Some(Self { name, attributes, content: Vec::new() })
    }

    fn local_name(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or_default()
    }

    /// Adds a text, which ends lines as XML does.
    fn push(&mut self, words: &str) {
        let words = words.replace("\r\n", "\n");
        match self.content.last_mut() {
            Some(Content::Text(text)) => text.push_str(&words),
            _ => self.content.push(Content::Text(words)),
        }
    }

    /// Its text, if it has no elements.
    fn text(&self) -> Option<&str> {
        match &self.content[..] {
            [] => Some(""),
            [Content::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Collects the differing texts of data; none if anything else differs.
    fn compare(&self, older: &Self, zone: Zone, filled: &mut Vec<DataText>) -> Option<()> {
        (self.name == older.name && self.attributes == older.attributes).then_some(())?;
        if let (Zone::Data, Some(before), Some(after)) = (zone, older.text(), self.text()) {
            if before != after {
                let [before, after] = [before, after].map(str::to_owned);
                filled.push(DataText { name: self.local_name().to_owned(), before, after });
            }
            return Some(());
        }
        (self.content.len() == older.content.len()).then_some(())?;
        for (older, newer) in older.content.iter().zip(&self.content) {
            match (older, newer) {
                (Content::Element(older), Content::Element(newer)) => {
                    newer.compare(older, zone.below(newer), filled)?;
                }
                (older, newer) => (older == newer).then_some(())?,
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Packet;

    fn filled(older: &str, newer: &str) -> Option<Vec<(String, String)>> {
        let [older, newer] = [older, newer].map(|text| Packet::read(text.as_bytes()).expect("XML"));
        let texts = newer.filled_since(&older)?;
        Some(texts.into_iter().map(|text| (text.name, text.after)).collect())
    }

    #[test]
    fn packets_are_compared_by_their_elements() {
        let same = Some(Vec::new());
        assert_eq!(filled("<a b='1' c='2'><d/></a>", "<?xml version=\"1.0\"?><a c=\"2\" b=\"1\"><d></d></a>"), same);
        for (older, newer) in [
            ("<a><d/></a>", "<a><e/></a>"),
            ("<a b='1'/>", "<a b='2'/>"),
            ("<a>1</a>", "<a>2</a>"),
            ("<a><d/></a>", "<a><d/><d/></a>"),
            ("<template><data>1</data></template>", "<template><data>2</data></template>"),
        ] {
            assert_eq!(filled(older, newer), None, "{newer}");
        }
    }

    #[test]
    fn data_is_filled_in() {
        let data = |data: &str| format!("<x:datasets xmlns:x='u'><x:data><f>{data}</f></x:data><c>1</c></x:datasets>");
        let one = Some(vec![("name".to_owned(), "A & B\nC".to_owned())]);
        let newer = data("<name>A &amp; B&#xA;C</name><due></due>");
        assert_eq!(filled(&data("<name/><due/>"), &newer), one);
        let all = |packet: &str| format!("<xdp:xdp>{packet}</xdp:xdp>");
        assert_eq!(filled(&all(&data("<name/><due/>")), &all(&newer)), one);
        assert_eq!(filled(&data("<name/><due/>"), &data("<name>A</name>")), None);
        assert_eq!(filled(&data("<name/>"), &data("<name/>").replace("<c>1", "<c>2")), None);
        assert_eq!(filled(&data("<name/>"), &data("<name><p/></name>")), None);
    }

    #[test]
    fn other_markup_is_not_read() {
        for odd in ["<a>", "<a/><b/>", "<a/>b", "<a><!-- --></a>", "<a><![CDATA[b]]></a>", "<a>&b;</a>", "b", ""] {
            assert_eq!(Packet::read(odd.as_bytes()), None, "{odd}");
        }
    }
}
