//! GET /pdf with `before` and `verdict`: walks through the list that miss nothing and meet nothing twice.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::pdf::{FIRST_PAGE, Pdf};
use samples::small::pdf;
use serde_json::{Value, json};
use shared::ids::AnalysisId;
use tests::api::{Answer, Api, send};
use tests::rows::{delete, fill};
use tests::service::TestService;

/// A PDF whose page got another size in a later revision.
fn changed() -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>";
    Pdf::changes().with(FIRST_PAGE, page).update(Pdf::new(1).classic())
}

fn rows(answer: &Answer) -> &Vec<Value> {
    answer.json["data"].as_array().unwrap()
}

fn names(answer: &Answer) -> Vec<String> {
    rows(answer).iter().map(|row| row["filename"].as_str().unwrap().to_owned()).collect()
}

/// The path below the base address that `Link` says, if any.
fn link(answer: &Answer, relation: &str) -> Option<String> {
    let end = format!(">; rel=\"{relation}\"");
    let found = answer.header("link").split(", ").find(|link| link.ends_with(&end))?;
    Some(found.strip_prefix("</api/v1").unwrap().strip_suffix(&end).unwrap().to_owned())
}

/// All file names that a walk from `path` meets; `between` comes before every further step.
async fn walk(api: &Api, path: &str, between: impl AsyncFn()) -> Vec<String> {
    let mut answer = api.get(path).await.expect(200);
    let mut met = names(&answer);
    while let Some(next) = link(&answer, "next") {
        between().await;
        answer = api.get(&next).await.expect(200);
        met.extend(names(&answer));
    }
    met
}

#[tokio::test]
async fn a_walk_meets_every_analysis_once_while_others_are_added() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for index in 0..7 {
        let file = if index % 3 == 0 { changed() } else { pdf("A") };
        ada.analyze(&format!("{index}.pdf"), file).await.expect(200);
    }
    let newest = ada.get("/pdf?per_page=1").await.expect(200).json["data"][0]["id"].as_str().unwrap().to_owned();
    let add = async || {
        ada.analyze("new.pdf", changed()).await.expect(200);
    };
    for per_page in [1, 2, 3, 6, 100] {
        let before = walk(&ada, &format!("/pdf?before={newest}&per_page={per_page}"), add).await;
        assert_eq!(before, ["5.pdf", "4.pdf", "3.pdf", "2.pdf", "1.pdf", "0.pdf"], "{per_page}");
        let before = walk(&ada, &format!("/pdf?before={newest}&verdict=changed&per_page={per_page}"), add).await;
        assert_eq!(before, ["3.pdf", "0.pdf"], "{per_page}");
    }
    let all = walk(&ada, "/pdf?verdict=changed&per_page=2", add).await;
    let old: Vec<_> = all.iter().filter(|name| *name != "new.pdf").collect();
    assert_eq!(old, ["6.pdf", "3.pdf", "0.pdf"]);
    assert!(walk(&ada, "/pdf?verdict=undetermined", add).await.is_empty());
    // by pages what is added pushes others down: some come twice, none is missed
    let mut pages = walk(&ada, "/pdf?per_page=2", add).await;
    pages.retain(|name| name != "new.pdf");
    pages.dedup();
    assert_eq!(pages, ["6.pdf", "5.pdf", "4.pdf", "3.pdf", "2.pdf", "1.pdf", "0.pdf"]);
}

/// An account with 25 analyses without signs of a change.
async fn with_25(service: &TestService) -> Api {
    let ada = service.account("ada").await;
    fill(service, &ada, 25, |_| Some("no_signs")).await;
    ada
}

fn last(answer: &Answer) -> &str {
    rows(answer).last().unwrap()["id"].as_str().unwrap()
}

