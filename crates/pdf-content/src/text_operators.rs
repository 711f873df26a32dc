//! Content streams that paint only text and paths by their operators, and the resources that these name.

use std::collections::BTreeSet;

use super::operation::{Operand, Operations};

/// Maximum shift in a `TJ` array, in thousandths.
const MAX_TEXT_SHIFT: f64 = 300.0;
/// Maximum nested graphics states.
const MAX_NESTED_STATES: usize = 64;
/// Device color spaces, which need no resources (8.6.4).
const SPACES: [&[u8]; 3] = [b"DeviceGray", b"DeviceRGB", b"DeviceCMYK"];

/// Which matrices turn what they place upside down. MuPDF turns the space of the text, and the text in it.
#[derive(Debug, Clone, Copy, Default)]
struct Flips {
    space: bool,
    text: bool,
}

/// The names of resources that a content stream uses.
#[derive(Debug, Default)]
pub(super) struct ResourceNames {
    pub(super) fonts: BTreeSet<Vec<u8>>,
    /// Graphics state parameters (8.4.5).
    pub(super) states: BTreeSet<Vec<u8>>,
}

impl ResourceNames {
    /// Reads the names if these operations paint only upright text and paths; `None` otherwise.
    pub(super) fn of_text(content: &[u8], has_cells: bool) -> Option<Self> {
        let mut names = Self::default();
        let (mut flips, mut outer) = (Flips::default(), Vec::new());
        let mut operations = Operations::new(content);
        while let Some(operator) = operations.next() {
            let is_known = match operator {
                // a text upside down, or one whose letters change places, is another one
                b"Tj" | b"TJ" | b"'" => flips.space == flips.text && has_usual_shifts(&operations, has_cells),
                b"q" | b"Q" | b"BT" | b"cm" | b"Tm" => flips.follow(operator, operations.numbers(), &mut outer),
                b"Tf" | b"gs" => names.add(operator, &operations),
                b"cs" | b"CS" => {
                    matches!(operations.operands(), [Operand::Name(space)] if SPACES.contains(&operations.text(*space)))
                }
                b"sc" | b"SC" => operations.operands().iter().all(|part| matches!(part, Operand::Number(_))),
                b"Tc" | b"Tw" => matches!(operations.numbers(), Some([space]) if space >= 0.0),
                b"BMC" | b"EMC" | b"ET" | b"Td" | b"TD" | b"T*" | b"TL" => true,
                b"g" | b"rg" | b"k" | b"G" | b"RG" | b"K" => true,
                b"w" | b"J" | b"j" | b"M" | b"d" | b"i" => true,
                b"re" | b"m" | b"l" | b"c" | b"v" | b"y" | b"h" | b"W" | b"W*" | b"n" => true,
                b"f" | b"F" | b"f*" | b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*" => true,
                _ => false,
            };
            if !is_known {
                return None;
            }
        }
        (!operations.is_part).then_some(names)
    }

    /// Adds the font or the graphics state that an operation names; returns whether it names one as it should.
    fn add(&mut self, operator: &[u8], operations: &Operations) -> bool {
        match operations.operands() {
            [Operand::Name(font), Operand::Number(size)] if operator == b"Tf" => {
                self.fonts.insert(operations.text(*font).to_vec());
                *size > 0.0
            }
            [Operand::Name(state)] if operator == b"gs" => {
                self.states.insert(operations.text(*state).to_vec());
                true
            }
            _ => false,
        }
    }
}

impl Flips {
    /// Follows an operator that places what comes after it; returns whether it does no more than move, scale and turn it
    /// upside down.
    fn follow(&mut self, operator: &[u8], matrix: Option<[f64; 6]>, outer: &mut Vec<Self>) -> bool {
        match (operator, matrix) {
            (b"q", _) => {
                outer.push(*self);
                return outer.len() <= MAX_NESTED_STATES;
            }
            // the text matrix is none of its parameters
            (b"Q", _) => self.space = outer.pop().map_or(self.space, |before| before.space),
            (b"BT", _) => self.text = false,
            (b"cm", Some([a, 0.0, 0.0, d, _, _])) if a > 0.0 && d != 0.0 => self.space ^= d < 0.0,
            (b"Tm", Some([a, 0.0, 0.0, d, _, _])) if a > 0.0 && d != 0.0 => self.text = d < 0.0,
            _ => return false,
        }
        true
    }
}

/// Whether the shifts of a `TJ` array are such that its letters stay in their order; between the cells of a comb they may
/// be larger.
fn has_usual_shifts(operations: &Operations, has_cells: bool) -> bool {
    let least = if has_cells { f64::NEG_INFINITY } else { -MAX_TEXT_SHIFT };
    operations.operands().iter().all(|shift| match shift {
        Operand::Number(shift) => (least..=MAX_TEXT_SHIFT).contains(shift),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::ResourceNames;

    #[test]
    fn text_is_upright() {
        let is_read = |content: &str| ResourceNames::of_text(content.as_bytes(), false).is_some();
        let text = "BT /F 11 Tf 1 0 0 -1 2 14 Tm (Ann) Tj ET";
        for upright in [
            format!("q 1 0 0 -1 0 20 cm {text} Q"),
            format!("1 0 0 -1 0 20 cm q 1 0 0 1 5 5 cm {text} Q"),
            "1 0 0 -1 0 20 cm q 1 0 0 -1 0 20 cm BT (Ann) Tj ET Q".to_owned(),
        ] {
            assert!(is_read(&upright), "{upright}");
        }
        for turned in [
            text.to_owned(),
            format!("q 1 0 0 -1 0 20 cm Q {text}"),
            format!("1 0 0 -1 0 20 cm {text} BT (Ann) Tj ET"),
            "1 0 0 -1 0 20 cm BT (Ann) Tj ET".to_owned(),
            format!("-1 0 0 -1 0 20 cm {text}"),
            format!("1 0 0 0 0 20 cm {text}"),
            format!("1 0.5 0 -1 0 20 cm {text}"),
        ] {
            assert!(!is_read(&turned), "{turned}");
        }
    }
}
