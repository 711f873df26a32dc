//! The keys that anybody asks for. The values of all others are passed over, not built: they are most of a file.

/// Declares the keys, each by its name in the file.
macro_rules! keys {
    ($($key:ident,)*) => {
        /// A key that is asked for somewhere, here or by lopdf.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(clippy::upper_case_acronyms, reason = "spelled as in the file")]
        pub(crate) enum Key {
            $($key,)*
        }

        impl Key {
            /// The key of this name; none if nobody asks for it.
            #[allow(non_upper_case_globals, reason = "each constant is named after its key")]
            pub(crate) fn of(name: &[u8]) -> Option<Self> {
                $(const $key: &[u8] = stringify!($key).as_bytes();)*
                match name {
                    $($key => Some(Self::$key),)*
                    _ => None,
                }
            }

            /// Its name in the file, without the slash.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$key => stringify!($key),)*
                }
            }
        }
    };
}

keys! {
    // trailers and cross-reference streams
    Root,
    Info,
    ID,
    Encrypt,
    Prev,
    XRefStm,
    Size,
    Index,
    W,
    // streams
    Type,
    Length,
    Filter,
    DecodeParms,
    Name,
    N,
    First,
    Predictor,
    Columns,
    Colors,
    BitsPerComponent,
    EarlyChange,
    // encryption
    V,
    R,
    O,
    U,
    OE,
    UE,
    P,
    Perms,
    CF,
    CFM,
    StmF,
    StrF,
    EncryptMetadata,
    // the document
    Pages,
    Version,
    Lang,
    Metadata,
    AcroForm,
    Names,
    MarkInfo,
    OpenAction,
    AA,
    AF,
    Outlines,
    OCProperties,
    OCGs,
    Marked,
    JavaScript,
    EmbeddedFiles,
    S,
    Title,
    Author,
    Subject,
    Keywords,
    Creator,
    Producer,
    CreationDate,
    ModDate,
    Linearized,
    L,
    // pages and forms
    Kids,
    Count,
    MediaBox,
    Rotate,
    Annots,
    LastModified,
    M,
    AFRelationship,
    DSS,
    Fields,
    XFA,
    SigFlags,
    FT,
    T,
    // signatures
    ByteRange,
    SubFilter,
    Reference,
    TransformMethod,
    TransformParams,
    DocMDP,
    Lock,
    Action,
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn keys_are_told_by_their_exact_names() {
        for key in [Key::Root, Key::W, Key::ID, Key::XRefStm, Key::OCGs, Key::EncryptMetadata, Key::FT] {
            assert_eq!(Key::of(key.name().as_bytes()), Some(key));
        }
        for other in ["", "root", "Roo", "Roots", "NeedAppearances", "TU"] {
            assert_eq!(Key::of(other.as_bytes()), None, "{other}");
        }
    }
}
