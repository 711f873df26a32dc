//! Whether all readers parse a content stream alike (ISO 32000-2, 7.8.2, 8.2 and annex A): each operator has exactly its
//! operands and is where figure 9 allows it, and what begins also ends. Of other operators some readers use the last
//! operands, others the first, or none.

use super::lexer::Lexer;
use super::operator::Signature;
use super::parser::{Value, parse_object};
use super::strict::{is_strict, is_strict_name, is_strict_number, take_hexadecimal, take_literal, take_word};

/// Maximum nesting of graphics states (annex C, table C.1).
const MAX_STATES: usize = 28;
/// Maximum nesting of marked content.
const MAX_MARKED: usize = 64;
/// Maximum color components (8.6.6.5).
const MAX_COMPONENTS: usize = 32;

/// The kind of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Number,
    Name,
    String,
    Dictionary,
    /// An array of numbers.
    Numbers,
    /// An array of strings and numbers, with at least one string.
    Strings,
}

/// Where an operator may be (figure 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Page,
    Text,
    /// A path; Poppler and pypdf paint the rows of lists in text objects.
    Path,
    /// A path that will clip.
    Clip,
}

/// The state of a content stream up to an operator.
#[derive(Debug)]
struct State {
    level: Level,
    in_text: bool,
    /// Whether readers agree where the text object shows text.
    has_position: bool,
    states: usize,
    /// For each open marked content, whether it began in the current text object.
    marked: Vec<bool>,
    is_begun: bool,
    /// Whether a path remains that was neither painted nor clipped to, as pypdf leaves one before a text object.
    has_open_path: bool,
}

/// Whether all readers parse this content alike.
pub fn is_strict_content(content: &[u8]) -> bool {
    let mut lexer = Lexer::new(content);
    let mut operands = Vec::new();
    let mut state = State {
        level: Level::Page,
        in_text: false,
        has_position: true,
        states: 0,
        marked: Vec::new(),
        is_begun: false,
        has_open_path: false,
    };
    loop {
        lexer.skip_space();
        let operand = match lexer.rest() {
            [] => return operands.is_empty() && state.is_ended(),
            [b'/', ..] => is_strict_name(lexer.skip_name()).then_some(Operand::Name),
            [b'(', ..] => take_literal(&mut lexer).then_some(Operand::String),
            rest @ [b'<', b'<', ..] => take_dictionary(&mut lexer, rest),
            [b'<', ..] => take_hexadecimal(&mut lexer).then_some(Operand::String),
            [b'[', ..] => take_array(&mut lexer),
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => {
                is_strict_number(take_word(&mut lexer)).then_some(Operand::Number)
            }
            _ => {
                if !state.take(take_word(&mut lexer), &operands) {
                    return false;
                }
                operands.clear();
                continue;
            }
        };
        let Some(operand) = operand else { return false };
        operands.push(operand);
    }
}

fn take_dictionary(lexer: &mut Lexer, rest: &[u8]) -> Option<Operand> {
    let Ok(Value { end, .. }) = parse_object(rest) else { return None };
    lexer.at += end;
    rest.get(..end).is_some_and(is_strict).then_some(Operand::Dictionary)
}

/// Takes an array of strings and numbers.
fn take_array(lexer: &mut Lexer) -> Option<Operand> {
    lexer.at += 1;
    let mut kind = Operand::Numbers;
    loop {
        lexer.skip_space();
        match lexer.rest() {
            [b']', ..] => {
                lexer.at += 1;
                return Some(kind);
            }
            [b'(', ..] if take_literal(lexer) => kind = Operand::Strings,
            [b'<', ..] if take_hexadecimal(lexer) => kind = Operand::Strings,
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] if is_strict_number(take_word(lexer)) => {}
            _ => return None,
        }
    }
}

impl State {
    fn is_ended(&self) -> bool {
        self.level == Level::Page && self.states == 0 && self.marked.is_empty()
    }

    /// Takes an operator; returns whether it is allowed here and has its operands.
    fn take(&mut self, operator: &[u8], operands: &[Operand]) -> bool {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        // LibreOffice moves by three numbers in text objects of buttons, which show no text
        let is_moved = operator == b"Td" && operands == [Operand::Number; 3];
        self.has_position &= !is_moved;
        (is_moved || has_operands(operator, operands)) && self.enter(operator, is_first)
    }

