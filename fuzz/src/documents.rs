//! PDFs: any bytes, any objects in an intact file, and the texts, dates and packets in it.

use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;
use chrono::DateTime;
use engine::{
    After, Covers, Date, ExaminedRevisions, Failure, Integrity, Memory, Metadata, Options, Reason, Signal, SignalId,
    Signature, SignatureStatus, Source, SourceError, Strength, Verdict, analyze, page_texts,
};
use peak_alloc::PeakAlloc;
use samples::pdf::{Form, INFO, Pdf};

use crate::{content, seeds};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What an analysis may have in use at most.
const MOST_MEMORY: usize = 48 << 20;
/// The longest text of an answer, characters.
const LONGEST: usize = 4096;

/// A whole file.
pub(crate) fn file(bytes: &[u8]) {
    let bytes = Bytes::copy_from_slice(bytes);
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let now = DateTime::from_timestamp(1_800_000_000, 0);
    let source = Memory(bytes.clone());
    let asked = Options { password: Some("password"), now, ..Options::default() };
    let result = analyze(&source, &asked);
    let growth = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(growth < MOST_MEMORY, "{growth} bytes");
    // one file, one answer: nothing depends on what lies at hand
    let told = |result: &Result<Metadata, Failure>| match result {
        Ok(metadata) => serde_json::to_string(metadata).unwrap_or_default(),
        Err(failure) => failure.to_string(),
    };
    assert_eq!(told(&result), told(&analyze(&Sparse(bytes), &asked)));
    match result {
        Ok(metadata) => check(&metadata),
        Err(Failure::Rejected(_)) => {}
        Err(Failure::Source(error)) => panic!("memory does not fail: {error}"),
    }
    ALLOCATOR.reset_peak_usage();
    let options = Options { password: Some("password"), ..Options::default() };
    page_texts(&source, &options, 0..2).unwrap_or_default().iter().for_each(content::check);
    let growth = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(growth < MOST_MEMORY, "{growth} bytes");
}

/// A file of which nothing is read that was not asked for.
struct Sparse(Bytes);

impl Source for Sparse {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        Ok(ranges.iter().map(|range| self.0.slice(range.start as usize..range.end as usize)).collect())
    }

    fn ends(&self) -> (u64, u64) {
        (1, 1)
    }
}

/// An intact file of any objects: texts between bytes 0xFF, numbered from 1; one that starts with `!` is a stream,
/// its dictionary's entries before the next `!` and its body, which is compressed, behind it.
pub(crate) fn objects(bytes: &[u8]) {
    let Some((form, rest)) = bytes.split_first() else { return };
    let mut pdf = Pdf::new(1);
    for (index, object) in rest.split(|byte| *byte == 0xff).take(64).enumerate() {
        let number = index as u32 + 1;
        match object.strip_prefix(b"!") {
            Some(stream) => {
                let at = stream.iter().position(|byte| *byte == b'!').unwrap_or(stream.len());
                let (entries, body) = stream.split_at(at);
                let entries = String::from_utf8_lossy(entries);
                pdf = pdf.with_compressed(number, &entries, body.get(1..).unwrap_or_default());
            }
            None => pdf.set(number, object),
        }
    }
    file(&match form % 4 {
        0 => pdf.classic(),
        1 => pdf.compressed(),
        2 => pdf.hybrid(&[INFO]),
        _ => pdf.linearized(),
    });
}

/// An update of any objects, written like those of [`objects`] but with two bytes of their number before each, upon a file
/// that is signed, updated or encrypted.
pub(crate) fn update(bytes: &[u8]) {
    static BASES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let Some(([base, form], rest)) = bytes.split_first_chunk::<2>() else { return };
    let bases = BASES.get_or_init(seeds::bases);
    let mut changes = Pdf::changes();
    for object in rest.split(|byte| *byte == 0xff).take(64) {
        let Some(([high, low], object)) = object.split_first_chunk::<2>() else { continue };
        let number = u32::from(*high) << 8 | u32::from(*low);
        match object.strip_prefix(b"!") {
            Some(stream) => {
                let at = stream.iter().position(|byte| *byte == b'!').unwrap_or(stream.len());
                let (entries, body) = stream.split_at(at);
                let entries = String::from_utf8_lossy(entries);
                changes = changes.with_compressed(number, &entries, body.get(1..).unwrap_or_default());
            }
            None if object.is_empty() => changes = changes.freeing(&[number]),
            None => changes.set(number, object),
        }
    }
    let base = bases[usize::from(*base) % bases.len()].clone();
    file(&changes.update_as(base, Form::ALL[usize::from(*form) % Form::ALL.len()]));
}

