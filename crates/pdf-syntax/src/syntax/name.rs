//! Names, the keys of every dictionary. Short ones, as nearly all are, are stored inline.

use std::fmt;

/// Maximum bytes of a name without allocation; fills the enum up to three machine words.
const INLINE: usize = 22;

/// A PDF name without its slash, escapes resolved (ISO 32000-1, 7.3.5).
#[derive(Clone, PartialEq)]
pub enum Name {
    /// Length and bytes of a short name, which needs no allocation.
    Short(u8, [u8; INLINE]),
    /// A longer name.
    Long(Box<[u8]>),
}

impl Name {
    /// A name with these bytes, `#` sequences decoded.
    pub fn new(bytes: &[u8]) -> Self {
        let mut inline = [0; INLINE];
        match inline.get_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                Self::Short(bytes.len() as u8, inline)
            }
            None => Self::Long(bytes.into()),
        }
    }

    /// Its bytes, without the slash.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(len, inline) => inline.get(..usize::from(*len)).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.as_bytes().escape_ascii())
    }
}
