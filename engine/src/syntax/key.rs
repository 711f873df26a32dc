//! The keys that anybody asks for. The values of all others are passed over, not built: they are most of a file.

/// Every key that [`Dictionary::get`](crate::syntax::object::Dictionary::get) is asked for, here or by lopdf.
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

/// Where each key's number stands, plus one; 0 where there is none.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const NUMBERS: [u8; 256] = {
    let mut numbers = [0; 256];
    let mut at = 0;
    while at < KEYS.len() {
        let place = place(KEYS[at]) as usize;
        assert!(numbers[place] == 0, "two keys share a place: look for other factors");
        at += 1;
        numbers[place] = at as u8;
    }
    numbers
};

/// A place of its own for each of the keys, by first, middle and last byte and length.
const fn place(name: &[u8]) -> u8 {
    let ([first, ..], [.., last], (_, [middle, ..])) = (name, name, name.split_at(name.len() / 2)) else { return 0 };
    let ends = first.wrapping_mul(200).wrapping_add(last.wrapping_mul(219));
    ends.wrapping_add(middle.wrapping_mul(6)).wrapping_add((name.len() as u8).wrapping_mul(239))
}

/// A key that is asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u8);

impl Key {
    /// Stands for all keys that nobody asks for.
    pub(crate) const OTHER: Self = Self(0);

    /// The key of this name; [`Key::OTHER`] if it is none of ours.
    pub(crate) fn of(name: &[u8]) -> Self {
        let key = Self::at_place(name);
        if key.name() == name { key } else { Self::OTHER }
    }

    /// The same for a name that is certainly one of ours. Inlined, so that the compiler works it out.
    #[inline(always)]
    pub(crate) fn known(name: &[u8]) -> Self {
        debug_assert!(Self::of(name) != Self::OTHER, "no such key is kept: {}", name.escape_ascii());
        Self::at_place(name)
    }

    #[inline(always)]
    fn at_place(name: &[u8]) -> Self {
        Self(NUMBERS.get(usize::from(place(name))).copied().unwrap_or(0))
    }

    pub(crate) fn name(self) -> &'static [u8] {
        KEYS.get(usize::from(self.0).wrapping_sub(1)).copied().unwrap_or_default()
    }
}
