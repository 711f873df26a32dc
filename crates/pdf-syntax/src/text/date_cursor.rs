//! Reads the parts of a date: numbers, times of day and zones, one after the other.

/// The fields of a point in time that the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DateFields {
    pub year: u32,
    pub month: u32,
    pub day: u32,
    pub time: Time,
    /// East of Greenwich.
    pub(crate) offset_minutes: i32,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Time {
    pub hour: u32,
    pub(crate) minute: u32,
    pub second: u32,
}

/// The time zone of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Minutes east of Greenwich.
    East(i32),
    Missing,
    /// An offset beyond those that the standard allows (7.9.4: 00 to 23 hours, 00 to 59 minutes).
    Impossible,
}

const MOST_HOURS: u32 = 23;
const MOST_MINUTES: u32 = 59;

/// The rest of a text.
pub(crate) struct Cursor<'t>(pub(crate) &'t [u8]);

impl Cursor<'_> {
    /// Takes four digits, or five: some programs before 2000 wrote "19" and the years since 1900.
    pub(crate) fn year(&mut self) -> Option<u32> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits < 4 {
            return None;
        }
        let year = self.number(4)?;
        if digits == 15 && year < 1930 {
            return Some(year / 100 * 100 + year % 100 * 10 + self.number(1)?);
        }
        Some(year)
    }

    /// Two digits, or one or two after one of `separators`.
    pub(crate) fn field(&mut self, separators: &[u8]) -> Option<u32> {
        let start = self.0;
        let separated = self.0.split_first().filter(|(first, _)| separators.contains(first));
        if let Some((_, rest)) = separated {
            self.0 = rest;
        }
        let number = self.number(2);
        if number.is_none() || (separated.is_none() && start.len() - self.0.len() < 2) {
            self.0 = start;
            return None;
        }
        number
    }

    /// Takes hours and optional minutes and seconds, with a fraction, which is dropped, and `AM` or `PM`. Other text is
    /// not consumed.
    pub(crate) fn time(&mut self) -> Option<Time> {
        let start = self.0;
        self.skip(|byte| matches!(byte, b' ' | b'T' | b't' | b',' | b'.'));
        let Some(hour) = self.number(2) else {
            self.0 = start;
            return None;
        };
        let mut time = Time { hour, ..Time::default() };
        if let Some(minute) = self.field(b":.") {
            time.minute = minute;
            if let Some(second) = self.field(b":.") {
                time.second = second;
                self.fraction();
            }
        }
        self.skip(|byte| byte == b' ');
        if let [half @ (b'A' | b'a' | b'P' | b'p'), b'M' | b'm', rest @ ..] = self.0 {
            self.0 = rest;
            time.hour = time.hour % 12 + if half.eq_ignore_ascii_case(&b'p') { 12 } else { 0 };
        }
        Some(time)
    }

    /// Takes fractions of a second, after a point, a comma or a colon, or directly after the seconds.
    fn fraction(&mut self) {
        match self.0 {
            [b'.' | b',' | b':', digit, ..] | [digit, ..] if digit.is_ascii_digit() => {
                self.skip(|byte| matches!(byte, b'.' | b',' | b':' | b'0'..=b'9'));
            }
            _ => {}
        }
    }

    /// Takes a zone: `Z`, `+01'00'`, `+01:00`, `+0100` or `GMT+1`. Other text is not consumed.
    pub(crate) fn zone(&mut self) -> Zone {
        let start = self.0;
        self.skip(|byte| byte == b' ');
        let mut is_named = false;
        if let [b'G', b'M', b'T', rest @ ..] | [b'U', b'T', b'C', rest @ ..] = self.0 {
            (self.0, is_named) = (rest, true);
        }
        let sign = match self.0.split_first() {
            Some((b'+', rest)) => (1, rest),
            Some((b'-', rest)) => (-1, rest),
            Some((b'Z' | b'z', rest)) if !is_named => (0, rest),
            _ if is_named => return Zone::East(0),
            _ => {
                self.0 = start;
                return Zone::Missing;
            }
        };
        self.0 = sign.1;
        self.skip(|byte| byte == b' ');
        let hours = self.number(2).unwrap_or(0);
        self.skip(|byte| matches!(byte, b'\'' | b':'));
        let minutes = self.number(2).unwrap_or(0);
        self.skip(|byte| byte == b'\'');
        match hours <= MOST_HOURS && minutes <= MOST_MINUTES {
            // an offset after `Z` can only be zero
            true if sign.0 != 0 || hours + minutes == 0 => Zone::East(sign.0 * (hours * 60 + minutes) as i32),
            _ => Zone::Impossible,
        }
    }

    /// Whether nothing is left that could be part of a date.
    pub(crate) fn is_at_end(&self) -> bool {
        self.0.iter().all(|byte| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' ' | b'\'' | b')'))
    }

    /// Up to `longest` digits.
    pub(crate) fn number(&mut self, longest: usize) -> Option<u32> {
        let digits = self.0.iter().take(longest).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn skip(&mut self, what: fn(u8) -> bool) {
        let count = self.0.iter().take_while(|&&byte| what(byte)).count();
        self.0 = self.0.get(count..).unwrap_or_default();
    }
}
