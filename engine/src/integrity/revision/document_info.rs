//! What a revision says about the document, and what it changed of that (ISO 32000-1, 14.3).

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset};

use super::delta::Delta;
use super::history::{Examiner, Step};
use super::show;
use super::span::Span;
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::Deed;
use crate::integrity::report::Evidence;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::{Id, Object};
use crate::text::date;
use crate::text::xmp::{self, Packet};
use crate::text::xmp_property::Property;
use crate::xref::entries::Entry;

/// What every program that saves a file writes anew.
const DULL: [&[u8]; 2] = [b"ModDate", b"Producer"];
/// Properties that say what the dictionary's texts say: new in a first packet they are new to the document.
const TEXTS: [&str; 4] = ["title", "creator", "description", "Keywords"];
/// The longest packet that is compared, in bytes.
const PACKET: usize = 1 << 20;

/// When and with what a revision says it was saved.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) saved_at: Option<DateTime<FixedOffset>>,
    pub(crate) producer: Option<String>,
}

impl Told {
    /// Reads it as far as it takes no read.
    pub(crate) fn read(document: &mut Document, span: &Span) -> Result<Self, Fault> {
        let state = span.state();
        let mut told = Self::default();
        if let Some(info) = readable(document, state, span.info)?
            && let Some(info) = info.as_whole()
        {
            let dates = [b"ModDate".as_slice(), b"CreationDate"].map(|key| show::text(info.get(key)));
            told.saved_at = dates.iter().flatten().filter_map(|date| date::parse(date)).max();
            told.producer = show::text(info.get(b"Producer"));
        }
        if (told.saved_at.is_none() || told.producer.is_none())
            && let Some(packet) = packet(document, state, span.root)?
        {
            let packet = Packet::parse(&packet);
            let dates = [Property::ModifyDate, Property::CreateDate].map(|property| packet.get(property));
            let saved_at = dates.iter().flatten().filter_map(|date| date::parse(date)).max();
            told.saved_at = told.saved_at.or(saved_at);
            told.producer = told.producer.or_else(|| packet.get(Property::PdfProducer));
        }
        Ok(told)
    }
}

fn readable(document: &mut Document, state: State, id: Option<Id>) -> Result<Option<Object>, Fault> {
    let Some(id) = id else { return Ok(None) };
    let entry = document.entry_in(state, id.number)?;
    if !document.is_at_hand(state, entry)? {
        return Ok(None);
    }
    Ok(document.body_at(state, id.number, entry)?.map(|body| body.object))
}

/// The XMP packet of a state.
fn packet(document: &mut Document, state: State, root: Option<Id>) -> Result<Option<Vec<u8>>, Fault> {
    let Some(catalog) = readable(document, state, root)? else { return Ok(None) };
    let Some(metadata) = catalog.as_whole().and_then(|catalog| catalog.get(b"Metadata").as_reference()) else {
        return Ok(None);
    };
    packet_at(document, state, metadata)
}

fn packet_at(document: &mut Document, state: State, metadata: Id) -> Result<Option<Vec<u8>>, Fault> {
    let entry = document.entry_in(state, metadata.number)?;
    let Entry::At(offset) = entry else { return Ok(None) };
    if !document.is_at_hand(state, entry)? {
        return Ok(None);
    }
    Ok(document.stream_at(state, metadata.number, offset, PACKET)?.map(|(_, packet)| packet))
}

impl Examiner<'_, '_> {
    /// Compares the document information dictionaries, if the revision wrote another one.
    pub(super) fn document_info(
        &mut self,
        step: &Step,
        old: Option<Id>,
        new: Option<Id>,
        changed: &[Delta],
    ) -> Result<(), Fault> {
        let is_touched = |id: Id| changed.iter().any(|delta| delta.number == id.number);
        if old.map(|id| id.number) == new.map(|id| id.number) && !new.is_some_and(is_touched) {
            return Ok(());
        }
        let before = self.info(step.pair.old, old)?;
        let after = self.info(step.pair.new, new)?;
        for name in step.pair.differing(self.document, &before, &after, &DULL)? {
            let key = name.as_bytes();
            let before = self.document.resolve_in(step.pair.old, before.get(key))?;
            let after = self.document.resolve_in(step.pair.new, after.get(key))?;
            let (before, after) = (value(&before), value(&after));
            if is_same(before.as_deref(), after.as_deref()) {
                continue;
            }
            let object = new.or(old).map(|id| id.number);
            let place = Some(format!("Info /{}", String::from_utf8_lossy(key)));
            let evidence = Evidence { object, place, before, after, ..Evidence::default() };
            self.tell(step, Deed::Metadata, u32::MAX - self.events.len() as u32, evidence);
        }
        Ok(())
    }

