//! Signed PDFs of every kind that viewers know, with what each of their objects is: what forgeries are made of.

mod codecs;
mod font_file;
mod furniture;
mod images;
mod interactive;
mod layout;
mod painting;
mod sheet;
mod signing;
mod texts;

use std::collections::BTreeMap;

pub use font_file::{Corners, truetype, truetype_with};
pub use sheet::Kind;
pub use signing::{signed_again, time_stamped};

use crate::pdf::{CATALOG, Form, PAGES};
use crate::section::Section;
use layout::{Content, Tree, Written};
use sheet::Sheet;
use signing::{Prepared, Signature, ann, fill};

/// A signed PDF.
#[derive(Debug, Clone)]
pub struct Build {
    /// What is special about it.
    pub name: &'static str,
    /// The file.
    pub file: Vec<u8>,
    /// What each object is, and its text.
    pub objects: BTreeMap<u32, (Kind, Vec<u8>)>,
    /// Object streams, with the numbers of their members.
    pub containers: BTreeMap<u32, Vec<u32>>,
    /// Numbers that are referred to and have no object, with what would be one.
    pub missing: BTreeMap<u32, Vec<u8>>,
    /// What its signatures permit.
    pub permits: Permits,
    /// The fields and looks that a signature locks.
    pub locked: Vec<u32>,
    /// The object that lists the form's fields.
    pub form: u32,
}

/// What may be done after signing (ISO 32000-1, table 254); a signature that names no level permits what level 2 does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permits {
    /// Nothing: level 1.
    Nothing,
    /// Filling in fields, and signing: level 2.
    Filling,
    /// Notes besides: level 3.
    Notes,
}

/// How a build is made.
struct Plan {
    name: &'static str,
    written: Written,
    tree: Tree,
    content: Content,
    /// Whether the form is an object of its own.
    has_form_object: bool,
    /// Whether the first signature is there from the start.
    is_born_signed: bool,
    signatures: &'static [Signature],
    parts: &'static [fn(&mut Sheet)],
}

