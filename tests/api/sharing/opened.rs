//! What a link opens: the report and nothing else, until it is ended.

use serde_json::{Value, json};
use shared::secret::ShareSecret;
use tests::api::{Answer, Api};
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;

use super::{analyzed, link, share};

/// The page without what differs by chance.
fn missing(answer: &Answer) -> String {
    answer.text.replace(answer.header("x-request-id"), "")
}

/// A report of an account that nobody can mistake, shared for 30 days.
struct Shared {
    service: TestService,
    owner: Api,
    report: Value,
    answer: Answer,
    anybody: Browser,
}

impl Shared {
    async fn new() -> Self {
        let service = TestService::start().await;
        let owner = service.account("zebedee").await;
        let report = analyzed(&owner, "contract.pdf").await;
        let answer = share(&owner, report["id"].as_str().unwrap(), Some(30)).await.expect(201);
        let anybody = Browser::new(&service);
        Self { service, owner, report, answer, anybody }
    }

    fn id(&self) -> &str {
        self.report["id"].as_str().unwrap()
    }

    fn link(&self) -> String {
        link(&self.answer, &self.anybody)
    }

    /// The page of a link that never was.
    async fn nowhere(&self) -> Answer {
        self.anybody.get(&format!("/s/{}", ShareSecret::random().unwrap().reveal())).await.expect(404)
    }

    /// Checks that this leads to the same page as a link that never was.
    async fn is_nowhere(&self, path: &str) {
        let page = self.anybody.get(path).await.expect(404);
        assert_eq!(missing(&page), missing(&self.nowhere().await), "{path}");
    }
}

#[tokio::test]
async fn a_link_is_a_secret_with_an_end() {
    let shared = Shared::new().await;
    assert!(shared.answer.json["data"]["expires_at"].as_str().unwrap().ends_with('Z'));
    let path = shared.link();
    assert!(path.starts_with("/s/") && path.len() == 3 + 43, "{path}");
}

#[tokio::test]
async fn a_link_opens_the_report_and_nothing_of_the_account() {
    let shared = Shared::new().await;
    let page = shared.anybody.get(&shared.link()).await.expect(200).text;
    assert!(page.contains("contract.pdf") && page.contains("Was it changed"), "{page}");
    let user = shared.owner.user().to_string();
    for nothing in ["zebedee", "@example.com", "/dashboard", "/account", "/logout", "csrf", &user] {
        assert!(!page.contains(nothing), "{nothing}: {page}");
    }
}

#[tokio::test]
async fn the_json_behind_a_link_has_all_but_what_else_the_account_has_of_the_file() {
    let shared = Shared::new().await;
    let json = shared.anybody.get(&format!("{}/json", shared.link())).await.expect(200);
    let mut told = shared.report.clone();
    told["seen"] = Value::Null;
    assert!(!shared.report["seen"].is_null());
    assert_eq!(json.json, told);
    assert!(json.header("content-disposition").contains(shared.id()));
}

#[tokio::test]
async fn what_a_link_leads_to_is_neither_kept_nor_found_by_search_nor_told_to_other_sites() {
    let shared = Shared::new().await;
    let page = shared.anybody.get(&shared.link()).await.expect(200);
    let json = shared.anybody.get(&format!("{}/json", shared.link())).await.expect(200);
    for (what, answer) in [("page", page), ("JSON", json), ("nowhere", shared.nowhere().await)] {
        assert_eq!(answer.header("cache-control"), "no-store", "{what}");
        assert_eq!(answer.header("x-robots-tag"), "noindex", "{what}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{what}");
        assert!(answer.header("set-cookie").is_empty() && answer.header("ratelimit").is_empty(), "{what}");
    }
}

#[tokio::test]
async fn a_new_link_ends_the_old_one() {
    let shared = Shared::new().await;
    let again = share(&shared.owner, shared.id(), None).await.expect(201);
    assert_eq!(again.json["data"]["expires_at"], Value::Null);
    shared.is_nowhere(&shared.link()).await;
    shared.anybody.get(&link(&again, &shared.anybody)).await.expect(200);
    Snapshot::of(&shared.service).await.check();
}

#[tokio::test]
async fn a_link_that_was_ended_leads_where_one_does_that_never_was() {
    let shared = Shared::new().await;
    let path = shared.link();
    let ended = shared.owner.delete(&format!("/pdf/{}/share", shared.id())).await.expect(200);
    assert_eq!(ended.json["data"], json!({ "id": shared.id(), "shared": false }));
    shared.owner.delete(&format!("/pdf/{}/share", shared.id())).await.expect(404);
    for path in [path.clone(), format!("{path}/json"), "/s/x".to_owned(), format!("{path}0")] {
        shared.is_nowhere(&path).await;
    }
    let snapshot = Snapshot::of(&shared.service).await;
    snapshot.check();
    assert_eq!(snapshot.links(), 0);
}
