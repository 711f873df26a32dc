//! A document in the making: parts add their objects, and draw them on its first page.

use std::collections::BTreeMap;

use crate::pdf::{deflate, stream};

/// What an object is to the document, by which a change of it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The catalog.
    Catalog,
    /// A page.
    Page,
    /// What is drawn, or acts, or is listed by the catalog, and whatever it consists of.
    Seen,
    /// A form field or its widget.
    Field,
    /// The look of a field.
    Look,
    /// An annotation and its look.
    Note,
    /// What a program keeps for itself: a page's `/PieceInfo` and what it leads to.
    Private,
    /// Structure for accessibility: nothing of it is drawn.
    Tagging,
    /// The document information dictionary.
    Info,
    /// The XMP packet.
    Packet,
    /// What validates signatures: DSS and what it leads to.
    Validation,
    /// The field and the value of a signature.
    Signature,
    /// Nothing leads to it.
    Unreached,
}

/// A document in the making.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// What each object is, and its text.
    pub(super) objects: BTreeMap<u32, (Kind, Vec<u8>)>,
    /// What the first page draws.
    pub(super) content: String,
    /// Entries of each kind of resource.
    pub(super) resources: BTreeMap<&'static str, String>,
    /// References to annotations and widgets of the first page.
    pub(super) annotations: String,
    /// References to the form's fields.
    pub(super) fields: String,
    /// Further entries of the form.
    pub(super) form: String,
    /// Fonts of the form: names and references.
    pub(super) form_fonts: String,
    /// Further entries of the catalog.
    pub(super) catalog: String,
    /// Further entries of the first page.
    pub(super) page: String,
    /// References to streams of the first page behind its own.
    pub(super) contents: String,
    /// Numbers that are referred to and have no object, with what would be one.
    pub(super) missing: BTreeMap<u32, Vec<u8>>,
    lines: u32,
}

impl Sheet {
    /// The first number that parts take.
    const FIRST: u32 = 12;
    /// The first number of what is not there, beyond all others.
    const FIRST_MISSING: u32 = 400;

    /// The next object's number.
    pub(super) fn next(&self) -> u32 {
        self.objects.keys().next_back().map_or(Self::FIRST, |last| (last + 1).max(Self::FIRST))
    }

    /// Adds an object; returns its number.
    pub(super) fn add(&mut self, kind: Kind, text: impl AsRef<[u8]>) -> u32 {
        let number = self.next();
        self.objects.insert(number, (kind, text.as_ref().to_vec()));
        number
    }

    /// Gives out the number of an object that is not there; with it, what could be.
    pub(super) fn missing(&mut self, text: impl AsRef<[u8]>) -> u32 {
        let number = Self::FIRST_MISSING + self.missing.len() as u32;
        self.missing.insert(number, text.as_ref().to_vec());
        number
    }

    /// Adds a stream.
    pub(super) fn stream(&mut self, kind: Kind, entries: &str, body: impl AsRef<[u8]>) -> u32 {
        self.add(kind, stream(entries, body.as_ref()))
    }

    /// Adds a stream whose body is compressed.
    pub(super) fn compressed(&mut self, kind: Kind, entries: &str, body: impl AsRef<[u8]>) -> u32 {
        self.stream(kind, &format!("/Filter /FlateDecode {entries}"), deflate(body.as_ref()))
    }

    /// Adds a form `XObject` with these entries beside its box of 100 by 20.
    pub(super) fn drawing(&mut self, kind: Kind, entries: &str, body: &str) -> u32 {
        self.stream(kind, &format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {entries}"), body)
    }

    /// Gives a resource of the pages a name.
    pub(super) fn resource(&mut self, category: &'static str, name: &str, value: &str) {
        self.resources.entry(category).or_default().push_str(&format!("/{name} {value} "));
    }

    /// Draws on the first page.
    pub(super) fn draw(&mut self, operators: &str) {
        self.content.push_str(operators);
        self.content.push('\n');
    }

    /// Draws on the first page by operators that take the place at the left below for their origin.
    pub(super) fn place(&mut self, operators: &str) {
        let y = self.line();
        self.draw(&format!("q 1 0 0 1 60 {y} cm {operators} Q"));
    }

    /// The height of a line of its own on the first page.
    pub(super) fn line(&mut self) -> u32 {
        self.lines += 1;
        800 - 28 * self.lines
    }

    /// All resources of the pages.
    pub(super) fn resources(&self) -> String {
        let all: String = self.resources.iter().map(|(category, names)| format!("/{category} << {names}>> ")).collect();
        format!("<< {all}>>")
    }
}
