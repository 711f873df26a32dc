//! Messages on standard input: one a line.

use std::io::{self, BufRead, Read};

/// Maximum bytes of a message, the limit of the API's JSON bodies.
const MAX_BYTES: usize = 64 * 1024;

/// The error for a longer one.
pub(super) const TOO_LONG: &str = "The message is longer than 64 KB. Name files, do not send them.";

/// A line of the input.
pub(super) enum InputLine<'l> {
    /// A message, without the end of its line.
    Whole(&'l [u8]),
    /// A longer one, which was skipped.
    TooLong,
}

/// The lines of an input.
pub(super) struct Lines<I> {
    input: I,
    line: Vec<u8>,
}

impl<I: BufRead> Lines<I> {
    pub(super) fn of(input: I) -> Self {
        Self { input, line: Vec::new() }
    }

    /// The next line that is not blank; none at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<InputLine<'_>>> {
        loop {
            self.line.clear();
            // includes the end of the line
            let longest = MAX_BYTES as u64 + 1;
            if self.input.by_ref().take(longest).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if !self.line.ends_with(b"\n") && self.line.len() > MAX_BYTES {
                self.input.skip_until(b'\n')?;
                return Ok(Some(InputLine::TooLong));
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(InputLine::Whole(self.line.trim_ascii())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InputLine, Lines, MAX_BYTES};

    #[test]
    fn a_line_that_is_too_long_costs_itself_alone() {
        let input =
            ["a", "", &"x".repeat(MAX_BYTES), &"y".repeat(MAX_BYTES + 1), &"z".repeat(3 * MAX_BYTES), " b \r", "c"]
                .join("\n");
        let mut lines = Lines::of(input.as_bytes());
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            seen.push(match line {
                InputLine::Whole(bytes) => (bytes.len(), bytes[0] as char),
                InputLine::TooLong => (0, '-'),
            });
        }
        assert_eq!(seen, [(1, 'a'), (MAX_BYTES, 'x'), (0, '-'), (0, '-'), (1, 'b'), (1, 'c')]);
    }
}
