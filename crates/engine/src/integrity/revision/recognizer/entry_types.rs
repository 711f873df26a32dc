//! The types of entries that decide what annotations and their appearances draw (ISO 32000-2, 8.4.5, 8.10.2, 9.6 and
//! 12.5). Readers replace a value of another type by the default, by zero or by the next value, each differently.

use super::{Recognition, Recognizer, unknown};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Key;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Integer,
    Flag,
    Name,
    Text,
    Dictionary,
    /// One of these counts of numbers.
    Counts(&'static [usize]),
    /// A multiple of this count of numbers.
    Multiple(usize),
    /// Arrays, each with a multiple of this count of numbers.
    Lists(usize),
    /// Names.
    Names,
    /// Three numbers, and possibly a dash pattern (12.5.4).
    Border,
    /// Codes, each with widths or another code and a width (9.7.4.3).
    Widths,
}

use Type::{Border, Counts, Dictionary as Entries, Flag, Integer, Lists, Multiple, Name, Names, Number, Text, Widths};

/// The types of these entries in any dictionary. A matrix of nine numbers is one of a calibrated color space.
const TYPES: [(&str, &[Type]); 19] = [
    ("Rect BBox RD FontBBox L", &[Counts(&[4])]),
    ("Matrix", &[Counts(&[6, 9])]),
    ("FontMatrix", &[Counts(&[6])]),
    ("QuadPoints", &[Multiple(8)]),
    ("Vertices CL Decode", &[Multiple(2)]),
    ("CO DW2", &[Counts(&[2])]),
    ("InkList", &[Lists(2)]),
    ("C IC", &[Counts(&[0, 1, 3, 4])]),
    ("BC Widths", &[Multiple(1)]),
    ("BG", &[Multiple(1), Entries]),
    ("CA", &[Number, Text]),
    ("ca LW ML FL SM XStep YStep LL LLE LLO DW MissingWidth", &[Number]),
    (
        "F Q LC LJ OPM FirstChar LastChar Width Height BitsPerComponent PatternType PaintType TilingType ShadingType \
         FormType Rotate",
        &[Integer],
    ),
    ("AIS TK SA OP op ImageMask Interpolate Cap Open", &[Flag]),
    ("BM LE", &[Name, Names]),
    ("Type Subtype BaseFont IT RT CP AS Name Sy", &[Name]),
    ("DA Contents", &[Text]),
    ("W W2", &[Number, Widths]),
    ("AP BS BE MK Resources ExtGState XObject CharProcs", &[Entries]),
];
/// The types of entries of border styles and effects, of appearance characteristics and of optional content.
const NESTED_TYPES: [(&str, &str, &[Type]); 7] = [
    ("BS", "W", &[Number]),
    ("BS", "D", &[Multiple(1)]),
    ("BS BE", "S", &[Name]),
    ("BE", "I", &[Number]),
    ("MK", "R TP", &[Integer]),
    ("MK", "CA RC AC", &[Text]),
    ("OC OCGs", "Name", &[Text]),
];

impl Type {
    fn fits(self, value: &Object) -> bool {
        let count = value.elements().len();
        match self {
            Number => value.as_number().is_some(),
            Integer => matches!(value, Object::Integer(_)),
            Flag => matches!(value, Object::Boolean(_)),
            Name => value.as_name().is_some(),
            Text => value.as_string().is_some(),
            Entries => value.as_dictionary().is_some(),
            Counts(counts) => are_numbers(value) && counts.contains(&count),
            Multiple(of) => are_numbers(value) && count.is_multiple_of(of),
            Lists(of) => is_array(value) && value.elements().iter().all(|list| Multiple(of).fits(list)),
            Names => is_array(value) && value.elements().iter().all(|name| name.as_name().is_some()),
            Border => match value.elements() {
                [edges @ .., dashes @ Object::Array(_)] => {
                    count == 4 && edges.iter().all(is_number) && are_numbers(dashes)
                }
                edges => count == 3 && edges.iter().all(is_number),
            },
            Widths => is_array(value) && value.elements().iter().all(|run| is_number(run) || are_numbers(run)),
        }
    }
}

fn is_array(value: &Object) -> bool {
    matches!(value, Object::Array(_))
}

fn is_number(value: &Object) -> bool {
    value.as_number().is_some()
}

/// Whether it is an array of direct numbers.
fn are_numbers(value: &Object) -> bool {
    is_array(value) && value.elements().iter().all(is_number)
}

/// The types that an entry may have; none if any.
fn types(parent: &[u8], key: &[u8]) -> Option<&'static [Type]> {
    let is_among = |names: &str, name: &[u8]| names.split_ascii_whitespace().any(|known| known.as_bytes() == name);
    let nested = NESTED_TYPES.iter().find(|(above, keys, _)| is_among(above, parent) && is_among(keys, key));
    nested
        .map(|(.., types)| *types)
        .or_else(|| (key == b"Border").then_some(&[Border][..]))
        .or_else(|| TYPES.iter().find(|(keys, _)| is_among(keys, key)).map(|(_, types)| *types))
}

impl Recognizer<'_, '_, '_> {
    /// Checks the types of an object's entries.
    pub(super) fn entry_types(&mut self, object: &Object) -> Recognition {
        self.types_below(b"", object)
    }

    /// Checks the type of an entry, and of the entries of its value.
    pub(super) fn entry_type(&mut self, key: &[u8], value: &Object) -> Recognition {
        self.type_of(b"", key, value)?;
        self.types_below(key, value)
    }

    fn types_below(&mut self, key: &[u8], value: &Object) -> Recognition {
        let mut open = vec![(key, value)];
        while let Some((parent, object)) = open.pop() {
            match object {
                Object::Array(elements) => open.extend(elements.iter().map(|element| (&b""[..], element))),
                Object::Dictionary(entries) => {
                    let is_typed = !are_resources(entries);
                    for (key, value) in entries.iter() {
                        if is_typed {
                            self.type_of(parent, key.as_bytes(), value)?;
                        }
                        open.push((key.as_bytes(), value));
                    }
                    if is_bordered_twice(entries) {
                        return unknown("viewers draw a border with different widths");
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn type_of(&mut self, parent: &[u8], key: &[u8], value: &Object) -> Recognition {
        let Some(types) = types(parent, key) else { return Ok(()) };
        let value = self.value(value)?;
        // PDFium writes this state as a string, which readers take as the state or as none: both are Off (12.5.5)
        let is_off = key == b"AS" && value.as_string() == Some(b"Off");
        if value.is_null() || is_off || types.iter().any(|known| known.fits(&value)) {
            return Ok(());
        }
        unknown(Clause::of("viewers read a value of the entry {} differently", &[Key(key)]))
    }

    fn value(&mut self, value: &Object) -> Result<Object, Fault> {
        Ok(self.examiner.document.view(self.step.pair.new).resolve(value)?.into_owned())
    }
}

/// Whether a dictionary lists resources by arbitrary names (7.8.3): objects, or color spaces by their families.
fn are_resources(entries: &Dictionary) -> bool {
    entries.iter().all(|(_, value)| match value {
        Object::Reference(_) | Object::Dictionary(_) => true,
        value => value.elements().first().is_some_and(|family| family.as_name().is_some()),
    })
}

/// Whether an annotation without an appearance has a border style without a width, for which readers use its other border
/// or the default (12.5.4).
fn is_bordered_twice(entries: &Dictionary) -> bool {
    entries.has(b"Border")
        && entries.get(b"BS").as_dictionary().is_some_and(|style| !style.has(b"W"))
        && entries.get(b"AP").entry(b"N").as_reference().is_none()
}