#[tokio::test]
async fn a_walk_goes_on_where_a_page_ends_and_says_on_which_page_it_is() {
    let service = TestService::start().await;
    let ada = with_25(&service).await;
    let page = ada.get("/pdf?page=2&per_page=10").await.expect(200);
    let answer = ada.get(&format!("/pdf?before={}&per_page=10", last(&page))).await.expect(200);
    assert_eq!(names(&answer), names(&ada.get("/pdf?page=3&per_page=10").await));
    assert_eq!(answer.header("link"), "</api/v1/pdf?per_page=10>; rel=\"first\"");
    let meta = &answer.json["meta"];
    assert_eq!((&meta["current_page"], &meta["last_page"]), (&3.into(), &3.into()));
    assert_eq!((&meta["per_page"], &meta["total"]), (&10.into(), &25.into()));
}

#[tokio::test]
async fn what_has_a_verdict_is_walked_forward_only() {
    let service = TestService::start().await;
    let answer = with_25(&service).await.get("/pdf?verdict=no_signs&per_page=10").await.expect(200);
    assert_eq!(link(&answer, "first").unwrap(), "/pdf?verdict=no_signs&per_page=10");
    let next = format!("/pdf?before={}&verdict=no_signs&per_page=10", last(&answer));
    assert_eq!(link(&answer, "next").unwrap(), next);
    assert_eq!((link(&answer, "prev"), link(&answer, "last")), (None, None));
    assert_eq!((&answer.json["meta"]["current_page"], &answer.json["meta"]["total"]), (&1.into(), &25.into()));
}

#[tokio::test]
async fn a_walk_ends_at_the_oldest_analysis() {
    let service = TestService::start().await;
    let ada = with_25(&service).await;
    let all = ada.get("/pdf?per_page=25").await;
    assert_eq!(rows(&all).len(), 25);
    let answer = ada.get(&format!("/pdf?before={}", last(&all))).await.expect(200);
    assert_eq!((rows(&answer).len(), link(&answer, "next")), (0, None));
}

#[tokio::test]
async fn a_verdict_hidden_among_thousands_is_found_step_by_step() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 10_500, |number| [1, 7, 1_501].contains(&number).then_some("changed")).await;
    for filter in ["verdict=changed", "verdict=changed&search=.PDF"] {
        let first = ada.get(&format!("/pdf?{filter}")).await.expect(200);
        assert_eq!(names(&first), ["1501.pdf"]);
        assert_eq!(rows(&first)[0]["verdict"], "changed");
        let second = ada.get(&link(&first, "next").unwrap()).await.expect(200);
        assert_eq!((names(&second), link(&second, "next")), (vec!["7.pdf".to_owned(), "1.pdf".to_owned()], None));
        // the row looked at last may be deleted meanwhile
        delete(&service, &ada, "ANALYSIS#000000000501").await;
        let again = ada.get(&link(&first, "next").unwrap()).await.expect(200);
        assert_eq!(again.json["data"], second.json["data"]);
    }
}

#[tokio::test]
async fn analyses_of_before_verdicts_have_none() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 3, |number| (number == 2).then_some("no_signs")).await;
    ada.analyze("4.pdf", changed()).await.expect(200);
    let answer = ada.get("/pdf").await.expect(200);
    let verdicts: Vec<_> = rows(&answer).iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["changed".into(), Value::Null, "no_signs".into(), Value::Null]);
}

/// An account with the analyses `1.pdf`, `2.pdf` and `3.pdf`, and the id of the second.
async fn with_three(service: &TestService, name: &str) -> (Api, String) {
    let api = service.account(name).await;
    for name in ["1.pdf", "2.pdf", "3.pdf"] {
        api.analyze(name, pdf("A")).await.expect(200);
    }
    let second = rows(&api.get("/pdf").await)[1]["id"].as_str().unwrap().to_owned();
    (api, second)
}

/// Why a list is refused, by the name of the parameter.
async fn refusal(api: &Api, query: &str, parameter: &str) -> String {
    let answer = api.get(&format!("/pdf?{query}")).await.expect(422);
    assert_eq!(answer.code(), "validation_failed", "{query}");
    let reason = answer.json["error"]["details"]["fields"][parameter][0].as_str();
    reason.unwrap_or_else(|| panic!("{query}: {}", answer.text)).to_owned()
}

