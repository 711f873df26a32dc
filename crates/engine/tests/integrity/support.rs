//! What every module here needs: a typical document, updates of it, and the answer about a file.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use engine::{Integrity, Memory, Options, Signal, SignalId, analyze};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};

use crate::bounded::analyze_within;

/// Numbers of what the typical document has beside pages.
pub(crate) const CONTENT: u32 = 20;
pub(crate) const FONT: u32 = 21;
pub(crate) const NOTE: u32 = 22;
pub(crate) const FIELD: u32 = 23;
pub(crate) const FORM: u32 = 24;

/// Two pages: the first with content, a font, a note and a form field.
pub(crate) fn typical() -> Pdf {
    Pdf::new(2)
        .info(INFO_ENTRIES)
        .catalog(&format!("/AcroForm {FORM} 0 R"))
        .with(FIRST_PAGE, page(""))
        .with_stream(CONTENT, "", b"BT /F1 12 Tf (Total due: 100) Tj ET")
        .with(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        .with(NOTE, "<< /Type /Annot /Subtype /Text /Rect [0 0 20 20] /Contents (A note) >>")
        .with(FIELD, field("before"))
        .with(FORM, format!("<< /Fields [{FIELD} 0 R] >>"))
}

/// What the document says of itself.
pub(crate) const INFO_ENTRIES: &str = "/Title (Title) /Producer (Writer 1) /CreationDate (D:20250115103000Z)";

/// The first page with further entries.
pub(crate) fn page(entries: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595.28 841.89] /Contents {CONTENT} 0 R \
         /Resources << /Font << /F1 {FONT} 0 R >> >> /Annots [{NOTE} 0 R {FIELD} 0 R] {entries} >>"
    )
}

/// The form's field with this value.
pub(crate) fn field(value: &str) -> String {
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /Rect [0 40 90 60] /P {FIRST_PAGE} 0 R >>"
    )
}

/// The answer about a file that must open.
pub(crate) fn examined(file: &[u8]) -> Integrity {
    let options = Options { now: Some(now()), ..Options::default() };
    analyze(&Memory(Bytes::copy_from_slice(file)), &options).expect("the file opens").integrity
}

/// The same of a file that spends at most `steps` of work.
pub(crate) fn examined_within(steps: u64, file: &[u8]) -> Integrity {
    let options = Options { now: Some(now()), ..Options::default() };
    analyze_within(steps, file, &options).expect("the file opens").integrity
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("a time")
}

/// The signal, which must have been found.
pub(crate) fn signal(integrity: &Integrity, id: SignalId) -> &Signal {
    let found = integrity.signals.iter().find(|signal| signal.id == id);
    found.unwrap_or_else(|| panic!("{id:?} is not among {:?}", ids(integrity)))
}

/// Which signals were found.
pub(crate) fn ids(integrity: &Integrity) -> Vec<SignalId> {
    integrity.signals.iter().map(|signal| signal.id).collect()
}
