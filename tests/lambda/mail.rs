//! Mails of the binary: sent when the answer is, before the next event is asked for.

use serde_json::Value;
use tests::events::all;
use tests::lambda::Bootstrap;
use tests::service::TestService;
use tests::smtp::{FROM, Mood, SmtpServer};

/// The status that the event is answered with.
async fn status(binary: &Bootstrap, event: &Value) -> u64 {
    binary.invoke(&event.to_string()).await.unwrap()["statusCode"].as_u64().unwrap()
}

#[tokio::test]
#[ignore = "needs release binaries; .ci/run builds them"]
async fn mails_go_out_after_the_answer_and_from_one_process_at_a_time() {
    let (service, mail) = (TestService::start().await, SmtpServer::start().await);
    for name in ["ada", "bob"] {
        service.account(name).await;
    }
    let settings = [("MAIL_URL", mail.url()), ("MAIL_FROM", FROM.to_owned())];
    let one = Bootstrap::with(&service, "WebFunction", &settings).await;
    let other = Bootstrap::with(&service, "WebFunction", &settings).await;
    let health = all("")["web-health"].clone();
    let forgot = |name: &str| {
        let mut event = all("")["web-forgot"].clone();
        event["body"] = format!("email={name}%40example.com").into();
        event["isBase64Encoded"] = false.into();
        event
    };
    mail.set(Mood::Silent);
    assert_eq!(status(&one, &forgot("ada")).await, 200, "the mail server has not said a word");
    // it goes on with the mail; the other one leaves its own to it
    let busy = status(&one, &health);
    tokio::pin!(busy);
    let free = async { [status(&other, &forgot("bob")).await, status(&other, &health).await] };
    tokio::select! {
        biased;
        _ = &mut busy => panic!("it asked for another event before it was done"),
        answers = free => assert_eq!(answers, [200, 200]),
    }
    assert_eq!(busy.await, 200);
    assert!(mail.take().is_empty());

    // what could not be sent goes with the next mail
    mail.set(Mood::Kind);
    assert_eq!(status(&other, &forgot("nobody")).await, 200);
    assert_eq!(status(&other, &health).await, 200);
    let mut to: Vec<_> = mail.take().into_iter().map(|mail| mail.to[0].clone()).collect();
    to.sort();
    assert_eq!(to, ["ada@example.com", "bob@example.com"]);
    assert_eq!(service.outbox().await, 0);
}
