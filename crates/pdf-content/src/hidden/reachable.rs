//! The objects that a revision's trailer leads to, and what they are.

use std::collections::BTreeSet;

use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Keys that lead from annotations to fields and pages.
const PARENT_KEYS: [&[u8]; 2] = [b"P", b"Parent"];
/// Bytes of the budget for decoded streams that later stages need.
const DECODING_RESERVE_BYTES: u64 = 32 << 20;

/// Objects that can be reached.
#[derive(Debug, Default)]
pub(super) struct Reachable {
    /// Their numbers.
    pub(super) numbers: BTreeSet<u32>,
    /// Pages and templates.
    pub(super) pages: Vec<u32>,
    /// Annotations: dictionaries with a rectangle.
    pub(super) annotations: Vec<u32>,
    /// Structure elements with replacement text (14.9.4).
    pub(super) replaced: Vec<u32>,
    /// Form XObjects, patterns and glyphs that resources list.
    pub(super) drawings: BTreeSet<u32>,
    /// Glyph procedures of Type 3 fonts.
    pub(super) glyphs: BTreeSet<u32>,
    /// Appearance streams of annotations, and what they may paint, whether or not the annotations are shown.
    pub(super) appearances: BTreeSet<u32>,
    /// Whether an object is unreadable, which may lead to further ones.
    pub(super) is_part: bool,
}

impl Reachable {
    /// Reads the objects of a revision; none if there are too many references.
    pub(super) fn read(document: &mut Document, state: State, objects: usize) -> Result<Option<Self>, Fault> {
        let mut open: Vec<u32> = Vec::new();
        let mut left = 64 * (objects + 64);
        let trailer = match state {
            State(0) => Object::Dictionary(document.xref.trailer.clone()),
            State(part) => {
                let parts = document.xref.parts.get(part..).unwrap_or_default();
                let roots = parts.iter().flat_map(|part| [part.root, part.info]).flatten();
                Object::Array(roots.map(Object::Reference).collect())
            }
        };
        collect(&trailer, &mut open, &mut left);
        let mut found = Self::default();
        while let Some(number) = open.pop() {
            if !found.numbers.insert(number) {
                continue;
            }
            let stored = document.view(state).stored(number)?;
            found.is_part |= stored.is_unreadable();
            if left == 0 || document.budget.decoding_left() < DECODING_RESERVE_BYTES {
                return Ok(None);
            }
            if let Some(body) = stored.body() {
                document.budget.work(1)?;
                collect(&body.object, &mut open, &mut left);
                if let Some(dictionary) = body.dictionary() {
                    found.classify(number, dictionary);
                }
            }
        }
        found.add_drawn_by_appearances(document, state)?;
        Ok((left > 0).then_some(found))
    }

    /// Adds what the resources of appearance streams lead to.
    fn add_drawn_by_appearances(&mut self, document: &mut Document, state: State) -> Result<(), Fault> {
        let mut open: Vec<u32> = std::mem::take(&mut self.appearances).into_iter().collect();
        while let Some(number) = open.pop() {
            if !self.appearances.insert(number) {
                continue;
            }
            document.budget.work(1)?;
            let Some(body) = document.view(state).object(number)? else { continue };
            let Some(dictionary) = body.dictionary() else { continue };
            let is_wanted = |key: &[u8]| match body.stream.is_some() {
                true => key == b"Resources",
                false => !PARENT_KEYS.contains(&key),
            };
            for (_, value) in dictionary.iter().filter(|(key, _)| is_wanted(key.as_bytes())) {
                references(value, &mut |number| open.push(number));
            }
        }
        Ok(())
    }

    fn classify(&mut self, number: u32, dictionary: &Dictionary) {
        if is_page(dictionary) {
            self.pages.push(number);
        }
        if dictionary.has(b"Rect") {
            self.annotations.push(number);
        }
        if dictionary.has(b"ActualText") && dictionary.has(b"K") {
            self.replaced.push(number);
        }
        references(dictionary.get(b"AP"), &mut |number| {
            self.appearances.insert(number);
        });
        for key in [&b"XObject"[..], b"Pattern", b"CharProcs", b"SMask"] {
            references(dictionary.get(key), &mut |number| {
                self.drawings.insert(number);
            });
        }
        self.add_glyphs(dictionary);
        for key in [&b"Resources"[..], b"ExtGState"] {
            if let Object::Dictionary(inner) = dictionary.get(key) {
                self.classify_resources(inner);
            }
        }
    }

    /// Adds the glyph procedures of a font, and of those in a dictionary.
    fn add_glyphs(&mut self, dictionary: &Dictionary) {
        references(dictionary.get(b"CharProcs"), &mut |number| {
            self.glyphs.insert(number);
        });
        dictionary.iter().filter_map(|(_, value)| value.as_dictionary()).for_each(|inner| self.add_glyphs(inner));
    }

    fn classify_resources(&mut self, resources: &Dictionary) {
        for (key, value) in resources.iter() {
            match key.as_bytes() {
                b"XObject" | b"Pattern" | b"SMask" => references(value, &mut |number| {
                    self.drawings.insert(number);
                }),
                b"Font" => {}
                _ => {
                    if let Object::Dictionary(inner) = value {
                        self.classify_resources(inner);
                    }
                }
            }
        }
    }
}

/// Whether a dictionary is a page or a template (12.7.6).
pub(super) fn is_page(dictionary: &Dictionary) -> bool {
    dictionary.is_type(b"Page") || dictionary.is_type(b"Template")
}

fn references(object: &Object, found: &mut impl FnMut(u32)) {
    match object {
        Object::Reference(id) => found(id.number),
        Object::Dictionary(dictionary) => dictionary.iter().for_each(|(_, value)| references(value, found)),
        _ => {}
    }
}

/// Adds an object's references.
fn collect(object: &Object, open: &mut Vec<u32>, left: &mut usize) {
    *left = left.saturating_sub(1);
    match object {
        _ if *left == 0 => {}
        Object::Reference(id) => open.push(id.number),
        Object::Array(elements) => elements.iter().for_each(|element| collect(element, open, left)),
        Object::Dictionary(dictionary) => dictionary.iter().for_each(|(_, value)| collect(value, open, left)),
        _ => {}
    }
}
