//! Large files, many signatures, long values: what a check may cost.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use engine::{ExaminedBytes, Failure, Options, Source, SourceError, analyze, analyze_measured};
use samples::pdf::Pdf;
use samples::signed::{Certificate, Cms, Hash, Inside, Key, SignedPdf, Signing};

use crate::remote::Remote;
use crate::support::{INTACT, ODD_FORMAT, OTHER_CONTENT, judge, judged, metadata, signed, with};

/// A signed file of some 20 MB, which takes three pieces.
fn large() -> Vec<u8> {
    let pdf = Pdf::new(1).with_stream(600, "", &vec![b'x'; 20 << 20]);
    let hashes = [Hash::Sha256, Hash::Sha512, Hash::Sha256];
    let mut document = SignedPdf::new(&pdf);
    for (hash, name) in hashes.into_iter().zip(["First", "Second", "Third"]) {
        let cms = Cms { hash, ..Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer")) };
        document = document.signed(&Signing::new(cms).field(name));
    }
    document.file
}

#[test]
fn a_large_file_is_read_once_for_all_signatures() {
    let file = large();
    assert_eq!(judged(&file), [INTACT; 3]);
    assert_eq!(metadata(&file).integrity.examined.bytes, ExaminedBytes::All);
    let (metadata, stats) = analyze_measured(&Remote(&file), &Options::default());
    let metadata = metadata.expect("the file opens");
    let judged_there: Vec<_> = metadata.integrity.signatures.iter().map(|found| (found.status, found.reason)).collect();
    assert_eq!((judged_there, metadata.integrity.examined.bytes), (vec![INTACT; 3], ExaminedBytes::All));
    assert!(stats.bytes_read < file.len() as u64 + (1 << 20), "{stats:?}");
    assert_eq!(metadata.file.sha256, Some(hexadecimal(&Hash::Sha256.of(&file))));
    let mut changed = file.clone();
    changed[19 << 20] = b'y';
    assert_eq!(judged(&changed), [OTHER_CONTENT; 3]);
}

#[test]
fn a_file_without_signatures_is_not_read_for_them() {
    let pdf = Pdf::new(1).with_stream(600, "", &vec![b'x'; 1 << 20]).catalog("/AcroForm << /Fields [601 0 R] >>");
    let file = pdf.with(601, "<< /FT /Tx /T (Name) /V (Ann) >>").classic();
    let (metadata, stats) = analyze_measured(&Remote(&file), &Options::default());
    assert_eq!(metadata.expect("the file opens").integrity.examined.bytes, ExaminedBytes::Needed);
    assert!(stats.bytes_read < 100_000, "{stats:?}");
}

#[test]
fn a_value_of_ten_megabytes_is_too_large() {
    let bytes = vec![7; 5 << 20];
    let cms = Cms { inside: Inside::Bytes(bytes), ..Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer")) };
    let file = signed(&Signing { room: 10 << 20, ..Signing::new(cms.clone()) });
    assert_eq!(judge(&file), ODD_FORMAT);
    let file = signed(&Signing { room: 5 << 20, ..Signing::new(Cms { inside: Inside::Nothing, ..cms }) });
    assert_ne!(judge(&file).0, engine::SignatureStatus::Intact);
}

#[test]
fn two_megabytes_of_value_are_read() {
    let authority = Certificate::self_signed(Key::OtherEd25519, "Some Authority").make();
    let own = Certificate::self_signed(Key::Ed25519, "Ann Signer");
    let mut certificates = vec![authority; 5_000];
    certificates.push(own.make());
    let cms = Cms { certificates: Some(certificates), ..Cms::new(own) };
    assert_eq!(judge(&signed(&Signing { room: 2 << 20, ..Signing::new(cms) })), INTACT);
}

#[test]
fn at_most_fifty_are_told_of_and_a_broken_one_is_never_left_out() {
    let mut document = SignedPdf::new(&Pdf::new(1).info("/Title (Contract)"));
    for index in 0..55 {
        document =
            document.signed(&Signing { room: 1_000, ..Signing::by(Key::Ed25519).field(&format!("Field {index}")) });
    }
    let names = |file: &[u8]| -> Vec<String> {
        metadata(file).integrity.signatures.into_iter().filter_map(|found| found.field).collect()
    };
    let shown = names(&document.file);
    assert_eq!((shown.len(), shown[0].as_str(), shown[49].as_str()), (50, "Field 5", "Field 54"));
    assert!(judged(&document.file).iter().all(|judged| *judged == INTACT));
    let broken = with(&document.file, "/T (Field 20)", "/T (Field xx)");
    let judged = judged(&broken);
    assert_eq!(judged.iter().filter(|judged| **judged == OTHER_CONTENT).count(), 35);
    assert_eq!(judged.len(), 50);
}

/// A source whose first long read lasts until the deadline.
struct Late<'f> {
    file: Remote<'f>,
    deadline: Instant,
    /// Reads that began later.
    late_reads: AtomicU64,
}

impl Source for Late<'_> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        if Instant::now() >= self.deadline {
            self.late_reads.fetch_add(1, Ordering::Relaxed);
        }
        if ranges.iter().any(|range| range.end - range.start > 1 << 20) {
            std::thread::sleep(self.deadline.saturating_duration_since(Instant::now()));
        }
        self.file.read(ranges)
    }
}

#[test]
fn nothing_more_is_read_for_signatures_after_the_deadline() {
    let file = large();
    let deadline = Instant::now() + Duration::from_millis(500);
    let late = Late { file: Remote(&file), deadline, late_reads: AtomicU64::new(0) };
    let result = analyze(&late, &Options { deadline: Some(deadline), ..Options::default() });
    assert!(matches!(result, Err(Failure::Source(_))), "{:?}", result.map(|found| found.integrity.verdict));
    assert_eq!(late.late_reads.into_inner(), 0);
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
