//! Document information of a revision, and its changes (ISO 32000-1, 14.3).

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, FixedOffset};

use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Key, Own, Quote};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::revision_range::RevisionRange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::{is_private, is_text};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::date;
use pdf_syntax::text::text_string;
use pdf_syntax::text::xmp::{self, Irregularity, Packet, PropertyDifference, Statement};
use pdf_syntax::text::xmp_property::Property;

/// Entries that every saving program updates.
const IGNORED: [&[u8]; 2] = [b"ModDate", b"Producer"];
/// Properties that correspond to the dictionary's texts: those in a first packet are new to the document.
const TEXTS: [&str; 4] = ["title", "creator", "description", "Keywords"];
/// Maximum length of a compared packet, in bytes.
const MAX_PACKET_BYTES: usize = 1 << 20;

/// Self-reported date and program of a revision.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RevisionInfo {
    pub(crate) saved_at: Option<DateTime<FixedOffset>>,
    pub(crate) producer: Option<String>,
}

impl RevisionInfo {
    pub(crate) fn read(document: &mut Document, range: &RevisionRange) -> Result<Self, Fault> {
        let view = &mut document.view(range.state());
        let mut reported = Self::default();
        if let Some(info) = range.info {
            let info = view.object(info.number)?;
            let mut text = |key: &[u8]| -> Result<Option<String>, Fault> {
                let info = info.as_ref().map_or(&Object::Null, |info| &info.object);
                Ok(evidence_text::text(&*view.resolve(info.entry(key))?))
            };
            let dates = [text(b"ModDate")?, text(b"CreationDate")?];
            reported.saved_at = dates.iter().flatten().filter_map(|date| date::parse(date)).max();
            reported.producer = text(b"Producer")?;
        }
        if reported.saved_at.is_none() || reported.producer.is_none() {
            let catalog = view.catalog()?;
            let packet =
                view.metadata(catalog.get(b"Metadata"), MAX_PACKET_BYTES)?.map(|stream| Packet::parse(&stream.content));
            let packet = packet.unwrap_or_default();
            let dates = [Property::ModifyDate, Property::CreateDate].map(|property| packet.get(property));
            let saved_at = dates.iter().flatten().filter_map(|date| date::parse(date)).max();
            reported.saved_at = reported.saved_at.or(saved_at);
            reported.producer = reported.producer.or_else(|| packet.get(Property::PdfProducer));
        }
        Ok(reported)
    }

    /// The values that differ from the previous revision: unchanged ones were only kept.
    pub(crate) fn without_inherited(self, before: &Self) -> Self {
        let Self { saved_at, producer } = self;
        Self {
            saved_at: saved_at.filter(|_| saved_at != before.saved_at),
            producer: producer.filter(|producer| before.producer.as_ref() != Some(producer)),
        }
    }
}

/// Compares the document information dictionaries if the revision wrote another one.
pub(crate) fn changed(
    examiner: &mut Examiner,
    step: &Step,
    new: Option<Id>,
    changed: &[ObjectChange],
) -> Result<(), Fault> {
    let old = step.info;
    let is_touched = |id: Id| changed.iter().any(|change| change.number == id.number);
    if old.map(|id| id.number) == new.map(|id| id.number) && !new.is_some_and(is_touched) {
        return Ok(());
    }
    let before = info(examiner, step.pair.old, old)?;
    let after = info(examiner, step.pair.new, new)?;
    for name in step.pair.differing(examiner.document, &before, &after)? {
        let key = name.as_bytes();
        let [before, after] = step.pair.resolve(examiner.document, before.get(key), after.get(key))?;
        let are_told_apart = tells_apart(&before, &after);
        let is_rewritten = IGNORED.contains(&key) && [&before, &after].into_iter().all(|value| is_text(value));
        let (before, after) = (value(&before), value(&after));
        let is_date = before.as_deref().zip(after.as_deref()).is_some_and(|(was, is)| is_formal(was) && is_formal(is));
        if is_rewritten || is_same_value(before.as_deref(), after.as_deref()) && (is_date || !are_told_apart) {
            continue;
        }
        // without one in the trailer, no other values are known
        let object = new.map(|id| id.number);
        let subject = Subject::Info(String::from_utf8_lossy(key).into_owned());
        examiner.report(Event { object, before, after, ..step.event(EventKind::Metadata, subject) });
    }
    Ok(())
}

/// Whether a dictionary contains only texts and names, so that nothing can be drawn by it.
pub(crate) fn holds_texts(info: &Dictionary) -> bool {
    info.iter().all(|(_, value)| is_text(value) || value.as_name().is_some())
}

/// Whether two values differ, visibly or not: texts by their characters, regardless of encoding.
fn tells_apart(before: &Object, after: &Object) -> bool {
    match (before, after) {
        (Object::String(before), Object::String(after)) => {
            text_string::characters(before) != text_string::characters(after)
        }
        (Object::Null, Object::String(text)) | (Object::String(text), Object::Null) => !text.is_empty(),
        (before, after) => before != after,
    }
}

