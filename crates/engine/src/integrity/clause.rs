//! Clauses of summaries: own words, and texts of the file in quotation marks that they cannot end.

use std::fmt;

use pdf_content::legible;
use pdf_syntax::text::is_unseen;

/// Maximum characters of a quotation.
const MAX_QUOTED_CHARS: usize = 64;
/// Maximum bytes of a key that is written without quotation marks.
const MAX_KEY_BYTES: usize = 32;

/// What replaces a placeholder of a clause.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word<'t> {
    Own(&'static str),
    Number(u64),
    /// A key, as `/Key`; quoted unless it is one plain word.
    Key(&'t [u8]),
    /// The value of a name object, such as a subtype; quoted unless it is one plain word.
    Name(&'t [u8]),
    /// A text of the file.
    Quote(&'t str),
}

impl From<u32> for Word<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl Word<'_> {
    /// Its text, and whether that is a quotation.
    fn text(self) -> (String, bool) {
        match self {
            Self::Own(text) => (text.to_owned(), false),
            Self::Number(number) => (number.to_string(), false),
            Self::Quote(text) => (named(&legible(text)), true),
            Self::Key(name) | Self::Name(name) => {
                let slash = if matches!(self, Self::Key(_)) { "/" } else { "" };
                let name = String::from_utf8_lossy(name);
                if is_plain_key(&name) { (format!("{slash}{name}"), false) } else { (named(&name), true) }
            }
        }
    }
}

/// A clause: own words with words of the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clause {
    text: String,
    has_quotation: bool,
}

impl Clause {
    /// Returns the clause with each `{}` replaced by the next word.
    pub(crate) fn of(own: &'static str, words: &[Word]) -> Self {
        debug_assert_eq!(own.matches("{}").count(), words.len(), "{own}");
        let mut parts = own.split("{}");
        let (mut text, mut has_quotation) = (parts.next().unwrap_or_default().to_owned(), false);
        for (word, part) in words.iter().zip(parts) {
            let (word, is_quotation) = word.text();
            text = text + &word + part;
            has_quotation |= is_quotation;
        }
        Self { text, has_quotation }
    }

    /// Whether it quotes a text of the file.
    pub(crate) fn has_quotation(&self) -> bool {
        self.has_quotation
    }
}

impl From<&'static str> for Clause {
    fn from(own: &'static str) -> Self {
        Self::of(own, &[])
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A text in quotation marks: shortened, on one line, without bidirectional controls and without characters that would end
/// the quotation.
pub(crate) fn named(text: &str) -> String {
    let mut letters = text.trim().chars().filter(|letter| !is_unseen(*letter)).map(|letter| match letter {
        letter if is_quotation_mark(letter) => '\'',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    });
    let mut shown: String = letters.by_ref().take(MAX_QUOTED_CHARS).collect();
    // two of them resemble a double quotation mark
    while shown.contains("''") {
        shown = shown.replace("''", "'");
    }
    if letters.next().is_some() {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    format!("\u{201c}{shown}\u{201d}")
}

/// Whether a key is one word, as all standard keys are: other keys may contain anything.
pub(crate) fn is_plain_key(key: &str) -> bool {
    key.len() <= MAX_KEY_BYTES && !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric())
}

/// Whether a character is or resembles a quotation mark.
fn is_quotation_mark(letter: char) -> bool {
    matches!(letter, '"' | '«' | '»' | '`' | '´' | '\u{2ba}' | '\u{2dd}' | '\u{2ee}' | '\u{2018}'..='\u{201f}')
        || matches!(letter, '\u{2032}'..='\u{2037}' | '\u{275b}'..='\u{275e}' | '\u{2e42}' | '\u{300c}'..='\u{300f}')
        || matches!(letter, '\u{301d}'..='\u{301f}' | '\u{ff02}' | '\u{1f676}'..='\u{1f678}')
}

#[cfg(test)]
mod tests {
    use super::Word::{Key, Name, Quote};
    use super::{Clause, named};

    #[test]
    fn a_quotation_cannot_be_left() {
        for (text, shown) in [
            ("Billing 4.2", "\u{201c}Billing 4.2\u{201d}"),
            ("O'Brien", "\u{201c}O'Brien\u{201d}"),
            ("Bank\u{201d} signed it; its issuer, \u{201c}X", "\u{201c}Bank' signed it; its issuer, 'X\u{201d}"),
            ("A\"B\u{ab}C\u{2033}D", "\u{201c}A'B'C'D\u{201d}"),
            ("A'' signed, ''B", "\u{201c}A' signed, 'B\u{201d}"),
            ("A\nB\u{202e}C\u{200b}D\u{e0041}", "\u{201c}ABCD\u{201d}"),
        ] {
            assert_eq!(named(text), shown);
        }
        assert_eq!(named(&"x".repeat(65)), format!("\u{201c}{}\u{2026}\u{201d}", "x".repeat(64)));
        assert_eq!(named(&"x".repeat(64)), format!("\u{201c}{}\u{201d}", "x".repeat(64)));
    }

    #[test]
    fn a_clause_quotes_what_is_no_plain_word() {
        for (words, shown, has_quotation) in [
            ([Key(b"Rect"), Name(b"Note")], "the entry /Rect of a Note annotation", false),
            (
                [Key("X\u{a0}was added".as_bytes()), Name(b"Note")],
                "the entry \u{201c}X was added\u{201d} of a Note annotation",
                true,
            ),
            (
                [Key("\u{202e}X".as_bytes()), Name(b"")],
                "the entry \u{201c}X\u{201d} of a \u{201c}\u{201d} annotation",
                true,
            ),
            (
                [Quote("a.\u{201d} b {}"), Name(b"Note")],
                "the entry \u{201c}a.' b {}\u{201d} of a Note annotation",
                true,
            ),
        ] {
            let clause = Clause::of("the entry {} of a {} annotation", &words);
            assert_eq!((clause.to_string().as_str(), clause.has_quotation()), (shown, has_quotation));
        }
    }
}
