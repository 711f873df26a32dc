//! The smallest images that each filter can hold: eight by eight pixels (ISO 32000-1, 7.4).

/// Flat grey by JPEG (ITU-T T.81): tables of one code each, and one block.
pub(super) fn jpeg() -> Vec<u8> {
    let mut file = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    file.extend([1; 64]);
    file.extend([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
    let table = |class: u8, symbol: u8| {
        let mut table = vec![0xff, 0xc4, 0, 20, class, 1];
        table.extend([0; 15]);
        table.push(symbol);
        table
    };
    file.extend(table(0, 10));
    file.extend(table(0x10, 0));
    file.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    // a first coefficient of -600, and the end of the block
    file.extend([0x34, 0xef, 0xff, 0xd9]);
    file
}

/// Half white, half black by Group 4 (ITU-T T.6).
pub(super) fn fax() -> Vec<u8> {
    let rows = format!("001 1011 011 {} {}", "11".repeat(7), "000000000001".repeat(2));
    packed(&rows)
}

/// The same as a region of JBIG2 (ITU-T T.88, 7.4.8 and 7.4.6), as PDF embeds it.
pub(super) fn jbig2() -> Vec<u8> {
    let fax = fax();
    let mut file = vec![0, 0, 0, 0, 0x30, 0, 1, 0, 0, 0, 19];
    file.extend([0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend([0, 0, 0, 1, 0x26, 0, 1, 0, 0, 0, 18 + fax.len() as u8]);
    file.extend([0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    file.extend(fax);
    file
}

/// Flat grey by JPEG 2000 (ITU-T T.800, annexes A and I): a codestream of one empty packet, in its boxes.
pub(super) fn jpeg2000() -> Vec<u8> {
    let boxed = |name: &[u8; 4], body: &[u8]| [&(body.len() as u32 + 8).to_be_bytes(), &name[..], body].concat();
    let size = boxed(b"ihdr", &[0, 0, 0, 8, 0, 0, 0, 8, 0, 1, 7, 7, 0, 0]);
    let colour = boxed(b"colr", &[1, 0, 0, 0, 0, 0, 17]);
    [
        boxed(b"jP  ", &[0x0d, 0x0a, 0x87, 0x0a]),
        boxed(b"ftyp", b"jp2 \0\0\0\0jp2 "),
        boxed(b"jp2h", &[size, colour].concat()),
        boxed(b"jp2c", &codestream()),
    ]
    .concat()
}

fn codestream() -> Vec<u8> {
    let mut file = vec![0xff, 0x4f, 0xff, 0x51, 0, 41, 0, 0];
    for number in [8_u32, 8, 0, 0, 8, 8, 0, 0] {
        file.extend(number.to_be_bytes());
    }
    file.extend([0, 1, 7, 1, 1]);
    file.extend([0xff, 0x52, 0, 12, 0, 0, 0, 1, 0, 0, 4, 4, 0, 1]);
    file.extend([0xff, 0x5c, 0, 4, 0x40, 0x40]);
    file.extend([0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 15, 0, 1, 0xff, 0x93, 0]);
    file.extend([0xff, 0xd9]);
    file
}

/// Rows of colours with the PNG predictor `Sub` (ISO/IEC 15948, 9.2), three bytes a pixel.
pub(super) fn predicted() -> Vec<u8> {
    let row = [&[1, 200, 40, 40][..], &[250, 10, 5].repeat(7)].concat();
    row.repeat(8)
}

/// Bits as bytes, zeros at the end.
fn packed(bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|byte| byte.iter().zip((0..8).rev()).map(|(bit, shift)| bit << shift).sum()).collect()
}
