//! Whether two texts say nearly the same: a value and its copy, or the words under a cover and those on it.

use super::words::letters;
use pdf_syntax::text::common::common;

/// Minimum similarity of old and new words under a cover larger than a patch: whole tables are covered and rewritten,
/// but a banner over the end of a page has other text.
pub(super) const MIN_SIMILARITY: f64 = 0.5;
/// Minimum digits of a value that is recognized in another place, and maximum characters of it that differ.
const MIN_DIGITS: usize = 4;
const MAX_OTHER_CHARACTERS: usize = 2;
/// Minimum share of common words of two versions of a text, and minimum digits of a number in both.
const MIN_COMMON_WORDS: f64 = 0.5;
const VERSION_MIN_DIGITS: usize = 3;
/// Maximum letters of the code of a currency.
const MAX_CODE_LETTERS: usize = 3;
/// Hyphens and dashes.
const HYPHENS: [char; 6] = ['-', '\u{ad}', '\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}'];

/// Returns the similarity of two texts, from 0 to 1: common characters in order; for long texts, of the beginnings.
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    const CHARACTERS: usize = 64;
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|character| !character.is_whitespace()).take(CHARACTERS).collect()
    };
    let (one, other) = (letters(one), letters(other));
    2.0 * common(&one, &other).len() as f64 / (one.len() + other.len()).max(1) as f64
}

/// Whether words are of the kind that replaces others: similar ones, or a number in place of a number of the same form.
pub(super) fn is_of_kind(words: &str, now: &str) -> bool {
    similarity(words, now) >= MIN_SIMILARITY || decimals(words).is_some_and(|own| decimals(now) == Some(own))
}

/// Returns the number of digits after the last separator of a number, perhaps with the code of a currency; none for words.
fn decimals(text: &str) -> Option<usize> {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphabetic()).collect();
    let is_code = letters.len() <= MAX_CODE_LETTERS && letters.iter().all(|letter| letter.is_uppercase());
    let last = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let digits = last.chars().rev().take_while(char::is_ascii_digit).count();
    let has_separator = last.chars().rev().nth(digits).is_some_and(|sign| matches!(sign, '.' | ','));
    (is_code && digits > 0).then_some(if has_separator { digits } else { 0 })
}

/// Whether a text is a value in place of another one, not the same one in another format, nor a label.
pub(super) fn is_other_value(value: &str, now: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = letters(text).chars().collect();
        letters.sort_unstable();
        letters
    };
    let (old, new) = (digits(value), digits(now));
    sorted(value) != sorted(now)
        && !old.is_empty()
        && !new.is_empty()
        && !old.starts_with(&new)
        && !new.starts_with(&old)
        && similarity(value, now) >= MIN_SIMILARITY
}

/// Whether a number has the form of another one, with some other digits.
pub(super) fn is_near_copy(value: &str, now: &str) -> bool {
    let apart = value.chars().zip(now.chars()).filter(|(one, other)| one != other).count();
    digits(value).len() >= MIN_DIGITS && has_form_of(value, now) && (1..=MAX_OTHER_CHARACTERS).contains(&apart)
}

/// Whether two texts have the same characters in each place, or digits.
fn has_form_of(one: &str, other: &str) -> bool {
    let form = |text: &str| -> Vec<char> {
        text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect()
    };
    form(one) == form(other)
}

/// Whether two texts are versions of one: most words are the same, or both start with a number of the same form.
pub(super) fn is_other_version(before: &str, now: &str) -> bool {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split_whitespace().collect(), now.split_whitespace().collect());
    let shared = common(&old, &new).len() as f64;
    let are_numbers = match (old.first(), new.first()) {
        (Some(old), Some(new)) => old != new && digits(old).len() >= VERSION_MIN_DIGITS && has_form_of(old, new),
        _ => false,
    };
    !before.contains(char::REPLACEMENT_CHARACTER)
        && (2.0 * shared >= MIN_COMMON_WORDS * (old.len() + new.len()) as f64 || are_numbers)
}

/// Returns the letters and signs of texts side by side, without hyphens that follow a letter: layers of the same text
/// differ in these. Other signs stay, as they distinguish numbers.
pub(super) fn unhyphenated<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut last = ' ';
    let is_wanted = |letter: &char| {
        let is_hyphen = HYPHENS.contains(letter) && last.is_alphabetic();
        last = *letter;
        !letter.is_whitespace() && !is_hyphen
    };
    texts.flat_map(|text| text.chars().chain([' '])).filter(is_wanted).collect()
}

/// Returns the digits of a text.
pub(super) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::is_other_version;

    #[test]
    fn versions_have_most_words_or_the_form_of_a_value() {
        for (before, now, expected) in [
            ("1,250.00", "9,250.00", true),
            ("1,250.00 EUR", "8,431.17", true),
            ("Alice Smith", "Mallory Smith", true),
            ("9 March 2026", "3 March 2026", true),
            ("of Graz", "Customer 0 1", false),
            ("12", "112", false),
            ("Current price:", "7263.30 EUR", false),
            ("Payment is due within fourteen days", "The supplier delivers the goods listed", false),
        ] {
            assert_eq!(is_other_version(before, now), expected, "{before} {now}");
        }
    }
}
