//! Glyphs that are known to draw something else than their font says of them (9.10.2).

use super::expected::is_blank;

/// What a glyph draws instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    Nothing,
    Letter(char),
}

impl Drawn {
    /// Returns what a glyph draws in place of the characters that it is said to be; none if that may be the same: small
    /// capitals, figures of other styles and accents are.
    pub(crate) fn instead_of(said: &str, drawn: char) -> Option<Self> {
        let mut characters = said.chars().filter(|character| !is_zero_width(*character));
        let single = characters.next().filter(|_| characters.next().is_none());
        if is_blank(drawn) {
            return single.is_some_and(|said| !is_blank(said)).then_some(Self::Nothing);
        }
        let is_other = match (single, digit(drawn)) {
            (Some(said), Some(value)) => digit(said) != Some(value),
            (None, Some(_)) => true,
            (Some(said), None) if is_sign(said) && is_sign(drawn) => sign(said) != sign(drawn),
            (Some(said), None) => {
                let are_known = said.is_ascii_alphanumeric() && drawn.is_ascii_alphanumeric();
                are_known && !said.eq_ignore_ascii_case(&drawn)
            }
            (None, None) => false,
        };
        is_other.then_some(Self::Letter(drawn))
    }
}

/// The value of a decimal digit, also of another script or style.
pub(crate) fn digit(character: char) -> Option<u32> {
    const ZEROS: [u32; 11] = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x2080, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2];
    const SUPERSCRIPTS: &str = "\u{2070}\u{b9}\u{b2}\u{b3}\u{2074}\u{2075}\u{2076}\u{2077}\u{2078}\u{2079}";
    let code = u32::from(character);
    let of_script = ZEROS.iter().find_map(|zero| code.checked_sub(*zero).filter(|value| *value < 10));
    of_script.or_else(|| SUPERSCRIPTS.chars().zip(0..).find(|(known, _)| *known == character).map(|(_, value)| value))
}

/// Whether it is a sign of numbers: one of a fraction, of a currency, or before a number.
pub(crate) fn is_sign(character: char) -> bool {
    "+-.,%$\u{a3}\u{a5}\u{20ac}".contains(sign(character))
}

/// A sign as it is usually written.
fn sign(character: char) -> char {
    match character {
        '\u{ad}' | '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        other => other,
    }
}

/// Whether nothing is seen of it, not even a blank.
pub(crate) fn is_zero_width(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::Drawn;

    #[test]
    fn only_other_letters_and_digits_contradict() {
        for (said, drawn, expected) in [
            ("1", '9', Some(Drawn::Letter('9'))),
            ("A", 'B', Some(Drawn::Letter('B'))),
            ("1", ' ', Some(Drawn::Nothing)),
            (".", ' ', Some(Drawn::Nothing)),
            ("\u{a0}", ' ', None),
            ("1", '1', None),
            ("A", 'a', None),
            ("A", '\u{c4}', None),
            (" ", '1', Some(Drawn::Letter('1'))),
            ("11", '1', Some(Drawn::Letter('1'))),
            ("1\u{200b}", '1', None),
            ("\u{661}", '1', None),
            ("\u{ff11}", '9', Some(Drawn::Letter('9'))),
            ("\u{2212}", '-', None),
            ("+", '-', Some(Drawn::Letter('-'))),
            ("\u{fb01}", 'f', None),
            ("1", '.', None),
        ] {
            assert_eq!(Drawn::instead_of(said, drawn), expected, "{said} {drawn}");
        }
    }
}
