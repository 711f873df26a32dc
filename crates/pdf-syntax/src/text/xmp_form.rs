//! The statements of a packet that every reader reads alike: RDF in the forms of ISO 16684-1, 7, each property once.

use std::collections::BTreeSet;

use super::xmp_irregularity::Irregularity;
use super::xmp_namespace::{META, RDF, XML};
use super::xmp_tree::{self, Name, Node};

/// A statement of a packet: a property, the path to a text within it, and the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    pub(super) property: Name,
    pub(super) path: String,
    pub(super) text: String,
}

type Read = Result<(), Irregularity>;

/// The language of the alternative for every other language (8.2.2.4).
const DEFAULT_LANGUAGE: &str = "x-default";

/// What the attributes of a value say about its form (7.9.2).
struct Syntax<'n> {
    has_fields: bool,
    is_structure: bool,
    uri: Option<&'n str>,
    language: Option<&'n str>,
}

/// Returns the statements of a packet, sorted. They do not depend on syntax: order, element or attribute form, quotes,
/// prefixes and toolkit (7.9), nor on whether a single value is the only item of an array. Properties that are ignored need only have a known form.
///
/// # Errors
/// Why readers may read others.
pub(super) fn statements(packet: &[u8], is_ignored: fn(&Name) -> bool) -> Result<Vec<Statement>, Irregularity> {
    let root = xmp_tree::parse(packet)?;
    let rdf = match (&root.name, root.children.as_slice()) {
        (name, [rdf]) if name.uri == META && matches!(&*name.local, "xmpmeta" | "xapmeta") && root.is_blank() => rdf,
        _ => &root,
    };
    if !rdf.name.is(RDF, "RDF") || !rdf.is_blank() || !rdf.attributes.is_empty() {
        return Err(Irregularity::Form);
    }
    let mut reader = StatementReader {
        is_ignored,
        statements: Vec::new(),
        subject: None,
        properties: BTreeSet::new(),
        property: Name::default(),
    };
    for description in &rdf.children {
        reader.description(description)?;
    }
    reader.statements.sort();
    Ok(reader.statements)
}

struct StatementReader {
    is_ignored: fn(&Name) -> bool,
    statements: Vec<Statement>,
    subject: Option<String>,
    properties: BTreeSet<Name>,
    property: Name,
}

impl StatementReader {
    /// Properties of the document, which all descriptions are about.
    fn description(&mut self, description: &Node) -> Read {
        if !description.name.is(RDF, "Description") || !description.is_blank() {
            return Err(Irregularity::Form);
        }
        let mut subject = "";
        for (name, value) in &description.attributes {
            // old programs write it without a prefix
            if name.is(RDF, "about") || name.is("", "about") {
                subject = value;
            } else {
                self.begin(name)?;
                self.state("", value)?;
            }
        }
        if self.subject.get_or_insert_with(|| subject.to_owned()) != subject {
            return Err(Irregularity::Form);
        }
        for property in &description.children {
            self.begin(&property.name)?;
            self.value("", property)?;
        }
        Ok(())
    }

    fn begin(&mut self, property: &Name) -> Read {
        self.property = property.clone();
        if !is_content(property) {
            return Err(Irregularity::Form);
        }
        let is_new = self.properties.insert(property.clone());
        if is_new || (self.is_ignored)(property) { Ok(()) } else { Err(Irregularity::Repeated) }
    }

    fn state(&mut self, path: &str, text: &str) -> Read {
        let text = text.trim();
        if text.is_empty() || (self.is_ignored)(&self.property) {
            return Ok(());
        }
        // some parsers stop at these, others drop them
        if !text.chars().all(is_xml_character) {
            return Err(Irregularity::Malformed);
        }
        let (property, path, text) = (self.property.clone(), path.to_owned(), text.to_owned());
        self.statements.push(Statement { property, path, text });
        Ok(())
    }

    /// The value of a property, a field or an item.
    fn value(&mut self, path: &str, node: &Node) -> Read {
        let stated = self.statements.len();
        let Syntax { has_fields, is_structure, uri, language } = self.syntax(path, node)?;
        let is_simple = node.children.is_empty();
        // a URI, fields in attributes, or a text or elements within: one of these
        let forms = [uri.is_some(), has_fields, !node.is_blank(), !is_simple];
        if forms.into_iter().filter(|has| *has).count() > 1 || is_structure && (has_fields || uri.is_some()) {
            return Err(Irregularity::Form);
        }
        let mut languages = vec![language];
        match node.children.as_slice() {
            _ if is_structure => self.fields(path, node)?,
            [] => self.state(path, uri.unwrap_or(&node.text))?,
            [list] if list.name.uri == RDF && matches!(&*list.name.local, "Seq" | "Bag" | "Alt") => {
                self.items(path, list)?;
            }
            [structure] if structure.name.is(RDF, "Description") => {
                let inner = self.syntax(path, structure)?;
                let is_plain = !inner.is_structure && inner.uri.is_none();
                languages.push(inner.language);
                if is_plain { self.fields(path, structure)? } else { return Err(Irregularity::Form) }
            }
            _ => return Err(Irregularity::Form),
        }
        // the language of no value says nothing, nor does that of any language (8.2.2.4)
        let has_value = self.statements.len() > stated;
        let mut named = languages.into_iter().flatten().filter(|name| has_value && *name != DEFAULT_LANGUAGE);
        named.try_for_each(|name| self.state(&format!("{path}@lang"), name))
    }

