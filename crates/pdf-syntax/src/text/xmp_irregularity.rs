//! Why a packet of XMP is not understood.

/// Why readers may read other properties from a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Irregularity {
    /// It is longer than what is read.
    Length,
    /// Its bytes are not UTF-8, or it says that they are something else.
    Encoding,
    /// It is no well-formed XML with a single root element, up to its last byte.
    Malformed,
    /// Another packet follows.
    SecondPacket,
    /// Comments, processing instructions or literal sections, which some readers take as text.
    Comment,
    /// A prefix or a namespace with a meaning by standard is used for another, or is not declared.
    Namespace,
    /// A form of RDF that XMP does not have.
    Form,
    /// The same property, field or language twice.
    Repeated,
}

impl Irregularity {
    /// What the packet has, for a clause that starts with "the XMP packet".
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Length => "is longer than what is compared",
            Self::Encoding => "is not encoded in UTF-8",
            Self::Malformed => "is not well-formed XML",
            Self::SecondPacket => "is followed by another",
            Self::Comment => "has a comment, a processing instruction or a literal section",
            Self::Namespace => "has a namespace that readers resolve differently",
            Self::Form => "has a form that XMP does not define",
            Self::Repeated => "has a property twice",
        }
    }
}
