//! How viewers read operations that are not as annex A has them: operators with more, fewer or other operands, `q` and `Q`
//! in text objects, and `Q` without `q`. MuPDF takes the first operands, PDFium and Poppler the last ones of those that
//! they have room for.

use super::operation::{Operand, Operations};
use pdf_syntax::encryption::decryption::Decryption;
use pdf_syntax::syntax::operator::Signature;

/// Operands that MuPDF, PDFium and Poppler have room for.
const MUPDF_MAX_NUMBERS: usize = 32;
const PDFIUM_MAX_OPERANDS: usize = 16;
const POPPLER_MAX_OPERANDS: usize = 33;

/// Who reads a content stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reading {
    /// The last operands of any number, and nothing at operators that lack some.
    #[default]
    Lenient,
    MuPdf,
    Pdfium,
    Poppler,
    /// No viewer: as the lenient one, with the operations in comments.
    Uncommented,
    /// No viewer: as the lenient one, with the annotations that are printed and not shown on the screen (12.5.3).
    Printed,
    /// No viewer: as the lenient one, with the windows of notes as Poppler draws them (12.5.6.14).
    Popups,
    /// No viewer: as the lenient one, with the letters that glyphs draw where `/ToUnicode` says others (9.10.3).
    Glyphs,
}

impl Reading {
    /// How it decrypts streams.
    pub(super) fn decryption(self) -> Decryption {
        match self {
            Self::Pdfium => Decryption::Always,
            Self::Poppler => Decryption::UnlessFiltered,
            _ => Decryption::ByFilter,
        }
    }
}

/// What becomes of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Executed,
    Skipped,
    /// The content stream ends.
    Ended,
}

/// Whether an operator has exactly its operands, so that all viewers read it alike.
pub(super) fn is_regular(operator: &[u8], operands: &[Operand]) -> bool {
    has_operands(Signature::of(operator), operands)
}

/// Whether these are all operands of an operator that paints or places something, of which it has a certain number.
fn has_operands(signature: Signature, operands: &[Operand]) -> bool {
    use Operand::{Close, Name, Number, Open, Text};
    match signature {
        Signature::Numbers(count) => {
            operands.len() == count && operands.iter().all(|operand| matches!(operand, Number(_)))
        }
        Signature::Name => matches!(operands, [Name(_)]),
        Signature::Font => matches!(operands, [Name(_), Number(_)]),
        Signature::Text => matches!(operands, [Text(_)]),
        Signature::SpacedText => matches!(operands, [Number(_), Number(_), Text(_)]),
        Signature::Array => {
            let [Open, elements @ .., Close] = operands else { return false };
            elements.iter().all(|element| matches!(element, Number(_) | Text(_)))
        }
        Signature::Dashes => matches!(operands, [Open, .., Close, Number(_)]),
        Signature::Nothing | Signature::Components | Signature::Pattern => true,
        Signature::Tag | Signature::Properties | Signature::Unknown => true,
    }
}

/// The number of operands that Poppler requires.
fn count(signature: Signature) -> usize {
    match signature {
        Signature::Numbers(count) => count,
        Signature::Name | Signature::Text | Signature::Array => 1,
        Signature::Font | Signature::Dashes => 2,
        Signature::SpacedText => 3,
        Signature::Nothing | Signature::Components | Signature::Pattern => 0,
        Signature::Tag | Signature::Properties | Signature::Unknown => 0,
    }
}

impl Reading {
    /// Those of viewers.
    pub(crate) const VIEWERS: [Self; 3] = [Self::Pdfium, Self::Poppler, Self::MuPdf];

    /// Whether it takes operands as the lenient one.
    pub(super) fn is_lenient(self) -> bool {
        !Self::VIEWERS.contains(&self)
    }

    /// Whether `Q` restores the position in a text object.
    pub(super) fn restores_position(self) -> bool {
        self == Self::Pdfium
    }

    /// Whether a content stream ends at a `Q` without `q`.
    pub(super) fn ends_at_unmatched_restore(self) -> bool {
        self == Self::Poppler
    }

    /// Whether a `Q` without `q` restores the first graphics state of a page.
    pub(super) fn restores_first_state(self) -> bool {
        self == Self::MuPdf
    }

    /// Replaces the operands of an operation by those that the viewer takes.
    pub(super) fn apply(self, operator: &[u8], operations: &mut Operations) -> Outcome {
        let signature = Signature::of(operator);
        if self.is_lenient() || has_operands(signature, operations.operands()) {
            return Outcome::Executed;
        }
        let operands = operations.operands_mut();
        match self {
            Self::MuPdf => first_operands(signature, operands),
            Self::Pdfium => last_operands(signature, operands),
            Self::Poppler => return kept_operands(signature, operands),
            _ => {}
        }
        Outcome::Executed
    }
}

/// The operands outside of arrays, each with its range.
fn operands_of(operands: &[Operand]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (place, operand) in operands.iter().enumerate() {
        match operand {
            Operand::Open => {
                start = if depth == 0 { place } else { start };
                depth += 1;
            }
            Operand::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(start..place + 1);
                }
            }
            _ if depth == 0 => found.push(place..place + 1),
            _ => {}
        }
    }
    found
}

