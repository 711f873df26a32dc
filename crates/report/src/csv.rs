//! Tables for spreadsheets: CSV (RFC 4180) whose cells never start a formula.

/// Characters that start a formula, also in full width.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A row of quoted, comma-separated cells.
#[must_use]
pub fn line(cells: &[String]) -> String {
    let cell = |text: &String| format!("\"{}\"", without_formulas(text).replace('"', "\"\""));
    format!("{}\r\n", cells.iter().map(cell).collect::<Vec<_>>().join(","))
}

/// A text without formulas. Spreadsheets interpret a cell that starts with certain characters as a formula, and with an
/// apostrophe as text. Spreadsheets with semicolons or tabs as separators, such as Excel in most of Europe, do not
/// recognize the quotes and split the text into further cells.
fn without_formulas(text: &str) -> String {
    let (mut safe, mut begins_cell) = (String::with_capacity(text.len() + 1), true);
    for (place, letter) in text.chars().enumerate() {
        let opens = FORMULA.contains(&letter) || place == 0 && matches!(letter, '\t' | '\r' | '\n');
        if begins_cell && opens {
            safe.push('\'');
        }
        let separates = matches!(letter, ';' | '\t' | '\r' | '\n');
        begins_cell = separates || begins_cell && (letter == '"' || letter.is_whitespace());
        safe.push(letter);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn no_cell_begins_a_formula_or_ends_before_its_text_does() {
        for (text, cell) in [
            ("invoice.pdf", "\"invoice.pdf\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@a", "\"'@a\""),
            ("\tb", "\"'\tb\""),
            ("a,b", "\"a,b\""),
            ("x;=WEBSERVICE(A1);.pdf", "\"x;'=WEBSERVICE(A1);.pdf\""),
            ("x; \"=1", "\"x; \"\"'=1\""),
            ("x\t@a", "\"x\t'@a\""),
            ("x\n+1", "\"x\n'+1\""),
            ("\u{ff1d}1", "\"'\u{ff1d}1\""),
            (" =1", "\" '=1\""),
            ("a-b; c=d.pdf", "\"a-b; c=d.pdf\""),
        ] {
            assert_eq!(line(&[text.to_owned()]), format!("{cell}\r\n"));
        }
    }
}