/// Rows of the table below.
macro_rules! plans {
    ($($name:literal: $written:ident $tree:ident $content:ident $form:ident $born:ident [$($signature:expr),+]
       $($module:ident::$part:ident)+;)+) => {
        [$(Plan {
            name: $name,
            written: Written::$written,
            tree: Tree::$tree,
            content: Content::$content,
            has_form_object: stringify!($form) == "object",
            is_born_signed: stringify!($born) == "born",
            signatures: &[$($signature),+],
            parts: &[$($module::$part),+],
        }),+]
    };
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Build> {
    use Signature::{Approval, Certification, Lock, Visible};
    let plans = plans! {
        "plain": Table Flat One inline later [Approval] texts::plain furniture::housekeeping;
        "plain, nothing permitted": Table Flat One inline born [Certification(1)] texts::plain texts::encoded;
        "nested pages": Table Nested Array inline later [Certification(1)] texts::plain texts::encoded painting::borrowing;
        "nested pages, compressed": Compressed Nested Compressed object later [Approval] texts::plain painting::nested;
        "fonts": Table Flat Compressed inline later [Certification(1)] texts::plain texts::embedded texts::drawn;
        "fonts, compressed": Compressed Flat One inline later [Certification(2)] texts::plain texts::composite texts::drawn;
        "fonts, hybrid": Hybrid Nested One inline later [Approval] texts::plain texts::embedded texts::composite;
        "forms within forms": Hybrid Flat IndirectArray inline later [Certification(1)] texts::plain painting::nested painting::borrowing;
        "patterns": Table Nested IndirectLength inline later [Certification(1)] texts::plain painting::patterns painting::states;
        "patterns, compressed": Compressed Flat Array inline later [Approval, Approval] texts::plain painting::patterns images::colours;
        "photographs": Table Flat One inline born [Certification(2)] texts::plain images::photographs images::predictions;
        "scans": Compressed Nested One object later [Certification(1)] texts::plain images::scans images::wavelets;
        "colours": Hybrid Flat One inline later [Certification(1)] texts::plain images::colours images::predictions;
        "filled form": Table Flat One inline later [Approval] texts::plain interactive::filled interactive::buttons;
        "filled form, nothing permitted": Compressed Flat One object later [Certification(1)] texts::plain interactive::filled interactive::buttons;
        "filled form, certified": Table Nested Compressed object later [Certification(2)] texts::plain interactive::filled interactive::nested_fields interactive::without_looks;
        "filled form, all locked": Table Flat One object later [Lock(None)] texts::plain interactive::filled interactive::xml_form;
        "filled form, one locked": Hybrid Flat Array inline later [Lock(Some("amount"))] texts::plain interactive::filled interactive::buttons;
        "nested fields": Compressed Nested One inline later [Visible] texts::plain interactive::nested_fields interactive::buttons;
        "notes permitted": Table Flat One inline later [Certification(3)] texts::plain interactive::notes interactive::filled;
        "notes": Compressed Flat One inline later [Approval] texts::plain interactive::notes painting::layers;
        "layers": Table Nested IndirectArray object later [Certification(1)] texts::plain painting::layers painting::states;
        "names": Linearized Flat One inline later [Certification(1)] texts::plain furniture::names furniture::opening;
        "names, compressed": Compressed Flat One object later [Certification(2), Approval] texts::plain furniture::names furniture::metadata;
        "structure": Table Flat One object later [Certification(1)] texts::plain furniture::structure furniture::metadata;
        "structure, compressed": Compressed Nested One inline later [Approval] texts::plain furniture::structure furniture::opening;
        "signed twice, visibly": Table Nested One object later [Visible, Approval] texts::plain interactive::filled images::photographs;
        "missing objects": Table Flat Array inline later [Certification(1)] texts::plain painting::missing;
        "missing objects, compressed": Compressed Nested IndirectArray object later [Approval] texts::plain painting::missing;
        "housekeeping": Hybrid Flat One inline born [Certification(1)] texts::plain furniture::housekeeping furniture::metadata interactive::notes;
    };
    plans.iter().map(build).collect()
}

fn build(plan: &Plan) -> Build {
    let mut sheet = Sheet::default();
    for part in plan.parts {
        part(&mut sheet);
    }
    let prepare = |signature: &Signature| Prepared::add(&mut sheet, *signature, plan.has_form_object);
    let prepared: Vec<_> = plan.signatures.iter().map(prepare).collect();
    layout::arrange(&mut sheet, plan.tree, plan.content);
    let fonts = match &sheet.form_fonts[..] {
        "" => String::new(),
        fonts => format!("/DR << /Font << {fonts}>> >>"),
    };
    let form = format!("<< /Fields [{}] /SigFlags 3 {}{fonts} >>", sheet.fields, sheet.form);
    let certified = prepared.iter().find(|one| matches!(one.signature, Signature::Certification(_)));
    let permissions = certified.map_or_else(String::new, |one| format!("/Perms << /DocMDP {} 0 R >>", one.value));
    let (form, form_object) = if plan.has_form_object {
        let number = sheet.add(Kind::Seen, &form);
        (format!("{number} 0 R"), number)
    } else {
        (form, CATALOG)
    };
    let catalog = format!("<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm {form} {} {permissions} >>", sheet.catalog);
    sheet.objects.insert(CATALOG, (Kind::Catalog, catalog.into_bytes()));
    let mut build = Build {
        name: plan.name,
        file: Vec::new(),
        locked: locked(&sheet, plan.signatures),
        objects: sheet.objects,
        containers: BTreeMap::new(),
        missing: sheet.missing,
        permits: permits(plan.signatures),
        form: form_object,
    };
    build.sign(plan, &prepared);
    build
}

fn permits(signatures: &[Signature]) -> Permits {
    let level = |signature: &Signature| match signature {
        Signature::Certification(1) => Permits::Nothing,
        Signature::Certification(3) => Permits::Notes,
        _ => Permits::Filling,
    };
    signatures.iter().map(level).min().unwrap_or(Permits::Nothing)
}

fn locked(sheet: &Sheet, signatures: &[Signature]) -> Vec<u32> {
    let name = signatures.iter().find_map(|signature| match signature {
        Signature::Lock(name) => Some(name.unwrap_or_default()),
        _ => None,
    });
    let is_locked = |kind: Kind, text: &[u8]| {
        let named = name.is_some_and(|name| String::from_utf8_lossy(text).contains(&format!("({name}")));
        matches!(kind, Kind::Field | Kind::Look) && named
    };
    sheet.objects.iter().filter(|(_, (kind, text))| is_locked(*kind, text)).map(|(number, _)| *number).collect()
}

impl Build {
    /// Writes the file, and signs it.
    fn sign(&mut self, plan: &Plan, prepared: &[Prepared]) {
        for (index, one) in prepared.iter().enumerate() {
            let texts = [(one.field, one.field_text(true)), (one.value, one.value_text())];
            let is_born = plan.is_born_signed && index == 0;
            if index == 0 && !is_born {
                (self.file, self.containers) = layout::file(&self.objects, plan.written, Self::TRAILER);
            }
            let start = self.file.len();
            let mut section = self.section();
            for (number, text) in texts {
                section = section.with(number, &text);
                self.objects.insert(number, (Kind::Signature, text));
            }
            if is_born {
                (self.file, self.containers) = layout::file(&self.objects, plan.written, Self::TRAILER);
            } else {
                self.file = section.write(std::mem::take(&mut self.file), plan.form());
            }
            let value = fill(&mut self.file, start, &ann());
            self.objects.insert(one.value, (Kind::Signature, value));
        }
    }

    /// Entries of all its trailers.
    pub const TRAILER: &str = "/Root 1 0 R /Info 3 0 R";

    /// An update of it that changes nothing.
    #[must_use]
    pub fn section(&self) -> Section {
        let size = self.objects.keys().next_back().map_or(1, |last| last + 3);
        Section { trailer: Self::TRAILER.to_owned(), size, ..Section::default() }
    }

    /// An object's text.
    ///
    /// # Panics
    /// When it has none.
    #[must_use]
    pub fn text(&self, number: u32) -> &[u8] {
        &self.objects[&number].1
    }

    /// A number that it does not use.
    #[must_use]
    pub fn unused(&self) -> u32 {
        // beyond those of its own cross-reference stream and object stream
        self.objects.keys().next_back().map_or(1, |last| last + 10)
    }
}

impl Plan {
    /// The form of what is appended by whoever signs.
    fn form(&self) -> Form {
        match self.written {
            Written::Table | Written::Linearized => Form::Table,
            Written::Compressed => Form::Stream,
            Written::Hybrid => Form::Hybrid,
        }
    }
}
