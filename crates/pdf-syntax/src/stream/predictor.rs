//! PNG prediction (ISO 32000-1, 7.4.4.4), which nearly all cross-reference streams use.

/// Bytes that are summed at a time; rows of cross-reference streams are shorter.
const LANES: usize = 8;

/// Undoes prediction of rows of single bytes, each of which starts with the number of its predictor.
pub(crate) fn undo(data: &[u8], columns: usize) -> Vec<u8> {
    // a row cannot be longer than all of them
    let columns = columns.min(data.len()).max(1);
    let length = data.len() - data.len().div_ceil(columns + 1);
    // room for a row of zeros before the first, and for lanes after the last
    let mut plain = vec![0; columns + length + LANES];
    let mut lanes = 0;
    for (index, start) in (0..data.len()).step_by(columns + 1).enumerate() {
        let Some([predictor, line @ ..]) = data.get(start..) else { break };
        let Some((above, row)) = plain.get_mut(index * columns..).and_then(|rows| rows.split_at_mut_checked(columns))
        else {
            break;
        };
        if *predictor == 2
            && columns <= LANES
            && let (Some(line), Some(row)) = (line.first_chunk(), row.first_chunk_mut::<LANES>())
        {
            lanes = sums(lanes, u64::from_le_bytes(*line));
            *row = lanes.to_le_bytes();
        } else {
            undo_row(*predictor, line, above, row);
            lanes = row.first_chunk().copied().map_or(0, u64::from_le_bytes);
        }
    }
    plain.truncate(columns + length);
    plain.drain(..columns);
    plain
}

/// Adds byte by byte, without carrying from one to the next.
fn sums(one: u64, other: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    ((one & !HIGH) + (other & !HIGH)) ^ ((one ^ other) & HIGH)
}

fn undo_row(predictor: u8, line: &[u8], above: &[u8], row: &mut [u8]) {
    let (mut left, mut upper_left) = (0_u8, 0_u8);
    for (place, (byte, up)) in row.iter_mut().zip(line.iter().zip(above)) {
        left = byte.wrapping_add(match predictor {
            1 => left,
            2 => *up,
            3 => ((u16::from(left) + u16::from(*up)) / 2) as u8,
            4 => paeth(left, *up, upper_left),
            _ => 0,
        });
        (*place, upper_left) = (left, *up);
    }
}

fn paeth(left: u8, up: u8, upper_left: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(up) - i16::from(upper_left);
    let distance = |value: u8| (estimate - i16::from(value)).abs();
    if distance(left) <= distance(up) && distance(left) <= distance(upper_left) {
        left
    } else if distance(up) <= distance(upper_left) {
        up
    } else {
        upper_left
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{any, proptest};

    use super::{paeth, undo};

    #[test]
    fn each_predictor_adds_what_it_foretells() {
        let data = [
            [0, 1, 2, 3, 4], // as it stands
            [1, 1, 1, 1, 1], // left
            [2, 1, 1, 1, 1], // up
            [3, 1, 1, 1, 1], // half of left and up
            [4, 1, 1, 1, 1], // the nearest of left, up and upper left
            [9, 5, 6, 7, 8], // unknown
        ];
        let plain = [[1, 2, 3, 4], [1, 2, 3, 4], [2, 3, 4, 5], [2, 3, 4, 5], [3, 4, 5, 6], [5, 6, 7, 8]];
        assert_eq!(undo(data.as_flattened(), 4), plain.as_flattened());
    }

    #[test]
    fn rows_may_break_off_or_be_longer_than_all_there_is() {
        assert_eq!(undo(&[2, 1, 2, 3, 2, 1], 3), [1, 2, 3, 2]);
        assert_eq!(undo(&[1, 1, 1], usize::MAX), [1, 2]);
        assert!(undo(&[], 4).is_empty());
        assert!(undo(&[2], 4).is_empty());
    }

    /// Predicts rows, the other way round and byte by byte.
    fn predicted(plain: &[u8], columns: usize, predictors: &[u8]) -> Vec<u8> {
        let at = |row: Option<usize>, column: Option<usize>| match (row, column) {
            (Some(row), Some(column)) => plain.get(row * columns + column).copied().unwrap_or(0),
            _ => 0,
        };
        let mut data = Vec::new();
        for (row, bytes) in plain.chunks(columns).enumerate() {
            let predictor = predictors[row % predictors.len()];
            data.push(predictor);
            for (column, byte) in bytes.iter().enumerate() {
                let (above, before) = (row.checked_sub(1), column.checked_sub(1));
                let (left, up, corner) = (at(Some(row), before), at(above, Some(column)), at(above, before));
                data.push(byte.wrapping_sub(match predictor {
                    1 => left,
                    2 => up,
                    3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                    4 => paeth(left, up, corner),
                    _ => 0,
                }));
            }
        }
        data
    }

    proptest! {
        #[test]
        fn what_was_predicted_comes_back(
            plain in vec(any::<u8>(), 1..300),
            columns in 1..20_usize,
            predictors in vec(0..5_u8, 1..6),
        ) {
            assert_eq!(undo(&predicted(&plain, columns, &predictors), columns), plain);
        }
    }
}
