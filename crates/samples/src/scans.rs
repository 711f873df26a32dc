//! Scanned pages: pictures in baseline JPEG and CCITT Group 4, encoded here.

/// Size of a block of samples.
const BLOCK: usize = 8;
/// Bits of the codes of all categories of differences, which are 0 to 8.
const CATEGORY_BITS: u32 = 4;
const CATEGORIES: u8 = 9;

/// Bits, the first one of a byte highest, with `0` behind each byte of ones if they are a scan of JPEG.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    last: u32,
    count: u32,
    is_scan: bool,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for place in (0..count).rev() {
            self.last = self.last << 1 | value >> place & 1;
            self.count += 1;
            if self.count == u8::BITS {
                self.bytes.push(self.last as u8);
                if self.is_scan && self.last == 0xff {
                    self.bytes.push(0);
                }
                (self.last, self.count) = (0, 0);
            }
        }
    }

    fn end(mut self, padding: u32) -> Vec<u8> {
        while self.count > 0 {
            self.push(padding, 1);
        }
        self.bytes
    }
}

/// A baseline JPEG of gray blocks of 8 by 8 samples, as one component or as Y, Cb and Cr (ITU-T T.81).
pub fn jpeg([width, height]: [u16; 2], components: u8, gray: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    // a step of one level of gray in the mean of a block
    file.extend([8; BLOCK * BLOCK]);
    file.extend([0xff, 0xc0, 0, 8 + 3 * components, 8]);
    file.extend([height.to_be_bytes(), width.to_be_bytes()].concat());
    file.push(components);
    file.extend((1..=components).flat_map(|component| [component, 0x11, 0]));
    let categories: Vec<u8> = (0..CATEGORIES).collect();
    for (class, bits, symbols) in [(0, CATEGORY_BITS as u8, &categories[..]), (0x10, 1, &[0][..])] {
        file.extend([0xff, 0xc4, 0, 19 + symbols.len() as u8, class]);
        file.extend((1..=16).map(|length| if length == bits { symbols.len() as u8 } else { 0 }));
        file.extend(symbols);
    }
    file.extend([0xff, 0xda, 0, 6 + 2 * components, components]);
    file.extend((1..=components).flat_map(|component| [component, 0]));
    file.extend([0, 63, 0]);
    let mut scan = Bits { is_scan: true, ..Bits::default() };
    let mut last = 0;
    for y in 0..usize::from(height).div_ceil(BLOCK) {
        for x in 0..usize::from(width).div_ceil(BLOCK) {
            let mean = i32::from(gray(x, y)) - 128;
            let difference = mean - last;
            last = mean;
            let category = i32::BITS - difference.unsigned_abs().leading_zeros();
            scan.push(category, CATEGORY_BITS);
            scan.push(if difference < 0 { (difference - 1) as u32 } else { difference as u32 }, category);
            // no other coefficients
            scan.push(0, 1);
            for _ in 1..components {
                scan.push(0, CATEGORY_BITS + 1);
            }
        }
    }
    file.extend(scan.end(1));
    file.extend([0xff, 0xd9]);
    file
}

/// CCITT Group 4 (ITU-T T.6) of rows of white samples, from `ink.0` to `ink.1` with 47 black ones after 172 white ones.
pub fn group_4(rows: usize, ink: (usize, usize)) -> Vec<u8> {
    let mut bits = Bits::default();
    for row in 0..rows {
        let code = match row {
            row if row == ink.0 => "001 10010 00101101 000001010111 1",
            row if (ink.0..ink.1).contains(&row) => "111",
            row if row == ink.1 => "0001 1",
            _ => "1",
        };
        code.chars().filter_map(|bit| bit.to_digit(2)).for_each(|bit| bits.push(bit, 1));
    }
    bits.push(0x1001, 24);
    bits.end(0)
}
