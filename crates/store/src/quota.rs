//! The daily quota: UTC days, the remaining analyses, the reset.

use std::fmt;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, SecondsFormat, Utc};

/// A calendar day, UTC. Each day has separate counters, so none is ever reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(NaiveDate);

impl Day {
    /// The day that `instant` falls on.
    #[must_use]
    pub fn of(instant: DateTime<Utc>) -> Self {
        Self(instant.date_naive())
    }

    /// Reads `2026-11-20`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// 00:00 UTC of the day after.
    #[must_use]
    pub fn end(&self) -> DateTime<Utc> {
        let next = self.0.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX);
        next.and_time(NaiveTime::MIN).and_utc()
    }
}

impl fmt::Display for Day {
    /// `2026-11-20`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Cost of an analysis in the daily quota.
pub const ANALYSIS: u64 = 1;
/// Cost of a comparison, which reads two files.
pub const COMPARISON: u64 = 2;

/// An account's use of the daily quota at one reading of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Analyses allowed a day.
    pub limit: u64,
    /// Analyses stored today; a comparison counts for two.
    pub used: u64,
    /// Analyses that failed today.
    pub failed: u64,
    /// The one reading of the clock.
    pub now: DateTime<Utc>,
}

/// Failed analyses a day, as a multiple of the limit, before everything is refused.
const FAILURES_PER_LIMIT: u64 = 10;

impl Quota {
    /// Analyses still allowed today.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Whether so many analyses failed today that every further one is refused.
    #[must_use]
    pub fn failures_exhausted(&self) -> bool {
        self.failed >= self.limit.saturating_mul(FAILURES_PER_LIMIT)
    }

    /// The day that is counted.
    #[must_use]
    pub fn day(&self) -> Day {
        Day::of(self.now)
    }

    /// The reset: the next 00:00 UTC.
    #[must_use]
    pub fn resets_at(&self) -> DateTime<Utc> {
        self.day().end()
    }

    /// Seconds until then, rounded up: 1 to 86,400.
    #[must_use]
    pub fn seconds_to_reset(&self) -> i64 {
        let left = self.resets_at() - self.now;
        left.num_seconds() + i64::from(left.subsec_nanos() > 0)
    }
}

/// An instant of the service in the API's format, `2026-11-20T07:15:38Z` (ISO 8601, UTC).
#[must_use]
pub fn timestamp(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Timelike};
    use proptest::prelude::*;

    use super::{Quota, timestamp};

    proptest! {
        #[test]
        fn used_and_remaining_make_the_limit(limit in 0u64..1000, used in 0u64..2000, seconds in 0i64..4_000_000_000, nanos in 0u32..1_000_000_000) {
            let now = DateTime::from_timestamp(seconds, nanos).unwrap();
            let quota = Quota { limit, used, failed: 0, now };
            prop_assert_eq!(quota.remaining() + used.min(limit), limit);
            prop_assert!((1..=86_400).contains(&quota.seconds_to_reset()));
            prop_assert!(quota.resets_at() > now);
            prop_assert_eq!(quota.resets_at().num_seconds_from_midnight(), 0);
            prop_assert!(quota.resets_at().timestamp() - now.timestamp() <= 86_400);
        }
    }

    #[test]
    fn the_last_second_of_a_day_counts_for_that_day() {
        let now = DateTime::from_timestamp(1_763_683_199, 500_000_000).unwrap();
        let quota = Quota { limit: 50, used: 0, failed: 500, now };
        assert_eq!(quota.day().to_string(), "2025-11-20");
        assert_eq!(quota.seconds_to_reset(), 1);
        assert_eq!(timestamp(quota.resets_at()), "2025-11-21T00:00:00Z");
        assert!(quota.failures_exhausted());
    }
}
