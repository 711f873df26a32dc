//! POST /pdf/compare: two files side by side, stored as an entry that takes two of the day's analyses.

mod console;
mod hidden;

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::pdf::{Cipher, FIRST_PAGE, Pdf, encrypted};
use samples::small::pdf;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use shared::analysis::{ComparedWith, StoredFinding};
use shared::deadline::Deadline;
use shared::file_hash::FileHash;
use shared::idempotency::Fingerprint;
use shared::ids::UploadId;
use shared::quota::Quota;
use shared::store::Row;
use shared::store::commit::{Committed, NewEntry};
use tests::api::{Answer, Api, send};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

/// A letter that names an amount.
fn letter(amount: &str) -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 200 0 R /Resources << /Font << /F << /Type \
                /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let shown = format!(
        "BT /F 10 Tf 1 0 0 1 40 780 Tm (The price is {amount} EUR) Tj 1 0 0 1 40 760 Tm (to be paid at once) Tj ET"
    );
    Pdf::new(1).with(FIRST_PAGE, page).with_stream(200, "", shown.as_bytes()).classic()
}

fn form(before: (&str, Vec<u8>), after: (&str, Vec<u8>)) -> Form {
    let part = |(name, file): (&str, Vec<u8>)| Part::bytes(file).file_name(name.to_owned());
    Form::new().part("before", part(before)).part("after", part(after))
}

async fn sent(api: &Api, form: Form) -> Answer {
    send(api.request(Method::POST, "/pdf/compare").multipart(form)).await
}

async fn compared(api: &Api) -> Answer {
    sent(api, form(("old.pdf", letter("100")), ("new.pdf", letter("900")))).await
}

async fn staged(api: &Api, before: &str, after: &str) -> Answer {
    api.post("/pdf/compare", &json!({ "before": before, "after": after })).await
}

/// Compares the two letters of [`compared`], as part of a case.
async fn compared_in_a_case(api: &Api) -> Answer {
    sent(api, form(("old.pdf", letter("100")), ("new.pdf", letter("900"))).text("reference", "CLM-7")).await.expect(200)
}

