//! Dates in every form that occurs in files: PDF dates (ISO 32000-1, 7.9.4), ISO 8601, and prose.

use std::ops::RangeInclusive;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, SecondsFormat, TimeZone};
use serde::Serializer;

use super::date_cursor::{Cursor, DateFields, Time, Zone};
use super::date_prose;

/// ISO 8601 years have four digits. Programs write year 0 if they have no date.
const YEARS: RangeInclusive<i32> = 1..=9999;

/// Writes an instant as the API shows it: ISO 8601 to the second, with a numeric offset.
pub fn serialize_instant<S: Serializer>(
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
    let year = i32::try_from(year).ok().filter(|year| YEARS.contains(year))?;
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    // a leap second reads as the second before it
    let time = NaiveTime::from_hms_opt(hour, minute, if second == 60 { 59 } else { second })?;
    FixedOffset::east_opt(offset_minutes * 60)?.from_local_datetime(&date.and_time(time)).single()
}

/// Parses a date in any form; none if any part is not understood, since that may be the zone.
pub fn parse(text: &str) -> Option<DateTime<FixedOffset>> {
    fields(text).and_then(instant)
}

/// Whether a date has an impossible day or time of day. Year 0 is allowed: programs write it if they have no date.
pub fn is_impossible(text: &str) -> bool {
    fields(text).is_some_and(|fields| fields.year > 0 && instant(fields).is_none())
}

fn fields(text: &str) -> Option<DateFields> {
    let text = text.trim().trim_start_matches('(');
    let digits = text.strip_prefix("D:").or_else(|| text.strip_prefix("d:")).unwrap_or(text).trim_start();
    numeric(digits).or_else(|| date_prose::parse(digits))
}

/// `YYYYMMDDHHmmSSOHH'mm'` or any start of it, with or without separators between the fields.
fn numeric(text: &str) -> Option<DateFields> {
    let mut cursor = Cursor(text.as_bytes());
    let year = cursor.year()?;
    let month = cursor.field(b"-/:.");
    let day = month.and_then(|_| cursor.field(b"-/:."));
    let time = day.and_then(|_| cursor.time());
    // an incomplete field, which readers drop
    if day.is_none() && cursor.0.len() == 1 {
        cursor.number(1);
    }
    let offset_minutes = match cursor.zone() {
        Zone::East(minutes) if cursor.is_at_end() => minutes,
        Zone::Missing if cursor.is_at_end() => 0,
        Zone::Missing if time.is_some() => date_prose::zone(str::from_utf8(cursor.0).ok()?.trim())?,
        _ => return None,
    };
    Some(DateFields {
        year,
        month: month.unwrap_or(1),
        day: day.unwrap_or(1),
        time: time.unwrap_or_default(),
        offset_minutes,
    })
}

/// Whether a date has a zone: an offset, `Z` or a name after the time.
pub fn has_zone(text: &str) -> bool {
    let time = text.trim().trim_start_matches("D:");
    // the dashes of `2025-01-15` are not an offset
    let time = time.get(10..).unwrap_or_default();
    time.contains(['+', 'Z', 'z', '-']) || time.split([' ', ',']).any(|word| date_prose::zone(word).is_some())
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
            ("Tue Mar 04 13:08:00 GMT+08:00 2025", "2025-03-04T13:08:00+08:00"),
            ("Tue Mar 04 13:08:00 GMT-03:30 2025", "2025-03-04T13:08:00-03:30"),
            ("Tue Mar 04 13:08:00 JST 2025", "2025-03-04T13:08:00+09:00"),
            ("Tue, 4 Mar 2025 13:08:00 +0100 (CET)", "2025-03-04T13:08:00+01:00"),
            ("2025-03-04 13:08:00 PST", "2025-03-04T13:08:00-08:00"),
            ("2025-03-04 13:08:00 UTC+2", "2025-03-04T13:08:00+02:00"),
            ("D:20250304.050607891", "2025-03-04T05:06:07+00:00"),
            ("D:20250304050607891+01'00'", "2025-03-04T05:06:07+01:00"),
            ("D:20250304 05:06:07", "2025-03-04T05:06:07+00:00"),
            ("2025124", "2025-12-01T00:00:00+00:00"),
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

    #[test]
    fn what_is_understood_in_part_is_none() {
        let texts = [
            // no such offset
            "D:20250304050607+65'53'",
            "D:20250304050607+24'00'",
            "D:20250304050607-08'60'",
            "2025-03-04T05:06:07+99:00",
            "D:20250304050607Z01'00'",
            "Tue Mar 04 13:08:00 GMT+25:00 2025",
            // zones of several places, or of none
            "Tue Mar 04 13:08:00 IST 2025",
            "Tue Mar 04 13:08:00 CST 2025",
            "Tue Mar 04 13:08:00 XYZ 2025",
            "2025-03-04 13:08:00 QQT",
            // no such year
            "D:00000304050607",
            "Tue Mar 04 13:08:00 UTC 0000",
            // the time of day, or what else there is, lost
            "D:20250304-T0506",
            "D:20250304 5 o'clock",
            "D:20250304050607 and more",
            "4 March 2025 in the morning",
            "4 March 2025 5 April 2025",
        ];
        for text in texts {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
