//! Whether two states of an object are equal by value: numbers in the precision that readers have, rectangles by any two
//! corners, streams byte by byte or, if one was only encoded or encrypted otherwise,
//! by their decoded data.

use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use super::stream_encoding::filters;
use super::vocabulary::is_among;
use pdf_content::Rectangle;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::objects::{Body, Stored};
use pdf_syntax::document::pages::INHERITED;
use pdf_syntax::document::view::Resolved;
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::exact;
use pdf_syntax::stream::filter::is_exact_zlib;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum nested references followed where the states reference different objects, or one has the value directly.
const DEPTH: usize = 8;
/// Bytes of streams compared at a time.
const PIECE: u64 = 1 << 20;
/// Maximum length of encrypted streams that are compared, in bytes: equal content may be encrypted differently.
const ENCRYPTED: u64 = 8 << 20;
/// Maximum length of streams that are compared decoded, in bytes.
const MAX_DECODED_BYTES: usize = 4 << 20;
/// Entries that say how a stream is encoded (7.3.8.2, table 5).
const ENCODING: [&[u8]; 3] = [b"Length", b"Filter", b"DecodeParms"];
/// Maximum difference of the same rectangle's sides, which nothing scales: writers keep two decimals, in points, or six
/// digits.
const SIDE_TOLERANCE_PT: f64 = 0.005 + 1e-9;
const SIDE_TOLERANCE: f64 = 1e-5;
/// Entries that are rectangles on or of a page (12.5.2, 14.11.2).
const RECTANGLES: [&[u8]; 6] = [b"Rect", b"MediaBox", b"CropBox", b"BleedBox", b"TrimBox", b"ArtBox"];
/// Entries whose numbers may be integers or reals, and the length of a stream, which may be an object of its own (7.3.8.2).
/// Wherever one of them has a number, its type is "number", for which all readers take both; an entry that some dictionary
/// has as an integer is not among them (`N`, `W`, `I`, `DW`, `Q`): Poppler ignores a real there.
const NUMBERS: &str = "\
    Length Rect MediaBox CropBox BleedBox TrimBox ArtBox BBox Matrix FontBBox FontMatrix QuadPoints Vertices InkList L CL \
    RD D Dest C IC Border BC BG Color Widths Coords Domain Range Bounds Encode Decode WhitePoint BlackPoint Gamma \
    Matte XYZ CA ca LW ML FL SM LL LLE LLO XStep YStep C0 C1 Background UserUnit ItalicAngle Ascent Descent Leading \
    CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth";
/// The entries of border styles and effects (12.5.4), and those of them that are numbers.
const STYLE: &str = "Type S W D I";
const STYLE_NUMBERS: &str = "W I";
/// Maximum coordinate of a page, in points (annex C): larger numbers have no fractions in single precision.
const MAX_COORDINATE_PT: f64 = 14_400.0;

/// An earlier and a later state of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) old: State,
    pub(crate) new: State,
    /// Whether values are equal only if all readers take one for the other.
    is_exact: bool,
    /// Whether all readers take an integer and a real number for the same value.
    is_number: bool,
}

/// A direct value or a referenced object.
enum Target {
    Value(Object),
    Body(Rc<Body>),
    Unreadable,
}

impl Pair {
    /// Two states whose values are compared as the standard reads them.
    pub(crate) fn of(old: State, new: State) -> Self {
        Self { old, new, is_exact: false, is_number: false }
    }

    fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    fn is_lenient(self) -> bool {
        !self.is_exact || self.is_number
    }

