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

#[cfg(test)]
mod tests {
    use super::apply;

    /// Hexadecimal digits of `length` bytes of the key stream, after the first `skipped`.
    fn stream(key: &[u8], skipped: usize, length: usize) -> String {
        let mut zeros = vec![0; skipped + length];
        apply(key, &mut zeros);
        zeros.iter().skip(skipped).map(|byte| format!("{byte:02x}")).collect()
    }

    /// RFC 6229, section 2.
    #[test]
    fn key_streams_are_those_of_the_test_vectors() {
        let key: Vec<u8> = (1..=32).collect();
        assert_eq!(stream(&key[..5], 0, 16), "b2396305f03dc027ccc3524a0a1118a8");
        assert_eq!(stream(&key[..5], 4096, 16), "ff25b58995996707e51fbdf08b34d875");
        assert_eq!(stream(&key[..16], 0, 16), "9ac7cc9a609d1ef7b2932899cde41b97");
        assert_eq!(stream(&key[..16], 4096, 16), "a36a4c301ae8ac13610ccbc12256cacc");
        assert_eq!(stream(&key, 0, 16), "eaa6bd25880bf93d3f5d1e4ca2611d91");
    }

    #[test]
    fn what_is_encrypted_twice_is_plain() {
        let mut text = *b"Attack at dawn";
        apply(b"Secret", &mut text);
        assert_eq!(text, [0x45, 0xa0, 0x1f, 0x64, 0x5f, 0xc3, 0x5b, 0x38, 0x35, 0x52, 0x54, 0x4b, 0x9b, 0xf5]);
        apply(b"Secret", &mut text);
        assert_eq!(&text, b"Attack at dawn");
    }
}
