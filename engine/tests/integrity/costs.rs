//! What examining may cost, counted in reads.

use std::ops::Range;

use bytes::Bytes;
use engine::{ExaminedRevisions, Options, Source, SourceError, Stats, Verdict, analyze_measured};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};

use crate::support::{CONTENT, FIELD, INFO_ENTRIES, field, typical};

/// Bytes that have to be asked for.
struct Remote<'a>(&'a [u8]);

impl Source for Remote<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        let slice = |range: &Range<u64>| Bytes::copy_from_slice(&self.0[range.start as usize..range.end as usize]);
        Ok(ranges.iter().map(slice).collect())
    }
}

fn examined(file: &[u8]) -> (engine::Integrity, Stats) {
    let (metadata, stats) = analyze_measured(&Remote(file), &Options::default());
    (metadata.expect("the file opens").integrity, stats)
}

#[test]
fn ten_updates_of_a_large_file_take_three_rounds_more() {
    let mut file = typical().with_stream(900, "", &vec![b'x'; 100 << 20]).classic();
    let (_, before) = examined(&file);
    for number in 0..10 {
        // more than the tail that is read anyway
        let changes = Pdf::changes()
            .with_stream(CONTENT, "", format!("BT (Total due: {number}) Tj ET").as_bytes())
            .with(FIELD, field(&number.to_string()))
            .with_stream(901 + number, "", &vec![b' '; 20 << 10]);
        file = changes.update(file);
    }
    let (integrity, after) = examined(&file);
    assert_eq!((integrity.verdict, integrity.revisions.len()), (Verdict::Changed, 11));
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::All);
    assert!(
        integrity.revisions[1..].iter().all(|revision| revision.objects.changed == 2),
        "{:#?}",
        integrity.revisions
    );
    // each table has to be read to know of the one before it
    let chain = 10;
    println!("{before:?}\n{after:?}");
    assert!(after.rounds <= before.rounds + 3 + chain, "{before:?} {after:?}");
    assert!(after.bytes_read < before.bytes_read + (1 << 20), "{before:?} {after:?}");
}

#[test]
fn a_file_of_one_revision_takes_no_read() {
    let mut annotations = String::new();
    let mut pdf = Pdf::new(2).info(format!("{INFO_ENTRIES} /ModDate (D:20260115103000Z)"));
    for number in 1_000..1_050 {
        annotations += &format!("{number} 0 R ");
        pdf.set(number, "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /M (D:20270115103000Z) >>");
    }
    let page = |key: &str| format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] /{key} [{annotations}] >>");
    // what is between is not read, so that anything asked for there is one read more
    let [annotated, plain] =
        ["Annots", "Xnnots"].map(|key| pdf.clone().with(FIRST_PAGE, page(key)).spread(9_000).classic());
    let ((integrity, stats), (_, expected)) = (examined(&annotated), examined(&plain));
    assert_eq!(integrity.revisions.len(), 1);
    assert_eq!(stats, expected);
}