    /// The attributes of a value: its form, its language, and fields written as attributes.
    fn syntax<'n>(&mut self, path: &str, node: &'n Node) -> Result<Syntax<'n>, Irregularity> {
        let mut syntax = Syntax { has_fields: false, is_structure: false, uri: None, language: None };
        for (name, value) in &node.attributes {
            match (&*name.uri, &*name.local) {
                (XML, "lang") => syntax.language = Some(value),
                (RDF, "parseType") if value == "Resource" => syntax.is_structure = true,
                (RDF, "resource") => syntax.uri = Some(value),
                _ if is_content(name) => {
                    syntax.has_fields = true;
                    self.state(&field_path(path, name), value)?;
                }
                _ => return Err(Irregularity::Form),
            }
        }
        Ok(syntax)
    }

    /// The fields of a structure, or a value with its qualifiers (7.8 and 7.9.2).
    fn fields(&mut self, path: &str, structure: &Node) -> Read {
        if !structure.is_blank() {
            return Err(Irregularity::Form);
        }
        let mut names: BTreeSet<&Name> = structure.attributes.keys().filter(|name| is_content(name)).collect();
        for field in &structure.children {
            if !names.insert(&field.name) {
                return Err(Irregularity::Repeated);
            }
            if field.name.is(RDF, "value") {
                self.value(path, field)?;
            } else if is_content(&field.name) || field.name.is(RDF, "type") {
                self.value(&field_path(path, &field.name), field)?;
            } else {
                return Err(Irregularity::Form);
            }
        }
        Ok(())
    }

    /// The items of an array: alternatives by language, a sequence by place.
    fn items(&mut self, path: &str, list: &Node) -> Read {
        if !list.attributes.is_empty() || !list.is_blank() {
            return Err(Irregularity::Form);
        }
        // readers take a single value for an array of one, and the reverse
        if let [item] = list.children.as_slice() {
            return if item.name.is(RDF, "li") { self.value(path, item) } else { Err(Irregularity::Form) };
        }
        let kind = &list.name.local;
        let lang = name(XML, "lang");
        let languages: Vec<Option<&String>> = list.children.iter().map(|item| item.attributes.get(&lang)).collect();
        let is_by_language = kind == "Alt" && languages.iter().any(Option::is_some);
        // the default, or the first without one (8.2.2.4)
        let has_default = languages.iter().flatten().any(|language| *language == DEFAULT_LANGUAGE);
        let mut known = BTreeSet::new();
        for (place, (item, language)) in list.children.iter().zip(languages).enumerate() {
            if !item.name.is(RDF, "li") {
                return Err(Irregularity::Form);
            }
            let language = language.map_or("", String::as_str).to_ascii_lowercase();
            let is_text = item.children.is_empty() && !item.attributes.keys().any(is_content);
            let place = match kind.as_str() {
                "Alt" if is_by_language && (has_default || place > 0) => language.clone(),
                "Bag" if is_text => String::new(),
                _ => place.to_string(),
            };
            if is_by_language && !known.insert(language) {
                return Err(Irregularity::Repeated);
            }
            self.value(&format!("{path}/{kind}[{place}]"), item)?;
        }
        Ok(())
    }
}

fn name(uri: &str, local: &str) -> Name {
    Name { uri: uri.to_owned(), local: local.to_owned() }
}

fn field_path(path: &str, name: &Name) -> String {
    format!("{path}/{{{}}}{}", name.uri, name.local)
}

/// Whether a name is that of a property, a field or a qualifier, not of syntax.
fn is_content(name: &Name) -> bool {
    !matches!(&*name.uri, "" | RDF | XML)
}

