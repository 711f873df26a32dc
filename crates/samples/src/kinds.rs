//! One small file of every kind that matters, made in code.

use super::large::{Arrangement, write};
use super::pdf::{Cipher, encrypted};

/// Pages of a typical file.
const PAGES: u32 = 20;
/// The least that a file can be.
const TINY: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\n4 0 obj<</Title(Tiny)>>endobj\n\
    xref\n0 5\n0000000000 65535 f \n0000000009 00000 n \n0000000052 00000 n \n0000000101 00000 n \n0000000164 00000 n \n\
    trailer<</Size 5/Root 1 0 R/Info 4 0 R>>\nstartxref\n194\n%%EOF\n";

/// Name and content of each kind.
#[must_use]
pub fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let typical = written(Arrangement::Classic);
    let damaged = typical[..typical.len() - 24].to_vec();
    let encrypted = encrypted(&typical, Cipher::Rc4Of128, "", "owner");
    vec![
        ("tiny", TINY.as_bytes().to_vec()),
        ("typical", typical),
        ("object-streams", written(Arrangement::ObjectStreams)),
        ("linearized", written(Arrangement::Linearized)),
        ("encrypted", encrypted),
        ("damaged", damaged),
    ]
}

fn written(arrangement: Arrangement) -> Vec<u8> {
    let mut file = Vec::new();
    write(arrangement, PAGES, &mut file).expect("memory takes everything");
    file
}
