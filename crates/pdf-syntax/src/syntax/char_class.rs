//! Character classes of PDF's syntax (7.2.2).

/// White space (7.2.2, table 1).
pub fn is_space(byte: u8) -> bool {
    class(byte) == Class::Space
}

/// Neither white space nor a delimiter (table 2).
pub fn is_regular(byte: u8) -> bool {
    class(byte) == Class::Regular
}

/// The three kinds of bytes (7.2.2).
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Regular,
    Space,
    Delimiter,
}

/// A lookup table, because nearly every byte is classified.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Regular; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b' ' | b'\n' | b'\r' | b'\t' | 0 | 12 => Class::Space,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' => Class::Delimiter,
            _ => Class::Regular,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Regular)
}

/// The value of each hexadecimal digit; 16 for other bytes.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const HEX_DIGITS: [u8; 256] = {
    let mut digits = [16; 256];
    let mut digit = 0;
    while digit < 16 {
        digits[b"0123456789abcdef"[digit] as usize] = digit as u8;
        digits[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    digits
};

/// The value of a hexadecimal digit.
pub fn hex_digit(byte: u8) -> Option<u8> {
    HEX_DIGITS.get(usize::from(byte)).copied().filter(|&digit| digit < 16)
}