    fn info(&mut self, state: State, id: Option<Id>) -> Result<Whole, Fault> {
        let Some(id) = id else { return Ok(Whole::default()) };
        let body = self.document.body_in(state, id.number)?;
        Ok(body.and_then(|body| body.dictionary().cloned()).unwrap_or_default())
    }

    /// What the document information dictionary of the earlier state would be as properties.
    fn as_properties(&mut self, step: &Step) -> Result<BTreeMap<String, String>, Fault> {
        const NAMES: [(&[u8], &str); 6] = [
            (b"Title", "title"),
            (b"Author", "creator"),
            (b"Subject", "description"),
            (b"Keywords", "Keywords"),
            (b"Creator", "CreatorTool"),
            (b"CreationDate", "CreateDate"),
        ];
        let info = self.info(step.pair.old, step.info)?;
        let mut properties = BTreeMap::new();
        for (key, name) in NAMES {
            let value = self.document.resolve_in(step.pair.old, info.get(key))?;
            properties.extend(show::text(&value).map(|value| (name.to_owned(), value)));
        }
        Ok(properties)
    }

    /// The document's XMP was written anew.
    pub(super) fn metadata(&mut self, step: &Step, delta: &Delta) -> Result<(), Fault> {
        let id = |body: &Option<crate::document::states::Body>| body.as_ref().map(|body| body.id);
        // what the catalog newly refers to is told there
        if delta.old.is_none() {
            return Ok(());
        }
        self.packets(step, id(&delta.old), id(&delta.new))
    }

    /// Compares two packets, property by property.
    pub(super) fn packets(&mut self, step: &Step, old: Option<Id>, new: Option<Id>) -> Result<(), Fault> {
        let mut properties = [BTreeMap::new(), BTreeMap::new()];
        for ((state, id), properties) in [(step.pair.old, old), (step.pair.new, new)].into_iter().zip(&mut properties) {
            if let Some(id) = id
                && let Some(packet) = packet_at(self.document, state, id)?
            {
                *properties = xmp::properties(&packet);
            }
        }
        let [mut before, after] = properties;
        // a first packet says in its own way what the document information dictionary says
        let is_first = before.is_empty();
        if is_first {
            before = self.as_properties(step)?;
        }
        let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names.into_iter().filter(|name| !is_dull(name)) {
            let (before, after) = (before.get(name).cloned(), after.get(name).cloned());
            // it need not repeat everything, and may tell what no dictionary has an entry for
            let is_own = is_first && (after.is_none() || (before.is_none() && !TEXTS.contains(&name.as_str())));
            if !is_own && !is_same(before.as_deref(), after.as_deref()) {
                let object = new.or(old).map(|id| id.number);
                let evidence =
                    Evidence { object, place: Some(format!("XMP {name}")), before, after, ..Evidence::default() };
                self.tell(step, Deed::Metadata, u32::MAX - self.events.len() as u32, evidence);
            }
        }
        Ok(())
    }
}

/// Whether both say the same: the same text or the same instant, or nothing.
fn is_same(before: Option<&str>, after: Option<&str>) -> bool {
    let (before, after) = (before.unwrap_or_default().trim(), after.unwrap_or_default().trim());
    let instants = date::parse(before).zip(date::parse(after));
    // without a zone, the same by the clock on the wall
    let is_instant = instants.is_some_and(|(one, other)| {
        let has_zones = date::has_zone(before) && date::has_zone(after);
        one == other || (!has_zones && one.naive_local() == other.naive_local())
    });
    before == after || is_instant
}

/// Properties that every program that saves a file writes anew.
fn is_dull(name: &str) -> bool {
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    matches!(local, "ModifyDate" | "MetadataDate" | "InstanceID" | "Producer" | "History" | "VersionID" | "format")
}

/// A value of the dictionary, as it is compared.
fn value(object: &Object) -> Option<String> {
    show::text(object).or_else(|| show::show(object).filter(|_| object.as_string().is_none()))
}
