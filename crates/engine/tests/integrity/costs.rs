//! What examining may cost, counted in reads.

use engine::{ExaminedContent, ExaminedRevisions, Options, Stats, Verdict, analyze_measured};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};

use crate::remote::Remote;
use crate::support::{CONTENT, FIELD, FONT, INFO_ENTRIES, field, typical};

/// The answer without what pages hide, and what it cost.
fn examined(file: &[u8]) -> (engine::Integrity, Stats) {
    let (metadata, stats) = looked_at(file, &Options { skip_content: true, ..Options::default() });
    (metadata.integrity, stats)
}

fn looked_at(file: &[u8], options: &Options) -> (engine::Metadata, Stats) {
    let (metadata, stats) = analyze_measured(&Remote(file), options);
    (metadata.expect("the file opens"), stats)
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

#[test]
fn what_pages_hide_takes_four_megabytes_and_two_rounds_more() {
    const RETYPED: &[u8] = b"BT /F 10 Tf 20 100 Td (Total 1,250.00) Tj ET 1 g 15 95 90 14 re f \
        0 g BT /F 10 Tf 20 100 Td (Total 9,250.00) Tj ET";
    let page = |content: u32| {
        format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 400 200] /Contents {content} 0 R \
             /Resources << /Font << /F {FONT} 0 R >> >> >>"
        )
    };
    // far apart, or one behind the other with all that is large behind them
    for (between, behind, megabytes, rounds) in [(5_000, 0, 1, 1), (300_000, 0, 4, 2), (0, 100 << 20, 1, 1)] {
        let mut pdf = Pdf::new(30).with(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
        for number in 0..30 {
            let content = 100 + 2 * number;
            pdf = pdf.with(FIRST_PAGE + number, page(content)).with_stream(content, "", RETYPED);
            pdf = pdf.with_stream(content + 1, "", &vec![b'x'; between]);
        }
        let file = pdf.with_stream(900, "", &vec![b'x'; behind]).classic();
        let (_, without) = looked_at(&file, &Options { skip_content: true, ..Options::default() });
        let (metadata, with) = looked_at(&file, &Options::default());
        println!("{between}: {without:?} {with:?}");
        assert!(with.rounds <= without.rounds + rounds, "{between}: {without:?} {with:?}");
        assert!(with.bytes_read <= without.bytes_read + (megabytes << 20), "{between}: {without:?} {with:?}");
        // all pages of a small file, the first ones of a large file
        let (examined, total) =
            if file.len() < 2 << 20 { (ExaminedContent::All, 30) } else { (ExaminedContent::Part, 20) };
        assert_eq!((metadata.hidden.examined, metadata.hidden.total), (examined, total), "{between}");
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange);
    }
}
