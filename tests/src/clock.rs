//! Clocks of tests. No test knows a date: whatever it needs of one is counted from now.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Datelike, Month, NaiveDate, NaiveTime, Timelike, Utc};
use shared::clock::Clock;

/// A clock that a test sets, to whole seconds. It stands still in between.
#[derive(Clone, Debug)]
pub struct TestClock(Arc<AtomicU64>);

/// Days in which every day of the year comes: eight years lie between two 29 Februaries around 2100.
const EVERY_DAY: usize = 8 * 366;

/// Seconds that a test may take which counts what happens on a day.
const LONGEST: u32 = 120;

impl TestClock {
    /// Stands at `time`, such as `23:59:59`, of a day to come, UTC.
    #[must_use]
    pub fn at(time: &str) -> Self {
        Self::standing(next(Utc::now(), time, |_| true))
    }

    /// Stands at `time` of the next `day` of `month`, UTC, such as the next 29 February.
    #[must_use]
    pub fn at_next(day: u32, month: Month, time: &str) -> Self {
        let date = (month.number_from_month(), day);
        Self::standing(next(Utc::now(), time, |day| (day.month(), day.day()) == date))
    }

    fn standing(now: DateTime<Utc>) -> Self {
        Self(Arc::new(AtomicU64::new(u64::try_from(now.timestamp()).unwrap())))
    }

    /// What it shows.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let seconds = i64::try_from(self.0.load(Ordering::SeqCst)).unwrap();
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    /// Moves on by `seconds`.
    pub fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    /// For a service to go by.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let clock = self.clone();
        Clock::new(move || clock.now())
    }
}

/// `time` of the first day that is `wanted` and at least a day from now. Not sooner, and never past: the
/// embedded DynamoDB goes by the system's clock and would delete, in a test that takes long, what is to
/// expire soon after.
fn next(now: DateTime<Utc>, time: &str, wanted: impl Fn(NaiveDate) -> bool) -> DateTime<Utc> {
    let time = NaiveTime::parse_from_str(time, "%H:%M:%S").unwrap();
    let mut days = now.date_naive().iter_days().skip(2).take(EVERY_DAY);
    let day = days.find(|day| wanted(*day)).expect("a day of the calendar");
    day.and_time(time).and_utc()
}

/// Waits for midnight, UTC, if it is near: a test that counts what happens on a day, by the system's
/// clock, would find a new day in its middle.
pub(crate) async fn away_from_midnight() {
    while let Some(left) = left_of_ending(Utc::now()) {
        tokio::time::sleep(left).await;
    }
}

/// How long a day that is about to end still lasts, rounded up.
fn left_of_ending(now: DateTime<Utc>) -> Option<Duration> {
    let left = 24 * 60 * 60 - now.num_seconds_from_midnight();
    (left <= LONGEST).then(|| Duration::from_secs(left.into()))
}

/// What another process's environment has to have for its time to be this one's, if faketime shifted that.
pub fn shift() -> impl Iterator<Item = (String, String)> {
    std::env::vars().filter(|(name, _)| name == "LD_PRELOAD" || name.starts_with("FAKETIME"))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Datelike, Days, Month, NaiveDate, TimeDelta, Utc};
    use proptest::prelude::*;

    use super::{TestClock, left_of_ending, next};

    /// Of any year up to 2400.
    fn instants() -> impl Strategy<Value = DateTime<Utc>> {
        (0i64..13_569_465_600).prop_map(|seconds| DateTime::from_timestamp(seconds, 0).unwrap())
    }

    proptest! {
        #[test]
        fn every_day_of_the_year_comes_again(now in instants(), ordinal in 0u64..366) {
            // any day of a leap year
            let wanted = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap() + Days::new(ordinal);
            let found = next(now, "23:59:58", |day| (day.month(), day.day()) == (wanted.month(), wanted.day()));
            prop_assert_eq!(found.format("%m-%d %T").to_string(), wanted.format("%m-%d 23:59:58").to_string());
            prop_assert!(found - now > TimeDelta::days(1));
            let leap_day = (wanted.month(), wanted.day()) == (2, 29);
            prop_assert!(found.year() - now.year() <= if leap_day { 8 } else { 2 }, "{now} {found}");
        }

        #[test]
        fn a_time_of_day_comes_the_day_after_tomorrow(now in instants()) {
            let found = next(now, "10:01:00", |_| true);
            prop_assert_eq!(found.date_naive(), now.date_naive() + Days::new(2));
        }

        #[test]
        fn a_day_about_to_end_is_waited_for(now in instants()) {
            let Some(left) = left_of_ending(now) else {
                prop_assert_eq!((now + TimeDelta::seconds(120)).date_naive(), now.date_naive());
                return Ok(());
            };
            prop_assert_eq!((now + left).date_naive(), now.date_naive() + Days::new(1));
            prop_assert!(left_of_ending(now + left).is_none());
        }
    }

    #[test]
    fn it_stands_still_until_it_is_moved() {
        let clock = TestClock::at_next(29, Month::February, "23:59:59");
        assert!(clock.now() > Utc::now());
        let year = clock.now().year();
        assert_eq!(clock.clock().now(), clock.now());
        clock.advance(1);
        assert_eq!(clock.clock().now().to_rfc3339(), format!("{year}-03-01T00:00:00+00:00"));
    }
}
