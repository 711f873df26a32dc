//! Glyphs that are known to draw something else than their font says of them (9.10.2).

use super::expected::is_blank;

/// What a glyph draws instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    Nothing,
    Letter(char),
}

impl Drawn {
    /// Returns what a glyph draws in place of the character that it is said to be; none if that may be the same: small
    /// capitals, figures of other styles and accents are.
    pub(crate) fn instead_of(said: char, drawn: char) -> Option<Self> {
        if is_blank(drawn) {
            return (!is_blank(said)).then_some(Self::Nothing);
        }
        let are_known = said.is_ascii_alphanumeric() && drawn.is_ascii_alphanumeric();
        (are_known && !said.eq_ignore_ascii_case(&drawn)).then_some(Self::Letter(drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::Drawn;

    #[test]
    fn only_other_letters_and_digits_contradict() {
        for (said, drawn, expected) in [
            ('1', '9', Some(Drawn::Letter('9'))),
            ('A', 'B', Some(Drawn::Letter('B'))),
            ('1', ' ', Some(Drawn::Nothing)),
            ('.', ' ', Some(Drawn::Nothing)),
            ('\u{a0}', ' ', None),
            ('1', '1', None),
            ('A', 'a', None),
            ('A', '\u{c4}', None),
            (' ', '1', None),
            ('\u{fb01}', 'f', None),
            ('1', '.', None),
        ] {
            assert_eq!(Drawn::instead_of(said, drawn), expected, "{said} {drawn}");
        }
    }
}
