//! What others than its owner are shown of a comparison whose files hide words: none of these, whichever file hides them and
//! however.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::pdf::Pdf;
use samples::redactions::{REPLACED, Redaction, SECRET, redactions, redactions_of};
use serde_json::{Value, json};
use tests::api::{Api, send};
use tests::browser::Browser;
use tests::service::TestService;

use crate::mcp::Client;

/// Another secret, hidden in the same way.
const OTHER: &str = "SECRET9999";

/// Those of which nothing is left once they are saved as one, but what annotations and fields hide.
const HIDING: [&str; 4] = ["note that was hidden", "hidden note", "field that was hidden", "hidden field"];

/// Pairs of files of which at least one hides the secret, by what they are.
fn pairs(redaction: &Redaction, other: &Redaction) -> Vec<(&'static str, [Vec<u8>; 2])> {
    let hidden = redaction.hidden.classic();
    let total = format!("BT /F 10 Tf 20 150 Td ({}) Tj ET", REPLACED[0]);
    let clean =
        samples::texts::page("", "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>", &total);
    let mut pairs = vec![
        ("the later one hides", [clean.classic(), hidden.clone()]),
        ("the earlier one hides", [hidden.clone(), clean.classic()]),
        ("both hide", [hidden.clone(), other.hidden.classic()]),
        ("an update hides", [clean.classic(), redaction.hidden.update(Pdf::new(1).classic())]),
    ];
    // where the later file has it no more, it shows openly what is gone
    if !redaction.is_gone || redaction.name == "field that was hidden" {
        pairs.push(("one shows what the other one hides", [redaction.shown.classic(), hidden.clone()]));
        pairs.push(("one hides what the other one shows", [hidden, redaction.shown.classic()]));
    }
    pairs
}

async fn compared(ada: &Api, [before, after]: [Vec<u8>; 2]) -> Value {
    let part = |file, name| Part::bytes(file).file_name(name);
    let form = Form::new().part("before", part(before, "old.pdf")).part("after", part(after, "new.pdf"));
    send(ada.request(Method::POST, "/pdf/compare").multipart(form)).await.expect(200).json["data"].clone()
}

/// A page without the marks of what differs within a word.
fn unmarked(page: &str) -> String {
    ["<del>", "</del>", "<ins>", "</ins>"].iter().fold(page.to_owned(), |page, mark| page.replace(mark, ""))
}

/// All that others are shown: the page, which is printed as it is, the JSON, and what an agent reads.
async fn shown_to_others(service: &TestService, ada: &Api, id: &str, words: bool) -> Vec<(&'static str, String)> {
    let terms = json!({ "with_hidden_words": words });
    let link = ada.post(&format!("/pdf/{id}/share"), &terms).await.expect(201).json["data"]["url"].clone();
    let anybody = Browser::new(service);
    let path = link.as_str().unwrap().strip_prefix(anybody.origin()).unwrap().to_owned();
    let mut shown = vec![
        ("page and print", unmarked(&anybody.get(&path).await.expect(200).text)),
        ("JSON", anybody.get(&format!("{path}/json")).await.expect(200).text),
    ];
    ada.delete(&format!("/pdf/{id}/share")).await.expect(200);
    let client = Client::of(service, ada);
    shown.push(("agent", client.call("get_analysis", json!({ "id": id })).await.data().to_string()));
    shown
}

#[tokio::test]
async fn words_that_either_file_hides_reach_no_guest_and_no_agent() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(10_000, "ada").await.patient();
    let (mut matrix, mut shown, mut told, mut leaks) = (0, 0, 0, Vec::new());
    let others = redactions_of(OTHER);
    for (redaction, other) in redactions().iter().zip(&others) {
        // what was removed is in the one file openly, and not in the other one
        if redaction.is_gone && !HIDING.contains(&redaction.name) {
            continue;
        }
        for (pair, files) in pairs(redaction, other) {
            let data = compared(&ada, files).await;
            told += usize::from(data.to_string().contains("SECRET"));
            for (what, text) in shown_to_others(&service, &ada, data["id"].as_str().unwrap(), false).await {
                matrix += 1;
                if text.contains("SECRE") || text.contains("RET4711") || text.contains("RET9999") {
                    leaks.push(format!("{}, {pair}: {what}: {text}", redaction.name));
                }
                // what is seen in both and differs is shown
                shown += usize::from(text.contains("900"));
            }
        }
    }
    println!("{matrix} times looked at, {} leaks; {told} comparisons tell their owner", leaks.len());
    assert_eq!(leaks, Vec::<String>::new());
    assert!(matrix > 200 && told > 20 && shown > 100, "{matrix}, {told}, {shown}");
}

#[tokio::test]
async fn an_owner_reads_them_and_may_share_them() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let white = |secret: &str| {
        let mut all = redactions_of(secret).into_iter();
        all.find(|redaction| redaction.name == "white on white").unwrap().hidden.classic()
    };
    let data = compared(&ada, [white(SECRET), white(OTHER)]).await;
    let found = &data["comparison"];
    assert_eq!((&found["words"], &found["words_total"], &found["withheld"]), (&json!([]), &json!(0), &json!(0)));
    assert_eq!(found["hidden_words"][0]["before"]["text"], SECRET);
    assert_eq!(found["hidden_words"][0]["after"]["text"], OTHER);
    let id = data["id"].as_str().unwrap();
    for (what, text) in shown_to_others(&service, &ada, id, true).await {
        assert_eq!(text.contains(SECRET), what != "agent", "{what}: {text}");
    }
    for (what, text) in shown_to_others(&service, &ada, id, false).await {
        assert!(text.contains("1 difference") || text.contains("\"withheld\":1"), "{what}: {text}");
    }
}

#[tokio::test]
async fn what_is_seen_is_shown_to_everybody() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let data = compared(&ada, [super::letter("100"), super::letter("900")]).await;
    for (what, text) in shown_to_others(&service, &ada, data["id"].as_str().unwrap(), false).await {
        assert!(text.contains("900") && !text.contains("left out here"), "{what}: {text}");
    }
}
