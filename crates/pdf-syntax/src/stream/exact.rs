//! Decodes data that every reader decodes alike: complete and written as the standard has it, in filters without
//! parameters (ISO 32000-1, 7.4).

use std::io::Read;

use flate2::bufread::ZlibDecoder;

/// Maximum filters of a stream.
const MAX_FILTERS: usize = 3;
/// Digits of a group of four bytes, and their base (7.4.3).
const GROUP_DIGITS: usize = 5;
const BASE: u32 = 85;
/// The length byte that ends run-length encoded data (7.4.5).
const END_OF_RUNS: u8 = 128;

/// Decodes data by these filters, in their order; `None` if some reader may decode it differently, or it is longer than
/// `limit`.
#[must_use]
pub fn decode(filters: &[&[u8]], encoded: &[u8], limit: usize) -> Option<Vec<u8>> {
    if filters.len() > MAX_FILTERS {
        return None;
    }
    let mut data = encoded.to_vec();
    for filter in filters {
        data = match *filter {
            b"FlateDecode" => inflate(&data, limit)?,
            b"ASCIIHexDecode" => hexadecimal(&data)?,
            b"ASCII85Decode" => base_85(&data)?,
            b"RunLengthDecode" => runs(&data, limit)?,
            _ => return None,
        };
    }
    (data.len() <= limit).then_some(data)
}

/// Not even a line end may follow the data, as readers disagree whether it is a part of the stream.
fn inflate(encoded: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut decoder = ZlibDecoder::new(encoded).take(limit as u64 + 1);
    let mut data = Vec::new();
    decoder.read_to_end(&mut data).ok()?;
    (data.len() <= limit && decoder.into_inner().into_inner().is_empty()).then_some(data)
}

/// The digits before the end-of-data marker, after which only white space may follow. Not all readers skip other white
/// space than this.
fn digits(encoded: &[u8], end: &[u8]) -> Option<Vec<u8>> {
    let is_space = |byte: &u8| b" \t\r\n".contains(byte);
    let at = encoded.iter().rposition(|byte| !is_space(byte))?;
    let digits = encoded.get(..=at)?.strip_suffix(end)?;
    Some(digits.iter().copied().filter(|byte| !is_space(byte)).collect())
}

fn hexadecimal(encoded: &[u8]) -> Option<Vec<u8>> {
    let digits = digits(encoded, b">")?;
    let value = |digit: u8| char::from(digit).to_digit(16);
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| u8::try_from(value(high)? << 4 | value(low)?).ok()).collect()
}

fn base_85(encoded: &[u8]) -> Option<Vec<u8>> {
    let digits = digits(encoded, b"~>")?;
    let (mut data, mut rest) = (Vec::new(), digits.as_slice());
    while let Some(first) = rest.first() {
        if *first == b'z' {
            data.extend([0; 4]);
            rest = rest.get(1..)?;
            continue;
        }
        let (group, behind) = rest.split_at(GROUP_DIGITS.min(rest.len()));
        data.extend(group_bytes(group)?);
        rest = behind;
    }
    Some(data)
}

/// The bytes of a group, the last of which may have fewer digits: one more than bytes.
fn group_bytes(group: &[u8]) -> Option<Vec<u8>> {
    let count = group.len().checked_sub(1).filter(|count| *count > 0)?;
    let mut value = 0_u32;
    for place in 0..GROUP_DIGITS {
        let digit = match group.get(place) {
            Some(digit @ b'!'..=b'u') => u32::from(digit - b'!'),
            Some(_) => return None,
            None => BASE - 1,
        };
        value = value.checked_mul(BASE)?.checked_add(digit)?;
    }
    let bytes = value.to_be_bytes();
    // digits that no writer ends with are rounded differently
    let mut written = [0; 4];
    written.get_mut(..count)?.copy_from_slice(bytes.get(..count)?);
    let mut value = u32::from_be_bytes(written);
    let mut again = [0; GROUP_DIGITS];
    for digit in again.iter_mut().rev() {
        *digit = (value % BASE) as u8 + b'!';
        value /= BASE;
    }
    (again.get(..group.len())? == group).then(|| written.iter().copied().take(count).collect())
}

fn runs(encoded: &[u8], limit: usize) -> Option<Vec<u8>> {
    let (mut data, mut rest) = (Vec::new(), encoded);
    loop {
        let (length, behind) = rest.split_first()?;
        if *length == END_OF_RUNS {
            return behind.is_empty().then_some(data);
        }
        if *length < END_OF_RUNS {
            let (copied, behind) = behind.split_at_checked(usize::from(*length) + 1)?;
            data.extend_from_slice(copied);
            rest = behind;
        } else {
            let (byte, behind) = behind.split_first()?;
            data.extend(std::iter::repeat_n(*byte, 257 - usize::from(*length)));
            rest = behind;
        }
        if data.len() > limit {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn decoded(filter: &str, encoded: &str) -> Option<Vec<u8>> {
        decode(&[filter.as_bytes()], encoded.as_bytes(), 100)
    }

    #[test]
    fn complete_data_is_decoded() {
        assert_eq!(decoded("ASCIIHexDecode", "71 20\n51>\r\n"), Some(b"q Q".to_vec()));
        assert_eq!(decoded("ASCII85Decode", "87c\nURzD]i,\"Ebo80~>\n"), Some(b"Hell\0\0\0\0o World!".to_vec()));
        assert_eq!(decoded("RunLengthDecode", "\u{2}q Q"), None);
        assert_eq!(decode(&[b"RunLengthDecode"], b"\x02q Q\xFFx\x80", 100), Some(b"q Qxx".to_vec()));
        assert_eq!(decode(&[b"ASCIIHexDecode", b"RunLengthDecode"], b"0071 80>", 100), Some(b"q".to_vec()));
    }

    #[test]
    fn data_that_readers_decode_differently_is_not_decoded() {
        for encoded in ["7120", "712>", "71g0>", "71>20>", "7120>x", "71\x0C20>"] {
            assert_eq!(decoded("ASCIIHexDecode", encoded), None, "{encoded}");
        }
        // no end, one digit alone, `z` within a group, too large, digits that are rounded, and another character
        for encoded in ["87cUR", "87cUR8~>", "87zcUR~>", "uuuuu~>", "8u~>", "87c{R~>", "<~87cUR~>"] {
            assert_eq!(decoded("ASCII85Decode", encoded), None, "{encoded}");
        }
        for encoded in [b"\x02q Q".as_slice(), b"\x05q Q\x80", b"\x02q Q\x80\n"] {
            assert_eq!(decode(&[b"RunLengthDecode"], encoded, 100), None);
        }
        assert_eq!(decoded("LZWDecode", ""), None);
    }
}
