//! What the table holds: analyses of earlier versions of the service, and the largest that there may be.

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::Utc;
use engine::{
    After, AnchorSource, Basis, Comparison, Covers, Evidence, FieldChange, HiddenItem, HiddenKind, Level, Memory,
    Metadata, MetadataChange, Objects, Options, PlacedWords, Revision, RevocationStatus, Signal, SignalId, Signature,
    SignatureKind, SignatureStatus, SignedAt, SignerCertificate, Strength, TimeSource, Trust, TrustAnchor, TrustStatus,
    WordChange,
};
use samples::small::pdf;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use shared::analysis::StoredFinding;
use shared::deadline::Deadline;
use shared::document_key::DocumentKey;
use shared::file_hash::FileHash;
use shared::idempotency::Fingerprint;
use shared::ids::AnalysisId;
use shared::quota::{Quota, timestamp};
use shared::reference::Reference;
use shared::related_analyses::{RelatedAnalyses, RelatedAnalysis};
use shared::size_limit::{MAX_BYTES, limit_comparison, limit_metadata};
use shared::store::commit::{Committed, NewEntry};
use shared::store::{Row, finding_json};
use tests::random::Random;
use tests::rows::{read, text, write};
use tests::service::TestService;

#[tokio::test]
async fn what_an_old_analysis_lacks_is_answered_as_null_and_stays_as_it_is() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let first = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    let id = first.json["data"]["id"].as_str().unwrap();
    assert!(first.json["data"]["metadata"]["integrity"]["verdict"].is_string());

    // as it was stored before these keys were
    let mut row = read(&service, &ada, "ANALYSIS#000000000001").await;
    row.remove("verdict").unwrap();
    let finding = finding_json(row["finding"].as_b().unwrap().as_ref()).unwrap();
    let mut finding: Value = serde_json::from_slice(&finding).unwrap();
    assert!(finding.as_object_mut().unwrap().remove("seen").is_some());
    for key in ["file", "integrity", "hidden", "engine"] {
        finding["metadata"].as_object_mut().unwrap().remove(key).unwrap();
    }
    let metadata = finding["metadata"].to_string();
    // without compression
    let finding = AttributeValue::B([&[0], finding.to_string().as_bytes()].concat().into());
    row.insert("finding".to_owned(), finding);
    write(&service, row.clone()).await;

    let mut expected = first.json["data"].clone();
    for key in ["file", "integrity", "hidden", "engine"] {
        expected["metadata"][key] = Value::Null;
    }
    expected["seen"] = Value::Null;
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.expect(200).json["data"], expected);
    assert_eq!(ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200).json["data"], expected);
    assert_eq!(ada.get("/pdf").await.expect(200).json["data"][0]["verdict"], Value::Null);
    assert_eq!(ada.get("/pdf?verdict=no_signs").await.expect(200).json["data"], Value::Array(Vec::new()));
    assert_eq!(read(&service, &ada, "ANALYSIS#000000000001").await, row);

    // the same with the finding in a row of its own, and there as a text, as earlier builds stored it
    let mut apart = row.clone();
    apart.insert("sk".to_owned(), text("METADATA#000000000001"));
    row.remove("finding");
    write(&service, row).await;
    write(&service, apart.clone()).await;
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.expect(200).json["data"], expected);
    apart.remove("finding");
    apart.insert("metadata".to_owned(), text(&metadata));
    write(&service, apart).await;
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.expect(200).json["data"], expected);
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.expect(404).code(), "not_found");
}