#[tokio::test]
async fn an_answer_names_both_files_their_case_and_what_is_left_of_the_day() {
    let service = TestService::start().await;
    let answer = compared_in_a_case(&service.account("ada").await).await;
    let data = &answer.json["data"];
    assert_eq!(answer.json["remaining_checks"], 48);
    assert_eq!((&data["reference"], &data["files"][0]["filename"]), (&json!("CLM-7"), &json!("old.pdf")));
    assert_eq!(data["files"][1]["sha256"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn words_that_differ_are_told_with_their_line_page_and_place() {
    let service = TestService::start().await;
    let found = compared(&service.account("ada").await).await.expect(200).json["data"]["comparison"].clone();
    assert_eq!(
        (&found["relation"], &found["words_total"], &found["examined"]),
        (&json!("same_document"), &json!(1), &json!("all"))
    );
    let [before, after] = ["before", "after"].map(|side| &found["words"][0][side]);
    assert_eq!([&before["text"], &after["text"]], ["100", "900"]);
    assert_eq!((&after["line"], &after["page"]), (&json!("The price is 900 EUR"), &json!(1)));
    assert_eq!(after["box"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn a_comparison_is_read_again_as_it_was_answered() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = compared_in_a_case(&ada).await;
    let id = answer.json["data"]["id"].as_str().unwrap();
    assert_eq!(answer.header("location"), format!("/api/v1/pdf/{id}?kind=comparison"));
    for kind in ["comparison", "all"] {
        let read = ada.get(&format!("/pdf/{id}?kind={kind}")).await.expect(200);
        assert_eq!(read.json["data"], answer.json["data"], "{kind}");
    }
}

/// The names of the later files that a list shows, and how many entries it says that there are.
async fn listed(api: &Api, query: &str) -> (Vec<String>, u64) {
    let answer = api.get(&format!("/pdf?{query}")).await.expect(200);
    let rows = answer.json["data"].as_array().unwrap().iter();
    let names = rows.map(|row| row["filename"].as_str().unwrap().to_owned()).collect();
    (names, answer.json["meta"]["total"].as_u64().unwrap())
}

#[tokio::test]
async fn a_client_of_the_specification_meets_no_comparison() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for index in 0..3 {
        ada.analyze(&format!("{index}.pdf"), pdf("A")).await.expect(200);
        compared_in_a_case(&ada).await;
    }
    let comparison = ada.get("/pdf?kind=comparison").await.expect(200).json["data"][0]["id"].clone();
    for query in
        ["", "per_page=100", "search=.pdf", "reference=CLM-7", "page=2&per_page=2", "verdict=no_signs,saved_again"]
    {
        let answer = ada.get(&format!("/pdf?{query}")).await.expect(200);
        assert_eq!(answer.json["meta"]["total"], 3, "{query}");
        for row in answer.json["data"].as_array().unwrap() {
            let id = row["id"].as_str().unwrap();
            let read = ada.get(&format!("/pdf/{id}")).await.expect(200);
            assert!(read.json["data"]["metadata"]["basic"]["pages"].is_number(), "{query}: {}", read.text);
        }
    }
    let comparison = comparison.as_str().unwrap();
    assert_eq!(ada.get(&format!("/pdf/{comparison}")).await.expect(404).code(), "not_found");
    assert_eq!(ada.get(&format!("/pdf/{comparison}?kind=analysis")).await.expect(404).code(), "not_found");
    assert_eq!(ada.get(&format!("/pdf/{comparison}?kind=both")).await.expect(422).code(), "validation_failed");
}

#[tokio::test]
async fn a_list_of_a_kind_is_exact_on_each_page_whatever_was_deleted() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(200, "ada").await;
    let (mut analyses, mut comparisons, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..12_u32 {
        let is_comparison = index % 3 == 1 || index == 6;
        let name = format!("{index}.pdf");
        let answer = if is_comparison {
            sent(&ada, form(("old.pdf", letter("100")), (&name, letter("900")))).await
        } else {
            ada.analyze(&name, pdf("A")).await
        };
        let id = answer.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
        if [2, 4].contains(&index) {
            ada.delete(&format!("/pdf/{id}")).await.expect(200);
            continue;
        }
        let kind = if is_comparison { &mut comparisons } else { &mut analyses };
        kind.insert(0, name.clone());
        all.insert(0, name);
    }
    for (kind, expected) in [("analysis", &analyses), ("comparison", &comparisons), ("all", &all)] {
        for per_page in [1, 2, 3, 100] {
            let mut met = Vec::new();
            for page in 1..=expected.len().div_ceil(per_page) + 1 {
                let (names, total) = listed(&ada, &format!("kind={kind}&page={page}&per_page={per_page}")).await;
                assert_eq!(total, expected.len() as u64, "{kind}");
                met.extend(names);
            }
            assert_eq!(&met, expected, "{kind} {per_page}");
            // and one after the other
            let mut answer = ada.get(&format!("/pdf?kind={kind}&search=.pdf&per_page={per_page}")).await.expect(200);
            let mut met = Vec::new();
            loop {
                let rows = answer.json["data"].as_array().unwrap().iter();
                met.extend(rows.map(|row| row["filename"].as_str().unwrap().to_owned()));
                let link = answer.header("link").to_owned();
                let Some((_, next)) = link.split_once(", </api/v1") else { break };
                assert!(kind == "analysis" || next.contains(&format!("kind={kind}")), "{next}");
                answer = ada.get(next.split_once('>').unwrap().0).await.expect(200);
            }
            assert_eq!(&met, expected, "{kind} {per_page}");
        }
    }
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_reference_reads_as_what_it_is() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for reference in ["A\u{202e}knaB", "CLM\u{200b}-7", "\u{2066}7"] {
        let part = Part::bytes(pdf("A")).file_name("a.pdf");
        let form = Form::new().part("file", part).text("reference", reference);
        let refused = send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(422);
        assert!(refused.json["error"]["details"]["fields"]["reference"][0].is_string(), "{}", refused.text);
    }
}

#[tokio::test]
async fn filters_combine() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = pdf("A");
    let hash = FileHash::of(&file).to_string();
    for (name, reference, file) in
        [("1.pdf", "CLM-7", file.clone()), ("2.pdf", "CLM-8", file.clone()), ("3.pdf", "CLM-7", pdf("B"))]
    {
        let part = Part::bytes(file).file_name(name);
        let form = Form::new().part("file", part).text("reference", reference);
        send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(200);
    }
    compared_in_a_case(&ada).await;
    for (query, expected) in [
        ("reference=clm-7".to_owned(), vec!["3.pdf", "1.pdf"]),
        (format!("reference=CLM-7&sha256={hash}"), vec!["1.pdf"]),
        (format!("sha256={hash}&search=2"), vec!["2.pdf"]),
        (format!("sha256={hash}&verdict=changed"), vec![]),
        ("reference=CLM-7&search=3.pdf&verdict=no_signs".to_owned(), vec!["3.pdf"]),
        ("reference=CLM-7&kind=comparison".to_owned(), vec!["new.pdf"]),
        ("reference=CLM-7&kind=all".to_owned(), vec!["new.pdf", "3.pdf", "1.pdf"]),
        ("reference=CLM-7&kind=all&verdict=no_signs".to_owned(), vec!["3.pdf", "1.pdf"]),
    ] {
        assert_eq!(listed(&ada, &query).await.0, expected, "{query}");
        assert_eq!(listed(&ada, &format!("{query}&per_page=1")).await.0, expected[..expected.len().min(1)], "{query}");
    }
}

#[tokio::test]
async fn a_comparison_is_listed_under_the_later_file_s_name_and_has_no_verdict() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    compared_in_a_case(&ada).await;
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    for path in ["/pdf?kind=all&page=1", "/pdf?kind=all&reference=CLM-7", "/pdf?kind=comparison&search=new.pdf"] {
        let listed = ada.get(path).await.expect(200).json["data"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(listed["compared_with"], json!({ "filename": "old.pdf", "relation": "same_document" }), "{path}");
        assert_eq!((&listed["filename"], &listed["verdict"]), (&json!("new.pdf"), &Value::Null), "{path}");
    }
    let rows =
        ada.get("/pdf?kind=all&verdict=no_signs,saved_again,changed,undetermined,signs_of_change").await.expect(200);
    assert_eq!(rows.json["data"].as_array().unwrap().len(), 1, "a comparison has no verdict");
    assert!(ada.get("/pdf?kind=all").await.json["data"][0].get("compared_with").is_none());
}

#[tokio::test]
async fn a_deleted_comparison_is_gone_and_stays_counted() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let id = compared_in_a_case(&ada).await.json["data"]["id"].as_str().unwrap().to_owned();
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    assert_eq!(ada.used().await, 3);
    Snapshot::of(&service).await.check();
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    ada.get(&format!("/pdf/{id}")).await.expect(404);
    assert_eq!(ada.used().await, 3);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_comparison_takes_two_analyses_or_none() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(3, "ada").await;
    assert_eq!(compared(&ada).await.expect(200).json["remaining_checks"], 1);
    let refused = compared(&ada).await.expect(429);
    assert_eq!(refused.code(), "daily_limit_exceeded");
    // one is left, for an analysis
    assert!(refused.header("ratelimit").starts_with("\"daily\";r=1;"), "{}", refused.header("ratelimit"));
    assert_eq!(refused.header("x-ratelimit-remaining"), "1");
    assert_eq!(ada.used().await, 2);
    assert_eq!(ada.analyze("a.pdf", pdf("A")).await.expect(200).json["remaining_checks"], 0);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_crowd_of_both_uses_the_quota_up_exactly() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(9, "ada").await;
    let ada = ada.patient();
    let each = (0..12).map(async |number: u32| {
        if number.is_multiple_of(2) {
            return ada.analyze("a.pdf", pdf("A")).await;
        }
        let key = number.to_string();
        tests::api::persistently(|| {
            let request = ada.request(Method::POST, "/pdf/compare").header("idempotency-key", &key);
            send(request.multipart(form(("old.pdf", letter("1")), ("new.pdf", letter("2")))))
        })
        .await
    });
    let answers = join_all(each).await;
    let weight = |answer: &Answer| if answer.json["data"]["comparison"].is_null() { 1 } else { 2 };
    let stored: u64 = answers.iter().filter(|answer| answer.status == 200).map(weight).sum();
    assert_eq!(ada.used().await, stored);
    assert!((8..=9).contains(&stored), "{stored}");
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_repeat_under_a_key_gets_the_first_answer() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(4, "ada").await;
    let once = async |before: Vec<u8>, after: Vec<u8>| {
        let request = ada.request(Method::POST, "/pdf/compare").header("idempotency-key", "key");
        send(request.multipart(form(("old.pdf", before), ("new.pdf", after)))).await
    };
    let first = once(letter("1"), letter("2")).await.expect(200);
    let repeat = once(letter("1"), letter("2")).await.expect(200);
    assert_eq!(repeat.text, first.text);
    // neither the other way round nor with one of them alone
    assert_eq!(once(letter("2"), letter("1")).await.expect(422).code(), "idempotency_key_reused");
    assert_eq!(ada.analyze_once("key", "new.pdf", letter("2")).await.expect(422).code(), "idempotency_key_reused");
    assert_eq!(ada.used().await, 2);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_repeat_of_staged_files_gets_the_first_answer_although_they_are_gone() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(2, "ada").await;
    let (before, after) = (ada.stage("old.pdf", letter("1")).await, ada.stage("new.pdf", letter("2")).await);
    let first = staged(&ada, &before, &after).await.expect(200);
    assert!(Snapshot::of(&service).await.objects().is_empty());
    // the quota is used up, too
    assert_eq!(staged(&ada, &before, &after).await.expect(200).text, first.text);
    assert_eq!(ada.used().await, 2);
    ada.analyze_staged(&after).await.expect(429);
    Snapshot::of(&service).await.check();
}

/// Two tickets of the day before are in one row, and those of today in another.
#[tokio::test]
async fn tickets_are_closed_whatever_day_they_are_of() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (store, now, unhurried) = (service.store(), Utc::now(), Deadline::unhurried());
    let rows = store.read(ada.user(), &[Row::Account], unhurried).await.unwrap();
    let account = rows.account().unwrap().unwrap();
    let on = |now| Quota { limit: 50, used: 0, failed: 0, now };
    let earlier = now - TimeDelta::days(1);
    let given = [earlier, earlier, now].map(|now| (UploadId::new(now), on(now)));
    for (upload, quota) in &given {
        store.count_ticket(ada.user(), quota, *upload, Duration::from_secs(900), unhurried).await.unwrap();
    }
    assert_eq!(Snapshot::of(&service).await.text().matches("ticket:").count(), 3);
    for uploads in [&given[..2], &given[1..]] {
        let new = NewEntry {
            filename: "new.pdf".to_owned(),
            compared_with: Some(ComparedWith { filename: "old.pdf".to_owned(), relation: None }),
            reference: None,
            file_size: 1,
            finding: StoredFinding::Comparison {
                files: RawValue::NULL.to_owned(),
                comparison: RawValue::NULL.to_owned(),
            },
            verdict: None,
            reason: None,
            file: None,
            document: None,
            keys: Vec::new(),
            uploads: uploads.iter().map(|(upload, _)| *upload).collect(),
            fingerprint: Fingerprint::of_file(FileHash::of(b""), "new.pdf"),
        };
        let stored = store.record(ada.user(), &account, on(now), new, unhurried).await.unwrap();
        assert!(matches!(stored, Committed::Stored(_)), "{stored:?}");
    }
    assert!(!Snapshot::of(&service).await.text().contains("ticket:"), "no ticket is open");
    assert_eq!(ada.used().await, 4);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_named_and_charges_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let locked = encrypted(&letter("1"), Cipher::Aes256, "user's", "owner's");
    for (before, after, reason, side) in [
        (b"no PDF".to_vec(), letter("1"), "not_a_pdf", "before"),
        (letter("1"), b"no PDF".to_vec(), "not_a_pdf", "after"),
        (letter("1"), locked.clone(), "password_required", "after"),
    ] {
        let answer = sent(&ada, form(("a.pdf", before), ("b.pdf", after))).await.expect(422);
        assert_eq!(answer.code(), "analysis_failed");
        assert_eq!(answer.json["error"]["details"], json!({ "reason": reason, "file": side }));
    }
    for (fields, words) in [
        (None, "send its password in the field `before_password`"),
        (Some(("before_password", "guess")), "The password in `before_password` does not open"),
    ] {
        let pair = form(("a.pdf", locked.clone()), ("b.pdf", letter("1")));
        let pair = fields.into_iter().fold(pair, |pair, (name, text)| pair.text(name, text));
        let refused = sent(&ada, pair).await.expect(422);
        assert!(refused.json["message"].as_str().unwrap().contains(words), "{}", refused.text);
    }
    let open = form(("a.pdf", locked), ("b.pdf", letter("1"))).text("before_password", "user's");
    let found = sent(&ada, open).await.expect(200);
    assert_eq!(found.json["data"]["comparison"]["words_total"], 0);
    // what can be compared with another one stays, what is no PDF goes
    let (good, bad) = (ada.stage("a.pdf", letter("1")).await, ada.stage("b.pdf", b"no PDF".to_vec()).await);
    staged(&ada, &good, &bad).await.expect(422);
    assert_eq!(Snapshot::of(&service).await.objects().len(), 1);
    staged(&ada, &good, &good).await.expect(200);
    assert_eq!(ada.used().await, 4);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn bad_input_is_said_by_field_and_changes_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    let before = Snapshot::of(&service).await.text();
    let one = Form::new().part("before", Part::bytes(letter("1")).file_name("a.pdf"));
    let fields = async |answer: Answer| answer.expect(422).json["error"]["details"]["fields"].clone();
    assert!(fields(sent(&ada, one).await).await["after"][0].as_str().unwrap().contains("is required"));
    let twice =
        form(("a.pdf", letter("1")), ("b.pdf", letter("1"))).part("after", Part::bytes(letter("1")).file_name("c.pdf"));
    assert_eq!(fields(sent(&ada, twice).await).await["after"][0], "must be one file");
    let found = fields(ada.post("/pdf/compare", &json!({ "after": 1, "before_password": 2 })).await).await;
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), ["after", "before", "before_password"]);
    staged(&ada, "x", "y").await.expect(404);
    let nobody = "01a1f912-f2f8-769f-8921-ba00437661b0";
    staged(&ada, nobody, nobody).await.expect(404);
    assert_eq!(Snapshot::of(&service).await.text(), before);
}

#[tokio::test]
async fn what_does_not_answer_charges_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (before, after) = (ada.stage("a.pdf", letter("1")).await, ada.stage("b.pdf", letter("2")).await);
    for operation in ["GetObject", "TransactWriteItems"] {
        service.wire.plan(move |call| if call.operation == operation { Fault::Throttle } else { Fault::None });
        staged(&ada, &before, &after).await.expect(503);
        service.wire.heal();
    }
    assert_eq!(ada.used().await, 0);
    staged(&ada, &before, &after).await.expect(200);
    assert_eq!(ada.used().await, 2);
    Snapshot::of(&service).await.check();
}
