//! What is listed as a table for spreadsheets: CSV (RFC 4180), of which no cell begins a formula.

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use shared::analysis::Summary;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::listing::{Listing, Picked, Within};
use shared::reference::Reference;

use crate::app::App;
use crate::session::Session;

/// Most rows.
const ROWS: u64 = 10_000;
/// The signs that begin a formula, also in full width.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
const HEAD: [&str; 8] = ["analysed (UTC)", "file", "reference", "verdict", "reason", "signal", "bytes", "analysis id"];

/// All that the filter of a listing picks among the newest 10,000 analyses, newest first.
pub(super) async fn reply(app: &App, call: &Call, session: &Session, listing: &Listing) -> Result<Reply, Error> {
    let caller = &session.caller;
    let (within, picked) = match listing {
        Listing::Page(asked) => (Within::All, Picked { kind: asked.kind(), ..Picked::default() }),
        Listing::Walk(walk) => (walk.within(), walk.picked()),
    };
    let newest = caller.account.numbering.given();
    let looking = app.store.find(caller.user, &caller.account, newest, (within, &picked), ROWS, call.deadline());
    let found = looking.await?;
    let mut table = line(&HEAD.map(str::to_owned));
    table.extend(found.entries.iter().map(|row| line(&cells(row))));
    let reply = Reply::page(StatusCode::OK, "text/csv; charset=utf-8", table);
    Ok(reply.header(CONTENT_DISPOSITION, "attachment; filename=\"analyses.csv\"".to_owned()))
}

fn cells(row: &Summary) -> [String; 8] {
    let reason = row.reason.as_ref();
    let compared = row.compared_with.as_ref().map(|with| format!("compared with {}", with.filename));
    [
        row.analyzed_at.clone(),
        row.filename.clone(),
        row.reference.as_ref().map(Reference::as_str).unwrap_or_default().to_owned(),
        row.verdict.map(|verdict| verdict.to_string()).unwrap_or_default(),
        reason.map(|reason| reason.phrase.clone()).or(compared).unwrap_or_default(),
        reason.map(|reason| reason.signal.to_string()).unwrap_or_default(),
        row.file_size.to_string(),
        row.id.to_string(),
    ]
}

/// Cells with commas between them, each in quotes.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| format!("\"{}\"", without_formulas(text).replace('"', "\"\""));
    format!("{}\r\n", cells.iter().map(cell).collect::<Vec<_>>().join(","))
}

/// A text of which no cell begins a formula. A spreadsheet takes what begins with a certain sign for one, and with an
/// apostrophe before it for a text. One that separates cells by semicolons or tabs, as Excel does in most of Europe, finds more
/// cells in the text, because it opened no quotes for them.
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
