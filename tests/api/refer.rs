//! PUT /pdf/{id}/reference: references that are added, changed and removed after the analysis.

use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::small::pdf;
use serde_json::{Value, json};
use shared::deadline::Deadline;
use shared::store::Row;
use tests::api::{Answer, Api, persistently, send};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

/// An analysis that was sent with this reference, or without one.
async fn analyzed(api: &Api, name: &str, reference: Option<&str>) -> String {
    let form = Form::new().part("file", Part::bytes(pdf(name)).file_name(name.to_owned()));
    let form = match reference {
        Some(reference) => form.text("reference", reference.to_owned()),
        None => form,
    };
    let answer = send(api.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(200);
    answer.json["data"]["id"].as_str().unwrap().to_owned()
}

async fn refer(api: &Api, id: &str, reference: Option<&str>) -> Answer {
    api.replace(&format!("/pdf/{id}/reference"), &json!({ "reference": reference })).await
}

/// The ids of a list.
async fn listed(api: &Api, query: &str) -> Vec<String> {
    let rows = api.get(&format!("/pdf?{query}")).await.expect(200).json["data"].clone();
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_reference_is_added_changed_and_removed_and_lists_follow() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(2, "ada").await;
    let id = analyzed(&ada, "a.pdf", None).await;
    let other = analyzed(&ada, "b.pdf", Some("CLM-8")).await;
    let hash = ada.get(&format!("/pdf/{id}")).await.json["data"]["metadata"]["file"]["sha256"].clone();
    let by_hash = format!("sha256={}", hash.as_str().unwrap());
    // twice each: a repeat changes nothing; the third one is another spelling of the same case
    for reference in [Some("CLM-7"), Some("clm-7"), Some("  CLM-8 "), None] {
        let mut before = None;
        for _ in 0..2 {
            let said = reference.map(str::trim);
            let answer = refer(&ada, &id, reference).await.expect(200);
            assert_eq!(answer.json, json!({ "success": true, "data": { "id": id, "reference": said } }));
            assert_eq!(ada.get(&format!("/pdf/{id}")).await.json["data"]["reference"], json!(said));
            let row = ada.get(&format!("/pdf?{by_hash}")).await.json["data"][0].clone();
            assert_eq!((&row["id"], &row["reference"]), (&json!(id), &json!(said)));
            let of_case = |case: &str| if said.is_some_and(|said| said.eq_ignore_ascii_case(case)) { 1 } else { 0 };
            assert_eq!(listed(&ada, "reference=CLM-7").await.len(), of_case("CLM-7"));
            assert_eq!(listed(&ada, "reference=clm-8").await.len(), 1 + of_case("CLM-8"));
            assert_eq!(listed(&ada, &format!("search=clm&{by_hash}")).await.len(), usize::from(said.is_some()));
            let snapshot = Snapshot::of(&service).await;
            snapshot.check();
            let text = snapshot.text();
            assert_eq!(
                before.get_or_insert_with(|| text.clone()),
                &text,
                "a repeat of {reference:?} changed something"
            );
        }
    }
    // nothing is left of the quota, and it took none
    assert_eq!(ada.used().await, 2);
    assert_eq!(refer(&ada, &other, None).await.expect(200).header("x-ratelimit-remaining"), "0");
    assert!(listed(&ada, "reference=CLM-8").await.is_empty());
}

#[tokio::test]
async fn a_comparison_has_a_reference_like_an_analysis() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let part = |text: &str| Part::bytes(pdf(text)).file_name("a.pdf");
    let form = Form::new().part("before", part("A")).part("after", part("B")).text("reference", "CLM-1");
    let compared = send(ada.request(Method::POST, "/pdf/compare").multipart(form)).await.expect(200);
    let id = compared.json["data"]["id"].as_str().unwrap();
    refer(&ada, id, Some("CLM-2")).await.expect(200);
    assert_eq!(listed(&ada, "kind=all&reference=clm-2").await, [id]);
    assert!(listed(&ada, "kind=all&reference=clm-1").await.is_empty());
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_is_no_reference_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let id = analyzed(&ada, "a.pdf", Some("CLM-7")).await;
    let path = format!("/pdf/{id}/reference");
    for wrong in [json!("x".repeat(65)), json!("a\nb"), json!("A\u{202e}knaB"), json!(7), json!(["CLM"])] {
        let refused = ada.replace(&path, &json!({ "reference": wrong })).await.expect(422);
        assert_eq!(refused.code(), "validation_failed", "{wrong}");
        assert!(refused.json["error"]["details"]["fields"]["reference"][0].is_string(), "{}", refused.text);
    }
    assert!(ada.replace(&path, &json!({})).await.expect(422).text.contains("is required"));
    let longest = "ä".repeat(64);
    refer(&ada, &id, Some(&longest)).await.expect(200);
    // what is another's is not there
    for (api, of) in [(&bob, path.as_str()), (&ada, "/pdf/x/reference")] {
        assert_eq!(api.replace(of, &json!({ "reference": "CLM-1" })).await.expect(404).code(), "not_found");
    }
    assert_eq!(ada.get(&format!("/pdf/{id}")).await.json["data"]["reference"], json!(longest));
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    refer(&ada, &id, Some("CLM-1")).await.expect(404);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_fails_on_the_way_changes_all_rows_or_none() {
    for fault in
        [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout, Fault::Conflict]
    {
        let service = TestService::start().await;
        let ada = service.account("ada").await;
        let id = analyzed(&ada, "a.pdf", Some("CLM-7")).await;
        for reference in [Some("CLM-8"), None, Some("CLM-9")] {
            let (fault, met) = (fault.clone(), std::sync::atomic::AtomicBool::new(false));
            service.wire.plan(move |call| {
                let is_first =
                    call.operation == "TransactWriteItems" && !met.swap(true, std::sync::atomic::Ordering::SeqCst);
                if is_first { fault.clone() } else { Fault::None }
            });
            let answer = refer(&ada, &id, reference).await.expect(200);
            service.wire.heal();
            assert_eq!(answer.json["data"]["reference"], json!(reference));
            assert_eq!(ada.get(&format!("/pdf/{id}")).await.json["data"]["reference"], json!(reference));
            Snapshot::of(&service).await.check();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_and_deletions_at_once_leave_no_row_alone() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut ids = Vec::new();
    for number in 0..6 {
        ids.push(analyzed(&ada, &format!("{number}.pdf"), Some("CLM-0")).await);
    }
    // of each six changes and, of every other one, its deletion
    let changes = ids.iter().enumerate().flat_map(|(at, id)| (0..6).map(move |number| (at, id, number)));
    let answers = join_all(changes.map(|(at, id, number)| {
        let ada = ada.clone();
        async move {
            if number == 3 && at % 2 == 0 {
                let path = format!("/pdf/{id}");
                return persistently(|| ada.delete(&path)).await.status;
            }
            let body = json!({ "reference": (number != 5).then(|| format!("CLM-{number}")) });
            let path = format!("/pdf/{id}/reference");
            persistently(|| ada.replace(&path, &body)).await.status
        }
    }))
    .await;
    assert!(answers.iter().all(|status| [200, 404].contains(status)), "{answers:?}");
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    let left: Vec<String> = listed(&ada, "").await;
    assert_eq!(left.len(), 3);
    for id in left {
        let reference: Value = ada.get(&format!("/pdf/{id}")).await.json["data"]["reference"].clone();
        let Some(reference) = reference.as_str() else { continue };
        assert!(listed(&ada, &format!("reference={reference}")).await.contains(&id), "{reference}");
    }
}

/// A deletion that goes by a reference that was changed meanwhile would leave the row that leads there from the new one.
#[tokio::test]
async fn a_deletion_learns_of_a_reference_that_was_changed_meanwhile() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (old, new) in [(Some("CLM-7"), Some("CLM-8")), (None, Some("CLM-8")), (Some("CLM-7"), None)] {
        let id = analyzed(&ada, "a.pdf", old).await;
        let user = ada.user();
        let number = shared::ids::AnalysisId::parse(&id).unwrap();
        let (store, deadline) = (service.store(), Deadline::unhurried());
        let rows = [Row::Account, Row::Analysis(number.number())];
        let found = store.read(user, &rows, deadline).await.unwrap();
        let (seen, numbering) = (found.to_delete(number).unwrap(), found.account().unwrap().unwrap().numbering);
        refer(&ada, &id, new).await.expect(200);
        store.delete_analysis(user, seen, &numbering, deadline).await.unwrap();
        Snapshot::of(&service).await.check();
        assert!(listed(&ada, "").await.is_empty() && listed(&ada, "reference=CLM-8").await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_an_account_that_is_deleted_meanwhile() {
    for _ in 0..3 {
        let service = TestService::start().await;
        let mut eve = tests::browser::Browser::registered(&service, "eve").await;
        let api = service.account("helper").await.with_token(&eve.token().await);
        let id = analyzed(&api, "a.pdf", None).await;
        let changes = join_all((0..12).map(|number| {
            let (api, id) = (api.clone(), id.clone());
            async move { refer(&api, &id, Some(&format!("CLM-{number}"))).await.status }
        }));
        let gone = eve.post("/account/delete", &[("confirm_password", tests::browser::PASSWORD)]);
        let (statuses, gone) = tokio::join!(changes, gone);
        gone.expect(200);
        assert!(statuses.iter().all(|status| [200, 401, 404, 503].contains(status)), "{statuses:?}");
        Snapshot::of(&service).await.check();
    }
}
