//! The operands of the operators of content streams (ISO 32000-2, annex A).

/// What an operator takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// No operands.
    Nothing,
    /// This many numbers.
    Numbers(usize),
    /// A name.
    Name,
    /// A font and its size.
    Font,
    /// A text.
    Text,
    /// Word and character spacing, and a text.
    SpacedText,
    /// An array of texts and numbers.
    Array,
    /// An array of numbers, and a number.
    Dashes,
    /// The components of a color.
    Components,
    /// The same, or a pattern with those of its color.
    Pattern,
    /// A tag of marked content.
    Tag,
    /// A tag and properties, or their name.
    Properties,
    /// No operator.
    Unknown,
}

impl Signature {
    /// Returns what this operator takes.
    pub fn of(operator: &[u8]) -> Self {
        // by bytes, not by names: this is read for each operation
        match operator {
            [b'b' | b'B' | b'f' | b'W'] | [b'b' | b'B' | b'f' | b'W', b'*'] | [b'F' | b'h' | b'n'] => Self::Nothing,
            [b'q' | b'Q' | b'S' | b's'] | [b'B' | b'E', b'T'] | [b'T', b'*'] | [b'E', b'M', b'C'] => Self::Nothing,
            [b'w' | b'J' | b'j' | b'M' | b'i' | b'g' | b'G'] => Self::Numbers(1),
            [b'T', b'c' | b'w' | b'z' | b'L' | b's' | b'r'] => Self::Numbers(1),
            [b'l' | b'm'] | [b'T', b'd' | b'D'] | [b'd', b'0'] => Self::Numbers(2),
            [b'r', b'g'] | [b'R', b'G'] => Self::Numbers(3),
            [b'v' | b'y' | b'k' | b'K'] | [b'r', b'e'] => Self::Numbers(4),
            [b'c'] | [b'c', b'm'] | [b'T', b'm'] | [b'd', b'1'] => Self::Numbers(6),
            [b'T', b'J'] => Self::Array,
            [b'T', b'j'] | [b'\''] => Self::Text,
            [b'T', b'f'] => Self::Font,
            [b'"'] => Self::SpacedText,
            [b'd'] => Self::Dashes,
            [b'g', b's'] | [b'c', b's'] | [b'C', b'S'] | [b'D', b'o'] | [b's', b'h'] | [b'r', b'i'] => Self::Name,
            [b's', b'c'] | [b'S', b'C'] => Self::Components,
            [b's', b'c', b'n'] | [b'S', b'C', b'N'] => Self::Pattern,
            [b'B', b'M', b'C'] | [b'M', b'P'] => Self::Tag,
            [b'B', b'D', b'C'] | [b'D', b'P'] => Self::Properties,
            _ => Self::Unknown,
        }
    }
}
