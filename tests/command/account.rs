//! `account`: what an operator does holds for the API and the console, wherever the data is.

use std::path::Path;

use chrono::{DateTime, SubsecRound, Utc};
use samples::small::pdf;
use tests::api::Api;
use tests::browser::Browser;
use tests::command::{Run, run};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

use crate::{PROGRAM, surroundings};

const PASSWORD: &str = "correct horse battery";
const ADA: &str = "ada@example.com";

/// Runs `account …` on a data folder.
fn on(folder: &Path, arguments: &[&str], input: &str) -> Run {
    let folder = folder.to_str().unwrap();
    run(PROGRAM, &[&["account"], arguments, &["--data", folder]].concat(), &[], input)
}

/// The output of a run that has to end well.
fn done(run: Run) -> String {
    assert!(run.success && run.errors.is_empty(), "{}", run.errors);
    run.output
}

/// What a run that has to fail says.
fn said(run: Run) -> String {
    assert!(!run.success && run.output.is_empty(), "{}", run.output);
    run.errors
}

/// Creates Ada's account; gives her access to `service`, or to the one that is started next.
fn created(run: Run, service: &TestService) -> Api {
    let output = done(run);
    let token = output.lines().find_map(|line| line.strip_prefix("Token    ")).unwrap();
    service.access(token)
}

const CREATE: [&str; 6] = ["create", ADA, "--name", "Ada", "--token", "first"];

