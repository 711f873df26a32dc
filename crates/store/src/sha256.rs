//! Common implementations of the SHA-256 types.

/// Implements storage of a hash.
macro_rules! stored_hash {
    ($name:ident) => {
        impl $name {
            /// Reads a stored one; `None` unless it is 32 bytes.
            #[must_use]
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                Some(Self(bytes.try_into().ok()?))
            }

            /// The 32 bytes.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                &self.0
            }
        }
    };
}

/// Implements `Display` of a hash; not for hashes of secrets.
macro_rules! shown_hash {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            /// 64 hexadecimal digits, lower case.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    };
}

pub(crate) use {shown_hash, stored_hash};
