//! The largest answers there can be, and what stays out of all of them.

use serde_json::json;

use super::{HiddenWords, MAX_ANSWER_BYTES, ReportPart, ReportedAnalysis, ReportedComparison};

/// The largest analysis of the engine: 37 signals in ten places each, every text as long as it may be and in letters of
/// four bytes.
fn largest() -> ReportedAnalysis {
    let text = "\u{1f600}".repeat(4096);
    let place = json!({
        "revision": 50, "object": 123_456, "page": 1000, "place": text, "before": text, "after": text,
        "box": [1234.56, 1234.56, 1234.56, 1234.56], "public": "both"
    });
    let signals: Vec<_> = (0..37)
        .map(|number| {
            json!({
                "id": format!("page_content_changed_{number}"), "strength": "conclusive", "summary": "x".repeat(110),
                "evidence": vec![place.clone(); 10], "evidence_total": 1_000_000
            })
        })
        .collect();
    let because: Vec<_> = signals.iter().map(|signal| signal["id"].clone()).collect();
    let texts = json!({ "title": text, "author": text, "creator": text, "producer": text });
    ReportedAnalysis {
        id: Some("00000000-0001-8614-bd98-f44607e6fa02".to_owned()),
        analyzed_at: Some("2026-11-20T07:15:38Z".to_owned()),
        filename: Some(text.chars().take(63).collect()),
        file_size: 104_857_600,
        metadata: json!({
            "page_count": 1_000_000,
            "document": texts,
            "integrity": {
                "verdict": "permitted_changes_since_signing", "summary": text, "summary_public": true, "because": because, "signals": signals,
                "usage_caution": "x".repeat(200)
            }
        }),
        ..ReportedAnalysis::default()
    }
}

#[test]
fn the_largest_answer_is_within_the_limit_and_says_what_it_leaves_out() {
    let largest = largest();
    let (summary, signals) = (
        largest.clone().report(ReportPart::Summary, HiddenWords::Withheld),
        largest.report(ReportPart::Signals, HiddenWords::Withheld),
    );
    for reported in [&summary, &signals] {
        assert!(reported.to_string().len() <= MAX_ANSWER_BYTES, "{}", reported.to_string().len());
    }
    assert_eq!(summary["reasons"].as_array().map(Vec::len), Some(5));
    let reported = signals["signals"].as_array().unwrap().len();
    assert_eq!((reported >= 10, reported + signals["signals_left_out"].as_u64().unwrap() as usize), (true, 37));
}

#[test]
fn of_places_only_what_is_public_is_told() {
    let place =
        |public: &str| json!({ "page": 1, "place": "field", "before": "hidden", "after": "hidden", "public": public });
    for (reported, place) in
        [(true, place("both")), (true, place("now")), (false, place("none")), (false, json!({ "after": "hidden" }))]
    {
        let signal = json!({ "id": "form_changed", "strength": "strong", "summary": "It.", "evidence": [place] });
        let analyzed = ReportedAnalysis {
            metadata: json!({ "integrity": { "signals": [signal] } }),
            ..ReportedAnalysis::default()
        };
        for part in [ReportPart::Signals, ReportPart::Metadata] {
            let answer = analyzed.clone().report(part, HiddenWords::Withheld);
            // the name of such a place is not reported either
            let texts = answer["untrusted"]["texts"].to_string();
            assert_eq!((texts.contains("hidden"), texts.contains("field")), (reported, reported), "{answer}");
            assert!(!answer["signals"].to_string().contains("hidden"), "{answer}");
        }
    }
}

#[test]
fn text_that_pages_hide_is_never_told() {
    let signal = json!({
        "id": "text_retyped", "strength": "strong", "summary": "It.", "evidence_total": 1,
        "evidence": [{ "page": 1, "place": "under a white area", "before": "412.07", "after": "4,412.07", "box": [1, 2, 3, 4] }],
    });
    let metadata = json!({
        "integrity": {
            "verdict": "signs_of_change", "summary": "On page 1 '412.07' lies under a white area.", "because": ["text_retyped"],
            "signals": [signal],
        },
        "hidden": { "examined": "all", "items": [{ "page": 1, "kind": "retyped", "characters": 6, "text": "412.07" }], "total": 1 },
    });
    let analyzed = ReportedAnalysis { metadata, ..ReportedAnalysis::default() };
    for part in [ReportPart::Summary, ReportPart::Signals, ReportPart::Metadata] {
        let answer = analyzed.clone().report(part, HiddenWords::Withheld).to_string();
        assert!(
            !answer.contains("'412.07") && !answer.contains("\"412.07") && answer.contains("text_retyped"),
            "{answer}"
        );
    }
    // to the owner's own agent they are, as what the file says
    let own = analyzed.clone().report(ReportPart::Signals, HiddenWords::Reported);
    assert_eq!(own["untrusted"]["texts"]["signals[0].evidence[0].before"], "412.07", "{own}");
    let whole = analyzed.report(ReportPart::Metadata, HiddenWords::Withheld);
    assert_eq!(whole["metadata"]["hidden"]["items"][0]["kind"], "retyped");
}

#[test]
fn the_largest_comparison_is_within_the_limit_and_says_what_it_leaves_out() {
    let text = "\u{1f600}".repeat(500);
    let words = json!({ "page": 500, "text": text, "line": text, "box": [1234.56, 1234.56, 1234.56, 1234.56] });
    let pages: Vec<u32> = (1..=500).collect();
    let field = json!({ "field": "document.producer", "before": text, "after": text });
    let comparison = json!({
        "relation": "same_document", "grown": null, "pages": [500, 500], "words_total": 700,
        "words": vec![json!({ "before": words, "after": words, "public": true }); 500],
        "pages_added": pages, "pages_removed": pages, "pages_moved": vec![[500, 500]; 500],
        "metadata": vec![field; 10],
        "form": vec![json!({ "name": text, "before": text, "after": text, "public": true }); 100], "examined": "part", "without_text": [pages, pages], "too_different": false
    });
    let file = json!({ "filename": text, "file_size": 104_857_600, "sha256": "0".repeat(64) });
    let largest = ReportedComparison {
        id: Some("00000000-0001-8614-bd98-f44607e6fa02".to_owned()),
        analyzed_at: Some("2026-11-20T07:15:38Z".to_owned()),
        files: json!([file, file]),
        comparison: serde_json::from_value(comparison).expect("it is one"),
        remaining_checks: Some(48),
    };
    let reported = largest.report();
    assert!(reported.to_string().len() <= MAX_ANSWER_BYTES, "{}", reported.to_string().len());
    let words = reported["words"].as_array().map_or(0, Vec::len);
    assert_eq!((words >= 5, words as u64 + reported["words_left_out"].as_u64().unwrap_or(0)), (true, 700));
}
