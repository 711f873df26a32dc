//! Dates in prose, as some programs write them: `Thu Mar  4 13:08:00 2010` or `3/4/2010 1:08 PM`.

use super::date_cursor::{Cursor, DateFields, Time, Zone};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Minimum letters of an abbreviated month or day.
const MIN_ABBREVIATION_LETTERS: usize = 3;
/// Words without meaning.
const FILLERS: [&str; 4] = ["at", "of", "on", "the"];
/// Unambiguous zone names, with offsets in minutes east of Greenwich: those of RFC 5322, 4.3, except CST, which Java
/// also writes for China; and others that programs write. Ambiguous names, such as IST, are omitted.
const ZONES: [(&str, i32); 28] = [
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("EST", -5 * 60),
    ("EDT", -4 * 60),
    ("CDT", -5 * 60),
    ("MST", -7 * 60),
    ("MDT", -6 * 60),
    ("PST", -8 * 60),
    ("PDT", -7 * 60),
    ("AKST", -9 * 60),
    ("AKDT", -8 * 60),
    ("HST", -10 * 60),
    ("WET", 0),
    ("WEST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("MEZ", 60),
    ("MESZ", 120),
    ("EET", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("JST", 9 * 60),
    ("KST", 9 * 60),
    ("NZST", 12 * 60),
    ("NZDT", 13 * 60),
    ("AEDT", 11 * 60),
];
/// Words of a date.
const MAX_WORDS: usize = 16;

/// The fields read so far.
#[derive(Default)]
struct ProseDate {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    time: Option<Time>,
    offset_minutes: Option<i32>,
}

/// Parses a date by its words; none unless it has a year and a month, and every word is understood.
pub(crate) fn parse(text: &str) -> Option<DateFields> {
    let mut found = ProseDate::default();
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    for word in words.by_ref().take(MAX_WORDS) {
        found.word(word)?;
    }
    if words.next().is_some() {
        return None;
    }
    Some(DateFields {
        year: found.year?,
        month: found.month?,
        day: found.day.unwrap_or(1),
        time: found.time.unwrap_or_default(),
        offset_minutes: found.offset_minutes.unwrap_or(0),
    })
}

/// The zone that a word names, in minutes from Greenwich: `CET`, `GMT+08:00`.
pub(crate) fn zone(word: &str) -> Option<i32> {
    if let Some((_, minutes)) = ZONES.iter().find(|(name, _)| *name == word) {
        return Some(*minutes);
    }
    offset(word).filter(|_| word.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// Parses a word that is an offset.
fn offset(word: &str) -> Option<i32> {
    let mut cursor = Cursor(word.as_bytes());
    let Zone::East(minutes) = cursor.zone() else { return None };
    cursor.is_at_end().then_some(minutes)
}

impl ProseDate {
    /// Takes a word; none if it is not understood.
    fn word(&mut self, word: &str) -> Option<()> {
        let starts_with_digit = word.starts_with(|first: char| first.is_ascii_digit());
        if starts_with_digit && word.contains(':') {
            self.clock(word)
        } else if word.starts_with(['+', '-']) {
            self.offset(offset(word).filter(|_| self.time.is_some())?)
        } else if starts_with_digit {
            match parts(word) {
                Some(parts) => self.parts(parts),
                None => self.number(word),
            }
        } else {
            self.name(word)
        }
    }

    /// Takes a time of day, possibly with its zone directly after it.
    fn clock(&mut self, word: &str) -> Option<()> {
        let mut cursor = Cursor(word.as_bytes());
        let time = cursor.time().filter(|_| self.time.is_none())?;
        self.time = Some(time);
        match cursor.zone() {
            Zone::East(minutes) => self.offset(minutes)?,
            Zone::Missing => {}
            Zone::Impossible => return None,
        }
        cursor.is_at_end().then_some(())
    }

    /// Records an offset. A second one contradicts the first, or follows a name: `GMT +0100`.
    fn offset(&mut self, minutes: i32) -> Option<()> {
        match self.offset_minutes {
            None | Some(0) => self.offset_minutes = Some(minutes),
            Some(known) if known == minutes => {}
            Some(_) => return None,
        }
        Some(())
    }

    fn name(&mut self, word: &str) -> Option<()> {
        // the zone name may follow the offset: `+0100 (CET)`
        let name = word.trim_matches(['.', '(', ')']);
        let lower = name.to_ascii_lowercase();
        let is_short_for = |whole: &&str| lower.len() >= MIN_ABBREVIATION_LETTERS && whole.starts_with(&lower);
        if let Some(minutes) = zone(name) {
            return self.offset(minutes);
        } else if let Some(month) = MONTHS.iter().position(&is_short_for) {
            return self.month.replace(month as u32 + 1).is_none().then_some(());
        } else if let (Some(time), "pm" | "p.m") = (&mut self.time, lower.as_str()) {
            time.hour = time.hour % 12 + 12;
        } else if let (Some(time), "am" | "a.m") = (&mut self.time, lower.as_str()) {
            time.hour %= 12;
        } else if !DAYS.iter().any(&is_short_for) && !FILLERS.contains(&lower.as_str()) {
            return None;
        }
        Some(())
    }

    /// A day, also as in `4th` or `4.`, or a year.
    fn number(&mut self, word: &str) -> Option<()> {
        let mut cursor = Cursor(word.as_bytes());
        let number = cursor.number(4)?;
        let place = if number > 31 { &mut self.year } else { &mut self.day };
        if place.replace(number).is_some() {
            return None;
        }
        matches!(cursor.0, b"" | b"." | b"st" | b"nd" | b"rd" | b"th").then_some(())
    }

    fn parts(&mut self, (first, second, third, separator): (&str, &str, &str, char)) -> Option<()> {
        let number = |part: &str| part.parse::<u32>().ok();
        let (first, year) = (number(first)?, number(third)?);
        self.year = Some(match year {
            0..70 => 2000 + year,
            70..100 => 1900 + year,
            _ => year,
        });
        let Some(second) = number(second) else {
            self.day = Some(first);
            return self.name(second);
        };
        // month first is American and by far the most common, except with points or a number above 12
        let day_first = separator == '.' || first > 12;
        (self.day, self.month) = if day_first { (Some(first), Some(second)) } else { (Some(second), Some(first)) };
        Some(())
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
