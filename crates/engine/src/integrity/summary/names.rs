//! Names from the file, in quotation marks that they cannot end.

use pdf_syntax::text::is_unseen;

/// Maximum characters of a name.
const MAX_NAME_CHARS: usize = 64;

/// A name in quotation marks: shortened, on one line, without bidirectional controls and without characters that would
/// end the quotation.
pub(super) fn named(name: &str) -> String {
    let mut letters = name.chars().filter(|letter| !is_unseen(*letter)).map(|letter| match letter {
        letter if is_quotation_mark(letter) => '\'',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    });
    let mut shown: String = letters.by_ref().take(MAX_NAME_CHARS).collect();
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

/// The name of a program without the licenses and build numbers that some add after a semicolon.
pub(super) fn software(name: &str) -> String {
    named(name.split(';').next().unwrap_or_default().trim())
}

/// Whether a character is or resembles a quotation mark.
fn is_quotation_mark(letter: char) -> bool {
    matches!(letter, '"' | '«' | '»' | '`' | '´' | '\u{2ba}' | '\u{2dd}' | '\u{2ee}' | '\u{2018}'..='\u{201f}')
        || matches!(letter, '\u{2032}'..='\u{2037}' | '\u{275b}'..='\u{275e}' | '\u{2e42}' | '\u{300c}'..='\u{300f}')
        || matches!(letter, '\u{301d}'..='\u{301f}' | '\u{ff02}' | '\u{1f676}'..='\u{1f678}')
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_name_cannot_leave_its_quotation_marks() {
        for (name, shown) in [
            ("Billing 4.2", "\u{201c}Billing 4.2\u{201d}"),
            ("O'Brien", "\u{201c}O'Brien\u{201d}"),
            ("Bank\u{201d} signed it; its issuer, \u{201c}X", "\u{201c}Bank' signed it; its issuer, 'X\u{201d}"),
            ("A\"B\u{ab}C\u{2033}D", "\u{201c}A'B'C'D\u{201d}"),
            ("A'' signed, ''B", "\u{201c}A' signed, 'B\u{201d}"),
            ("A\nB\u{202e}C\u{200b}D\u{e0041}", "\u{201c}ABCD\u{201d}"),
        ] {
            assert_eq!(named(name), shown);
        }
        assert_eq!(named(&"x".repeat(65)), format!("\u{201c}{}\u{2026}\u{201d}", "x".repeat(64)));
        assert_eq!(named(&"x".repeat(64)), format!("\u{201c}{}\u{201d}", "x".repeat(64)));
    }
}
