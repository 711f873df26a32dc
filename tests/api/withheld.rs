//! What others than an analysis' owner are shown of words that a file hides or no longer shows: nothing, however the file was
//! saved.

use samples::pdf::Pdf;
use samples::redactions::{REPLACED, Redaction, SECRET, redactions};
use samples::signed::{Key, SignedPdf, Signing};
use serde_json::json;
use tests::api::Api;
use tests::browser::Browser;
use tests::service::TestService;

use crate::mcp::Client;

/// A way to save a file with a secret that was hidden.
struct Way {
    name: &'static str,
    save: fn(&Redaction) -> Vec<u8>,
    /// Whether the total before it was exchanged can be told.
    is_update: bool,
}

const WAYS: [Way; 5] = [
    Way { name: "once", save: |it| it.hidden.classic(), is_update: false },
    Way { name: "as an update", save: |it| it.hidden.update(it.shown.classic()), is_update: true },
    Way {
        name: "as an update of an update",
        save: |it| it.hidden.update(it.shown.update(Pdf::new(1).classic())),
        is_update: true,
    },
    Way {
        name: "as an update before another one",
        save: |it| Pdf::changes().info("/Title (Another title)").update(it.hidden.update(it.shown.classic())),
        is_update: true,
    },
    Way {
        name: "after it was signed",
        save: |it| SignedPdf::new(&it.shown).signed(&Signing::by(Key::P256).field("S")).updated(&it.hidden).file,
        is_update: true,
    },
];

/// All that others are shown of an analysis: the page, which is printed as it is, the JSON, and what an agent reads.
async fn shown_to_others(service: &TestService, ada: &Api, id: &str, words: bool) -> Vec<(&'static str, String)> {
    let terms = json!({ "with_hidden_words": words });
    let link = ada.post(&format!("/pdf/{id}/share"), &terms).await.expect(201).json["data"]["url"].clone();
    let anybody = Browser::new(service);
    let path = link.as_str().unwrap().strip_prefix(anybody.origin()).unwrap().to_owned();
    let mut shown = vec![
        ("page and print", anybody.get(&path).await.expect(200).text),
        ("JSON", anybody.get(&format!("{path}/json")).await.expect(200).text),
    ];
    ada.delete(&format!("/pdf/{id}/share")).await.expect(200);
    let client = Client::of(service, ada);
    for part in ["summary", "signals", "metadata"] {
        shown.push((part, client.call("get_analysis", json!({ "id": id, "part": part })).await.data().to_string()));
    }
    shown
}

#[tokio::test]
async fn a_secret_that_a_file_hides_is_shown_to_nobody_but_its_owner() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1_000, "ada").await;
    let (mut files, mut told) = (0, 0);
    for redaction in redactions() {
        for way in &WAYS {
            let case = format!("{}, {}", redaction.name, way.name);
            let file = (way.save)(&redaction);
            let data = ada.patient().analyze("letter.pdf", file).await.expect(200).json["data"].clone();
            let id = data["id"].as_str().unwrap();
            files += 1;
            told += usize::from(data.to_string().contains(SECRET));
            for (what, text) in shown_to_others(&service, &ada, id, false).await {
                assert!(!text.contains(SECRET), "{case}: {what}: {text}");
                // nor a part of it, as a box over the middle of a word leaves it
                assert!(!text.contains("SECRE") && !text.contains("ET471"), "{case}: {what}: {text}");
                if way.is_update && what == "JSON" {
                    assert!(REPLACED.iter().all(|words| text.contains(words)), "{case}: {what}: {text}");
                }
            }
        }
    }
    // most of them are told of to the owner
    assert!(files == 135 && told > 100, "{told} of {files}");
}

#[tokio::test]
async fn an_owner_may_share_them_and_reads_them() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let redaction = &redactions()[0];
    let file = redaction.hidden.update(redaction.shown.classic());
    let id = ada.analyze("letter.pdf", file).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
    for (what, text) in shown_to_others(&service, &ada, &id, true).await {
        assert_eq!(text.contains(SECRET), matches!(what, "page and print" | "JSON"), "{what}: {text}");
    }
    assert!(ada.get(&format!("/pdf/{id}")).await.expect(200).text.contains(SECRET));
    for wrong in [json!("yes"), json!(1)] {
        ada.post(&format!("/pdf/{id}/share"), &json!({ "with_hidden_words": wrong })).await.expect(422);
    }
}