#[tokio::test]
async fn an_account_is_created_on_the_data_of_a_stopped_server() {
    let folder = tempfile::tempdir().unwrap();
    TestService::start_in(folder.path()).await.stop().await;
    let output = done(on(folder.path(), &CREATE, &format!("{PASSWORD}\n")));
    assert!(!output.contains(PASSWORD) && output.contains("The token is shown this once."), "{output}");
    let service = TestService::start_in(folder.path()).await;
    let token = output.lines().find_map(|line| line.strip_prefix("Token    ")).unwrap();
    let user = service.access(token).get("/user").await.expect(200);
    assert_eq!((&user.json["data"]["name"], &user.json["data"]["daily_limit"]), (&"Ada".into(), &50.into()));
    let mut browser = Browser::new(&service);
    browser.log_in(ADA, PASSWORD).await.expect(303);
    browser.get("/dashboard").await.expect(200);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_running_server_is_talked_to() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = created(on(folder.path(), &[&CREATE[..], &["--no-password", "--limit", "2"]].concat(), ""), &service);
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    ada.analyze("b.pdf", pdf("B")).await.expect(200);
    ada.analyze("c.pdf", pdf("C")).await.expect(429);

    let changed = done(on(folder.path(), &["limit", "ADA@example.com", "3"], ""));
    assert_eq!(changed, "ADA@example.com may have 3 PDFs analyzed a day.\n");
    assert_eq!(ada.analyze("c.pdf", pdf("C")).await.expect(200).json["remaining_checks"], 0);
    done(on(folder.path(), &["limit", ADA, "1"], ""));
    let user = ada.get("/user").await.expect(200).json["data"].clone();
    assert_eq!(
        (&user["daily_limit"], &user["remaining_checks"], &user["checks_used_today"]),
        (&1.into(), &0.into(), &3.into())
    );

    let shown = done(on(folder.path(), &["show", ADA], ""));
    let tomorrow = user["quota_resets_at"].as_str().unwrap();
    for part in [
        &format!("Account   {}\n", ada.user()),
        "Name      Ada\n",
        "E-mail    ada@example.com\n",
        "State     open\n",
        "Log-in    no password, so none\n",
        &format!("Today     3 of 1 analyses, 0 left, 0 failed; starts anew at {tomorrow}\n"),
        "Analyses  3 in all\n",
        "Tokens    1 of 100\n",
        &ada.token_id(),
        "  first\n",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
    assert!(!shown.contains(&ada.token()[20..76]), "{shown}");
}

#[tokio::test]
async fn a_disabled_account_is_refused_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = created(on(folder.path(), &CREATE, PASSWORD), &service);
    let mut browser = Browser::new(&service);
    browser.log_in(ADA, PASSWORD).await.expect(303);
    let csrf = browser.csrf().await;
    let staged = ada.stage("a.pdf", pdf("A")).await;

    // to whole seconds, as it is shown
    let began = Utc::now().trunc_subsecs(0);
    done(on(folder.path(), &["disable", ADA], ""));
    let shown = done(on(folder.path(), &["show", ADA], ""));
    let since = shown.lines().find_map(|line| line.strip_prefix("State     disabled since ")).unwrap();
    let since: DateTime<Utc> = since.parse().unwrap();
    assert!(began <= since && since <= Utc::now(), "{shown}");
    let before = Snapshot::of(&service).await.text_without("ADDRESS#");
    for path in ["/user", "/pdf", "/tokens", "/pdf/00000000-0001-8614-bd98-f44607e6fa02"] {
        ada.get(path).await.expect(401);
    }
    ada.analyze("a.pdf", pdf("A")).await.expect(401);
    ada.analyze_staged(&staged).await.expect(401);
    ada.post("/pdf/uploads", &serde_json::json!({"filename": "a.pdf", "file_size": 9})).await.expect(401);
    ada.post("/tokens", &serde_json::json!({"name": "another"})).await.expect(401);
    ada.delete(&format!("/tokens/{}", ada.token_id())).await.expect(401);
    for path in ["/dashboard", "/tokens", "/account"] {
        assert!(browser.get(path).await.expect(303).header("location").starts_with("/login"), "{path}");
    }
    let form = [("csrf", csrf.as_str()), ("confirm_password", PASSWORD)];
    let deletion = browser.request(reqwest::Method::POST, "/account/delete").header("origin", browser.origin());
    assert_eq!(deletion.form(&form).send().await.unwrap().status(), 303);
    assert_eq!(Snapshot::of(&service).await.text_without("ADDRESS#"), before);
    Browser::new(&service).log_in(ADA, PASSWORD).await.expect(422);

    done(on(folder.path(), &["enable", ADA], ""));
    ada.analyze_staged(&staged).await.expect(200);
    browser.get("/dashboard").await.expect(303);
    browser.cookie = None;
    browser.log_in(ADA, PASSWORD).await.expect(303);
    browser.get("/dashboard").await.expect(200);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_deployed_table_is_worked_on_too() {
    let service = TestService::start().await;
    let environment = surroundings(&service);
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let there = |arguments: &[&str], input: &str| {
        let place = ["--aws", "--table", "Table"];
        run(PROGRAM, &[&["account"], arguments, &place].concat(), &environment, input)
    };
    let ada = created(there(&CREATE, PASSWORD), &service);
    ada.get("/user").await.expect(200);
    done(there(&["limit", ADA, "7"], ""));
    assert_eq!(ada.get("/user").await.expect(200).json["data"]["daily_limit"], 7);
    done(there(&["disable", ADA], ""));
    ada.get("/user").await.expect(401);
    done(there(&["enable", ADA], ""));
    ada.get("/user").await.expect(200);
    assert!(done(there(&["show", ADA], "")).contains("of 7 analyses"));
    let run = run(PROGRAM, &["account", "show", ADA, "--aws"], &environment, "");
    assert!(said(run).contains("--aws needs --table NAME"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_cannot_be_done_is_said_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    done(on(folder.path(), &CREATE, PASSWORD));
    let before = Snapshot::of(&service).await.text();
    for (arguments, input, sentence) in [
        (&CREATE[..], PASSWORD, "ada@example.com is registered already"),
        (&["create", "Ada@Example.com", "--name", "A"], PASSWORD, "is registered already"),
        (&["create", "bob@example.com", "--name", "Bob"], "", "no password came on standard input"),
        (&["create", "bob@example.com", "--name", "Bob"], "short", "password must have at least 8"),
        (&["create", "bob", "--name", " "], PASSWORD, "name is required; email must be an address"),
        (&["create", "b@c.de", "--name", "B", "--token", " "], PASSWORD, "name is required"),
        (&["create", "b@c.de", "--name", "B", "--limit", "0"], PASSWORD, "0 is not in 1..="),
        (&["limit", "bob@example.com", "5"], "", "no account with the e-mail bob@example.com"),
        (&["limit", ADA, "-1"], "", "-1"),
        (&["disable", "bob@example.com"], "", "no account with the e-mail bob@example.com"),
        (&["enable", "bob@example.com"], "", "no account with the e-mail bob@example.com"),
        (&["show", "bob@example.com"], "", "no account with the e-mail bob@example.com"),
    ] {
        let errors = said(on(folder.path(), arguments, input));
        assert!(errors.contains(sentence), "{arguments:?}: {errors}");
        assert!(!errors.contains(PASSWORD));
    }
    assert_eq!(Snapshot::of(&service).await.text(), before);
    let nowhere = folder.path().join("typo");
    assert!(said(on(&nowhere, &["show", ADA], "")).contains("there is no data in"));
    assert!(!nowhere.exists());
}

/// The address files of a killed server are out of date.
#[tokio::test]
async fn a_killed_server_is_not_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    TestService::start_in(folder.path()).await.stop().await;
    std::fs::write(folder.path().join("dynamodb-address"), "127.0.0.1:1").unwrap();
    done(on(folder.path(), &CREATE, PASSWORD));
    let service = TestService::start_in(folder.path()).await;
    assert!(done(on(folder.path(), &["show", ADA], "")).contains("State     open"));
    drop(service);
}

#[tokio::test]
async fn an_account_is_created_where_no_server_has_been() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new/data");
    let output = done(on(&data, &CREATE, &format!("{PASSWORD}\n")));
    assert!(said(on(&folder.path().join("other"), &["show", ADA], "")).contains("there is no data in"));
    let service = TestService::start_in(&data).await;
    let token = output.lines().find_map(|line| line.strip_prefix("Token    ")).unwrap();
    service.access(token).get("/user").await.expect(200);
}

#[tokio::test]
async fn a_forgotten_password_is_no_lost_account_and_a_leaked_token_is_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let mut browser = Browser::registered(&service, "ada").await;
    browser.post("/tokens", &[("name", "laptop")]).await.expect(200);
    for (password, problem) in [("short", "at least 8"), ("", "no password came")] {
        let refused = said(on(folder.path(), &["password", ADA], &format!("{password}\n")));
        assert!(refused.contains(problem), "{refused}");
    }
    let output = done(on(folder.path(), &["password", ADA], "another good one\n"));
    assert!(output.contains("has the new password") && !output.contains("another good one"), "{output}");
    assert_eq!(browser.get("/dashboard").await.expect(303).header("location"), "/login");
    browser.cookie = None;
    browser.log_in(ADA, PASSWORD).await.expect(422);
    browser.log_in(ADA, "another good one").await.expect(303);

    let tokens = done(on(folder.path(), &["tokens", "ADA@example.com"], ""));
    assert!(tokens.contains("laptop") && tokens.lines().count() == 1, "{tokens}");
    let id = tokens.split_whitespace().next().unwrap();
    done(on(folder.path(), &["revoke", ADA, id], ""));
    assert!(said(on(folder.path(), &["revoke", ADA, id], "")).contains("has no token"));
    assert!(said(on(folder.path(), &["revoke", ADA, "x"], "")).contains("has no token"));
    assert_eq!(done(on(folder.path(), &["tokens", ADA], "")), "ada@example.com has no tokens.\n");
    assert!(said(on(folder.path(), &["password", "bob@example.com"], "")).contains("no account with the e-mail"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn accounts_are_listed_in_pages_and_by_state() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    assert_eq!(done(on(folder.path(), &["list"], "")), "There are none.\n");
    for name in ["ada", "bob", "eve", "max", "pat"] {
        service.account(name).await.analyze("a.pdf", pdf("A")).await.expect(200);
    }
    done(on(folder.path(), &["disable", "eve@example.com"], ""));
    let all = done(on(folder.path(), &["list"], ""));
    assert_eq!((all.lines().count(), all.matches("  open      created ").count()), (5, 4), "{all}");
    assert!(all.contains(", 1 analyses, 50 a day  max@example.com\n"), "{all}");
    let disabled = done(on(folder.path(), &["list", "--state", "disabled"], ""));
    assert!(disabled.lines().count() == 1 && disabled.contains("eve@example.com"), "{disabled}");
    assert_eq!(done(on(folder.path(), &["list", "--state", "deleting"], "")), "There are none.\n");
    let mut seen = Vec::new();
    let mut page = done(on(folder.path(), &["list", "--count", "2"], ""));
    loop {
        seen.extend(page.lines().filter(|line| line.contains('@')).map(str::to_owned));
        let Some((_, after)) = page.split_once("account list --after ") else { break };
        page = done(on(folder.path(), &["list", "--count", "2", "--after", after.trim()], ""));
    }
    seen.sort();
    let mut expected: Vec<_> = all.lines().map(str::to_owned).collect();
    expected.sort();
    assert_eq!(seen, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_exported_and_deleted_also_after_a_deletion_that_was_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let untouched = Browser::registered(&service, "bob").await;
    untouched.upload("b.pdf", pdf("B")).await.expect(303);
    let before = Snapshot::of(&service).await.text_without("ADDRESS#");
    let mut ada = Browser::registered(&service, "ada").await;
    for number in 0..20 {
        ada.upload(&format!("{number}.pdf"), pdf("Secret plan")).await.expect(303);
    }
    ada.stage("waiting.pdf", pdf("waiting")).await;
    ada.post("/tokens", &[("name", "laptop")]).await.expect(200);
    let export = done(on(folder.path(), &["export", ADA], ""));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&export).unwrap();
    for part in ["Secret plan", "laptop", "19.pdf", "ada@example.com"] {
        assert!(export.contains(part), "{part}");
    }
    let hash = shared::file_hash::FileHash::of(&pdf("Secret plan")).to_string();
    let row = rows.iter().find(|row| row["sk"] == "ANALYSIS#000000000020").unwrap();
    assert_eq!(row["sha256"], hash.as_str());
    let apart = rows.iter().find(|row| row["sk"] == "METADATA#000000000020");
    assert_eq!(apart.unwrap_or(row)["finding"]["seen"]["same_file"].as_array().unwrap().len(), 10);
    for secret in ["argon2", "secret_sha256", "csrf", "bob@example.com"] {
        assert!(!export.contains(secret), "{secret}");
    }
    assert_eq!(rows.iter().filter(|row| row["sk"].as_str().unwrap().starts_with("ANALYSIS#")).count(), 20);

    service.wire.plan(|call| if call.operation == "ListObjectsV2" { Fault::ServerError } else { Fault::None });
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(503);
    service.wire.heal();
    assert!(done(on(folder.path(), &["list", "--state", "deleting"], "")).contains(ADA));
    assert_eq!(Snapshot::of(&service).await.objects().len(), 1);
    assert_eq!(
        done(on(folder.path(), &["delete", "ADA@example.com"], "")),
        "ADA@example.com is deleted, with all that was in it.\n"
    );
    assert!(Snapshot::of(&service).await.objects().is_empty(), "what was staged went along");
    assert_eq!(Snapshot::of(&service).await.text_without("ADDRESS#"), before);
    assert!(done(on(folder.path(), &["delete", ADA], "")).contains("nothing to delete"));
    assert!(said(on(folder.path(), &["export", ADA], "")).contains("no account with the e-mail"));
}

#[tokio::test]
async fn without_a_server_an_account_goes_with_what_it_has_staged() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let mut ada = Browser::registered(&service, "ada").await;
    ada.stage("waiting.pdf", pdf("waiting")).await;
    ada.post("/tokens", &[("name", "laptop")]).await.expect(200);
    service.stop().await;
    assert!(done(on(folder.path(), &["delete", ADA], "")).contains("with all that was in it.\n"));
    let service = TestService::start_in(folder.path()).await;
    let left = Snapshot::of(&service).await;
    left.check();
    assert!(left.objects().is_empty() && left.users() == 0);
}
