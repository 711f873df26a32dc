//! Changes of XFA packets (ISO 32000-1, 12.7.8).

use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::equal::is_exactly_compressed;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::text_string::has_same_words;
use pdf_syntax::text::xfa::{DataText, Packet};

/// Maximum bytes of a packet.
const MAX_PACKET_BYTES: usize = 4 << 20;
/// Entries of a packet that say how it is encoded, or that it is one.
const ENCODING: &str = "Length Filter DecodeParms Type";
/// Maximum texts of data reported.
const MAX_TEXTS: usize = 50;

/// What became of packets.
#[derive(Debug)]
pub(crate) enum PacketChange {
    /// These texts of the data differ, if any; all else is the same.
    Filled(Vec<DataText>),
    /// Something else, or it cannot be read.
    Unknown,
}

/// Compares two `/XFA` entries: two lists with the same names, or two streams.
pub(crate) fn entry_change(
    examiner: &mut Examiner,
    step: &Step,
    (old, new): (&Object, &Object),
) -> Result<PacketChange, Fault> {
    let [before, after] = step.pair.resolve(examiner.document, old, new)?;
    let (before, after) = (before.elements().to_vec(), after.elements().to_vec());
    if before.is_empty() && after.is_empty() {
        return packet_change(examiner, step, (old, new));
    }
    if before.len() != after.len() || !before.len().is_multiple_of(2) {
        return Ok(PacketChange::Unknown);
    }
    let mut filled = Vec::new();
    for (before, after) in before.chunks_exact(2).zip(after.chunks_exact(2)) {
        let ([name, packet], [other, replaced]) = (before, after) else { continue };
        if name != other {
            return Ok(PacketChange::Unknown);
        }
        match packet_change(examiner, step, (packet, replaced))? {
            PacketChange::Filled(texts) => filled.extend(texts),
            PacketChange::Unknown => return Ok(PacketChange::Unknown),
        }
    }
    Ok(PacketChange::Filled(filled))
}

/// Compares two packets.
pub(crate) fn packet_change(
    examiner: &mut Examiner,
    step: &Step,
    (old, new): (&Object, &Object),
) -> Result<PacketChange, Fault> {
    let older = PacketStream::read(examiner, step.pair.old, old)?;
    let newer = PacketStream::read(examiner, step.pair.new, new)?;
    let (Some(older), Some(newer)) = (older, newer) else { return Ok(PacketChange::Unknown) };
    // an entry may lead readers to other data (7.3.8.2), and a length to the line end before `endstream`
    let differing = step.pair.differing(examiner.document, &older.entries, &newer.entries)?;
    if !differing.iter().all(|key| is_among(ENCODING, key.as_bytes())) || newer.is_open && !older.is_open {
        return Ok(PacketChange::Unknown);
    }
    let (older, newer) = (older.data, newer.data);
    // the start and the end of the document that the packets are, among others
    if older == newer {
        return Ok(PacketChange::Filled(Vec::new()));
    }
    examiner.document.budget.work((older.len() + newer.len()) / 16)?;
    let packets = Packet::read(&older).zip(Packet::read(&newer));
    let filled = packets.and_then(|(older, newer)| newer.filled_since(&older));
    // each text is looked up among the fields
    let [_, form] = &step.forms;
    let texts = filled.as_ref().map_or(0, Vec::len);
    examiner.document.budget.work(texts.saturating_mul(form.fields.len()) / 16)?;
    Ok(filled.map_or(PacketChange::Unknown, PacketChange::Filled))
}

/// The stream of a packet.
struct PacketStream {
    entries: Dictionary,
    data: Vec<u8>,
    /// Whether its length may take in what follows the data.
    is_open: bool,
}

impl PacketStream {
    /// Reads the stream of a packet; `None` if readers may find another end of it.
    fn read(examiner: &mut Examiner, state: State, packet: &Object) -> Result<Option<Self>, Fault> {
        let Some(body) = examiner.document.view(state).body(packet)? else { return Ok(None) };
        let Some(place) = examiner.document.stream_place(state, &body)? else { return Ok(None) };
        let entries = body.dictionary().cloned().unwrap_or_default();
        let stream = examiner.document.view(state).stream(packet, MAX_PACKET_BYTES)?;
        let Some(data) = stream.filter(|stream| !stream.is_part).map(|stream| stream.content) else { return Ok(None) };
        let is_compressed = !entries.get(b"Filter").is_null() && examiner.document.security.is_none();
        let is_open = if is_compressed {
            let length = usize::try_from(place.end - place.start).unwrap_or(usize::MAX);
            !is_exactly_compressed(examiner.document.reader.view(place.start, length)?)
        } else {
            data.last().is_some_and(u8::is_ascii_whitespace)
        };
        Ok(Some(Self { entries, data, is_open }))
    }
}

/// Compares a packet that was written again.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let packet = Object::Reference(Id { number: change.number, generation: 0 });
    let found = packet_change(examiner, step, (&packet, &packet))?;
    let unknown = step.event_of(change, EventKind::View, Subject::Form("XFA".to_owned()));
    report(examiner, step, found, unknown);
    Ok(())
}

/// Compares the changed entry of the form.
pub(crate) fn entry(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<(), Fault> {
    let found = entry_change(examiner, step, (old, new))?;
    let unknown = step.event_between((old, new), EventKind::View, Subject::Form("XFA".to_owned()));
    report(examiner, step, found, unknown);
    Ok(())
}

/// Reports the fields whose data was filled in, or a change that is not understood.
fn report(examiner: &mut Examiner, step: &Step, found: PacketChange, unknown: Event) {
    let [_, form] = &step.forms;
    match found {
        PacketChange::Filled(texts) if texts.iter().all(|text| fields(form, &text.name).next().is_some()) => {
            for text in texts.into_iter().take(MAX_TEXTS) {
                let Some(field) = fields(form, &text.name).next() else { continue };
                let subject = Subject::Field(field.name.clone(), Some("XFA".to_owned()));
                let [before, after] = [text.before, text.after].map(|text| Some(text).filter(|_| !field.is_secret()));
                let (object, field) = (unknown.object, Some(field.name.clone()));
                let event = step.event(EventKind::Value, subject);
                examiner.report(Event { object, field, before, after, ..event });
            }
        }
        // what packets other than data show, few viewers draw
        PacketChange::Filled(_) | PacketChange::Unknown => {
            let kind = if examiner.is_signed { EventKind::View } else { EventKind::Field };
            examiner.report(Event { kind, ..unknown });
        }
    }
}

/// A field of the name of a text of the data, and whether its value is another one; `None` if no field has the name.
pub(crate) fn named<'f>(form: &'f FormFields, text: &DataText) -> Option<(&'f Field, bool)> {
    let is_text = |field: &Field| field.value.is_null() || field.value.as_string().is_some();
    let is_value = |field: &&Field| is_text(field) && has_same_words(&field.text().unwrap_or_default(), &text.after);
    let other = fields(form, &text.name).find(|field| !is_value(field));
    other.map(|field| (field, true)).or_else(|| fields(form, &text.name).next().map(|field| (field, false)))
}

/// The fields of this partial name, with or without an index.
fn fields<'f>(form: &'f FormFields, name: &str) -> impl Iterator<Item = &'f Field> {
    let is_named = move |field: &&Field| {
        let last = field.name.rsplit('.').next().unwrap_or_default();
        last.split('[').next() == Some(name) && field.dictionary().has(b"T")
    };
    form.fields.iter().filter(is_named)
}
