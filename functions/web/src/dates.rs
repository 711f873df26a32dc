//! Formatted instants. The script shows them in the browser's time zone.

use chrono::{DateTime, FixedOffset};
use maud::{Markup, html};
use report::dates::of_rfc3339;

/// An instant of the service, such as `2026-11-20T07:15:38Z`.
pub(crate) fn instant(iso8601: &str) -> Markup {
    html! { time datetime=(iso8601) title=(iso8601) { (of_rfc3339(iso8601)) } }
}

/// A date from a file: `raw` is its text there.
pub(crate) fn written(iso8601: &str, raw: &str) -> Markup {
    html! { time datetime=(iso8601) title={ "In the file: " (raw) } { (of_rfc3339(iso8601)) } }
}

/// The difference of two instants, in the largest suitable unit.
pub(crate) fn apart(earlier: &str, later: &str) -> Option<String> {
    let seconds = (parse(later)? - parse(earlier)?).num_seconds();
    let units = [("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
    let (unit, length) = units.into_iter().find(|(_, length)| seconds >= *length)?;
    let count = seconds / length;
    Some(format!("{count} {unit}{}", if count == 1 { "" } else { "s" }))
}

fn parse(iso8601: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(iso8601).ok()
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn distances_are_rounded_down() {
        let from = "2025-01-15T10:30:00+01:00";
        assert_eq!(apart(from, "2025-01-17T10:29:00+01:00").as_deref(), Some("1 day"));
        assert_eq!(apart(from, "2025-01-15T12:30:00+01:00").as_deref(), Some("2 hours"));
        assert_eq!(apart(from, from), None);
    }
}
