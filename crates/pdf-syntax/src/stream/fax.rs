//! CCITT fax images (ISO 32000-1, 7.4.6): bitonal scans and masks.

use hayro_ccitt::{DecodeSettings, Decoder, DecoderContext, EncodingMode};

use crate::syntax::dictionary::Dictionary;

/// Rows of one bit per pixel, padded to bytes.
struct FaxRows {
    plain: Vec<u8>,
    columns: usize,
    black: u8,
}

impl Decoder for FaxRows {
    fn push_row(&mut self, changes: &[u32]) {
        let from = self.plain.len();
        self.plain.resize(from + self.columns.div_ceil(8), 0);
        let row = self.plain.get_mut(from..).unwrap_or_default();
        let (mut changes, mut color) = (changes.iter().peekable(), 1 - self.black);
        for at in 0..self.columns {
            if changes.next_if(|&&change| change as usize == at).is_some() {
                color = 1 - color;
            }
            if let Some(byte) = row.get_mut(at / 8) {
                *byte |= color << (7 - at % 8);
            }
        }
    }
}

/// Decodes rows up to `most` bytes, or up to the first unreadable one.
pub(super) fn decode(parameters: Option<&Dictionary>, encoded: &[u8], most: usize) -> Vec<u8> {
    let number = |key: &[u8], default| parameters.and_then(|given| given.get(key).as_integer()).unwrap_or(default);
    let flag = |key: &[u8], default| parameters.and_then(|given| given.get(key).as_bool()).unwrap_or(default);
    let columns = u32::try_from(number(b"Columns", 1_728)).unwrap_or(0);
    let line = (columns as usize).div_ceil(8).max(1);
    let most = u32::try_from(most.div_ceil(line)).unwrap_or(u32::MAX);
    let rows = u32::try_from(number(b"Rows", 0)).ok().filter(|&rows| rows > 0);
    let encoding = match number(b"K", 0) {
        ..0 => EncodingMode::Group4,
        0 => EncodingMode::Group3_1D,
        _ => EncodingMode::Group3_2D,
    };
    let settings = DecodeSettings {
        columns,
        rows: rows.unwrap_or(most).min(most),
        end_of_block: flag(b"EndOfBlock", true),
        end_of_line: flag(b"EndOfLine", false),
        rows_are_byte_aligned: flag(b"EncodedByteAlign", false),
        encoding,
        strict: false,
    };
    let mut rows = FaxRows { plain: Vec::new(), columns: columns as usize, black: u8::from(flag(b"BlackIs1", false)) };
    // rows before an error are kept
    let _ = hayro_ccitt::decode(encoded, &mut rows, &mut DecoderContext::new(settings));
    rows.plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parser::parse_object;

    #[test]
    fn two_white_rows_and_the_end() {
        // vertical mode 0 for each row, and the end of the block (ITU-T T.6)
        let encoded = [0b1100_0000, 0b0000_0100, 0b0000_0000, 0b0100_0000];
        let parsed = parse_object(b"<< /K -1 /Columns 12 >>").unwrap().object;
        let parameters = parsed.as_dictionary();
        assert_eq!(decode(parameters, &encoded, 1_000), [0xff, 0xf0, 0xff, 0xf0]);
        assert_eq!(decode(parameters, &encoded, 1), [0xff, 0xf0]);
    }
}
