//! Base 62 of a fixed number of digits (0–9, A–Z, a–z): big-endian, padded with zeros.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Writes `bytes` as exactly `digits` digits; the caller knows that many suffice.
pub(crate) fn encode(bytes: &[u8], digits: usize) -> String {
    let mut number = bytes.to_vec();
    let mut text = vec![b'0'; digits];
    for digit in text.iter_mut().rev() {
        let mut remainder = 0u32;
        for byte in &mut number {
            let value = remainder << 8 | u32::from(*byte);
            *byte = (value / 62).to_le_bytes()[0];
            remainder = value % 62;
        }
        *digit = DIGITS.get(remainder as usize).copied().unwrap_or(b'0');
    }
    text.into_iter().map(char::from).collect()
}

/// Reads `N` bytes; `None` for a character that is no digit or a number too large.
pub(crate) fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut number = [0u8; N];
    for digit in text.bytes() {
        let mut carry = u32::try_from(DIGITS.iter().position(|d| *d == digit)?).ok()?;
        for byte in number.iter_mut().rev() {
            let value = u32::from(*byte) * 62 + carry;
            *byte = value.to_le_bytes()[0];
            carry = value >> 8;
        }
        if carry != 0 {
            return None;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode, encode};

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(bytes: [u8; 52]) {
            let text = encode(&bytes, 70);
            prop_assert_eq!(text.len(), 70);
            prop_assert_eq!(decode::<52>(&text), Some(bytes));
        }
    }

    #[test]
    fn too_large_a_number_is_refused() {
        assert_eq!(decode::<1>("47"), Some([255]));
        assert_eq!(decode::<1>("48"), None);
        assert_eq!(decode::<1>("-1"), None);
    }
}
