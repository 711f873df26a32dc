//! Mail as the command line sets it: by a server, or into files for trying it out; and the operator's links.

use std::fs;
use std::path::Path;
use std::time::Duration;

use shared::deadline::Deadline;
use tests::browser::{Browser, PASSWORD};
use tests::command::{Serving, run};
use tests::service::TestService;
use tests::smtp::{FROM, Received, SmtpServer};

use crate::canaries::Talkative;
use crate::{PROGRAM, refusal};

const ADA: &str = "ada@example.com";
const NEW: &str = "staple of batteries";
const STORES: [&str; 4] = ["--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];

/// The path of the only link of this kind among some text.
fn path(text: &str, origin: &str, kind: &str) -> String {
    let mut links = text.lines().filter_map(|line| line.trim().strip_prefix(origin));
    links.rfind(|path| path.starts_with(kind)).expect("a link").to_owned()
}

#[tokio::test]
async fn without_a_mail_server_mails_are_files_and_their_links_on_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let server = Talkative::start(folder.path(), &[], &[("RUST_LOG", "warn")]);
    let origin = server.origin.clone();
    let mut ada = Browser::at(origin.clone());
    assert_eq!(ada.register("Ada", ADA, PASSWORD).await.expect(303).header("location"), "/dashboard");
    let mut anybody = Browser::at(origin.clone());
    anybody.post("/forgot", &[("email", ADA)]).await.expect(200);
    anybody.post("/forgot", &[("email", "bob@example.com")]).await.expect(200);

    // the mails go out when the requests are answered
    let read = || fs::read_to_string(folder.path().join("stdout")).unwrap();
    while read().matches("Mail to").count() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let said = read();
    assert!(said.contains("Mail to ada@example.com: Confirm your e-mail address"), "{said}");
    assert!(said.contains("Mail to ada@example.com: Set a new password") && !said.contains("bob@"), "{said}");
    let mut mails: Vec<_> =
        fs::read_dir(folder.path().join("data/mail")).unwrap().map(|entry| entry.unwrap().path()).collect();
    mails.retain(|path| said.contains(&path.display().to_string()));
    assert_eq!(mails.len(), 2, "{said}");
    let texts: Vec<_> = mails.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let reset = texts.iter().find(|text| text.contains("Subject: Set a new password\r\n")).unwrap();
    assert!(reset.contains("To: ada@example.com\r\n") && reset.contains("text/html"));
    let link = Received { from: String::new(), to: Vec::new(), raw: reset.clone(), login: None }.path(&origin);
    assert_eq!(link, path(&said, &origin, "/reset/"));
    anybody.post(&link, &[("password", NEW)]).await.expect(200);
    anybody.log_in(ADA, NEW).await.expect(303);
    // whoever reads a mail has its address
    anybody.get(&path(&said, &origin, "/confirm/")).await.expect(404);
    server.stop();
}

#[test]
fn settings_that_could_only_fail_later_are_refused_at_the_start() {
    let from = ["--mail-from", FROM];
    let refused = |arguments: &[&str]| refusal(&[&["--fresh"][..], &STORES, arguments].concat());
    for url in ["mail.example.com", "http://a:sesame@b.example", "smtp://"] {
        let said = refused(&[&["--listen", "127.0.0.1:0", "--mail-url", url][..], &from].concat());
        assert!(said.contains("smtp://HOST") && !said.contains("sesame"), "{said}");
    }
    let url = ["--mail-url", "smtps://ada:sesame@mail.example.com"];
    let said = refused(&[&["--listen", "127.0.0.1:0"][..], &url, &["--mail-from", "nobody"]].concat());
    assert!(said.contains("mails cannot be from \"nobody\"") && !said.contains("sesame"), "{said}");
    let said = refused(&[&["--listen", "127.0.0.1:0"][..], &url].concat());
    assert!(said.contains("--mail-from") && !said.contains("sesame"), "{said}");
    // what a request says of the host cannot be believed
    for public in [&["--listen", "0.0.0.0:0"][..], &["--listen", "127.0.0.1:0", "--behind-proxy"]] {
        let said = refused(&[public, &url, &from].concat());
        assert!(said.contains("mail needs --origin"), "{said}");
    }
    for origin in ["pdf.example.com", "https://pdf.example.com/console", "ftp://pdf.example.com"] {
        assert!(refused(&["--origin", origin]).contains("is no origin"), "{origin}");
    }
    let help = run(PROGRAM, &["--help"], &[("MAIL_URL", "smtp://ada:sesame@localhost")], "");
    assert!(help.output.contains("--mail-url") && !help.output.contains("sesame"), "{}", help.output);
}

#[tokio::test]
async fn links_lead_to_the_origin_that_is_told() {
    let mail = SmtpServer::start().await;
    let (url, arguments) = (mail.url(), ["--fresh", "--origin", "https://pdf.example.com/"]);
    let environment = [("MAIL_URL", url.as_str()), ("MAIL_FROM", FROM)];
    let serving = Serving::start(PROGRAM, &[&arguments[..], &STORES].concat(), &environment);
    Browser::at(serving.origin.clone()).register("Ada", ADA, PASSWORD).await.expect(200);
    assert!(mail.next().await.path("https://pdf.example.com").starts_with("/confirm/"));
}

/// Runs `account …` on a data folder.
fn account(folder: &Path, arguments: &[&str]) -> tests::command::Run {
    run(PROGRAM, &[&["account"], arguments, &["--data", folder.to_str().unwrap()]].concat(), &[], "")
}

#[tokio::test]
async fn an_operator_s_link_sets_a_password_where_no_mail_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = Browser::registered(&service, "ada").await;
    let run = account(folder.path(), &["password", "ADA@example.com", "--link=https://pdf.example.com/"]);
    assert!(run.success && run.errors.is_empty(), "{}", run.errors);
    let link = path(&run.output, "https://pdf.example.com", "/reset/");
    // printing it changes nothing
    ada.get("/dashboard").await.expect(200);
    let mut anybody = Browser::new(&service);
    anybody.post(&link, &[("password", NEW)]).await.expect(200);
    ada.get("/dashboard").await.expect(303);
    anybody.log_in(ADA, NEW).await.expect(303);
    let local = account(folder.path(), &["password", ADA, "--link"]).output;
    assert!(local.starts_with("http://127.0.0.1:3000/reset/"), "{local}");

    assert!(
        account(folder.path(), &["password", "bob@example.com", "--link"])
            .errors
            .contains("no account with the e-mail")
    );
    let user = service.store().owner_of_email(ADA, Deadline::unhurried()).await.unwrap().unwrap();
    service.store().disable_account(user, chrono::Utc::now(), Deadline::unhurried()).await.unwrap();
    assert!(account(folder.path(), &["password", ADA, "--link"]).errors.contains("is disabled"));
}