fn is_xml_character(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(properties: &str) -> Result<Vec<Statement>, Irregularity> {
        let packet = format!(
            "<rdf:RDF xmlns:rdf='{RDF}'><rdf:Description rdf:about='' xmlns:xmpMM='http://ns.adobe.com/xap/1.0/mm/' \
             xmlns:stRef='http://ns.adobe.com/xap/1.0/sType/ResourceRef#' xmlns:dc='http://purl.org/dc/elements/1.1/'>\
             {properties}</rdf:Description></rdf:RDF>"
        );
        statements(packet.as_bytes(), |_| false)
    }

    #[test]
    fn every_form_of_a_structure_states_the_same() {
        let forms = [
            "<xmpMM:DerivedFrom rdf:parseType='Resource'><stRef:documentID>a</stRef:documentID></xmpMM:DerivedFrom>",
            "<xmpMM:DerivedFrom><rdf:Description><stRef:documentID>a</stRef:documentID></rdf:Description></xmpMM:DerivedFrom>",
            "<xmpMM:DerivedFrom><rdf:Description stRef:documentID='a'/></xmpMM:DerivedFrom>",
            "<xmpMM:DerivedFrom stRef:documentID='a'/>",
            "<xmpMM:DerivedFrom stRef:documentID=\"a\">\n</xmpMM:DerivedFrom>",
        ];
        let stated = read(forms[0]).expect("it is regular");
        assert_eq!(stated.len(), 1);
        for form in forms {
            assert_eq!(read(form).as_ref(), Ok(&stated), "{form}");
        }
        let value = "<dc:source rdf:parseType='Resource'><rdf:value>a</rdf:value></dc:source>";
        assert_eq!(read(value), read("<dc:source>a</dc:source>"));
    }

    #[test]
    fn a_single_value_states_the_same_in_an_array() {
        let plain = read("<dc:x>a</dc:x>").expect("it is regular");
        for kind in ["Bag", "Seq", "Alt"] {
            assert_eq!(read(&format!("<dc:x><rdf:{kind}><rdf:li>a</rdf:li></rdf:{kind}></dc:x>")).as_ref(), Ok(&plain));
        }
        let alternative = |language: &str, text: &str| {
            read(&format!("<dc:x><rdf:Alt><rdf:li xml:lang='{language}'>{text}</rdf:li></rdf:Alt></dc:x>"))
        };
        assert_eq!(alternative("x-default", "a").as_ref(), Ok(&plain));
        assert_ne!(alternative("de", "a").as_ref(), Ok(&plain));
        // without a text, nothing is stated
        let empty = read("<dc:x><rdf:Alt><rdf:li><rdf:Description/></rdf:li></rdf:Alt></dc:x>");
        assert_eq!(alternative("x-default", ""), empty);
        assert_eq!(alternative("de", ""), empty);
        // the fields of a structure have no order
        let fields = |fields: &str| {
            read(&format!("<dc:x><rdf:Bag><rdf:li rdf:parseType='Resource'>{fields}</rdf:li></rdf:Bag></dc:x>"))
        };
        let [one, two] = ["<stRef:a>1</stRef:a>", "<stRef:b>2</stRef:b>"];
        assert_eq!(fields(&format!("{one}{two}")), fields(&format!("{two}{one}")));
    }

    #[test]
    fn places_in_sequences_and_languages_are_stated_and_those_in_bags_are_not() {
        let list = |kind: &str, items: [&str; 2]| {
            read(&format!("<dc:x><rdf:{kind}>{}</rdf:{kind}></dc:x>", items.concat())).expect("it is regular")
        };
        let [one, two] = ["<rdf:li>a</rdf:li>", "<rdf:li>b</rdf:li>"];
        assert_eq!(list("Bag", [one, two]), list("Bag", [two, one]));
        assert_ne!(list("Seq", [one, two]), list("Seq", [two, one]));
        assert_ne!(list("Alt", [one, two]), list("Alt", [two, one]));
        let [one, two] = ["<rdf:li xml:lang='x-default'>a</rdf:li>", "<rdf:li xml:lang='de'>b</rdf:li>"];
        assert_eq!(list("Alt", [one, two]), list("Alt", [two, one]));
        let [one, two] = ["<rdf:li xml:lang='en'>a</rdf:li>", "<rdf:li xml:lang='de'>b</rdf:li>"];
        assert_ne!(list("Alt", [one, two]), list("Alt", [two, one]));
    }

    #[test]
    fn forms_that_xmp_does_not_define_are_irregular() {
        for properties in [
            "<dc:x rdf:parseType='Literal'><b/></dc:x>",
            "<dc:x rdf:resource='urn:a'>b</dc:x>",
            "<dc:x stRef:documentID='a'>b</dc:x>",
            "<dc:x rdf:ID='a'>b</dc:x>",
            "<dc:x><dc:y>a</dc:y></dc:x>",
            "<dc:x><rdf:Bag><rdf:_1>a</rdf:_1></rdf:Bag></dc:x>",
            "<dc:x><rdf:Bag/><rdf:Bag/></dc:x>",
            "<rdf:x>a</rdf:x>",
            "<x>a</x>",
        ] {
            assert_eq!(read(properties), Err(Irregularity::Form), "{properties}");
        }
        // some parsers stop at the end of a C string
        assert_eq!(read("<dc:x>a\0b</dc:x>"), Err(Irregularity::Malformed));
    }
}
