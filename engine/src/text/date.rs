//! Dates in every form that files have them: the standard's own (ISO 32000-1, 7.9.4), ISO 8601, and prose.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, SecondsFormat, TimeZone};
use serde::Serializer;

use super::date_cursor::{Cursor, DateFields, Time};
use super::date_prose;

/// ISO 8601 writes years with four digits.
const LAST_YEAR: i32 = 9999;

/// Writes an instant as the API shows it: ISO 8601 to the second, with a numeric offset.
pub(crate) fn serialize_instant<S: Serializer>(
    instant: &Option<DateTime<FixedOffset>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match instant {
        Some(instant) => serializer.serialize_str(&instant.to_rfc3339_opts(SecondsFormat::Secs, false)),
        None => serializer.serialize_none(),
    }
}

fn instant(fields: DateFields) -> Option<DateTime<FixedOffset>> {
    let DateFields { year, month, day, time: Time { hour, minute, second }, offset_minutes } = fields;
    let year = i32::try_from(year).ok().filter(|year| *year <= LAST_YEAR)?;
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    // a leap second reads as the second before it
    let time = NaiveTime::from_hms_opt(hour, minute, if second == 60 { 59 } else { second })?;
    let zone = FixedOffset::east_opt(offset_minutes * 60).unwrap_or(FixedOffset::east_opt(0)?);
    zone.from_local_datetime(&date.and_time(time)).single()
}

/// Reads a date in any form; none if there is none in it.
pub(crate) fn parse(text: &str) -> Option<DateTime<FixedOffset>> {
    let text = text.trim().trim_start_matches('(');
    let digits = text.strip_prefix("D:").or_else(|| text.strip_prefix("d:")).unwrap_or(text).trim_start();
    numeric(digits).or_else(|| date_prose::parse(text)).and_then(instant)
}

/// `YYYYMMDDHHmmSSOHH'mm'` or any start of it, with or without separators between the fields.
fn numeric(text: &str) -> Option<DateFields> {
    let mut cursor = Cursor(text.as_bytes());
    let year = cursor.year()?;
    let month = cursor.field(b"-/:.");
    let day = month.and_then(|_| cursor.field(b"-/:."));
    let time = day.and_then(|_| cursor.time());
    let offset_minutes = cursor.zone().unwrap_or(0);
    if month.is_none() && !cursor.0.trim_ascii().is_empty() {
        return None;
    }
    Some(DateFields {
        year,
        month: month.unwrap_or(1),
        day: day.unwrap_or(1),
        time: time.unwrap_or_default(),
        offset_minutes,
    })
}

/// Whether a date says in which zone it is: an offset or `Z` behind the time.
pub(crate) fn has_zone(text: &str) -> bool {
    let time = text.trim().trim_start_matches("D:");
    // the dashes of `2025-01-15` are none
    let time = time.get(10..).unwrap_or_default();
    time.contains(['+', 'Z', 'z', '-']) || time.contains("GMT") || time.contains("UTC")
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn read(text: &str) -> Option<String> {
        parse(text).map(|instant| instant.to_rfc3339())
    }

    #[test]
    fn every_start_of_the_standards_form_is_a_date() {
        let dates = [
            ("D:2025", "2025-01-01T00:00:00+00:00"),
            ("D:202503", "2025-03-01T00:00:00+00:00"),
            ("D:20250304", "2025-03-04T00:00:00+00:00"),
            ("D:2025030405", "2025-03-04T05:00:00+00:00"),
            ("D:202503040506", "2025-03-04T05:06:00+00:00"),
            ("D:20250304050607", "2025-03-04T05:06:07+00:00"),
            ("D:20250304050607Z", "2025-03-04T05:06:07+00:00"),
            ("D:20250304050607+01'30'", "2025-03-04T05:06:07+01:30"),
            ("D:20250304050607-08'00", "2025-03-04T05:06:07-08:00"),
            ("20250304050660", "2025-03-04T05:06:59+00:00"),
            ("D:191000304050607", "2000-03-04T05:06:07+00:00"),
        ];
        for (text, expected) in dates {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_forms_are_dates_too() {
        let dates = [
            ("2025-03-04T05:06:07.891+01:00", "2025-03-04T05:06:07+01:00"),
            ("2025-03-04 05:06", "2025-03-04T05:06:00+00:00"),
            ("Tue Mar  4 13:08:00 2025", "2025-03-04T13:08:00+00:00"),
            ("4 March 2025 1:08 PM", "2025-03-04T13:08:00+00:00"),
            ("3/4/2025 12:08:00 AM", "2025-03-04T00:08:00+00:00"),
            ("04-Mar-25", "2025-03-04T00:00:00+00:00"),
            ("4.3.1999", "1999-03-04T00:00:00+00:00"),
        ];
        for (text, expected) in dates {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "D:", "today", "D:20251304", "D:20250230", "2025 was a year", "12345678901234567890"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
