//! Finds object headers, `12 0 obj` (ISO 32000-1, 7.3.10), in a file with a damaged cross-reference.

use memchr::memmem;

use crate::syntax::char_class::is_space;

/// Keyword at the end of an object header; also part of `endobj`.
pub const WORD: &[u8] = b"obj";
/// Maximum bytes of a header with white space between its parts; the overlap of windows in a scan.
pub const LONGEST: usize = 512;

/// Whether there is an object header in `head`.
pub fn starts_with_object(head: &[u8]) -> bool {
    memmem::find_iter(head, WORD).any(|word| header(head, word).is_some())
}

/// Returns the object number and the start of the header whose `obj` is at `word`.
pub fn header(window: &[u8], word: usize) -> Option<(u32, usize)> {
    let before = window.get(word.saturating_sub(LONGEST)..word)?;
    let generation_end = without_space(before);
    let number_end = without_digits(generation_end)?;
    let number_end_trimmed = without_space(number_end);
    let start = without_digits(number_end_trimmed)?;
    if number_end_trimmed.len() == number_end.len() || start.ends_with(b".") || start.ends_with(b"-") {
        return None;
    }
    let digits = number_end_trimmed.get(start.len()..)?;
    // object 0 is the head of the free list, never an object
    let number = std::str::from_utf8(digits).ok()?.parse().ok().filter(|&number| number > 0)?;
    Some((number, word - before.len() + start.len()))
}

/// The text without the white space at its end.
fn without_space(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|&&byte| is_space(byte)).count();
    text.get(..text.len() - blanks).unwrap_or_default()
}

/// The text without the digits at its end; none if there are none.
fn without_digits(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { None } else { text.get(..text.len() - digits) }
}
