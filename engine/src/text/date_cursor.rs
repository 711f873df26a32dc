//! Reads the parts of a date: numbers, times of day and zones, one after the other.

/// A point in time, field by field, as far as the text told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DateFields {
    pub(crate) year: u32,
    pub(crate) month: u32,
    pub(crate) day: u32,
    pub(crate) time: Time,
    /// East of Greenwich.
    pub(crate) offset_minutes: i32,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Time {
    pub(crate) hour: u32,
    pub(crate) minute: u32,
    pub(crate) second: u32,
}

/// What is left of a text.
pub(crate) struct Cursor<'t>(pub(crate) &'t [u8]);

impl Cursor<'_> {
    /// Four digits; or five, where a program of before 2000 wrote "19" and then the years since 1900.
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

    /// Hours, minutes and seconds, the latter two optional, with a fraction that is dropped and `AM` or `PM`.
    pub(crate) fn time(&mut self) -> Option<Time> {
        self.skip(|byte| matches!(byte, b' ' | b'T' | b't' | b','));
        let mut time = Time { hour: self.number(2)?, ..Time::default() };
        if let Some(minute) = self.field(b":.") {
            time.minute = minute;
            time.second = self.field(b":.").unwrap_or(0);
            self.fraction();
        }
        self.skip(|byte| byte == b' ');
        if let [half @ (b'A' | b'a' | b'P' | b'p'), b'M' | b'm', rest @ ..] = self.0 {
            self.0 = rest;
            time.hour = time.hour % 12 + if half.eq_ignore_ascii_case(&b'p') { 12 } else { 0 };
        }
        Some(time)
    }

    fn fraction(&mut self) {
        if let [b'.' | b',', digit, ..] = self.0
            && digit.is_ascii_digit()
        {
            self.skip(|byte| matches!(byte, b'.' | b',' | b'0'..=b'9'));
        }
    }

    /// `Z`, `+01'00'`, `+01:00`, `+0100` or `GMT+1`, in minutes.
    pub(crate) fn zone(&mut self) -> Option<i32> {
        self.skip(|byte| byte == b' ');
        if let [b'G', b'M', b'T', rest @ ..] | [b'U', b'T', b'C', rest @ ..] = self.0 {
            self.0 = rest;
        }
        let sign = match self.0.split_first()? {
            (b'+', rest) => (1, rest),
            (b'-', rest) => (-1, rest),
            (b'Z' | b'z', rest) => (0, rest),
            _ => return None,
        };
        self.0 = sign.1;
        self.skip(|byte| byte == b' ');
        let hours = self.number(2).unwrap_or(0);
        self.skip(|byte| matches!(byte, b'\'' | b':'));
        let minutes = self.number(2).unwrap_or(0);
        self.skip(|byte| byte == b'\'');
        Some(sign.0 * (hours * 60 + minutes) as i32)
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
