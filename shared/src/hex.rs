//! Bytes in hexadecimal digits.

/// Reads two digits a byte, in either case; `None` for anything else.
pub(crate) fn decode(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, rest) = digits.as_bytes().as_chunks();
    let bytes = pairs.iter().map(|[high, low]| Some(value(*high)? << 4 | value(*low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}

/// Two digits a byte, lower case.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn two_digits_are_a_byte() {
        assert_eq!(decode("00ff7Fa0"), Some(vec![0x00, 0xff, 0x7f, 0xa0]));
        assert_eq!(encode(&[0x00, 0xff, 0x7f, 0xa0]), "00ff7fa0");
        assert_eq!(decode(""), Some(Vec::new()));
        assert!(["0", "000", "0g", "+1", "0x10", "é", " 1"].into_iter().all(|bad| decode(bad).is_none()));
    }
}
