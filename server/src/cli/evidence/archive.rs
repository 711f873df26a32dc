//! A ZIP archive of files stored without compression (PKWARE APPNOTE 6.3, method 0).

use std::io::{self, Read, Write};

use chrono::{DateTime, Datelike, Timelike, Utc};

/// An archive being written.
pub(super) struct Archive<W> {
    output: W,
    directory: Vec<u8>,
    members: u16,
    at: u32,
    /// Time and date of all members, in UTC and in steps of two seconds.
    made: [u16; 2],
}

const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END_RECORD: u32 = 0x0605_4b50;
/// Names are UTF-8 (4.4.4).
const FLAG_UTF8: u16 = 0x800;
/// 2.0, without ZIP64.
const VERSION_NEEDED: u16 = 20;

impl<W: Write> Archive<W> {
    /// An archive whose members have this time.
    pub(super) fn new(output: W, made: DateTime<Utc>) -> Self {
        let number = |value: u32| u16::try_from(value).unwrap_or_default();
        let time = number(made.hour() << 11 | made.minute() << 5 | made.second() >> 1);
        let years = u32::try_from(made.year() - 1980).unwrap_or_default();
        let date = number(years << 9 | made.month() << 5 | made.day());
        Self { output, directory: Vec::new(), members: 0, at: 0, made: [time, date] }
    }

    /// Adds a member of `size` bytes, which is read twice: its checksum precedes the data.
    ///
    /// # Errors
    /// If it cannot be read or written, has another size, or is too large without ZIP64.
    pub(super) fn add<R: Read>(&mut self, name: &str, size: u64, read: impl Fn() -> io::Result<R>) -> io::Result<()> {
        let too_large = || io::Error::other("the package would be larger than 4 GB");
        let size = u32::try_from(size).map_err(|_| too_large())?;
        let length = u16::try_from(name.len()).map_err(|_| io::Error::other("the file's name is too long"))?;
        let checksum = checksum(read()?)?;
        let mut common = Vec::new();
        for number in [VERSION_NEEDED, FLAG_UTF8, 0, self.made[0], self.made[1]] {
            common.extend(number.to_le_bytes());
        }
        for number in [checksum, size, size] {
            common.extend(number.to_le_bytes());
        }
        common.extend(length.to_le_bytes());
        common.extend([0, 0]);
        let head = [&LOCAL_HEADER.to_le_bytes(), common.as_slice(), name.as_bytes()].concat();
        self.output.write_all(&head)?;
        let written = io::copy(&mut read()?, &mut self.output)?;
        if written != u64::from(size) {
            return Err(io::Error::other("the file changed meanwhile"));
        }
        let central =
            [&CENTRAL_HEADER.to_le_bytes(), VERSION_NEEDED.to_le_bytes().as_slice(), &common, &[0; 10]].concat();
        self.directory.extend(central);
        self.directory.extend(self.at.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
        let length = u32::try_from(head.len()).map_err(|_| too_large())?;
        self.at = self.at.checked_add(length).and_then(|at| at.checked_add(size)).ok_or_else(too_large)?;
        Ok(())
    }

    /// Writes the directory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let size = u32::try_from(self.directory.len()).unwrap_or_default();
        let mut end = std::mem::take(&mut self.directory);
        end.extend(END_RECORD.to_le_bytes());
        for number in [0, 0, self.members, self.members] {
            end.extend(number.to_le_bytes());
        }
        end.extend(size.to_le_bytes());
        end.extend(self.at.to_le_bytes());
        end.extend([0, 0]);
        self.output.write_all(&end)?;
        Ok(self.output)
    }
}

/// CRC-32 (4.4.7).
fn checksum(mut input: impl Read) -> io::Result<u32> {
    let (mut crc, mut piece) = (u32::MAX, vec![0; 1 << 16]);
    loop {
        let read = input.read(&mut piece)?;
        if read == 0 {
            return Ok(!crc);
        }
        for byte in piece.iter().take(read) {
            let place = usize::from((crc as u8) ^ byte);
            crc = TABLE.get(place).copied().unwrap_or_default() ^ (crc >> 8);
        }
    }
}

static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut value, mut bit) = (byte as u32, 0);
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_checksum_is_that_of_zip() {
        assert_eq!(checksum(&b"123456789"[..]).unwrap(), 0xcbf4_3926);
        assert_eq!(checksum(&b""[..]).unwrap(), 0);
    }
}