/// MuPDF keeps numbers, the first name and the last text apart; more numbers than it has room for clear them.
fn first_operands(signature: Signature, operands: &mut Vec<Operand>) {
    let single = |range: &std::ops::Range<usize>| operands.get(range.start).filter(|_| range.len() == 1).copied();
    let (mut numbers, mut name, mut text) = (Vec::new(), None, None);
    for operand in operands_of(operands).iter().filter_map(single) {
        match operand {
            Operand::Number(_) if numbers.len() == MUPDF_MAX_NUMBERS => {
                numbers.clear();
                (name, text) = (None, None);
            }
            Operand::Number(_) => numbers.push(operand),
            Operand::Name(_) => name = name.or(Some(operand)),
            Operand::Text(_) => text = Some(operand),
            _ => {}
        }
    }
    let mut first = |count: usize| {
        numbers.resize(count, Operand::Number(0.0));
        std::mem::take(&mut numbers)
    };
    *operands = match signature {
        Signature::Numbers(count) => first(count),
        Signature::Name => name.into_iter().collect(),
        Signature::Font => name.into_iter().chain(first(1)).collect(),
        Signature::Text => text.into_iter().collect(),
        Signature::SpacedText => first(2).into_iter().chain(text).collect(),
        _ => return,
    };
}

/// PDFium has room for few operands, of which further ones replace others; numbers that are missing or are none count as
/// 0.
fn last_operands(signature: Signature, operands: &mut Vec<Operand>) {
    let Signature::Numbers(count) = signature else {
        if signature == Signature::Text {
            operands.drain(..operands.len().saturating_sub(1));
        }
        return;
    };
    if operands.len() > PDFIUM_MAX_OPERANDS && operands_of(operands).len() == operands.len() {
        let further = operands.split_off(PDFIUM_MAX_OPERANDS);
        let mut start = 0;
        for operand in further {
            start = (start + 1) % PDFIUM_MAX_OPERANDS;
            if let Some(slot) = operands.get_mut(start) {
                *slot = operand;
            }
        }
        operands.rotate_left(start);
    }
    operands.drain(..operands.len().saturating_sub(count));
    for operand in operands.iter_mut().filter(|operand| !matches!(operand, Operand::Number(_))) {
        *operand = Operand::Number(0.0);
    }
    let missing = count.saturating_sub(operands.len());
    operands.splice(..0, std::iter::repeat_n(Operand::Number(0.0), missing));
}

/// Poppler drops operands that it has no room for, skips operators with others, and ends at those with fewer.
fn kept_operands(signature: Signature, operands: &mut Vec<Operand>) -> Outcome {
    let each = operands_of(operands);
    if let Some(dropped) = each.get(POPPLER_MAX_OPERANDS) {
        operands.truncate(dropped.start);
    }
    let kept = each.len().min(POPPLER_MAX_OPERANDS);
    let Some(first) = kept.checked_sub(count(signature)) else { return Outcome::Ended };
    operands.drain(..each.get(first).map_or(0, |first| first.start));
    let is_array = signature == Signature::Array && operands.first() == Some(&Operand::Open);
    if is_array || has_operands(signature, operands) { Outcome::Executed } else { Outcome::Skipped }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Reading};
    use crate::operation::{Operand, Operations};

    /// The numbers of the last operation of this content; none if it is not executed.
    fn numbers(reading: Reading, content: &str) -> Option<Vec<f64>> {
        let mut operations = Operations::new(content.as_bytes());
        let operator = operations.next()?;
        if reading.apply(operator, &mut operations) != Outcome::Executed {
            return None;
        }
        let number = |operand: &Operand| if let Operand::Number(number) = operand { Some(*number) } else { None };
        Some(operations.operands().iter().filter_map(number).collect())
    }

    #[test]
    fn each_viewer_takes_the_operands_that_it_draws_with() {
        use Reading::{MuPdf, Pdfium, Poppler};
        let many = |zeros: usize, behind: &str| format!("{}{behind}", "0 ".repeat(zeros));
        // as drawn by MuPDF 1.28, PDFium 8149 and Poppler 22.12
        for (content, [mupdf, pdfium, poppler]) in [
            ("20 50 Td", [Some([20.0, 50.0]); 3]),
            ("20 50 40 10 Td", [Some([20.0, 50.0]), Some([40.0, 10.0]), Some([40.0, 10.0])]),
            ("70 Td", [Some([70.0, 0.0]), Some([0.0, 70.0]), None]),
            ("20 /x 50 Td", [Some([20.0, 50.0]), Some([0.0, 50.0]), None]),
            ("20 50 /x Td", [Some([20.0, 50.0]), Some([50.0, 0.0]), None]),
            ("(x) 20 50 Td", [Some([20.0, 50.0]); 3]),
            ("[20] 50 30 Td", [Some([50.0, 30.0]); 3]),
            (&many(16, "20 50 Td"), [Some([0.0, 0.0]), Some([0.0, 20.0]), Some([20.0, 50.0])]),
            (&many(31, "20 50 60 20 Td"), [Some([60.0, 20.0]), Some([50.0, 60.0]), Some([20.0, 50.0])]),
        ] {
            for (reading, expected) in [(MuPdf, mupdf), (Pdfium, pdfium), (Poppler, poppler)] {
                assert_eq!(numbers(reading, content), expected.map(Vec::from), "{reading:?}: {content}");
            }
        }
        assert_eq!(numbers(MuPdf, "/F 12 30 Tf"), Some(vec![12.0]));
        assert_eq!(numbers(Poppler, "/F 12 30 Tf"), None);
    }
}