/// A date of the Info dictionary.
pub(crate) fn date(bytes: &[u8]) {
    if let Some(metadata) = with_info(&format!("/CreationDate {} /ModDate (D:20250101)", hexadecimal(bytes))) {
        check(&metadata);
    }
}

/// A text of the Info dictionary.
pub(crate) fn text(bytes: &[u8]) {
    if let Some(metadata) = with_info(&format!("/Title {}", hexadecimal(bytes))) {
        check(&metadata);
    }
}

/// An XMP packet.
pub(crate) fn packet(bytes: &[u8]) {
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata /Subtype /XML", bytes);
    file(&pdf.classic());
}

fn with_info(entries: &str) -> Option<Metadata> {
    let file = Pdf::new(1).info(entries).classic();
    match analyze(&Memory(file.into()), &Options::default()) {
        Ok(metadata) => Some(metadata),
        // a string of megabytes is over the budget of an object
        Err(Failure::Rejected(Reason::TooComplex)) => None,
        Err(failure) => panic!("{failure:?}"),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("<{digits}>")
}

/// What the contract says of every answer.
fn check(metadata: &Metadata) {
    assert!(metadata.basic.pages > 0 && metadata.basic.pages == metadata.page_count);
    let document = &metadata.document;
    let texts = [
        &document.title,
        &document.author,
        &document.subject,
        &document.keywords,
        &document.creator,
        &document.producer,
        &document.language,
        &metadata.xmp.creator_tool,
        &metadata.xmp.document_id,
        &metadata.xmp.instance_id,
        &metadata.conformance.pdf_a,
    ];
    for text in texts.into_iter().flatten() {
        assert!(!text.is_empty() && text.chars().count() <= LONGEST && text.trim() == text, "{text:?}");
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
    check_date(&metadata.dates.created);
    check_date(&metadata.dates.modified);
    assert!(!metadata.dates.was_modified || (metadata.dates.created.parsed && metadata.dates.modified.parsed));
    check_integrity(&metadata.integrity);
    serde_json::to_string(metadata).expect("metadata has a JSON form");
}

fn check_integrity(integrity: &Integrity) {
    assert!(integrity.summary.ends_with('.') && !integrity.summary.chars().any(char::is_control), "{integrity:#?}");
    assert!(integrity.revisions.len() <= 50 && integrity.signatures.len() <= 50);
    check_clean(integrity);
    for id in &integrity.because {
        assert!(integrity.signals.iter().any(|signal| signal.id == *id), "{integrity:#?}");
    }
    for (index, signal) in integrity.signals.iter().enumerate() {
        assert!(integrity.signals.iter().skip(index + 1).all(|other| other.id != signal.id), "{integrity:#?}");
        assert!(signal.evidence.len() <= 10 && signal.evidence.len() <= signal.evidence_total as usize);
        for evidence in &signal.evidence {
            let texts = [&evidence.place, &evidence.before, &evidence.after];
            assert!(texts.into_iter().flatten().all(|text| text.chars().count() <= 200), "{evidence:?}");
        }
    }
}

/// A clean answer is earned: everything was looked at, nothing is left unexplained, and every signature fits and covers all
/// that was there.
fn check_clean(integrity: &Integrity) {
    let is_signed = match integrity.verdict {
        Verdict::SavedAgain | Verdict::NoSigns => false,
        Verdict::UnchangedSinceSigning => true,
        _ => return,
    };
    let is_kept = |signature: &Signature| {
        signature.status == SignatureStatus::Intact
            && signature.covers != Covers::Part
            && signature.after == Some(After::Nothing)
    };
    let is_weightier = |signal: &Signal| signal.strength == Strength::Conclusive && !is_signed;
    let is_left = |signal: &Signal| {
        matches!(signal.id, SignalId::ForbiddenChangeAfterSigning | SignalId::SignatureBroken)
            && signal.evidence.iter().any(|place| place.revision > integrity.signatures.first().map(|it| it.revision))
    };
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::All, "{integrity:#?}");
    assert!(integrity.signatures.iter().all(is_kept) && integrity.signatures.is_empty() != is_signed, "{integrity:#?}");
    assert!(!integrity.signals.iter().any(|signal| is_weightier(signal) || is_left(signal)), "{integrity:#?}");
}

fn check_date(date: &Date) {
    assert_eq!(date.parsed, date.iso8601.is_some());
    assert!(date.raw.is_some() || !date.parsed);
    let shown = serde_json::to_value(date).expect("a date has a JSON form");
    if let Some(text) = shown["iso8601"].as_str() {
        assert!(chrono::DateTime::parse_from_rfc3339(text).is_ok() && text.len() == 25, "{text:?}");
    }
}
