//! Names and values with a meaning defined by the standard or by programs, in any object.

use super::annotation_flags::{HIDDEN, LOCKED, LOCKED_CONTENTS, NO_VIEW, PRINT, READ_ONLY};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Annotation flags that signing may set.
const SIGNED_FLAGS: i64 = PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS;
/// Flags that hide an annotation.
const HIDING_FLAGS: i64 = HIDDEN | NO_VIEW;
/// The longest name that every viewer reads (annex C).
pub(super) const LONGEST_NAME: usize = 127;
/// Prefixes of private keys that are no second-class names.
const PRIVATE: [&[u8]; 6] = [b"ITXT", b"PTEX", b"Adbe", b"ADBE", b"PSPDF", b"MuPDF"];
/// A key with a developer's prefix that a viewer interprets: PDFium draws the annotation again.
const INTERPRETED: &[u8] = b"PDFIUM_HasGeneratedAP";
/// Annotation types that are notes (12.5.6).
const NOTES: &str = "\
    Text FreeText Highlight Underline Squiggly StrikeOut Line Square Circle Polygon PolyLine Ink Stamp Caret Popup";
/// Maximum difference of two components of the same color: writers keep two decimals, screens show 8 bits.
const COLOR_TOLERANCE: f64 = 0.005 + 1e-9;

/// Whether a name is in a list separated by spaces.
pub(super) fn is_among(names: &str, name: &[u8]) -> bool {
    names.split(' ').any(|known| known.as_bytes() == name)
}

/// Whether a key is private to a program: a second-class name with the developer's prefix (ISO 32000-2, annex E) or a
/// known one.
pub(super) fn is_private(key: &[u8]) -> bool {
    if !is_plain(key) || key == INTERPRETED {
        return false;
    }
    let is_prefixed =
        key.iter().position(|letter| matches!(letter, b'_' | b':' | b'.')).is_some_and(|place| place >= 2);
    is_prefixed || PRIVATE.iter().any(|prefix| key.starts_with(prefix))
}

/// Whether every viewer reads this name in the same way: some read it as a C string or truncate it (ISO 32000-1, annex
/// C).
pub(super) fn is_plain(key: &[u8]) -> bool {
    key.len() <= LONGEST_NAME && key.iter().all(|letter| (0x21..0x7f).contains(letter))
}

/// Whether notes have this key without a further visible effect or target (12.5.2 and 12.5.6).
pub(super) fn note_key(key: &[u8]) -> bool {
    // pypdf writes the blend mode, annotpdf the resources of the default appearance
    const KEYS: &str = "\
        Flags Type Subtype Rect Contents NM M F AS Border C StructParent T CA ca RC CreationDate Subj RT IT BS BE \
        IC RD QuadPoints L LE LL LLE LLO Cap CP CL CO Q DA DS Vertices InkList Name Sy State StateModel Open \
        Rotate Rotation Lang BM Resources";
    is_among(KEYS, key)
}

/// Whether it is an array of four direct numbers (7.9.5).
pub(super) fn is_rectangle(value: &Object) -> bool {
    value.elements().len() == 4 && value.elements().iter().all(|corner| corner.as_number().is_some())
}

/// Whether the annotation flags changed only as signing changes them, with the same visibility.
pub(super) fn is_sign_flags(before: &Object, after: &Object) -> bool {
    let Object::Integer(is) = after else { return false };
    let was = before.as_integer().unwrap_or(0);
    matches!(before, Object::Null | Object::Integer(_))
        && was & HIDING_FLAGS == is & HIDING_FLAGS
        && (was ^ is) & !SIGNED_FLAGS == 0
}

/// Whether annotation flags hide an annotation.
pub(super) fn is_hiding(flags: i64) -> bool {
    flags & HIDING_FLAGS != 0
}

/// Whether annotations of this type are notes.
pub(super) fn is_note(subtype: &[u8]) -> bool {
    is_among(NOTES, subtype)
}

/// Whether it is an invisible entry of an annotation: modification date, name, and its known type and page.
pub(super) fn is_housekeeping(page: u32, key: &[u8], before: &Object, after: &Object) -> bool {
    match key {
        b"M" => is_text(after),
        b"NM" => before.is_null() && is_text(after),
        b"Type" => before.is_null() && after.is_name(b"Annot"),
        b"P" => after.as_reference().is_some_and(|id| id.number == page),
        b"StructParent" => before.is_null() && matches!(after, Object::Integer(_)),
        _ => false,
    }
}

/// Whether the appearance characteristics of two widgets are equal, colors in the precision of screens (12.5.6.19).
pub(super) fn has_same_characteristics(before: &Object, after: &Object) -> bool {
    let (Object::Dictionary(before), Object::Dictionary(after)) = (before, after) else { return false };
    let is_same = |(key, _): (&Name, &Object)| {
        let [was, is] = [before, after].map(|entries| entries.get(key.as_bytes()));
        was == is
            || match key.as_bytes() {
                b"BC" | b"BG" => is_same_color(was, is),
                // written or omitted
                b"R" => [was, is].iter().all(|turn| matches!(turn, Object::Null | Object::Integer(0))),
                _ => false,
            }
    };
    before.iter().chain(after.iter()).all(is_same)
}

fn is_same_color(before: &Object, after: &Object) -> bool {
    let components = |color: &Object| color.elements().iter().map(Object::as_number).collect::<Option<Vec<f64>>>();
    let (Some(before), Some(after)) = (components(before), components(after)) else { return false };
    before.len() == after.len()
        && before.iter().zip(&after).all(|(before, after)| (before - after).abs() <= COLOR_TOLERANCE)
}

/// Whether it is a text or absent.
pub(super) fn is_text(value: &Object) -> bool {
    matches!(value, Object::Null | Object::String(_))
}

/// Whether a button's widget is in the state Off, or in none. PDFium writes the name as a string.
pub(crate) fn is_off(widget: &Dictionary) -> bool {
    let state = widget.get(b"AS");
    state.is_null() || state.is_name(b"Off") || state.as_string() == Some(b"Off")
}