fn info(examiner: &mut Examiner, state: State, id: Option<Id>) -> Result<Dictionary, Fault> {
    let Some(id) = id else { return Ok(Dictionary::default()) };
    let body = examiner.document.view(state).object(id.number)?;
    Ok(body.and_then(|body| body.dictionary().cloned()).unwrap_or_default())
}

/// The earlier document information dictionary as XMP properties.
fn as_properties(examiner: &mut Examiner, step: &Step) -> Result<BTreeMap<String, String>, Fault> {
    const NAMES: [(&[u8], &str); 7] = [
        (b"Title", "title"),
        (b"Author", "creator"),
        (b"Subject", "description"),
        (b"Keywords", "Keywords"),
        (b"Creator", "CreatorTool"),
        (b"CreationDate", "CreateDate"),
        // some programs repeat its words one by one (Dublin Core)
        (b"Keywords", "subject"),
    ];
    let info = info(examiner, step.pair.old, step.info)?;
    let mut properties = BTreeMap::new();
    for (key, name) in NAMES {
        let value = examiner.document.view(step.pair.old).resolve(info.get(key))?;
        properties.extend(evidence_text::text(&value).map(|value| (name.to_owned(), value)));
    }
    // other entries have properties of the same name
    for (key, value) in info.iter().filter(|(key, _)| !NAMES.iter().any(|(known, _)| *known == key.as_bytes())) {
        let value = examiner.document.view(step.pair.old).resolve(value)?;
        let name = value.as_name().map(|name| String::from_utf8_lossy(name).into_owned());
        if let Some(value) = name.or_else(|| evidence_text::text(&value)) {
            properties.entry(String::from_utf8_lossy(key.as_bytes()).into_owned()).or_insert(value);
        }
    }
    Ok(properties)
}

/// Compares the document's changed XMP.
pub(crate) fn metadata(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let differing = examiner.differing(step, Role::Metadata, &change.old, &change.new)?;
    let new = change.new.body().and_then(|new| new.dictionary()).unwrap_or(Dictionary::empty());
    if let Some(name) = differing.iter().find(|name| selects_data(name.as_bytes(), new.get(name.as_bytes()))) {
        if step.follows.is_after_signature() {
            let what = "readers may read its metadata differently, because the stream of the XMP packet has another {}";
            examiner.inconclusive(step, None, Clause::of(what, &[Key(name.as_bytes())]));
        } else {
            report_unreadable(examiner, step, Some(change.number));
        }
    }
    if let Some(new) = change.new.body()
        && examiner.document.stream_place(step.pair.new, new)?.is_none()
    {
        report_unreadable(examiner, step, Some(change.number));
    }
    packets(examiner, step, change.old.body().map(|body| body.id), change.new.body().map(|body| body.id))
}

/// Whether readers may take other data for the packet, or none, by this entry of its stream (7.3.8.2, table 5, and 14.3.2).
/// How the data is encoded decides nothing, as decoded data is compared. What an unknown entry is for is not known, unless it
/// is gone.
fn selects_data(key: &[u8], value: &Object) -> bool {
    match key {
        b"Type" => !value.is_name(b"Metadata"),
        b"Subtype" => !value.is_name(b"XML"),
        b"Length" | b"Filter" | b"DecodeParms" | b"DL" => false,
        b"F" | b"FFilter" | b"FDecodeParms" => true,
        _ => !value.is_null() && !is_private(key),
    }
}

/// Reports a packet that is unreadable or reader-dependent.
fn report_unreadable(examiner: &mut Examiner, step: &Step, object: Option<u32>) {
    examiner.is_complete = false;
    examiner.report(Event { object, ..step.event(EventKind::Ambiguous, Subject::Xmp("packet".to_owned())) });
}

/// Compares two packets, property by property.
pub(crate) fn packets(examiner: &mut Examiner, step: &Step, old: Option<Id>, new: Option<Id>) -> Result<(), Fault> {
    let object = new.or(old).map(|id| id.number);
    let mut contents = [None, None];
    for ((state, id), content) in [(step.pair.old, old), (step.pair.new, new)].into_iter().zip(&mut contents) {
        let Some(id) = id else { continue };
        match examiner.document.view(state).metadata(&Object::Reference(id), MAX_PACKET_BYTES)? {
            Some(packet) => {
                examiner.is_complete &= !packet.is_part;
                *content = Some(packet.content);
            }
            // an unreadable packet may have any content
            None => report_unreadable(examiner, step, object),
        }
    }
    let statements = contents.each_ref().map(|packet| packet.as_deref().map(xmp::statements));
    let is_same = matches!(&statements, [Some(Ok(before)), Some(Ok(after))] if before == after);
    if is_same || contents[0] == contents[1] {
        return Ok(());
    }
    if let [Some(Ok(before)), Some(Ok(after))] = &statements
        && !before.is_empty()
    {
        report_differences(examiner, step, object, [before, after]);
        return Ok(());
    }
    let properties = contents.each_ref().map(|packet| packet.as_deref().map(xmp::properties).unwrap_or_default());
    let own = contents[1].as_deref().map(xmp::own_properties).unwrap_or_default();
    let is_named = report_properties(examiner, step, object, (properties, &own))?;
    match statements {
        [_, Some(Err(irregularity))] => report_irregular(examiner, step, irregularity),
        [Some(Err(irregularity)), Some(Ok(_))] if !is_named => report_irregular(examiner, step, irregularity),
        _ => {}
    }
    Ok(())
}

