//! Text strings (ISO 32000-1, 7.9.2) as Unicode: one line to display, or the characters to compare.

/// Maximum characters of a text that is displayed.
const MAX_CHARACTERS: usize = 4096;
/// Maximum bytes of a text that is compared.
const MAX_COMPARED_BYTES: usize = 1 << 20;
/// Starts and ends a language code inside a text (7.9.2.2).
const LANGUAGE_ESCAPE: char = '\u{1b}';
/// Replacement of a lone surrogate or an undefined byte.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

/// Decodes a text string and makes it one line to display, possibly truncated; none if nothing is left.
pub fn decode(bytes: &[u8]) -> Option<String> {
    if let Some(text) = plain(bytes) {
        return line(text);
    }
    match bytes {
        [0xfe, 0xff, text @ ..] => one_line(without_language(utf16(text, u16::from_be_bytes))),
        [0xff, 0xfe, text @ ..] => one_line(without_language(utf16(text, u16::from_le_bytes))),
        [0xef, 0xbb, 0xbf, text @ ..] => one_line(without_language(String::from_utf8_lossy(text).chars())),
        _ => one_line(bytes.iter().map(|&byte| pdf_doc_encoding(byte))),
    }
}

/// Returns all characters of a text string, unchanged.
pub fn characters(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, text @ ..] => utf16(text, u16::from_be_bytes).collect(),
        [0xff, 0xfe, text @ ..] => utf16(text, u16::from_le_bytes).collect(),
        [0xef, 0xbb, 0xbf, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        _ => bytes.iter().map(|&byte| pdf_doc_encoding(byte)).collect(),
    }
}

/// Returns the characters of a text string if these are all that it says, alike to all viewers: it is valid, and has no
/// control characters but line breaks and tabs, as the escapes around a language code are (7.9.2.2). None if it may say
/// something else, or is too long to be compared.
pub fn comparable(bytes: &[u8]) -> Option<String> {
    let is_known = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    let is_short = bytes.len() <= MAX_COMPARED_BYTES;
    let text = is_short.then(|| characters(bytes)).filter(|_| is_valid(bytes))?;
    text.chars().all(is_known).then_some(text)
}

/// Whether two texts have the same words, whatever white space is between them.
pub fn has_same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// Whether a text string is complete and valid in an encoding that all readers know (7.9.2.2): to some, UTF-8 (PDF 2.0) and
/// UTF-16 in the other byte order are PDFDocEncoding.
fn is_valid(bytes: &[u8]) -> bool {
    let is_known = !matches!(bytes, [0xff, 0xfe, ..] | [0xef, 0xbb, 0xbf, ..]);
    let is_even = !bytes.starts_with(b"\xfe\xff") || bytes.len().is_multiple_of(2);
    is_known && is_even && !characters(bytes).contains(UNKNOWN)
}

/// Replaces line breaks and tabs by one space, removes other control characters and trims both ends; none if nothing is
/// left.
pub fn line(text: &str) -> Option<String> {
    match plain(text.as_bytes()) {
        Some(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        None => one_line(text.chars()),
    }
}

/// Returns the text if it is short and printable ASCII: the usual case, alike in all encodings except UTF-16.
fn plain(bytes: &[u8]) -> Option<&str> {
    let is_plain = bytes.len() <= MAX_CHARACTERS && bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain { str::from_utf8(bytes).ok() } else { None }
}

fn one_line(characters: impl Iterator<Item = char>) -> Option<String> {
    let mut line = String::new();
    let mut in_break = false;
    let mut length = 0;
    for character in characters {
        let is_break = matches!(character, '\n' | '\r' | '\t');
        if (is_break && in_break) || (character.is_control() && !is_break) {
            continue;
        }
        in_break = is_break;
        if length == 0 && character.is_whitespace() {
            continue;
        }
        if length == MAX_CHARACTERS {
            break;
        }
        line.push(if is_break { ' ' } else { character });
        length += 1;
    }
    line.truncate(line.trim_end().len());
    (!line.is_empty()).then_some(line)
}

/// UTF-16 in either byte order; an odd last byte is dropped.
pub fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = char> {
    let (pairs, _) = bytes.as_chunks::<2>();
    char::decode_utf16(pairs.iter().map(move |&pair| unit(pair))).map(|character| character.unwrap_or(UNKNOWN))
}

/// Omits the text between two escapes.
fn without_language(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut inside = false;
    characters.filter(move |&character| {
        inside ^= character == LANGUAGE_ESCAPE;
        !inside && character != LANGUAGE_ESCAPE
    })
}

/// One byte of PDFDocEncoding (annex D.2).
pub(crate) fn pdf_doc_encoding(byte: u8) -> char {
    const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', UNKNOWN, '€',
    ];
    let special = match byte {
        0x18..=0x1f => LOW.get(usize::from(byte - 0x18)),
        0x80..=0xa0 => HIGH.get(usize::from(byte - 0x80)),
        _ => None,
    };
    special.copied().unwrap_or(char::from(byte))
}
