//! Base 62 of a fixed number of digits (0–9, A–Z, a–z): big-endian, padded with zeros.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Digits read together: 62¹⁰ is less than 2⁶⁰.
const AT_ONCE: usize = 10;

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
    for digits in text.as_bytes().chunks(AT_ONCE) {
        let (mut carry, mut scale) = (0u128, 1u128);
        for digit in digits {
            carry = carry * 62 + u128::from(worth(*digit)?);
            scale *= 62;
        }
        for byte in number.iter_mut().rev() {
            let value = u128::from(*byte) * scale + carry;
            *byte = value.to_le_bytes()[0];
            carry = value >> 8;
        }
        if carry != 0 {
            return None;
        }
    }
    Some(number)
}

/// A digit's place in [`DIGITS`].
fn worth(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'Z' => Some(digit - b'A' + 10),
        b'a'..=b'z' => Some(digit - b'a' + 36),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DIGITS, decode, encode};

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(bytes: [u8; 52]) {
            let text = encode(&bytes, 70);
            prop_assert_eq!(text.len(), 70);
            prop_assert_eq!(decode::<52>(&text), Some(bytes));
        }

        #[test]
        fn what_is_decoded_is_a_number_and_nothing_else(text in "[0-9A-Za-z]{0,11}|\\PC{0,11}") {
            let digits: Option<Vec<_>> = text.bytes().map(|byte| DIGITS.iter().position(|d| *d == byte)).collect();
            let number = digits.and_then(|digits| digits.into_iter().try_fold(0u128, |number, digit| {
                (number * 62).checked_add(digit as u128)
            }));
            let number = number.and_then(|number| u64::try_from(number).ok());
            prop_assert_eq!(decode::<8>(&text), number.map(u64::to_be_bytes));
        }
    }

    #[test]
    fn too_large_a_number_is_refused() {
        assert_eq!(decode::<1>("47"), Some([255]));
        assert_eq!(decode::<1>("48"), None);
        assert_eq!(decode::<1>("-1"), None);
    }
}
