//! What is listed as a table for spreadsheets: CSV (RFC 4180), of which no cell begins a formula.

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use shared::analysis::Summary;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::listing::{Filter, Listing, Picked};
use shared::reference::Reference;

use crate::app::App;
use crate::session::Session;

/// Most rows.
const ROWS: u64 = 10_000;
const HEAD: [&str; 8] = ["analysed (UTC)", "file", "reference", "verdict", "reason", "signal", "bytes", "analysis id"];

/// All that the filter of a listing picks among the newest 10,000 analyses, newest first.
pub(super) async fn reply(app: &App, call: &Call, session: &Session, listing: &Listing) -> Result<Reply, Error> {
    let (caller, numbering) = (&session.caller, &session.caller.account.numbering);
    let filter = match listing {
        Listing::Page(_) => Filter::All,
        Listing::Walk(walk) => walk.filter(),
    };
    let found = match (filter, listing) {
        (Filter::File(_) | Filter::Reference(_), Listing::Walk(walk)) => {
            app.store.walk(caller.user, walk, numbering, call.deadline()).await?
        }
        (filter, _) => {
            let picked = if let Filter::Picked(picked) = filter { picked } else { Picked::default() };
            let newest = numbering.given();
            app.store.look_for(caller.user, numbering, newest, (ROWS, &picked), call.deadline()).await?
        }
    };
    let mut table = line(&HEAD.map(str::to_owned));
    table.extend(found.analyses.iter().map(|row| line(&cells(row))));
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

/// Cells with commas between them, each in quotes. A spreadsheet takes what begins with one of these signs for a formula, and
/// with an apostrophe before it for a text.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
        format!("\"{}{}\"", if is_formula { "'" } else { "" }, text.replace('"', "\"\""))
    };
    format!("{}\r\n", cells.iter().map(cell).collect::<Vec<_>>().join(","))
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
        ] {
            assert_eq!(line(&[text.to_owned()]), format!("{cell}\r\n"));
        }
    }
}
