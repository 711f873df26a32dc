//! Dates written for people, as some programs put them: `Thu Mar  4 13:08:00 2010` or `3/4/2010 1:08 PM`.

use super::date_cursor::{Cursor, DateFields, Time};

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Names of zones that occur, in hours from Greenwich.
const ZONES: [(&str, i32); 11] = [
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
    ("CET", 1),
    ("CEST", 2),
    ("BST", 1),
];

/// What the words told so far.
#[derive(Default)]
struct ProseDate {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    time: Option<Time>,
    offset_minutes: Option<i32>,
}

/// Reads a date from its words; none unless they name a year and a month.
pub(crate) fn parse(text: &str) -> Option<DateFields> {
    let mut found = ProseDate::default();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()).take(16) {
        found.word(word);
    }
    Some(DateFields {
        year: found.year?,
        month: found.month?,
        day: found.day.unwrap_or(1),
        time: found.time.unwrap_or_default(),
        offset_minutes: found.offset_minutes.unwrap_or(0),
    })
}

impl ProseDate {
    fn word(&mut self, word: &str) {
        let starts_with_digit = word.starts_with(|first: char| first.is_ascii_digit());
        if starts_with_digit && word.contains(':') {
            self.time = self.time.or_else(|| Cursor(word.as_bytes()).time());
        } else if self.time.is_some() && word.starts_with(['+', '-']) {
            self.offset_minutes = Cursor(word.as_bytes()).zone();
        } else if let Some(parts) = parts(word) {
            self.parts(parts);
        } else if starts_with_digit {
            self.number(word);
        } else {
            self.name(word);
        }
    }

    fn name(&mut self, word: &str) {
        let start = word.get(..3).unwrap_or_default().to_ascii_lowercase();
        if let Some(month) = MONTHS.iter().position(|&month| month == start) {
            self.month.get_or_insert(month as u32 + 1);
        } else if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == word) {
            self.offset_minutes = Some(hours * 60);
        } else if let (Some(time), "PM" | "pm") = (&mut self.time, word) {
            time.hour = time.hour % 12 + 12;
        } else if let (Some(time), "AM" | "am") = (&mut self.time, word) {
            time.hour %= 12;
        }
    }

    /// A day, also as in `4th` or `4.`, or a year.
    fn number(&mut self, word: &str) {
        let Some(number) = Cursor(word.as_bytes()).number(4) else { return };
        if number > 31 {
            self.year.get_or_insert(number);
        } else {
            self.day.get_or_insert(number);
        }
    }

    fn parts(&mut self, (first, second, third, separator): (&str, &str, &str, char)) {
        let number = |part: &str| part.parse::<u32>().ok();
        let (Some(first), Some(year)) = (number(first), number(third)) else { return };
        self.year = Some(match year {
            0..70 => 2000 + year,
            70..100 => 1900 + year,
            _ => year,
        });
        let Some(second) = number(second) else {
            self.day = Some(first);
            self.name(second);
            return;
        };
        // month first is American and by far the most common; points are not, and there is no thirteenth month
        let day_first = separator == '.' || first > 12;
        (self.day, self.month) = if day_first { (Some(first), Some(second)) } else { (Some(second), Some(first)) };
    }
}

/// Splits `3/4/2010`, `4.3.2010` or `04-Mar-10`.
fn parts(word: &str) -> Option<(&str, &str, &str, char)> {
    let separator = word.chars().find(|character| matches!(character, '/' | '.' | '-'))?;
    let mut parts = word.split(separator);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(second), Some(third), None) => Some((first, second, third, separator)),
        _ => None,
    }
}
