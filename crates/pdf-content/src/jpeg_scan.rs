//! The coded data of a baseline JPEG scan (ITU-T T.81, F.2.2): whether it has all blocks. Decoders make up missing ones.

/// Maximum bits of a code.
const MAX_CODE_BITS: usize = 16;
const COEFFICIENTS: usize = 64;

/// Codes by their lengths.
#[derive(Default, Clone)]
struct Codes {
    counts: [u32; MAX_CODE_BITS],
    symbols: Vec<u8>,
}

/// Tables of Huffman codes, of DC and then of AC coefficients, and the restart interval.
#[derive(Default)]
pub(super) struct Tables {
    codes: [[Codes; 4]; 2],
    pub(super) restart_interval: usize,
}

impl Tables {
    /// Reads a segment of tables (B.2.4.2).
    pub(super) fn read(&mut self, mut segment: &[u8]) -> Option<()> {
        while let Some((place, rest)) = segment.split_first() {
            let (counts, rest) = rest.split_at_checked(MAX_CODE_BITS)?;
            let total = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, rest) = rest.split_at_checked(total)?;
            let codes = self.codes.get_mut(usize::from(place >> 4))?.get_mut(usize::from(place & 15))?;
            *codes = Codes {
                counts: std::array::from_fn(|at| counts.get(at).map_or(0, |it| (*it).into())),
                symbols: symbols.to_vec(),
            };
            segment = rest;
        }
        Some(())
    }

    /// Whether the data has this number of units, and nothing else before its end. `blocks` are the tables of each block
    /// of a unit, DC and AC.
    pub(super) fn is_complete(&self, data: &[u8], units: usize, blocks: &[u8]) -> Option<bool> {
        let mut bits = Bits { data, at: 0, last: 0, left: 0 };
        for unit in 0..units {
            if self.restart_interval > 0 && unit > 0 && unit % self.restart_interval == 0 {
                let restart = 0xd0 + (unit / self.restart_interval - 1) % 8;
                bits.restart(restart as u8)?;
            }
            for tables in blocks {
                let dc = self.codes.first()?.get(usize::from(tables >> 4))?;
                let ac = self.codes.last()?.get(usize::from(tables & 15))?;
                bits.block(dc, ac)?;
            }
        }
        Some(data.get(bits.at..bits.at + 2)? == [0xff, 0xd9])
    }
}

struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    last: u8,
    left: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        if self.left == 0 {
            self.last = *self.data.get(self.at)?;
            self.at += 1;
            if self.last == 0xff {
                // a zero is stuffed behind it, otherwise it begins a marker
                (*self.data.get(self.at)? == 0).then_some(())?;
                self.at += 1;
            }
            self.left = u8::BITS;
        }
        self.left -= 1;
        Some(u32::from(self.last >> self.left & 1))
    }

    fn symbol(&mut self, codes: &Codes) -> Option<u8> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in codes.counts {
            code |= self.bit()?;
            if code < first + count {
                return codes.symbols.get((index + code).checked_sub(first)? as usize).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }

    fn block(&mut self, dc: &Codes, ac: &Codes) -> Option<()> {
        let category = self.symbol(dc)?;
        (category <= 11).then_some(())?;
        self.skip(category)?;
        let mut at = 1;
        while at < COEFFICIENTS {
            let symbol = self.symbol(ac)?;
            let (zeros, category) = (usize::from(symbol >> 4), symbol & 15);
            match (zeros, category) {
                (0, 0) => return Some(()),
                (15, 0) => at += 16,
                (_, 0 | 11..) => return None,
                _ => at += zeros + 1,
            }
            self.skip(category)?;
        }
        (at == COEFFICIENTS).then_some(())
    }

    fn skip(&mut self, bits: u8) -> Option<()> {
        (0..bits).try_for_each(|_| self.bit().map(|_| ()))
    }

    fn restart(&mut self, marker: u8) -> Option<()> {
        self.left = 0;
        let found = self.data.get(self.at..self.at + 2)?;
        self.at += 2;
        (found == [0xff, marker]).then_some(())
    }
}
