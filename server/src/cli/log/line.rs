//! A request as one short line: time, route, status, duration, remaining quota.

use shared::journal::JournalEntry;

/// The line. Paths are shown as in the template, `/s/{secret}`: a parameter may be a secret.
pub(super) fn of(entry: &JournalEntry) -> String {
    // without a space it is `$default`, or an event without a route
    let (method, path) = entry.route.split_once(' ').unwrap_or(("-", "(no such path)"));
    let time = entry.time.format("%H:%M:%SZ");
    let mut line = format!("{time} {method:<6} {path:<24} {} {:>6.0} ms", entry.status, entry.latency_ms);
    if let Some(left) = entry.remaining_checks {
        line.push_str(&format!("  {left} left"));
    }
    if let Some(error) = entry.error {
        line.push_str(&format!("  {error}"));
    }
    if let Some(reason) = entry.reason {
        line.push_str(&format!(": {reason}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use shared::journal::{AnalysisOutcome, JournalEntry};

    use super::of;

    fn entry(route: &str, status: u16) -> JournalEntry {
        JournalEntry {
            time: "2026-11-20T07:15:38.250Z".parse().unwrap(),
            route: route.to_owned(),
            status,
            latency_ms: 12.5,
            ..JournalEntry::default()
        }
    }

    #[test]
    fn a_line_says_when_what_how_it_went_how_long_it_took_and_what_is_left() {
        let analyzed = JournalEntry {
            analysis: Some(AnalysisOutcome::Stored),
            remaining_checks: Some(49),
            ..entry("POST /api/v1/pdf/analyze", 200)
        };
        assert_eq!(of(&analyzed), "07:15:38Z POST   /api/v1/pdf/analyze      200     12 ms  49 left");
        let failed =
            JournalEntry { error: Some("analysis_failed"), reason: Some("not_a_pdf"), status: 422, ..analyzed };
        let expected = "07:15:38Z POST   /api/v1/pdf/analyze      422     12 ms  49 left  analysis_failed: not_a_pdf";
        assert_eq!(of(&failed), expected);
        assert_eq!(of(&entry("GET /s/{secret}", 200)), "07:15:38Z GET    /s/{secret}              200     12 ms");
        assert_eq!(of(&entry("$default", 404)), "07:15:38Z -      (no such path)           404     12 ms");
    }
}
