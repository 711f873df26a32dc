//! Nodes of a page tree with more kids than an object may have values: read without most of them.

use std::borrow::Cow;

use super::Document;
use crate::budget::Budget;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{DEPTH, parse_indirect, parse_object};
use crate::syntax::references::{References, Taken};
use crate::xref::entries::Entry;

/// How much is read of an object before its kids and behind them.
const ENDS: usize = 16 << 10;
/// How much of the kids is read at a time.
const PART: usize = 1 << 20;

/// A node of a page tree (7.7.3.2).
pub(crate) struct Node<'o> {
    pub(crate) dictionary: Cow<'o, Picked>,
    /// How many kids there are besides those in the dictionary.
    pub(crate) left_out: u64,
}

/// The kids of a node.
pub(crate) struct Kids<'o> {
    /// All of them; or the first ones, and the last one.
    pub(crate) known: Cow<'o, Object>,
    /// How many there are besides.
    pub(crate) left_out: u64,
}

impl Document<'_> {
    /// The node that this is or refers to; an empty one for anything else.
    pub(crate) fn node<'o>(&mut self, object: &'o Object) -> Result<Node<'o>, Fault> {
        match self.dictionary(object) {
            Err(Fault::Rejected(Reason::TooComplex)) => {
                let (object, left_out) = self.abridged(object)?;
                let Object::Dictionary(dictionary) = object else { return Err(Fault::Rejected(Reason::TooComplex)) };
                Ok(Node { dictionary: Cow::Owned(dictionary), left_out })
            }
            dictionary => Ok(Node { dictionary: dictionary?, left_out: 0 }),
        }
    }

    /// The kids of a node with this dictionary.
    pub(crate) fn kids<'o>(&mut self, node: &'o Picked) -> Result<Kids<'o>, Fault> {
        let kids = node.get(Key::Kids);
        match self.resolve(kids) {
            Err(Fault::Rejected(Reason::TooComplex)) => {
                let (known, left_out) = self.abridged(kids)?;
                Ok(Kids { known: Cow::Owned(known), left_out })
            }
            known => Ok(Kids { known: known?, left_out: 0 }),
        }
    }

    /// The object that is referred to without most of its kids, and how many it lacks.
    ///
    /// # Errors
    /// `TooComplex` if its size has another reason.
    fn abridged(&mut self, object: &Object) -> Result<(Object, u64), Fault> {
        let too_complex = Fault::Rejected(Reason::TooComplex);
        let Some(id) = object.as_reference() else { return Err(too_complex) };
        match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::Free => Err(too_complex),
            Entry::At(offset) => self.abridged_at(id.number, offset),
            Entry::In { stream, index } => {
                let object_stream = self.object_stream(stream)?;
                let text = object_stream.as_ref().and_then(|object_stream| object_stream.text(id.number, index));
                let text = text.ok_or(too_complex)?;
                let part = |at: u64, _| Ok(Cow::Borrowed(text.get(at as usize..).unwrap_or_default()));
                let (text, left_out) = abridge(part, false, &mut self.budget)?;
                let (object, _) = parse_object(&text).map_err(|_| Fault::Rejected(Reason::TooComplex))?;
                Ok((object, left_out))
            }
        }
    }

    fn abridged_at(&mut self, number: u32, offset: u64) -> Result<(Object, u64), Fault> {
        let part = |at, size| self.reader.pass(offset.saturating_add(at), size);
        let (text, left_out) = abridge(part, true, &mut self.budget)?;
        match parse_indirect(&text, true) {
            Ok(mut parsed) if parsed.id.number == number => {
                if let Some(security) = &self.security {
                    security.decrypt_strings(parsed.id, &mut parsed.object);
                }
                Ok((parsed.object, left_out))
            }
            _ => Err(Fault::Damaged),
        }
    }
}

/// The text of an object without most of its kids, and how many it lacks. `part` reads at least so many bytes from a
/// place of the text on, or as many as there are.
fn abridge<'t>(
    mut part: impl FnMut(u64, usize) -> Result<Cow<'t, [u8]>, Fault>,
    has_header: bool,
    budget: &mut Budget,
) -> Result<(Vec<u8>, u64), Fault> {
    let too_complex = Fault::Rejected(Reason::TooComplex);
    let head = part(0, ENDS)?;
    let kids = first_kid(head.get(..ENDS).unwrap_or(&head), has_header).ok_or(too_complex)?;
    let mut references = References::default();
    let mut at = kids as u64;
    loop {
        let text = part(at, PART)?;
        let text = text.get(..PART).unwrap_or(&text);
        budget.work(text.len())?;
        match references.take(text) {
            Taken::All if !text.is_empty() => at += text.len() as u64,
            Taken::Closed(length) => break at += length as u64,
            Taken::All | Taken::Other => return Err(Fault::Rejected(Reason::TooComplex)),
        }
    }
    let mut abridged = head.get(..kids).unwrap_or_default().to_vec();
    for Id { number, generation } in references.first.iter().chain(&references.last) {
        abridged.extend_from_slice(format!("{number} {generation} R ").as_bytes());
    }
    abridged.push(b']');
    let tail = part(at, ENDS)?;
    abridged.extend_from_slice(tail.get(..ENDS).unwrap_or(&tail));
    let known = references.first.len() + usize::from(references.last.is_some());
    Ok((abridged, references.count.saturating_sub(known as u64)))
}

/// Where the first kid stands, behind the bracket: of an array, or of the one that `/Kids` is.
fn first_kid(text: &[u8], has_header: bool) -> Option<usize> {
    let mut lexer = Lexer::new(text);
    if has_header {
        lexer.take_integer()?;
        lexer.take_integer()?;
        lexer.take_word(b"obj").then_some(())?;
    }
    if lexer.take_word(b"<<") {
        loop {
            lexer.skip_space();
            lexer.rest().starts_with(b"/").then_some(())?;
            if lexer.take_key() == Some(Key::Kids) {
                break;
            }
            lexer.skip_entry(DEPTH);
        }
    }
    lexer.take_word(b"[").then(|| lexer.position())
}
