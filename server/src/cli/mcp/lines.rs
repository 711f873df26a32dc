//! Messages on standard input: one a line.

use std::io::{self, BufRead, Read};

/// Most bytes of a message, as of the API's JSON bodies.
const LONGEST: usize = 64 * 1024;

/// What is said of a longer one.
pub(super) const TOO_LONG: &str = "The message is longer than 64 KB. Name files, do not send them.";

/// A line of the input.
pub(super) enum InputLine<'l> {
    /// A message, without the end of its line.
    Whole(&'l [u8]),
    /// One that was passed over.
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
            // with the end of the line
            let longest = LONGEST as u64 + 1;
            if self.input.by_ref().take(longest).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if !self.line.ends_with(b"\n") && self.line.len() > LONGEST {
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
    use super::{InputLine, LONGEST, Lines};

    #[test]
    fn a_line_that_is_too_long_costs_itself_alone() {
        let input = ["a", "", &"x".repeat(LONGEST), &"y".repeat(LONGEST + 1), &"z".repeat(3 * LONGEST), " b \r", "c"]
            .join("\n");
        let mut lines = Lines::of(input.as_bytes());
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            seen.push(match line {
                InputLine::Whole(bytes) => (bytes.len(), bytes[0] as char),
                InputLine::TooLong => (0, '-'),
            });
        }
        assert_eq!(seen, [(1, 'a'), (LONGEST, 'x'), (0, '-'), (0, '-'), (1, 'b'), (1, 'c')]);
    }
}
