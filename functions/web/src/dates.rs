//! Instants as people read them. The script shows them in the reader's own zone.

use chrono::{DateTime, FixedOffset};
use maud::{Markup, html};

/// An instant of ours, such as `2026-11-20T07:15:38Z`.
pub(crate) fn instant(iso8601: &str) -> Markup {
    html! { time datetime=(iso8601) title=(iso8601) { (readable(iso8601)) } }
}

/// A date that a file gives: `raw` is how it is written there.
pub(crate) fn written(iso8601: &str, raw: &str) -> Markup {
    html! { time datetime=(iso8601) title={ "In the file: " (raw) } { (readable(iso8601)) } }
}

/// How much later the second instant is, in the largest unit that fits.
pub(crate) fn apart(earlier: &str, later: &str) -> Option<String> {
    let seconds = (parse(later)? - parse(earlier)?).num_seconds();
    let units = [("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
    let (unit, length) = units.into_iter().find(|(_, length)| seconds >= *length)?;
    let count = seconds / length;
    Some(format!("{count} {unit}{}", if count == 1 { "" } else { "s" }))
}

/// An instant in the zone that it is given in; anything else as it is.
pub(crate) fn readable(iso8601: &str) -> String {
    let zone = if iso8601.ends_with('Z') { "%-d %b %Y, %H:%M UTC" } else { "%-d %b %Y, %H:%M (UTC%:z)" };
    parse(iso8601).map_or_else(|| iso8601.to_owned(), |instant| instant.format(zone).to_string())
}

/// A whole date of a PDF (ISO 32000-1, 7.9.4), such as `D:20250115103000+01'00'`, as people read it.
pub(crate) fn of_pdf(raw: &str) -> Option<String> {
    let (digits, zone) = raw.strip_prefix("D:")?.split_at_checked(14)?;
    let zone = if zone.starts_with('Z') { "+0000".to_owned() } else { zone.replace('\'', "") };
    let instant = DateTime::parse_from_str(&format!("{digits} {zone}"), "%Y%m%d%H%M%S %z").ok()?;
    Some(readable(&instant.to_rfc3339()))
}

fn parse(iso8601: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(iso8601).ok()
}

#[cfg(test)]
mod tests {
    use super::{apart, of_pdf, readable};

    #[test]
    fn instants_are_readable_and_distances_rounded_down() {
        assert_eq!(readable("2026-11-20T07:15:38Z"), "20 Nov 2026, 07:15 UTC");
        assert_eq!(readable("2025-01-15T10:30:00+01:00"), "15 Jan 2025, 10:30 (UTC+01:00)");
        assert_eq!(readable("?"), "?");
        let from = "2025-01-15T10:30:00+01:00";
        assert_eq!(apart(from, "2025-01-17T10:29:00+01:00").as_deref(), Some("1 day"));
        assert_eq!(apart(from, "2025-01-15T12:30:00+01:00").as_deref(), Some("2 hours"));
        assert_eq!(apart(from, from), None);
    }

    #[test]
    fn whole_dates_of_pdfs_are_readable() {
        for (raw, told) in [
            ("D:20250115103000+01'00'", Some("15 Jan 2025, 10:30 (UTC+01:00)")),
            ("D:20250115103000-0330", Some("15 Jan 2025, 10:30 (UTC-03:30)")),
            ("D:20250115103000Z00'00'", Some("15 Jan 2025, 10:30 (UTC+00:00)")),
            ("D:20250115", None),
            ("D:2025011510300é+01'00'", None),
            ("D:20250132103000Z", None),
            ("20250115103000Z", None),
        ] {
            assert_eq!(of_pdf(raw).as_deref(), told, "{raw}");
        }
    }
}
