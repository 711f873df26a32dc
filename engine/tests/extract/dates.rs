//! Dates in every form.

use engine::Date;
use samples::pdf::Pdf;

use crate::support::open;

fn created(text: &str) -> Date {
    open(&Pdf::new(1).info(format!("/CreationDate ({text})")).classic()).dates.created
}

/// The date as the API shows it.
fn iso8601(text: &str) -> Option<String> {
    let date = serde_json::to_value(created(text)).expect("a date is JSON");
    assert_eq!(date["parsed"], !date["iso8601"].is_null());
    date["iso8601"].as_str().map(str::to_owned)
}

#[test]
fn dates_are_read_as_they_stand() {
    let cases = [
        ("D:20250115103000+01'00'", "2025-01-15T10:30:00+01:00"),
        ("D:20250115103000+01'00", "2025-01-15T10:30:00+01:00"),
        ("D:20250115103000-0530", "2025-01-15T10:30:00-05:30"),
        ("D:20250115103000+5'30'", "2025-01-15T10:30:00+05:30"),
        ("D:20250115103000 - 05'00'", "2025-01-15T10:30:00-05:00"),
        ("D:20250115103000-05", "2025-01-15T10:30:00-05:00"),
        ("D:20250115103000Z", "2025-01-15T10:30:00+00:00"),
        ("D:20250115103000Z00'00'", "2025-01-15T10:30:00+00:00"),
        ("D:20250115103000", "2025-01-15T10:30:00+00:00"),
        ("D:202501151030", "2025-01-15T10:30:00+00:00"),
        ("D:2025011510", "2025-01-15T10:00:00+00:00"),
        ("D:20250115", "2025-01-15T00:00:00+00:00"),
        ("D:202501", "2025-01-01T00:00:00+00:00"),
        ("D:2025", "2025-01-01T00:00:00+00:00"),
        ("20250115103000", "2025-01-15T10:30:00+00:00"),
        ("2025-01-15T10:30:00Z", "2025-01-15T10:30:00+00:00"),
        ("2025-01-15T10:30:00.123+01:00", "2025-01-15T10:30:00+01:00"),
        ("2025-01-15", "2025-01-15T00:00:00+00:00"),
        ("2025-01", "2025-01-01T00:00:00+00:00"),
        ("2025/1/5 9:05", "2025-01-05T09:05:00+00:00"),
        ("D:191010115103000", "2001-01-15T10:30:00+00:00"),
        ("D:20241231235960Z", "2024-12-31T23:59:59+00:00"),
        ("Thu Mar  4 13:08:00 2010", "2010-03-04T13:08:00+00:00"),
        ("Thu, 04 Mar 2010 13:08:00 +0100", "2010-03-04T13:08:00+01:00"),
        ("Thursday, March 4, 2010 1:08:00 PM", "2010-03-04T13:08:00+00:00"),
        ("3/4/2010 12:08 AM", "2010-03-04T00:08:00+00:00"),
        ("27/3/2010", "2010-03-27T00:00:00+00:00"),
        ("4.3.2010 13:08", "2010-03-04T13:08:00+00:00"),
        ("04-Mar-10", "2010-03-04T00:00:00+00:00"),
        ("Mar 4 2010 13:08:00 EST", "2010-03-04T13:08:00-05:00"),
    ];
    for (text, expected) in cases {
        assert_eq!(iso8601(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_date_is_kept_as_text() {
    let cases = [
        "yesterday",
        "D:",
        "D:20251301",
        "D:20250230",
        "D:2025011525",
        "D:20250115106500",
        "2025 annual report",
        "99",
        "3/15/152025 10:30:00 AM",
        "15-Jan-20255",
    ];
    for text in cases {
        let date = created(text);
        assert_eq!(date.raw.as_deref(), Some(text));
        assert!(!date.parsed && date.iso8601.is_none(), "{text}");
    }
}

#[test]
fn a_missing_date_is_null() {
    assert_eq!(created(""), Date::default());
}

#[test]
fn a_modification_is_a_later_instant() {
    let was_modified = |created: &str, modified: &str| {
        let info = format!("/CreationDate ({created}) /ModDate ({modified})");
        open(&Pdf::new(1).info(info).classic()).dates.was_modified
    };
    assert!(was_modified("D:20250115103000Z", "D:20250115103001Z"));
    assert!(!was_modified("D:20250115103000Z", "D:20250115103000Z"));
    assert!(!was_modified("D:20250115103000Z", "D:20250115113000+01'00'"));
    assert!(was_modified("D:20250115103000+01'00'", "D:20250115103000Z"));
    assert!(!was_modified("D:20250115103000Z", "later"));
    assert!(!was_modified("", "D:20250115103000Z"));
}