#[tokio::test]
async fn only_an_id_of_ones_own_marks_a_place() {
    let service = TestService::start().await;
    let ((ada, own), (_, other)) = (with_three(&service, "ada").await, with_three(&service, "bob").await);
    let (later, none) = (AnalysisId::new(4).to_string(), AnalysisId::new(0).to_string());
    for foreign in [other.as_str(), &later, &none, "2", "", &own.to_uppercase()] {
        let reason = refusal(&ada, &format!("before={foreign}"), "before").await;
        assert!(reason.contains("one of your analyses"), "{foreign}: {reason}");
    }
}

#[tokio::test]
async fn a_walk_has_no_pages_to_choose_and_a_verdict_is_one_that_there_is() {
    let service = TestService::start().await;
    let (ada, own) = with_three(&service, "ada").await;
    for query in [&format!("before={own}&page=1"), &format!("before={own}&page=2"), "verdict=changed&page=2"] {
        refusal(&ada, query, "page").await;
    }
    let reason = refusal(&ada, "verdict=forged", "verdict").await;
    assert!(reason.contains("changed_since_signing"), "{reason}");
}

#[tokio::test]
async fn an_id_marks_its_place_also_when_its_analysis_is_gone() {
    let service = TestService::start().await;
    let (ada, own) = with_three(&service, "ada").await;
    assert_eq!(names(&ada.get(&format!("/pdf?before={own}")).await.expect(200)), ["1.pdf"]);
    delete(&service, &ada, "ANALYSIS#000000000002").await;
    assert_eq!(names(&ada.get(&format!("/pdf?before={own}")).await.expect(200)), ["1.pdf"]);
}

#[tokio::test]
async fn the_analyses_of_a_case_are_found_by_its_reference_in_two_round_trips() {
    let service = TestService::start().await;
    let (ada, eve) = (service.account("ada").await, service.account("eve").await);
    let sent = async |api: &Api, name: &str, reference: &str| {
        let file = Part::bytes(pdf("Claim")).file_name(name.to_owned());
        let form = Form::new().part("file", file).text("reference", reference.to_owned());
        send(api.request(Method::POST, "/pdf/analyze").multipart(form)).await
    };
    fill(&service, &ada, 10_000, |_| Some("no_signs")).await;
    let first = sent(&ada, "first.pdf", " CLM-2026-114 ").await.expect(200);
    assert_eq!(first.json["data"]["reference"], "CLM-2026-114");
    sent(&ada, "other.pdf", "CLM-2026-115").await.expect(200);
    sent(&eve, "foreign.pdf", "CLM-2026-114").await.expect(200);
    let upload = ada.stage("second.pdf", pdf("Claim")).await;
    let body = json!({ "upload_id": upload, "reference": "clm-2026-114" });
    send(ada.request(Method::POST, "/pdf/analyze").json(&body)).await.expect(200);
    sent(&ada, "long.pdf", &"x".repeat(65)).await.expect(422);

    let _ = service.wire.take();
    let found = ada.get("/pdf?reference=CLM-2026-114&per_page=1").await.expect(200);
    let traffic = service.wire.take();
    assert_eq!((names(&found), traffic.rounds), (vec!["second.pdf".to_owned()], 2));
    let next = ada.get(&link(&found, "next").unwrap()).await.expect(200);
    assert_eq!((names(&next), link(&next, "next")), (vec!["first.pdf".to_owned()], None));
    assert_eq!(rows(&next)[0]["reference"], "CLM-2026-114");
    // a search looks at 10,000 analyses for one answer, at most
    let _ = service.wire.take();
    let found = ada.get("/pdf?search=114").await.expect(200);
    assert_eq!(service.wire.take().rounds, 4);
    assert_eq!(names(&found)[..2], ["second.pdf", "first.pdf"]);
    // what leads there goes with it
    let id = first.json["data"]["id"].as_str().unwrap();
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    assert_eq!(names(&ada.get("/pdf?reference=CLM-2026-114").await), ["second.pdf"]);
}
