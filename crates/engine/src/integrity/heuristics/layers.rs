//! The two layers of metadata: the document information dictionary and XMP (ISO 32000-1, 14.3).

use chrono::{DateTime, Duration, FixedOffset, NaiveDate};

use pdf_syntax::text::date;
use pdf_syntax::text::xmp_history::HistoryEntry;

/// Epochs of clocks and date types: .NET, Windows, OLE, spreadsheets, classic Mac OS, Unix and DOS.
const EPOCHS: [(i32, u32, u32); 7] =
    [(1, 1, 1), (1601, 1, 1), (1899, 12, 30), (1900, 1, 1), (1904, 1, 1), (1970, 1, 1), (1980, 1, 1)];
/// Maximum shift of an epoch by a time zone, in hours.
const MAX_ZONE_HOURS: i64 = 14;

/// The value of a date entry, which may not parse.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) text: String,
    pub(crate) instant: Option<DateTime<FixedOffset>>,
    has_zone: bool,
}

/// The metadata of one layer.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    pub(crate) created: Option<Moment>,
    pub(crate) modified: Option<Moment>,
    pub(crate) producer: Option<String>,
    pub(crate) creator: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
}

/// The metadata of both layers.
#[derive(Debug, Default)]
pub(crate) struct MetadataLayers {
    /// The document information dictionary, if present.
    pub(crate) info: Option<Layer>,
    /// XMP, if present.
    pub(crate) xmp: Option<Layer>,
    /// The steps of `xmpMM:History`.
    pub(crate) steps: Vec<HistoryEntry>,
    /// Whether `xmpMM:DerivedFrom` names another document.
    pub(crate) is_derived: bool,
}

/// A parsed date with its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dated<'l> {
    pub(crate) text: &'l str,
    pub(crate) instant: DateTime<FixedOffset>,
    /// Whether it has a time zone.
    pub(crate) has_zone: bool,
}

impl Moment {
    pub(crate) fn read(text: String) -> Self {
        let instant = date::parse(&text);
        let has_zone = instant.is_some() && date::has_zone(&text);
        Self { text, instant, has_zone }
    }
}

impl<'l> Dated<'l> {
    /// The date, if it parses.
    pub(crate) fn of(moment: Option<&'l Moment>) -> Option<Self> {
        let Moment { text, instant, has_zone } = moment?;
        Some(Self { text, instant: (*instant)?, has_zone: *has_zone })
    }

    pub(crate) fn read(text: Option<&'l String>) -> Option<Self> {
        let text = text?;
        Some(Self { text, instant: date::parse(text)?, has_zone: date::has_zone(text) })
    }

    /// Whether it has the format of PDF (7.9.4) or XMP, or at least digits, not words.
    pub(crate) fn is_formal(self) -> bool {
        self.text.strip_prefix("D:").unwrap_or(self.text).starts_with(|first: char| first.is_ascii_digit())
    }

    /// Whether it is at an epoch: written without a set clock, or by a reproducible build from `SOURCE_DATE_EPOCH`.
    pub(crate) fn is_epoch(self) -> bool {
        let utc = self.instant.naive_utc();
        EPOCHS.iter().any(|&(year, month, day)| {
            let start = NaiveDate::from_ymd_opt(year, month, day).and_then(|day| day.and_hms_opt(0, 0, 0));
            let shifted = Duration::hours(MAX_ZONE_HOURS);
            start.is_some_and(|start| (start - shifted..start + Duration::days(1) + shifted).contains(&utc))
        })
    }

    /// Seconds from another date to this one.
    pub(crate) fn seconds_after(self, other: Self) -> i64 {
        (self.instant - other.instant).num_seconds()
    }
}

impl MetadataLayers {
    /// The layers that are present, with their names.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &Layer)> {
        [("Info", &self.info), ("XMP", &self.xmp)].into_iter().filter_map(|(name, layer)| Some((name, layer.as_ref()?)))
    }

    /// Whether no layer has a date.
    pub(crate) fn has_no_date(&self) -> bool {
        let is_dated = |moment: &Option<Moment>| moment.as_ref().is_some_and(|moment| moment.instant.is_some());
        !self.each().any(|(_, layer)| is_dated(&layer.created) || is_dated(&layer.modified))
    }

    /// The newest date of all layers.
    pub(crate) fn newest(&self) -> Option<Dated<'_>> {
        let dates = self.each().flat_map(|(_, layer)| [&layer.created, &layer.modified]);
        dates.filter_map(|date| Dated::of(date.as_ref())).max_by_key(|date| date.instant)
    }

    /// The creation date of the first layer that has one.
    pub(crate) fn created(&self) -> Option<Dated<'_>> {
        self.each().find_map(|(_, layer)| Dated::of(layer.created.as_ref()))
    }

    /// The last modification date of the first layer that has dates.
    pub(crate) fn saved_at(&self) -> Option<DateTime<FixedOffset>> {
        let newest = |layer: &Layer| {
            let moments = [&layer.modified, &layer.created].into_iter().flatten();
            moments.filter_map(|moment| moment.instant).max()
        };
        self.each().find_map(|(_, layer)| newest(layer))
    }

    /// The entry of the first layer that has it.
    pub(crate) fn first<T: Clone>(&self, entry: impl Fn(&Layer) -> &Option<T>) -> Option<T> {
        self.each().find_map(|(_, layer)| entry(layer).clone())
    }

    /// The producer of the first layer that names one.
    pub(crate) fn producer(&self) -> Option<&str> {
        self.each().find_map(|(_, layer)| layer.producer.as_deref())
    }
}
