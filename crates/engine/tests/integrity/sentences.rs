//! The answer in one sentence.

use bytes::Bytes;
use engine::{Memory, Options, analyze};
use samples::histories;

#[test]
fn the_answer_says_what_was_done_and_when() {
    for (name, sentence) in [
        (
            "Quotation (total changed)",
            "On page 1, 'Total due: 1,200.00' became 'Total due: 21,200.00' in the second of three saves, on 17 January 2025, with “Pocket Editor 3.1”.",
        ),
        (
            "Certificate of origin",
            "The file was saved again by “iText 2.1.7 by 1T3XT”. No sign of another change was found; a change made before that save would leave no trace.",
        ),
        (
            "Contract (altered)",
            "On page 1, 'Total due: 1,200.00' became 'Total due: 12,000.00' in the third of three saves, on 23 January 2025, with “Pocket Editor 3.1”, after it was signed, which the signature does not permit.",
        ),
        (
            "Statement (cut off)",
            "It is inconclusive whether the file was changed: the file is damaged, so its revisions cannot be compared.",
        ),
    ] {
        let history = histories::all().into_iter().find(|history| history.name == name).unwrap();
        let metadata = analyze(&Memory(Bytes::from(history.file)), &Options::default()).unwrap();
        assert_eq!(metadata.integrity.summary, sentence, "{name}");
    }
}

#[test]
fn every_verdict_carries_the_same_caution() {
    let cautions = histories::all().into_iter().map(|history| {
        let metadata = analyze(&Memory(Bytes::from(history.file)), &Options::default()).unwrap();
        metadata.integrity.usage_caution
    });
    let mut cautions: Vec<_> = cautions.collect();
    cautions.dedup();
    assert_eq!(cautions.len(), 1, "{cautions:?}");
    assert!(cautions[0].starts_with("Don't judge anyone on this alone"), "{cautions:?}");
}