/// Metadata in which all texts are the longest of characters that JSON writes with six bytes.
fn largest() -> Metadata {
    let long = || Some("\u{1}".repeat(200));
    let text = || Some("\u{10348}".repeat(4_096));
    let mut metadata = engine::analyze(&Memory(pdf("A").into()), &Options::default()).unwrap();
    let texts = &mut metadata.document;
    for one in [&mut texts.title, &mut texts.author, &mut texts.subject, &mut texts.keywords, &mut texts.creator] {
        *one = text();
    }
    for one in [&mut texts.producer, &mut texts.language] {
        *one = text();
    }
    let xmp = &mut metadata.xmp;
    for one in [&mut xmp.creator_tool, &mut xmp.create_date, &mut xmp.modify_date, &mut xmp.document_id] {
        *one = text();
    }
    let evidence =
        Evidence { place: long(), before: long(), after: long(), r#box: Some([0.01; 4].into()), ..Evidence::default() };
    let signal = Signal {
        id: SignalId::SignatureBroken,
        strength: Strength::Conclusive,
        basis: Basis::History,
        summary: "A sentence.".repeat(10),
        evidence: vec![evidence; 10],
        evidence_total: 1_000,
    };
    let revision = Revision {
        number: 1,
        end: u64::MAX,
        saved_at: None,
        producer: long(),
        objects: Objects::default(),
        changes: Vec::new(),
        pages: vec![u32::MAX; 50],
        signed: true,
    };
    let signature = Signature {
        field: long(),
        kind: SignatureKind::Approval,
        status: SignatureStatus::Broken,
        reason: None,
        sub_filter: long(),
        algorithm: long(),
        signer: long(),
        issuer: long(),
        issuer_verified: Some(true),
        self_signed: Some(true),
        certificate: Some(SignerCertificate {
            serial: "f".repeat(128),
            valid_from: None,
            valid_until: None,
            sha256: "f".repeat(64),
        }),
        claimed_at: None,
        timestamped_at: None,
        signed_at: SignedAt { value: None, source: None, authority: long() },
        level: Some(Level::Archived),
        trust: Some(Trust {
            status: TrustStatus::NotTrusted,
            anchor: Some(TrustAnchor { name: long().unwrap(), sha256: "f".repeat(64), source: AnchorSource::Account }),
            chain: vec![long().unwrap(); 10],
            at: None,
            at_source: Some(TimeSource::Claimed),
            revocation: RevocationStatus::NotChecked,
            because: "A sentence.".repeat(20),
        }),
        revision: 1,
        covers: Covers::Part,
        permits: Some(1),
        after: Some(After::Forbidden),
    };
    let integrity = &mut metadata.integrity;
    integrity.signals = vec![signal; 37];
    integrity.revisions = (1..=50).map(|number| Revision { number, ..revision.clone() }).collect();
    integrity.signatures = vec![signature; 50];
    let item = HiddenItem {
        page: u32::MAX,
        r#box: [0.01; 4].into(),
        kind: HiddenKind::Covered,
        characters: 200,
        text: long(),
    };
    metadata.hidden.items = vec![item; 50];
    metadata
}

/// Nothing in a file makes more metadata than the table takes.
#[tokio::test]
async fn the_largest_metadata_is_stored() {
    let whole = serde_json::to_string(&largest()).unwrap().len();
    let json = limit_metadata(largest()).unwrap();
    println!("the largest metadata has {whole} bytes, of which {} are kept", json.get().len());
    assert!(whole > 2 * MAX_BYTES && json.get().len() <= MAX_BYTES, "{whole}");
    let kept: Value = serde_json::from_str(json.get()).unwrap();
    assert_eq!(kept["integrity"]["signals"].as_array().unwrap().len(), 37);
    assert_eq!(kept["integrity"]["signals"][36]["evidence_total"], 1_000);
    // the newest ones
    assert_eq!(kept["integrity"]["revisions"].as_array().unwrap().last().unwrap()["number"], 50);

    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let rows = service.store().read(ada.user(), &[Row::Account], Deadline::unhurried()).await.unwrap();
    let account = rows.account().unwrap().unwrap();
    let quota = Quota { limit: 50, used: 0, failed: 0, now: Utc::now() };
    // hardly to be compressed
    let random = Random::new(1);
    let letters = (0..MAX_BYTES - 8).map(|_| char::from(b'#' + random.below(57) as u8));
    let room = format!("{{\"a\":\"{}\"}}", letters.collect::<String>());
    let related = || RelatedAnalysis { id: AnalysisId::new(1), analyzed_at: timestamp(Utc::now()) };
    let seen = || Some((0..10).map(|_| related()).collect());
    let seen = RelatedAnalyses { same_file: seen(), same_document: seen() };
    let new = NewEntry {
        filename: "a".repeat(255),
        compared_with: None,
        reference: Reference::parse(&"r".repeat(64)),
        file_size: 1,
        finding: StoredFinding::Analysis {
            metadata: RawValue::from_string(room).unwrap(),
            seen: Some(to_raw_value(&seen).unwrap()),
        },
        verdict: Some(engine::Verdict::Changed),
        reason: None,
        file: Some(FileHash::of(b"")),
        document: DocumentKey::of("5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b"),
        keys: Vec::new(),
        uploads: Vec::new(),
        fingerprint: Fingerprint::of_file(FileHash::of(b""), "a.pdf"),
    };
    let stored = service.store().record(ada.user(), &account, quota, new, Deadline::unhurried()).await.unwrap();
    assert!(matches!(stored, Committed::Stored(_)));
}

/// A comparison in which all lists are full, and all texts the longest of characters that JSON writes with six bytes.
fn largest_comparison() -> Comparison {
    let text = |length: usize| Some("\u{1}".repeat(length));
    let words = || PlacedWords { page: 1, text: text(500).unwrap(), line: text(200).unwrap(), r#box: [0.01; 4].into() };
    let word = || WordChange { before: Some(words()), after: Some(words()), public: true };
    let said = || MetadataChange { field: "document.producer".to_owned(), before: text(4_096), after: text(4_096) };
    let field = || FieldChange { name: text(200).unwrap(), before: text(200), after: text(200), public: true };
    Comparison {
        words: (0..500).map(|_| word()).collect(),
        words_total: 500,
        hidden_words: (0..100).map(|_| word()).collect(),
        metadata: (0..6).map(|_| said()).collect(),
        form: (0..100).map(|_| field()).collect(),
        pages_added: (1..=500).collect(),
        pages_removed: (1..=500).collect(),
        ..Comparison::default()
    }
}

#[test]
fn the_largest_comparison_there_may_be_fits_and_keeps_what_it_says_of_itself() {
    let largest = largest_comparison();
    let json = limit_comparison(largest.clone()).unwrap();
    assert!(json.get().len() <= MAX_BYTES, "{} bytes", json.get().len());
    let kept: Comparison = serde_json::from_str(json.get()).unwrap();
    assert_eq!((kept.metadata, kept.words_total), (largest.metadata, 500));
    assert!(!kept.form.is_empty() && !kept.words.is_empty(), "{} and {}", kept.form.len(), kept.words.len());
}

/// What is small enough is stored as it is.
#[test]
fn small_metadata_is_kept_whole() {
    let metadata = engine::analyze(&Memory(pdf("A").into()), &Options::default()).unwrap();
    let whole = serde_json::to_string(&metadata).unwrap();
    assert_eq!(limit_metadata(metadata).unwrap().get(), whole);
}