    /// The resolved value in each state.
    pub(crate) fn resolve<'o>(
        self,
        document: &mut Document,
        old: &'o Object,
        new: &'o Object,
    ) -> Result<[Resolved<'o>; 2], Fault> {
        Ok([document.view(self.old).resolve(old)?, document.view(self.new).resolve(new)?])
    }

    /// Whether both bodies are equal to all readers, streams included.
    pub(crate) fn same_body(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        Ok(inherit_alike(old, new) && self.exact().same_body_deep(document, old, new, DEPTH)?)
    }

    /// Whether all readers find values equal that the standard has as equal: some take an integer that became a real, or a
    /// name or a number that became a reference, for none (7.3.3, 7.3.10).
    pub(crate) fn are_read_alike(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        let (Some(before), Some(after)) = (old.dictionary(), new.dictionary()) else {
            return Ok(!self.same(document, &old.object, &new.object)?
                || self.is_same_to_all(document, &old.object, &new.object)?);
        };
        let differing = self.differing(document, before, after)?;
        Ok(self.exact().differing(document, before, after)? == differing)
    }

    fn same_body_deep(self, document: &mut Document, old: &Body, new: &Body, depth: usize) -> Result<bool, Fault> {
        if matches!(old.entry, XrefEntry::At(_)) && old.entry == new.entry {
            return Ok(true);
        }
        Ok(document.is_exact(self.old, old)?
            && document.is_exact(self.new, new)?
            && (self.same_as_written(document, old, new, depth)? || self.same_reencoded(document, old, new, depth)?))
    }

    fn same_as_written(self, document: &mut Document, old: &Body, new: &Body, depth: usize) -> Result<bool, Fault> {
        Ok(self.same_deep(document, &old.object, &new.object, depth)?
            && (old.id == new.id && document.have_same_text((self.old, old), (self.new, new))?
                || document.is_strict(self.old, old)? && document.is_strict(self.new, new)?)
            && self.same_stream(document, old, new)?)
    }

    /// Whether both are streams with the same data, encoded or encrypted otherwise, but as all readers decode it.
    fn same_reencoded(self, document: &mut Document, old: &Body, new: &Body, depth: usize) -> Result<bool, Fault> {
        let (Some(before), Some(after)) = (old.dictionary(), new.dictionary()) else { return Ok(false) };
        let is_exact = [before, after].iter().all(|dictionary| filters(dictionary).is_some());
        if old.stream.is_none() || new.stream.is_none() || !is_exact {
            return Ok(false);
        }
        let [before, after] = [before, after].map(|dictionary| {
            let mut rest = Dictionary::default();
            let entries = dictionary.iter().filter(|(key, _)| !ENCODING.contains(&key.as_bytes()));
            entries.for_each(|(key, value)| rest.push(key.clone(), value.clone()));
            rest
        });
        if !self.same_entries(document, &before, &after, depth)?
            || !document.is_strict(self.old, old)?
            || !document.is_strict(self.new, new)?
        {
            return Ok(false);
        }
        let before = exact_data(document, self.old, old)?;
        Ok(before.is_some() && before == exact_data(document, self.new, new)?)
    }

    /// Whether every reader parses both bodies as this parser does.
    pub(crate) fn are_strict(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        Ok(is_strict_body(document, self.old, old)? && is_strict_body(document, self.new, new)?)
    }

    /// Whether neither is a stream or both have the same bytes.
    pub(crate) fn same_stream(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        if old.stream.is_none() && new.stream.is_none() {
            return Ok(true);
        }
        let (Some(before), Some(after)) =
            (document.stream_place(self.old, old)?, document.stream_place(self.new, new)?)
        else {
            return Ok(false);
        };
        if (document.security.is_none() || old.id == new.id) && same_bytes(document, before.clone(), after.clone())? {
            return Ok(true);
        }
        let is_plain = document.security.is_some()
            && !document.is_decrypted_differently(self.old, old)?
            && !document.is_decrypted_differently(self.new, new)?;
        Ok(is_plain && same_plain(document, (old.id, before), (new.id, after))?)
    }

    /// Whether both values are equal to all readers.
    pub(crate) fn is_same_to_all(self, document: &mut Document, old: &Object, new: &Object) -> Result<bool, Fault> {
        self.exact().same(document, old, new)
    }

    /// Whether both values are equal. Objects referenced by the same number are compared where they are changed.
    pub(crate) fn same(self, document: &mut Document, old: &Object, new: &Object) -> Result<bool, Fault> {
        self.same_deep(document, old, new, DEPTH)
    }

    fn same_deep(self, document: &mut Document, old: &Object, new: &Object, depth: usize) -> Result<bool, Fault> {
        document.budget.work(1)?;
        Ok(match (old, new) {
            (Object::Reference(before), Object::Reference(after)) if before.number == after.number => before == after,
            (Object::Reference(_), _) | (_, Object::Reference(_)) => match depth.checked_sub(1) {
                Some(depth) => self.same_target(document, old, new, depth)?,
                None => false,
            },
            (Object::Array(before), Object::Array(after)) => {
                if before.len() != after.len() {
                    return Ok(false);
                }
                // a destination's page and the parts of a color space are integers, which names or references stand beside
                let has_names = before.iter().any(|part| matches!(part, Object::Name(_) | Object::Reference(_)));
                let is_destination = before.get(1).is_some_and(is_view);
                for (place, (before, after)) in before.iter().zip(after).enumerate() {
                    let is_number = self.is_number && (!has_names || is_destination && place > 1);
                    if !(Self { is_number, ..self }).same_deep(document, before, after, depth)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Object::Dictionary(before), Object::Dictionary(after)) => {
                self.same_entries(document, before, after, depth)?
            }
            (Object::Integer(number), Object::Real(real)) | (Object::Real(real), Object::Integer(number)) => {
                self.is_lenient() && is_same_number(*number as f64, *real)
            }
            (Object::Real(before), Object::Real(after)) => is_same_number(*before, *after),
            (before, after) => before == after,
        })
    }

    /// The same for the targets of different references, or of one and a direct value.
    fn same_target(self, document: &mut Document, old: &Object, new: &Object, depth: usize) -> Result<bool, Fault> {
        let (before, after) = (target(document, self.old, old)?, target(document, self.new, new)?);
        match (before, after) {
            (Target::Body(before), Target::Body(after)) => {
                Ok(!has_identity(&before) && self.same_body_deep(document, &before, &after, depth)?)
            }
            // an object missing under one number may be added under the other
            (Target::Value(Object::Null), Target::Value(Object::Null)) => {
                Ok(old.as_reference().is_none() || new.as_reference().is_none())
            }
            (Target::Value(before), Target::Value(after)) => self.same_deep(document, &before, &after, depth),
            (Target::Body(before), Target::Value(after)) => Ok(before.stream.is_none()
                && (self.is_lenient() || !is_scalar(&after))
                && is_strict_body(document, self.old, &before)?
                && self.same_deep(document, &before.object, &after, depth)?),
            (Target::Value(before), Target::Body(after)) => Ok(after.stream.is_none()
                && (self.is_lenient() || !is_scalar(&before))
                && is_strict_body(document, self.new, &after)?
                && self.same_deep(document, &before, &after.object, depth)?),
            (Target::Unreadable, _) | (_, Target::Unreadable) => Ok(false),
        }
    }

    /// The keys with different values, in the order of the old state and then of the new one.
    pub(crate) fn differing(
        self,
        document: &mut Document,
        old: &Dictionary,
        new: &Dictionary,
    ) -> Result<Vec<Name>, Fault> {
        let mut differing = Vec::new();
        self.compare(document, old, new, DEPTH, |name| {
            differing.push(name.clone());
            ControlFlow::Continue(())
        })?;
        Ok(differing)
    }

    fn same_entries(
        self,
        document: &mut Document,
        old: &Dictionary,
        new: &Dictionary,
        depth: usize,
    ) -> Result<bool, Fault> {
        let mut is_same = true;
        self.compare(document, old, new, depth, |_| {
            is_same = false;
            ControlFlow::Break(())
        })?;
        Ok(is_same)
    }

    /// Calls `found` with each key with different values until it returns that this is enough.
    fn compare(
        self,
        document: &mut Document,
        old: &Dictionary,
        new: &Dictionary,
        depth: usize,
        mut found: impl FnMut(&Name) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        document.budget.work(old.len() + new.len())?;
        let is_style = is_border_style(old) && is_border_style(new);
        for (name, value) in old.iter() {
            let other = new.get(name.as_bytes());
            let key = name.as_bytes();
            let is_number = is_among(NUMBERS, key) || is_style && is_among(STYLE_NUMBERS, key);
            let pair = Self { is_number, ..self };
            let is_same = pair.same_deep(document, value, other, depth)?
                || RECTANGLES.contains(&key) && is_same_rectangle(value, other);
            if !is_same && found(name).is_break() {
                return Ok(());
            }
        }
        for (name, value) in new.iter().filter(|(name, _)| old.find(name.as_bytes()).is_none()) {
            let is_same = self.same_deep(document, &Object::Null, value, depth)?;
            if !is_same && found(name).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Whether a dictionary can only be a border style or effect: no other has these entries alone.
fn is_border_style(entries: &Dictionary) -> bool {
    entries.iter().all(|(key, _)| is_among(STYLE, key.as_bytes()))
}

/// Whether it names how a destination shows its page (12.3.2.2, table 151).
fn is_view(name: &Object) -> bool {
    name.as_name().is_some_and(|name| is_among("XYZ Fit FitH FitV FitR FitB FitBH FitBV", name))
}

/// Whether the number of an object may distinguish it from its copies, whatever it says of itself: viewers tell layers, fields
/// and pages apart by their numbers, and find layers of any type.
fn has_identity(body: &Body) -> bool {
    body.stream.is_none() && body.dictionary().is_some()
}

/// Whether a value is neither a dictionary nor an array, which readers resolve everywhere.
fn is_scalar(value: &Object) -> bool {
    !matches!(value, Object::Null | Object::Array(_) | Object::Dictionary(_))
}

/// Whether two numbers are the same in single precision, which readers keep (annex C).
fn is_same_number(one: f64, other: f64) -> bool {
    one == other || one.abs() <= MAX_COORDINATE_PT && one as f32 == other as f32
}

fn is_same_side(one: f64, other: f64) -> bool {
    let larger = one.abs().max(other.abs());
    let tolerance = SIDE_TOLERANCE_PT.max(SIDE_TOLERANCE * larger);
    one == other || larger <= MAX_COORDINATE_PT && (one - other).abs() <= tolerance
}

/// Whether both are the same rectangle, given by any two opposite corners (7.9.5).
fn is_same_rectangle(one: &Object, other: &Object) -> bool {
    let (Some(one), Some(other)) = (Rectangle::read(one), Rectangle::read(other)) else { return false };
    let sides = |it: Rectangle| [it.left, it.bottom, it.right, it.top];
    sides(one).into_iter().zip(sides(other)).all(|(one, other)| is_same_side(one, other))
}

/// The data of a stream if every reader decrypts and decodes it alike; `None` if it is too long.
pub(super) fn exact_data(document: &mut Document, state: State, body: &Body) -> Result<Option<Vec<u8>>, Fault> {
    let (Some(place), Some(filters)) = (document.stream_place(state, body)?, body.dictionary().and_then(filters))
    else {
        return Ok(None);
    };
    let length = usize::try_from(place.end - place.start).unwrap_or(usize::MAX);
    if length > MAX_DECODED_BYTES {
        return Ok(None);
    }
    document.budget.work(length)?;
    let Some(encoded) = document.exactly_decrypted(state, body)? else { return Ok(None) };
    let data = exact::decode(&filters, &encoded, MAX_DECODED_BYTES);
    document.budget.decode(data.as_ref().map_or(0, Vec::len))?;
    Ok(data)
}

/// Whether compressed data ends where its stream does: not even a line end may follow, as readers disagree whether it is a
/// part of the stream.
pub(super) fn is_exactly_compressed(encoded: &[u8]) -> bool {
    encoded.split_last().is_some_and(|(_, rest)| !is_exact_zlib(rest)) && is_exact_zlib(encoded)
}

/// Whether both have the same of the entries that pages inherit: viewers disagree whether an entry with the value null
/// overrides the inherited one (7.7.3.4).
fn inherit_alike(old: &Body, new: &Body) -> bool {
    let has = |body: &Body, key: &[u8]| body.dictionary().is_some_and(|dictionary| dictionary.find(key).is_some());
    INHERITED.iter().all(|key| has(old, key) == has(new, key))
}

/// Whether every reader parses a body as this parser does.
pub(super) fn is_strict_body(document: &mut Document, state: State, body: &Body) -> Result<bool, Fault> {
    Ok(document.is_exact(state, body)? && document.is_strict(state, body)?)
}

/// The value or the referenced object in a state.
fn target(document: &mut Document, state: State, object: &Object) -> Result<Target, Fault> {
    let Some(id) = object.as_reference() else { return Ok(Target::Value(object.clone())) };
    Ok(match document.view(state).stored(id.number)? {
        Stored::Absent => Target::Value(Object::Null),
        // not all readers follow a reference to a reference
        Stored::Object(body) if body.id == id && body.object.as_reference().is_none() => Target::Body(body),
        Stored::Object(_) | Stored::Unreadable => Target::Unreadable,
    })
}

fn same_bytes(document: &mut Document, one: Range<u64>, other: Range<u64>) -> Result<bool, Fault> {
    if one.end - one.start != other.end - other.start {
        return Ok(false);
    }
    let mut at = 0;
    while one.start + at < one.end && one.start != other.start {
        let size = PIECE.min(one.end - one.start - at) as usize;
        document.budget.work(size)?;
        let before = document.reader.view(one.start + at, size)?.to_vec();
        if document.reader.view(other.start + at, size)? != before {
            return Ok(false);
        }
        at += size as u64;
    }
    Ok(true)
}

/// Whether two encrypted streams are equal when decrypted (7.6.2).
fn same_plain(document: &mut Document, one: (Id, Range<u64>), other: (Id, Range<u64>)) -> Result<bool, Fault> {
    let mut plain = |(id, place): (Id, Range<u64>)| -> Result<Option<Vec<u8>>, Fault> {
        let length = place.end - place.start;
        if length > ENCRYPTED {
            return Ok(None);
        }
        document.budget.work(length as usize)?;
        let encoded = document.reader.view(place.start, length as usize)?;
        Ok(document.security.as_ref().and_then(|handler| handler.decrypt_unfiltered(id, encoded)))
    };
    let before = plain(one)?;
    Ok(before.is_some() && before == plain(other)?)
}
