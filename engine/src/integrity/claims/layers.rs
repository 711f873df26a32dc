//! The two layers of metadata: the document information dictionary and XMP (ISO 32000-1, 14.3).

use chrono::{DateTime, FixedOffset};

use crate::text::date;
use crate::text::xmp_history::Step;

/// What one layer says.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    pub(crate) created: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) producer: Option<String>,
    pub(crate) creator: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
}

/// What both layers say.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// The document information dictionary; none if there is none.
    pub(crate) info: Option<Layer>,
    /// XMP; none if there is none.
    pub(crate) xmp: Option<Layer>,
    /// The steps of `xmpMM:History`.
    pub(crate) steps: Vec<Step>,
    /// Whether `xmpMM:DerivedFrom` names another document.
    pub(crate) is_derived: bool,
}

/// A date as it stands there and as it reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dated<'l> {
    pub(crate) text: &'l str,
    pub(crate) instant: DateTime<FixedOffset>,
    /// Whether it says in which zone.
    pub(crate) has_zone: bool,
}

impl<'l> Dated<'l> {
    pub(crate) fn read(text: Option<&'l String>) -> Option<Self> {
        let text = text?;
        Some(Self { text, instant: date::parse(text)?, has_zone: date::has_zone(text) })
    }

    /// Seconds from another date to this one.
    pub(crate) fn seconds_after(self, other: Self) -> i64 {
        (self.instant - other.instant).num_seconds()
    }
}

impl Layers {
    /// The layers by their names, as far as there are.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &Layer)> {
        [("Info", &self.info), ("XMP", &self.xmp)].into_iter().filter_map(|(name, layer)| Some((name, layer.as_ref()?)))
    }

    /// The newest date of all.
    pub(crate) fn newest(&self) -> Option<Dated<'_>> {
        let dates = self.each().flat_map(|(_, layer)| [&layer.created, &layer.modified]);
        dates.filter_map(|date| Dated::read(date.as_ref())).max_by_key(|date| date.instant)
    }

    /// When it says it was made: the first layer that says so.
    pub(crate) fn created(&self) -> Option<Dated<'_>> {
        self.each().find_map(|(_, layer)| Dated::read(layer.created.as_ref()))
    }

    /// What it says it was written by: the first layer that says so.
    pub(crate) fn producer(&self) -> Option<&str> {
        self.each().find_map(|(_, layer)| layer.producer.as_deref())
    }
}
