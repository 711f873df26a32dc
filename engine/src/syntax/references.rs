//! Counts the references of a long array without building them: part by part, in constant memory.

use super::char_class::is_space;
use super::object::Id;

/// How many references are kept of the first ones.
const KEPT: usize = 64;

/// An array of nothing but references, as far as it has been read.
#[derive(Debug, Default)]
pub(crate) struct References {
    state: State,
    pub(crate) count: u64,
    pub(crate) first: Vec<Id>,
    pub(crate) last: Option<Id>,
}

/// What a part of the text was.
#[derive(Debug, PartialEq)]
pub(crate) enum Taken {
    /// References all through; the array goes on.
    All,
    /// The array ends with the byte before this one.
    Closed(usize),
    /// Something else than references.
    Other,
}

/// What came last.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    #[default]
    Space,
    Number(u32),
    SpaceAfterNumber(u32),
    Generation(u32, u16),
    SpaceAfterGeneration(u32, u16),
    Reference,
}

impl References {
    /// Reads the next part of the array's text, which may end anywhere.
    pub(crate) fn take(&mut self, part: &[u8]) -> Taken {
        for (at, &byte) in part.iter().enumerate() {
            if byte == b']' && matches!(self.state, State::Space | State::Reference) {
                return Taken::Closed(at + 1);
            }
            let Some(state) = self.next(byte) else { return Taken::Other };
            self.state = state;
        }
        Taken::All
    }

    fn next(&mut self, byte: u8) -> Option<State> {
        use State::{Generation, Number, Reference, Space, SpaceAfterGeneration, SpaceAfterNumber};
        let digit = u32::from(byte.wrapping_sub(b'0'));
        Some(match (self.state, byte) {
            (Space, b'0'..=b'9') => Number(digit),
            (Number(number), b'0'..=b'9') => Number(number.checked_mul(10)?.checked_add(digit)?),
            (SpaceAfterNumber(number), b'0'..=b'9') => Generation(number, digit as u16),
            (Generation(number, generation), b'0'..=b'9') => {
                Generation(number, generation.saturating_mul(10).saturating_add(digit as u16))
            }
            (Generation(number, generation) | SpaceAfterGeneration(number, generation), b'R') => {
                self.add(Id { number, generation });
                Reference
            }
            (_, byte) if !is_space(byte) => return None,
            (Space | Reference, _) => Space,
            (Number(number) | SpaceAfterNumber(number), _) => SpaceAfterNumber(number),
            (Generation(number, generation) | SpaceAfterGeneration(number, generation), _) => {
                SpaceAfterGeneration(number, generation)
            }
        })
    }

    fn add(&mut self, id: Id) {
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(id);
        }
        self.last = Some(id);
    }
}
