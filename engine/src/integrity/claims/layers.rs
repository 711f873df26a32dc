//! The two layers of metadata: the document information dictionary and XMP (ISO 32000-1, 14.3).

use chrono::{DateTime, Duration, FixedOffset, NaiveDate};

use crate::text::date;
use crate::text::xmp_history::HistoryEntry;

/// Days from which clocks and date types count: those of .NET, Windows, OLE, spreadsheets, classic Mac OS, Unix and DOS.
const EPOCHS: [(i32, u32, u32); 7] =
    [(1, 1, 1), (1601, 1, 1), (1899, 12, 30), (1900, 1, 1), (1904, 1, 1), (1970, 1, 1), (1980, 1, 1)];
/// How far a zone may shift such a day, in hours.
const SHIFTED: i64 = 14;

/// What stands where a date is meant to stand.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) text: String,
    pub(crate) instant: Option<DateTime<FixedOffset>>,
    has_zone: bool,
}

/// What one layer says.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    pub(crate) created: Option<Moment>,
    pub(crate) modified: Option<Moment>,
    pub(crate) producer: Option<String>,
    pub(crate) creator: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
}

/// What both layers say.
#[derive(Debug, Default)]
pub(crate) struct MetadataLayers {
    /// The document information dictionary; none if there is none.
    pub(crate) info: Option<Layer>,
    /// XMP; none if there is none.
    pub(crate) xmp: Option<Layer>,
    /// The steps of `xmpMM:History`.
    pub(crate) steps: Vec<HistoryEntry>,
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

impl Moment {
    pub(crate) fn read(text: String) -> Self {
        let instant = date::parse(&text);
        let has_zone = instant.is_some() && date::has_zone(&text);
        Self { text, instant, has_zone }
    }
}

impl<'l> Dated<'l> {
    /// A layer's date, if it reads as one.
    pub(crate) fn of(moment: Option<&'l Moment>) -> Option<Self> {
        let Moment { text, instant, has_zone } = moment?;
        Some(Self { text, instant: (*instant)?, has_zone: *has_zone })
    }

    pub(crate) fn read(text: Option<&'l String>) -> Option<Self> {
        let text = text?;
        Some(Self { text, instant: date::parse(text)?, has_zone: date::has_zone(text) })
    }

    /// Whether it is written as a date of PDF (7.9.4) or XMP, or at least in digits, not in words.
    pub(crate) fn is_formal(self) -> bool {
        self.text.strip_prefix("D:").unwrap_or(self.text).starts_with(|first: char| first.is_ascii_digit())
    }

    /// Whether it lies on the first day of a clock: a program without a clock writes it, or a reproducible build, whose dates
    /// are `SOURCE_DATE_EPOCH`.
    pub(crate) fn is_epoch(self) -> bool {
        let utc = self.instant.naive_utc();
        EPOCHS.iter().any(|&(year, month, day)| {
            let start = NaiveDate::from_ymd_opt(year, month, day).and_then(|day| day.and_hms_opt(0, 0, 0));
            let shifted = Duration::hours(SHIFTED);
            start.is_some_and(|start| (start - shifted..start + Duration::days(1) + shifted).contains(&utc))
        })
    }

    /// Seconds from another date to this one.
    pub(crate) fn seconds_after(self, other: Self) -> i64 {
        (self.instant - other.instant).num_seconds()
    }
}

impl MetadataLayers {
    /// The layers by their names, as far as there are.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static str, &Layer)> {
        [("Info", &self.info), ("XMP", &self.xmp)].into_iter().filter_map(|(name, layer)| Some((name, layer.as_ref()?)))
    }

    /// Whether there is no date anywhere.
    pub(crate) fn has_no_date(&self) -> bool {
        let is_dated = |moment: &Option<Moment>| moment.as_ref().is_some_and(|moment| moment.instant.is_some());
        !self.each().any(|(_, layer)| is_dated(&layer.created) || is_dated(&layer.modified))
    }

    /// The newest date of all.
    pub(crate) fn newest(&self) -> Option<Dated<'_>> {
        let dates = self.each().flat_map(|(_, layer)| [&layer.created, &layer.modified]);
        dates.filter_map(|date| Dated::of(date.as_ref())).max_by_key(|date| date.instant)
    }

    /// When it says it was made: the first layer that says so.
    pub(crate) fn created(&self) -> Option<Dated<'_>> {
        self.each().find_map(|(_, layer)| Dated::of(layer.created.as_ref()))
    }

    /// When it was last saved, as far as the first layer says that has a date.
    pub(crate) fn saved_at(&self) -> Option<DateTime<FixedOffset>> {
        let newest = |layer: &Layer| {
            let moments = [&layer.modified, &layer.created].into_iter().flatten();
            moments.filter_map(|moment| moment.instant).max()
        };
        self.each().find_map(|(_, layer)| newest(layer))
    }

    /// What the first layer says that has it.
    pub(crate) fn first<T: Clone>(&self, entry: impl Fn(&Layer) -> &Option<T>) -> Option<T> {
        self.each().find_map(|(_, layer)| entry(layer).clone())
    }

    /// What it says it was written by: the first layer that says so.
    pub(crate) fn producer(&self) -> Option<&str> {
        self.each().find_map(|(_, layer)| layer.producer.as_deref())
    }
}
