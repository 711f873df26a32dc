//! Predefined CMaps and character collections for Chinese, Japanese and Korean (9.7.5.2, 9.10.2).

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, WritingMode, load_embedded};

use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;

/// Cost of loading one of them in steps: some have 17,000 ranges.
const LOAD_STEPS: usize = 1 << 19;
/// The same in ranges of the font cache.
pub(super) const RANGES: usize = 1 << 14;

/// A predefined CMap: from codes to CIDs, or from the CIDs of a collection to characters.
#[derive(Debug)]
pub(super) struct Predefined(CMap);

impl Predefined {
    /// Returns a CMap by name; none if it is not predefined.
    pub(super) fn named(view: &mut View, name: &[u8]) -> Result<Option<Self>, Fault> {
        match CMapName::from_bytes(name) {
            CMapName::Custom(_) => Ok(None),
            name => Self::load(view, name),
        }
    }

    /// Returns the mapping from CIDs to characters of a collection by `/Registry` and `/Ordering`; none if it is not
    /// one of Adobe's.
    pub(super) fn of_collection(view: &mut View, registry: &[u8], ordering: &[u8]) -> Result<Option<Self>, Fault> {
        match CidFamily::from_registry_ordering(registry, ordering).ucs2_cmap() {
            Some(name) => Self::load(view, name),
            None => Ok(None),
        }
    }

    fn load(view: &mut View, name: CMapName) -> Result<Option<Self>, Fault> {
        view.work(LOAD_STEPS)?;
        Ok(load_embedded(name).and_then(|data| CMap::parse(data, load_embedded)).map(Self))
    }

    pub(super) fn is_vertical(&self) -> bool {
        self.0.metadata().writing_mode == Some(WritingMode::Vertical)
    }

    /// Returns the first code of a string, its CID if there is one, and its length.
    pub(super) fn first_code(&self, string: &[u8]) -> (u32, Option<u32>, usize) {
        let mut code = 0;
        for (length, byte) in (1_u8..=4).zip(string) {
            code = code << 8 | u32::from(*byte);
            if let Some(cid) = self.0.lookup_cid_code(code, length) {
                return (code, Some(cid), usize::from(length));
            }
        }
        // nearly all unmapped codes have two bytes
        let length = string.len().min(2);
        (string.iter().take(2).fold(0, |code, byte| code << 8 | u32::from(*byte)), None, length)
    }

    /// Returns the character of a CID; none if there is none or several.
    pub(super) fn character(&self, cid: u32) -> Option<u32> {
        match self.0.lookup_bf_string(cid) {
            Some(BfString::Char(character)) => Some(u32::from(character)),
            Some(BfString::String(_)) | None => None,
        }
    }
}
