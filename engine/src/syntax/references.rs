//! Counts the references of a long array without building them: part by part, in constant memory.

use super::char_class::is_space;
use super::object::Id;

/// How many references are kept of the first ones.
const KEPT: usize = 64;

/// An array of nothing but references, as far as it has been read.
#[derive(Debug, Default)]
pub(crate) struct References {
    state: ScanState,
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
enum ScanState {
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
            if byte == b']' && matches!(self.state, ScanState::Space | ScanState::Reference) {
                return Taken::Closed(at + 1);
            }
            let Some(state) = self.next(byte) else { return Taken::Other };
            self.state = state;
        }
        Taken::All
    }

    fn next(&mut self, byte: u8) -> Option<ScanState> {
        use ScanState::{Generation, Number, Reference, Space, SpaceAfterGeneration, SpaceAfterNumber};
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{prop, proptest};
    use proptest::strategy::Strategy;

    use super::{References, Taken};
    use crate::syntax::object::Object;
    use crate::syntax::parser::parse_object;

    fn text() -> impl Strategy<Value = String> {
        let word =
            prop::sample::select(vec!["0", "12", "4294967296", "70000", " ", "\n", "R", "R ", " 0 R ", "]", "x", "/N"]);
        vec(word, 0..30).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn an_array_is_counted_as_it_is_parsed(text in text(), size in 1..7_usize) {
            let mut references = References::default();
            let mut end = None;
            for (index, part) in text.as_bytes().chunks(size).enumerate() {
                match references.take(part) {
                    Taken::All => {}
                    Taken::Closed(length) => {
                        end = Some(index * size + length);
                        break;
                    }
                    Taken::Other => return Ok(()),
                }
            }
            let Some(end) = end else { return Ok(()) };
            let (parsed, parsed_end) = parse_object(format!("[{text}").as_bytes()).unwrap();
            let ids: Vec<_> = parsed.elements().iter().filter_map(Object::as_reference).collect();
            assert_eq!(parsed_end, end + 1);
            assert_eq!((parsed.elements().len(), ids.len() as u64), (ids.len(), references.count));
            assert_eq!((ids.first(), ids.last()), (references.first.first(), references.last.as_ref()));
        }
    }

    #[test]
    fn only_the_first_ones_and_the_last_are_kept() {
        let text: String = (1..=1_000).map(|number| format!("{number} 0 R ")).collect();
        let mut references = References::default();
        assert_eq!(references.take(text.as_bytes()), Taken::All);
        assert_eq!(references.take(b"]/Count"), Taken::Closed(1));
        assert_eq!((references.count, references.first.len()), (1_000, super::KEPT));
        assert_eq!(references.last.map(|id| id.number), Some(1_000));
    }
}
