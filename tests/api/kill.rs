//! The process is killed (SIGKILL) before and after every call that an analysis makes; the next
//! start on the same data finds everything in order, and the repeated request is charged once.

use std::path::Path;

use reqwest::{Method, RequestBuilder};
use samples::small::pdf;
use serde_json::json;
use tests::api::{Api, persistently, send};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::victim::Victim;

/// How an analysis is asked for.
#[derive(Clone, Debug)]
enum Ask {
    Direct,
    Staged(String),
    /// No analysis, but the deletion of one.
    Delete(String),
}

fn ask(api: &Api, how: &Ask) -> RequestBuilder {
    match how {
        Ask::Direct => api.analyze_request("a.pdf", pdf("A")).header("idempotency-key", "key"),
        Ask::Staged(upload) => api.request(Method::POST, "/pdf/analyze").json(&json!({ "upload_id": upload })),
        Ask::Delete(id) => api.request(Method::DELETE, &format!("/pdf/{id}")),
    }
}

/// Kills at one moment and checks what is left; `false` if the analysis never came to it.
async fn survives(staged: bool, call: u64, moment: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (ada, how) = prepare(folder.path(), staged).await;
    let mut victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), Some((call, moment)));
    let request = tokio::spawn(ask(&ada.at(victim.origin.clone()), &how).send());
    let reached = tokio::select! {
        () = victim.stalled() => true,
        answer = request => {
            assert_eq!(answer.unwrap().unwrap().status(), 200);
            false
        }
    };
    victim.kill();
    if reached {
        let service = TestService::start_in(folder.path()).await;
        Snapshot::of(&service).await.check();
        let ada = ada.at(service.service().origin()).patient();
        let answer = persistently(|| send(ask(&ada, &how))).await.expect(200);
        assert_eq!(answer.json["remaining_checks"], 49, "{how:?} {moment} call {call}");
        assert_eq!(ada.used().await, 1, "{how:?} {moment} call {call}");
        let snapshot = Snapshot::of(&service).await;
        snapshot.check();
        assert!(snapshot.objects().is_empty());
    }
    reached
}

async fn prepare(folder: &Path, staged: bool) -> (Api, Ask) {
    let service = TestService::start_in(folder).await;
    let ada = service.account("ada").await;
    let how = if staged { Ask::Staged(ada.stage("a.pdf", pdf("A")).await) } else { Ask::Direct };
    service.stop().await;
    (ada, how)
}

async fn killed_everywhere(staged: bool, calls: u64) {
    for moment in ["before", "after"] {
        for call in 0..calls {
            assert!(survives(staged, call, moment).await, "call {call} was not reached");
        }
        assert!(!survives(staged, calls, moment).await, "there are more than {calls} calls");
    }
}

/// The read that authenticates, `last_used_at`, what else there is of the file, the commit.
#[tokio::test]
async fn a_direct_analysis_killed_at_every_step() {
    killed_everywhere(false, 4).await;
}

/// The same, and three looks at the staged file, and its deletion. (The ticket used the token.)
#[tokio::test]
async fn a_staged_analysis_killed_at_every_step() {
    killed_everywhere(true, 7).await;
}

/// The read that authenticates and the transaction: it is deleted as a whole or not at all.
#[tokio::test]
async fn a_deletion_killed_at_every_step() {
    for (call, moment, is_left) in [(0, "before", true), (0, "after", true), (1, "before", true), (1, "after", false)] {
        let folder = tempfile::tempdir().unwrap();
        let service = TestService::start_in(folder.path()).await;
        let ada = service.account("ada").await;
        let id = ada.analyze("a.pdf", pdf("A")).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
        service.stop().await;
        let how = Ask::Delete(id.clone());
        let mut victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), Some((call, moment)));
        let request = tokio::spawn(ask(&ada.at(victim.origin.clone()), &how).send());
        victim.stalled().await;
        victim.kill();
        assert!(request.await.unwrap().is_err());
        let service = TestService::start_in(folder.path()).await;
        Snapshot::of(&service).await.check();
        let ada = ada.at(service.service().origin()).patient();
        let found = ada.get(&format!("/pdf/{id}")).await;
        assert_eq!(found.status, if is_left { 200 } else { 404 }, "{moment} call {call}");
        let repeat = persistently(|| send(ask(&ada, &how))).await;
        assert_eq!(repeat.status, if is_left { 200 } else { 404 }, "{moment} call {call}");
        assert_eq!(ada.used().await, 1);
        Snapshot::of(&service).await.check();
    }
}
