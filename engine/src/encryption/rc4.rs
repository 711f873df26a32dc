//! RC4 (ISO 32000-1, 7.6.2), which nearly all encrypted files use.

/// Encrypts or decrypts `data` in place; `key` has 1 to 256 bytes.
pub(crate) fn apply(key: &[u8], data: &mut [u8]) {
    let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
    let mut schedule = [0; 256];
    schedule.chunks_mut(key.len()).for_each(|part| part.iter_mut().zip(key).for_each(|(to, from)| *to = *from));
    let mut j = 0_u8;
    for (i, byte) in schedule.iter().enumerate() {
        j = j.wrapping_add(at(&state, i as u8)).wrapping_add(*byte);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    for byte in data {
        i = i.wrapping_add(1);
        j = j.wrapping_add(at(&state, i));
        state.swap(usize::from(i), usize::from(j));
        *byte ^= at(&state, at(&state, i).wrapping_add(at(&state, j)));
    }
}

#[expect(clippy::indexing_slicing, reason = "a byte is an index of 256")]
fn at(state: &[u8; 256], index: u8) -> u8 {
    state[usize::from(index)]
}
