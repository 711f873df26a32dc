//! Rich text strings of form fields and annotations: a small XHTML (ISO 32000-1, 12.7.3.4).

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, escape};

use super::text_string::has_same_words;
use super::xml;

/// The elements of rich text; others have no known effect.
const PLAIN_ELEMENTS: [&str; 4] = ["body", "p", "span", "br"];
const STYLED_ELEMENTS: [&str; 8] = ["b", "i", "u", "strong", "em", "sub", "sup", "font"];
/// The namespaces that a body declares.
const NAMESPACES: [&str; 2] = ["http://www.w3.org/1999/xhtml", "http://www.xfa.org/schema/xfa-data/1.0/"];
/// Maximum nesting of elements.
const MAX_DEPTH: usize = 32;

/// A rich text.
#[derive(Debug, Default)]
pub struct RichText {
    text: String,
    /// The styles of its elements.
    pub styles: Vec<String>,
    /// Whether it has markup that may change how its words are seen, whatever its styles.
    pub has_other_markup: bool,
}

impl RichText {
    /// Reads a rich text; none if it is no well-formed XHTML of the known elements.
    pub fn read(text: &str) -> Option<Self> {
        let mut rich = Self::default();
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
        let (mut depth, mut has_body) = (0_usize, false);
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => {
                    let is_body = rich.element(&tag)?;
                    (is_body == (depth == 0) && !(is_body && has_body) && depth < MAX_DEPTH).then_some(())?;
                    (depth, has_body) = (depth + 1, true);
                }
                Event::Empty(tag) => (!rich.element(&tag)? && depth > 0).then_some(())?,
                // quick-xml compares it with the name of its start
                Event::End(_) => depth = depth.checked_sub(1)?,
                Event::Text(words) => {
                    let words = words.into_inner();
                    (depth > 0 || words.trim().is_empty()).then_some(())?;
                    rich.text.push_str(&words);
                }
                Event::GeneralRef(reference) => {
                    (depth > 0).then_some(())?;
                    rich.text.push_str(&xml::resolve(&reference)?);
                }
                Event::Decl(_) if !has_body => {}
                Event::Eof => return (depth == 0 && has_body).then_some(rich),
                _ => return None,
            }
        }
    }

    /// Reads an element; returns whether it is the body.
    fn element(&mut self, tag: &BytesStart) -> Option<bool> {
        let name = tag.name().into_inner().to_owned();
        (PLAIN_ELEMENTS.contains(&&*name) || STYLED_ELEMENTS.contains(&&*name)).then_some(())?;
        self.has_other_markup |= !PLAIN_ELEMENTS.contains(&&*name);
        if matches!(&*name, "p" | "br") {
            self.text.push('\n');
        }
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            let value = escape::unescape(&attribute.value).ok()?.into_owned();
            match attribute.key.into_inner() {
                "style" => self.styles.push(value),
                "xmlns" | "xmlns:xfa" => self.has_other_markup |= !NAMESPACES.contains(&&*value),
                "xfa:APIVersion" | "xfa:spec" if name == "body" => {}
                "dir" => self.has_other_markup |= value != "ltr",
                _ => self.has_other_markup = true,
            }
        }
        Some(name == "body")
    }

    /// Returns its words, with a line for each paragraph.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has the words of a value.
    pub fn says(&self, value: &str) -> bool {
        has_same_words(&self.text, value)
    }
}

#[cfg(test)]
mod tests {
    use super::RichText;

    #[test]
    fn a_rich_text_has_words_styles_and_other_markup() {
        let read = |text: &str| RichText::read(text).map(|rich| (rich.says("9 250"), rich.has_other_markup));
        for (plain, says) in [
            (
                "<?xml version=\"1.0\"?><body xmlns=\"http://www.w3.org/1999/xhtml\"><p dir=\"ltr\">9 250</p></body>",
                true,
            ),
            ("<body><p>9</p><p>250</p></body>", true),
            ("<body><p>9<br/>250</p></body>", true),
            ("<body>9<span>250</span></body>", false),
            ("<body><p>9&#32;25&#x30;</p></body>", true),
        ] {
            assert_eq!(read(plain), Some((says, false)), "{plain}");
        }
        for marked in [
            "<body dir=\"rtl\"><p>9 250</p></body>",
            "<body class=\"x\"><p>9 250</p></body>",
            "<body><p><b>9</b> 250</p></body>",
            "<body xmlns=\"x\"><p>9 250</p></body>",
        ] {
            assert_eq!(read(marked), Some((true, true)), "{marked}");
        }
        for odd in [
            "9 250",
            "<body><p>9 250</p>",
            "<body><p>9 250</body></p>",
            "<body><p>9 250</p></body>9",
            "<body><p>9&nbsp;250</p></body>",
            "<body><bdo>9 250</bdo></body>",
            "<body><!-- 1 --><p>9 250</p></body>",
            "<body><p>9 <![CDATA[250]]></p></body>",
            "<body/><body>9 250</body>",
            "<body>9 250</body><body/>",
            "<body a=b>9 250</body>",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
