//! Texts as they are displayed: labels, names and numbers, within a width, without unseen characters.

use engine::is_unseen;
use serde_json::Value;
use unicode_width::UnicodeWidthChar;

/// A key with spaces and a capital: `creation date` is `Creation date`.
#[must_use]
pub fn label(key: &str) -> String {
    let text = key.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Maximum characters of a program's name.
const MAX_PROGRAM_CHARS: usize = 60;

/// The name of a program without the licenses and build numbers that some add after a semicolon.
#[must_use]
pub fn program(name: &str) -> String {
    cut(name.split(';').next().unwrap_or_default().trim_end(), MAX_PROGRAM_CHARS)
}

/// A number with its noun: `1 save`, `2 saves`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A text truncated with `…` to a number of columns. East Asian wide characters take two columns. Bidirectional
/// controls are removed.
#[must_use]
pub fn cut(text: &str, places: usize) -> String {
    let shown = || text.chars().filter(|&letter| !is_unseen(letter));
    if width(text) <= places {
        return shown().collect();
    }
    let mut left = places.saturating_sub(1);
    let fits = |letter: &char| left.checked_sub(wide(*letter)).map(|rest| left = rest).is_some();
    let mut short: String = shown().take_while(fits).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The number of columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().filter(|&letter| !is_unseen(letter)).map(wide).sum()
}

fn wide(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

/// Whether it is a letter of Hebrew, Arabic or a related script.
pub(crate) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Removes from all texts of a value the characters that [`is_unseen`] names, so that their display matches their
/// content.
pub fn leave_out_unseen(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(is_unseen) => text.retain(|letter| !is_unseen(letter)),
        Value::Array(values) => values.iter_mut().for_each(leave_out_unseen),
        Value::Object(values) => values.values_mut().for_each(leave_out_unseen),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, label, width};

    #[test]
    fn long_texts_are_cut_by_their_width_and_turn_nothing_around() {
        assert_eq!(label(""), "");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer text", 8), "longer…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!([width("€ – “…”"), width("漢字"), width("e\u{301}"), width("🥚")], [7, 4, 1, 2]);
        assert_eq!(cut("a\u{202e}b\u{1b}[1m", 9), "ab[1m");
        assert_eq!(cut("ab", 1), "…");
    }
}
