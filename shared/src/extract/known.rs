//! The keys that anybody asks for. The values of all others are passed over, not built: they are most of a file.

/// Every key that [`Dictionary::get`](crate::extract::object::Dictionary::get) is asked for, here or by lopdf.
const KEYS: &[&[u8]] = &[
    // trailers and cross-reference streams
    b"Root",
    b"Info",
    b"ID",
    b"Encrypt",
    b"Prev",
    b"XRefStm",
    b"Size",
    b"Index",
    b"W",
    // streams
    b"Type",
    b"Length",
    b"Filter",
    b"DecodeParms",
    b"Name",
    b"N",
    b"First",
    b"Predictor",
    b"Columns",
    b"Colors",
    b"BitsPerComponent",
    b"EarlyChange",
    // encryption
    b"V",
    b"R",
    b"O",
    b"U",
    b"OE",
    b"UE",
    b"P",
    b"Perms",
    b"CF",
    b"CFM",
    b"StmF",
    b"StrF",
    b"EncryptMetadata",
    // the document
    b"Pages",
    b"Version",
    b"Lang",
    b"Metadata",
    b"AcroForm",
    b"Names",
    b"MarkInfo",
    b"OpenAction",
    b"AA",
    b"AF",
    b"Outlines",
    b"OCProperties",
    b"OCGs",
    b"Marked",
    b"JavaScript",
    b"EmbeddedFiles",
    b"S",
    b"Title",
    b"Author",
    b"Subject",
    b"Keywords",
    b"Creator",
    b"Producer",
    b"CreationDate",
    b"ModDate",
    b"Linearized",
    b"L",
    // pages and forms
    b"Kids",
    b"Count",
    b"MediaBox",
    b"Rotate",
    b"Fields",
    b"XFA",
    b"SigFlags",
    b"FT",
];

/// For each place that a name's first and last byte lead to, the lengths of the keys there, as a set of bits.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const LENGTHS: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < KEYS.len() {
        let key = KEYS[at];
        lengths[place(key[0], key[key.len() - 1])] |= 1 << key.len();
        at += 1;
    }
    lengths
};

const fn place(first: u8, last: u8) -> usize {
    first.wrapping_mul(37).wrapping_add(last) as usize
}

/// Whether `name` may be one of the keys. A few others are taken for one, which does no harm.
pub(crate) fn is_known(name: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else { return false };
    let lengths = LENGTHS.get(place(first, last)).copied().unwrap_or(0);
    name.len() < 32 && lengths >> name.len() & 1 == 1
}