    /// Takes an operator at its level.
    fn enter(&mut self, operator: &[u8], is_first: bool) -> bool {
        use Level::{Clip, Page, Path, Text};
        let level = self.level;
        match operator {
            b"m" | b"re" => {
                self.level = Path;
                matches!(level, Page | Text | Path) && !self.has_open_path
            }
            b"l" | b"c" | b"v" | b"y" | b"h" => level == Path,
            b"W" | b"W*" => {
                self.level = Clip;
                level == Path && !self.in_text
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"S" | b"s" | b"n" => {
                self.level = if self.in_text { Text } else { Page };
                // ReportLab ends no path before each one, and Poppler fills none before the chosen row of a list
                let is_none = operator == b"n" || operator == b"f" && !self.has_open_path;
                matches!(level, Path | Clip) || is_none && level == Page
            }
            b"BT" => {
                (self.level, self.in_text, self.has_position) = (Text, true, true);
                self.has_open_path |= level == Clip;
                matches!(level, Page | Clip)
            }
            b"ET" => {
                (self.level, self.in_text) = (Page, false);
                level == Text && !self.marked.contains(&true)
            }
            b"Td" | b"TD" | b"Tm" | b"T*" => level == Text,
            b"Tj" | b"TJ" | b"'" | b"\"" => level == Text && self.has_position,
            b"q" => {
                self.states += 1;
                level == Page && self.states <= MAX_STATES
            }
            b"Q" => {
                let is_open = self.states > 0;
                self.states = self.states.saturating_sub(1);
                // pdf-lib paints a path behind the state that it was drawn in
                matches!(level, Page | Path) && !self.in_text && is_open
            }
            // pypdf sets the color of a path behind it
            b"g" | b"rg" | b"k" | b"G" | b"RG" | b"K" => matches!(level, Page | Text | Path),
            b"cm" | b"Do" | b"sh" => level == Page,
            // a glyph of a Type 3 font (9.6.4)
            b"d0" | b"d1" => is_first,
            b"BMC" | b"BDC" => {
                self.marked.push(level == Text);
                matches!(level, Page | Text) && self.marked.len() <= MAX_MARKED
            }
            b"EMC" => self.marked.pop() == Some(level == Text) && matches!(level, Page | Text),
            _ => matches!(level, Page | Text),
        }
    }
}

/// Whether an operator is known and has these operands (annex A).
fn has_operands(operator: &[u8], operands: &[Operand]) -> bool {
    use Operand::{Dictionary, Name, Number, Numbers, String, Strings};
    let are_components =
        |operands: &[Operand]| operands.len() <= MAX_COMPONENTS && operands.iter().all(|operand| *operand == Number);
    match Signature::of(operator) {
        Signature::Nothing => operands.is_empty(),
        Signature::Numbers(count) => operands.len() == count && operands.iter().all(|operand| *operand == Number),
        Signature::Name => operands == [Name],
        Signature::Font => operands == [Name, Number],
        Signature::Text => operands == [String],
        Signature::SpacedText => operands == [Number, Number, String],
        Signature::Array => matches!(operands, [Numbers | Strings]),
        Signature::Dashes => operands == [Numbers, Number],
        Signature::Components => !operands.is_empty() && are_components(operands),
        Signature::Pattern => match operands {
            [components @ .., Name] => are_components(components),
            components => !components.is_empty() && are_components(components),
        },
        // jsPDF gives no tag
        Signature::Tag => operands == [Name] || operator == b"BMC" && operands.is_empty(),
        Signature::Properties => matches!(operands, [Name, Name | Dictionary]),
        Signature::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_strict_content;

    #[test]
    fn what_writers_write_is_strict() {
        for content in [
            "",
            "q 1 0 0 1 5 5 cm /Im0 Do Q",
            "/Tx BMC q BT /Helv 12 Tf 0 g 2 4.5 Td (Ann \\(B\\)) Tj ET Q EMC",
            "BT /F1 12 Tf[(a) -20 <62>]TJ /P <</MCID 0/A[1 2]>> BDC (x)' EMC ET",
            "0 0 9 9 re W n q [3 1] 0 d 0 0 m 1 1 l h S Q",
            "750 0 0 0 750 750 d1 0 0 750 750 re f",
            "/Cs1 cs 0.5 scn /P1 scn 0 0 1 rg .5 -.25 3. +4 re f*",
            "% a comment\nBT ET",
            "% DSBlank",
            "BMC q 8.05 0 0 RG Q EMC",
            "BT 8.05 0 0 Td ET BT 9 0 Td (a) Tj ET",
            "n 0 0 9 9 re 0 0 0 RG S",
            "q 0 0 9 9 re W BT (a) Tj ET Q",
            "q q 0 0 m 9 9 l Q S Q",
            "BT 0 0 9 9 re 0.5 g f 0 g (a) Tj ET",
        ] {
            assert!(is_strict_content(content.as_bytes()), "{content}");
        }
    }

    #[test]
    fn what_readers_may_execute_differently_is_not() {
        for content in [
            "1 0 0 rg 9",
            "9 1 0 0 rg",
            "0 rg",
            "BT q ET Q",
            "Q",
            "q",
            "BT 8.05 0 0 Td (a) Tj ET",
            "BT (a) Tj",
            "(a) Tj",
            "BT <4G> Tj ET",
            "BT [(a) [1]] TJ ET",
            "BT (a) (b) Tj ET",
            "BT 1-2 0 Td ET",
            "BT --2 0 Td ET",
            "BT 1.2.3 0 Td ET",
            "1 1 l S",
            "0 0 9 9 re 2 w f",
            "W n",
            "0 0 9 9 re W",
            "0 0 9 9 re W BT ET 1 1 2 2 re f",
            "0 0 9 9 re W BT ET f",
            "BX foo EX",
            "BI /W 1 /H 1 ID x EI",
            "true",
            "/A BMC BT EMC ET",
            "BT /A BMC ET EMC",
            "EMC",
            "0 0 9 9 re f 9 9 d0",
            "/P << /MCID 0 BDC EMC",
            "/P << /A 1 /A 2 >> BDC EMC",
            ")",
            "foo",
            "{ }",
        ] {
            assert!(!is_strict_content(content.as_bytes()), "{content}");
        }
    }
}
