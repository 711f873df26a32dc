//! The values that a form calculates from others (ISO 32000-1, 12.6.3 and 12.7.2).

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::format;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;

/// The calculation of a read-only field from others that were filled in (12.6.3, 12.7.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calculation {
    /// The signed form does not calculate it, or the result is another one.
    None,
    /// It has the result.
    Result,
    /// The script may have any result.
    Unknown,
}

/// Compares the value of a field with the one that the signed form calculates.
pub(crate) fn calculation(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<Calculation, Fault> {
    let [before, after] = step.forms.clone();
    let order = examiner.document.view(step.pair.old).resolve(before.dictionary.get(b"CO"))?.into_owned();
    let is_listed =
        |number: &u32| order.elements().iter().any(|it| it.as_reference().is_some_and(|id| id.number == *number));
    // a barcode has no script, but follows the other fields as well
    let is_calculated = |field: &&Field| field.is_calculated() || field.dictionary().has(b"PMD");
    let signed = field.line.iter().find_map(|&number| before.field(number)).filter(is_calculated);
    // a script runs after another field was filled in
    let is_operand = |number: &u32| {
        !field.line.contains(number) && before.field(*number).is_none_or(|operand| !operand.is_read_only())
    };
    let (Some(signed), true, true) = (signed, field.line.iter().any(is_listed), step.filled.iter().any(is_operand))
    else {
        return Ok(Calculation::None);
    };
    let value =
        field.line.iter().find_map(|&number| after.field(number)).and_then(Field::characters).unwrap_or_default();
    let operands = |name: &str| {
        let is_below =
            |field: &&Field| field.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let fields = after.fields.iter().filter(|field| field.dictionary().has(b"T")).filter(is_below);
        fields
            .filter(|field| field.is_text() || field.is_choice())
            .map(|field| field.characters().unwrap_or_default())
            .collect()
    };
    Ok(match signed.calculation().and_then(|script| format::is_result(&script, &value, operands)) {
        Some(true) => Calculation::Result,
        Some(false) => Calculation::None,
        None => Calculation::Unknown,
    })
}