/// Reports the properties that have other values. Whether readers read the same values from another form is inconclusive.
fn report_differences(examiner: &mut Examiner, step: &Step, object: Option<u32>, [before, after]: [&[Statement]; 2]) {
    let is_same = |one: &str, other: &str| is_same_value(Some(one), Some(other));
    for difference in xmp::differences(before, after, is_same) {
        let PropertyDifference { property, before, after, is_value } = difference;
        if is_value {
            let event = step.event(EventKind::Metadata, Subject::Xmp(property));
            examiner.report(Event { object, before, after, ..event });
        } else if step.follows.is_after_signature() {
            let what = "readers may read its metadata differently, because the XMP property {} has another form";
            examiner.inconclusive(step, None, Clause::of(what, &[Quote(&property)]));
        }
    }
}

/// Reports the properties with another value, and returns whether there are any.
fn report_properties(
    examiner: &mut Examiner,
    step: &Step,
    object: Option<u32>,
    ([mut before, after], own): ([BTreeMap<String, String>; 2], &BTreeMap<String, String>),
) -> Result<bool, Fault> {
    // a first packet repeats the document information dictionary in its own form
    let is_first = before.is_empty();
    if is_first {
        before = as_properties(examiner, step)?;
    }
    let reported = examiner.events.len();
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (before, after) = (before.get(name).cloned(), after.get(name).cloned());
        // it may omit entries; after a signature, it may add only what programs write of themselves
        let says_more =
            if step.follows.is_after_signature() { own.contains_key(name) } else { TEXTS.contains(&name.as_str()) };
        let is_expected = is_first && (after.is_none() || before.is_none() && !says_more);
        let has_words = is_first && name == "subject" && has_same_items(before.as_deref(), after.as_deref());
        if !is_expected && !has_words && !is_same_value(before.as_deref(), after.as_deref()) {
            let event = step.event(EventKind::Metadata, Subject::Xmp(name.clone()));
            examiner.report(Event { object, before, after, ..event });
        }
    }
    Ok(examiner.events.len() > reported)
}

/// Whether keywords are the same, however they are parted.
fn has_same_items(before: Option<&str>, after: Option<&str>) -> bool {
    let is_parting = |letter: char| letter.is_whitespace() || ",;".contains(letter);
    let [before, after] = [before, after].map(|text| text.unwrap_or_default().split(is_parting));
    before.filter(|word| !word.is_empty()).eq(after.filter(|word| !word.is_empty()))
}

/// Reports a packet from which readers may read other properties than are compared.
fn report_irregular(examiner: &mut Examiner, step: &Step, irregularity: Irregularity) {
    if step.follows.is_after_signature() {
        let what = Clause::of(
            "readers may read its metadata differently, because the XMP packet {}",
            &[Own(irregularity.as_str())],
        );
        examiner.inconclusive(step, None, what);
    }
}

/// Whether both have the same text or instant, or neither has a value.
fn is_same_value(before: Option<&str>, after: Option<&str>) -> bool {
    let (before, after) = (before.unwrap_or_default().trim(), after.unwrap_or_default().trim());
    let instants = date::parse(before).zip(date::parse(after)).filter(|_| is_formal(before) && is_formal(after));
    // without a zone, the same local time
    let is_instant = instants.is_some_and(|(one, other)| {
        let has_zones = date::has_zone(before) && date::has_zone(after);
        one == other || (!has_zones && one.naive_local() == other.naive_local())
    });
    before == after || is_instant
}

/// Whether it is only a date in the format of PDF (7.9.4) or XMP.
fn is_formal(text: &str) -> bool {
    let Some(text) = text.strip_prefix("D:") else { return text.contains('T') || text.contains('-') };
    let zone = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = text.len() - zone.len();
    let is_zone = |letter: char| letter.is_ascii_digit() || "Z+-'".contains(letter);
    digits <= 14 && digits % 2 == 0 && zone.len() <= 7 && zone.chars().all(is_zone)
}

/// A value of the dictionary in comparable form.
fn value(object: &Object) -> Option<String> {
    evidence_text::text(object).or_else(|| evidence_text::value(object).filter(|_| object.as_string().is_none()))
}
