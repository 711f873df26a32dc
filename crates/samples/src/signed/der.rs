//! Writes DER (ITU-T X.690).

/// An element of this tag around what is in it.
#[must_use]
pub fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut encoded = vec![tag];
    match content.len() {
        length @ 0..0x80 => encoded.push(length as u8),
        length => {
            let bytes: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
            encoded.push(0x80 | bytes.len() as u8);
            encoded.extend(bytes);
        }
    }
    encoded.extend(content);
    encoded
}

/// A sequence.
#[must_use]
pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(0x30, parts)
}

/// An object identifier, such as `1.2.840.113549`.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn identifier(name: &str) -> Vec<u8> {
    let arcs: Vec<u32> = name.split('.').map(|arc| arc.parse().expect("a number")).collect();
    let mut content = vec![(arcs[0] * 40 + arcs[1]) as u8];
    for arc in &arcs[2..] {
        let mut bytes = vec![(arc & 0x7f) as u8];
        let mut rest = arc >> 7;
        while rest > 0 {
            bytes.push(0x80 | (rest & 0x7f) as u8);
            rest >>= 7;
        }
        content.extend(bytes.iter().rev());
    }
    element(6, &[&content])
}

/// A set of encoded elements, sorted as DER wants it.
pub(super) fn set(mut members: Vec<Vec<u8>>) -> Vec<u8> {
    members.sort();
    element(0x31, &[&members.concat()])
}

pub(super) fn small(number: u8) -> Vec<u8> {
    vec![2, 1, number]
}

/// An octet string.
#[must_use]
pub fn octets(bytes: &[u8]) -> Vec<u8> {
    element(4, &[bytes])
}

/// A bit string of whole bytes.
#[must_use]
pub fn bits(bytes: &[u8]) -> Vec<u8> {
    element(3, &[&[0], bytes])
}

pub(super) fn null() -> Vec<u8> {
    vec![5, 0]
}
