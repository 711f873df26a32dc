//! Findings survive storage, whatever their size.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{DICTIONARY, FINDING, packed, size, unpacked};
use crate::analysis::StoredFinding;
use crate::file_hash::FileHash;
use crate::table::item::Item;

fn stored(finding: &StoredFinding) -> Vec<u8> {
    packed(finding).unwrap().as_b().unwrap().as_ref().to_vec()
}

fn read(bytes: Vec<u8>) -> Option<StoredFinding> {
    Item::new(HashMap::from([(FINDING.to_owned(), AttributeValue::B(bytes.into()))])).finding().ok()?
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

proptest! {
    #[test]
    fn an_analysis_reads_as_it_was_stored(title in ".{0,40}", texts in proptest::collection::vec(any::<u64>(), 0..3_000)) {
        let metadata = json!({ "file": null, "title": title, "texts": texts, "integrity": 1, "hidden": 2, "engine": 3 });
        let metadata = to_raw_value(&metadata).unwrap();
        for seen in [None, Some(raw(r#"{"same_file":[],"same_document":[]}"#))] {
            let bytes = stored(&StoredFinding::Analysis { metadata: metadata.clone(), seen: seen.clone() });
            let Some(StoredFinding::Analysis { metadata: again, seen: seen_again }) = read(bytes) else { panic!("no analysis") };
            prop_assert_eq!(again.get(), metadata.get());
            prop_assert_eq!(seen_again.map(|seen| seen.get().to_owned()), seen.map(|seen| seen.get().to_owned()));
        }
    }

    #[test]
    fn no_bytes_are_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = unpacked(&bytes);
        let deflated = [&[1], bytes.as_slice()].concat();
        let _ = unpacked(&deflated);
    }
}

#[test]
fn a_comparison_reads_as_it_was_stored() {
    let bytes = stored(&StoredFinding::Comparison { files: raw("[1,2]"), comparison: raw(r#"{"relation":"same"}"#) });
    let Some(StoredFinding::Comparison { files, comparison }) = read(bytes) else { panic!("no comparison") };
    assert_eq!((files.get(), comparison.get()), ("[1,2]", r#"{"relation":"same"}"#));
}

#[test]
fn what_is_truncated_or_of_another_kind_is_malformed() {
    let bytes = stored(&StoredFinding::Analysis { metadata: raw(r#"{"engine":4}"#), seen: None });
    for length in 0..bytes.len() {
        assert!(read(bytes[..length].to_vec()).is_none(), "{length} of {}", bytes.len());
    }
    for kind in 2..=255 {
        assert!(unpacked(&[kind, 3, 0]).is_err(), "{kind}");
    }
    assert!(read(b"\0{\"metadata\":{}}".to_vec()).is_some(), "plain JSON is read");
}

/// A finding that grows while it is inflated is refused.
#[test]
fn a_finding_has_at_most_two_megabytes() {
    let long = format!("\"{}\"", "a".repeat(3 << 20));
    let bytes = stored(&StoredFinding::Analysis { metadata: raw(&long), seen: None });
    assert!(bytes.len() < 10_000 && unpacked(&bytes).is_err());
}

/// Stored findings are read with these bytes, for ever.
#[test]
fn the_dictionary_stays_as_it_is() {
    assert_eq!(
        FileHash::of(DICTIONARY).to_string(),
        "adbe633885b398e23b2ef44be92d973ada55dcfa7fb4e605f7b52112d1d4148c"
    );
}

#[test]
fn rows_have_the_size_that_dynamodb_counts() {
    let row = HashMap::from([
        ("pk".to_owned(), AttributeValue::S("USER#1".to_owned())),
        ("hash".to_owned(), AttributeValue::B(vec![0; 32].into())),
        ("shown".to_owned(), AttributeValue::Bool(true)),
    ]);
    assert_eq!(size(&row), 2 + 6 + 4 + 32 + 5 + 1);
    let number = HashMap::from([("n".to_owned(), AttributeValue::N("12345".to_owned()))]);
    assert!((4..=6).contains(&size(&number)));
}
