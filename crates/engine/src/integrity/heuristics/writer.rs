//! The program that wrote the bytes: the comment after the header (ISO 32000-1, 7.5.2) compared with the Producer.

use std::sync::LazyLock;

use super::layers::MetadataLayers;
use super::software::{rows, starts_with};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::History;
use crate::integrity::signal::SignalId;
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::hex_digit;

/// Bytes of header and comment that are examined.
const HEAD_BYTES: usize = 64;

/// A writer with its header comments.
struct Writer {
    producer: &'static str,
    /// Its common name.
    name: &'static str,
    comments: Vec<Vec<u8>>,
}

static WRITERS: LazyLock<Vec<Writer>> = LazyLock::new(|| {
    let bytes = |digits: &str| -> Vec<u8> {
        let (pairs, _) = digits.as_bytes().as_chunks::<2>();
        pairs.iter().filter_map(|&[high, low]| Some(hex_digit(high)? << 4 | hex_digit(low)?)).collect()
    };
    let writer = |row: Vec<&'static str>| match row.as_slice() {
        [producer, name, "none", ..] => Some(Writer { producer, name, comments: Vec::new() }),
        [producer, name, comments, ..] => {
            Some(Writer { producer, name, comments: comments.split(',').map(bytes).collect() })
        }
        _ => None,
    };
    rows(include_str!("../data/writers.txt")).filter_map(writer).collect()
});

pub(super) fn examine(
    document: &mut Document,
    layers: &MetadataLayers,
    history: &History,
    findings: &mut Findings,
) -> Result<(), Fault> {
    // an updating program may set its own name, but keeps the first line of the oldest revision's writer
    let oldest = history.revisions.first().filter(|oldest| oldest.number == 1);
    let producer = match oldest {
        Some(oldest) if history.total > 1 => oldest.producer.as_deref(),
        _ => layers.producer(),
    };
    let Some(producer) = producer else { return Ok(()) };
    let folded = producer.to_ascii_lowercase();
    let names = |writer: &&Writer| starts_with(&folded, writer.producer);
    // a stamping program rewrites the file and adds its name after the first one
    let Some(named) = WRITERS.iter().find(names).filter(|_| !producer.contains("; modified ")) else {
        return Ok(());
    };
    let view = document.reader.view(document.header.offset, HEAD_BYTES)?;
    let Some(comment) = comment(view) else { return Ok(()) };
    let is_by = |writer: &Writer| writer.comments.iter().any(|known| comment.starts_with(known));
    if is_by(named) {
        return Ok(());
    }
    let mut likely: Vec<&str> = WRITERS.iter().filter(|writer| is_by(writer)).map(|writer| writer.name).collect();
    likely.dedup();
    if let Some((last, others)) = likely.split_last() {
        let likely = if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
        let shown = comment.get(..8).unwrap_or(comment);
        let place = format!("header comment {}", hexadecimal(shown));
        let evidence = Evidence::of(place, Some(producer), Some(&likely));
        findings.add(SignalId::WriterMismatch, Strength::Strong, evidence);
    }
    Ok(())
}

/// Whether the first line was written by a program that rewrites existing files: qpdf or MuPDF.
pub(super) fn is_processed(document: &mut Document) -> Result<bool, Fault> {
    let view = document.reader.view(document.header.offset, HEAD_BYTES)?;
    let is_by = |known: &[u8]| comment(view).is_some_and(|comment| comment.starts_with(known));
    Ok(is_by(b"\xbf\xf7\xa2\xfe") || is_by(b"\xc2\xb5\xc2\xb6"))
}

/// The bytes of the comment after the header line.
fn comment(head: &[u8]) -> Option<&[u8]> {
    let line_end = head.iter().position(|byte| matches!(byte, b'\r' | b'\n'))?;
    let rest = head.get(line_end..)?.trim_ascii_start();
    let comment = rest.strip_prefix(b"%")?;
    let end = comment.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(comment.len());
    comment.get(..end)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
