//! Instants for people, all in UTC so that they can be compared.

use chrono::{DateTime, TimeZone, Utc};

/// An instant to the minute, such as `20 Nov 2026, 07:15 UTC`.
pub fn readable<Z: TimeZone>(instant: &DateTime<Z>) -> String {
    instant.with_timezone(&Utc).format("%-d %b %Y, %H:%M UTC").to_string()
}

/// An RFC 3339 instant; other text is unchanged.
#[must_use]
pub fn of_rfc3339(text: &str) -> String {
    DateTime::parse_from_rfc3339(text).map_or_else(|_| text.to_owned(), |instant| readable(&instant))
}

/// A complete PDF date with a time zone (ISO 32000-1, 7.9.4), such as `D:20250115103000+01'00'`.
#[must_use]
pub fn of_pdf(raw: &str) -> Option<String> {
    let (digits, zone) = raw.strip_prefix("D:")?.split_at_checked(14)?;
    let zone = if zone.starts_with('Z') { "+0000".to_owned() } else { zone.replace('\'', "") };
    let instant = DateTime::parse_from_str(&format!("{digits} {zone}"), "%Y%m%d%H%M%S %z").ok()?;
    Some(readable(&instant))
}

#[cfg(test)]
mod tests {
    use super::{of_pdf, of_rfc3339};

    #[test]
    fn instants_are_readable_in_one_zone() {
        assert_eq!(of_rfc3339("2026-11-20T07:15:38Z"), "20 Nov 2026, 07:15 UTC");
        assert_eq!(of_rfc3339("2025-01-15T10:30:00+01:00"), "15 Jan 2025, 09:30 UTC");
        assert_eq!(of_rfc3339("?"), "?");
        for (raw, expected) in [
            ("D:20250115103000+01'00'", Some("15 Jan 2025, 09:30 UTC")),
            ("D:20250115003000-0330", Some("15 Jan 2025, 04:00 UTC")),
            ("D:20250115103000Z00'00'", Some("15 Jan 2025, 10:30 UTC")),
            ("D:20250115", None),
            ("D:2025011510300é+01'00'", None),
            ("D:20250132103000Z", None),
            ("20250115103000Z", None),
        ] {
            assert_eq!(of_pdf(raw).as_deref(), expected, "{raw}");
        }
    }
}
