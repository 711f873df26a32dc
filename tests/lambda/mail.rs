//! Mails of the binary: put down by requests, sent by the schedule.

use futures_util::future::{Either, select};
use tests::events::all;
use tests::lambda::Bootstrap;
use tests::service::TestService;
use tests::smtp::{FROM, Mood, SmtpServer};

/// The event of EventBridge Scheduler, sent every minute.
const SCHEDULED: &str = include_str!("../../events/scheduled-mails.json");

/// The status that the event is answered with.
async fn status(binary: &Bootstrap, event: &str) -> u64 {
    binary.invoke(event).await.unwrap()["statusCode"].as_u64().unwrap()
}

#[tokio::test]
#[ignore = "needs the functions' binaries; .ci/run builds them"]
async fn mails_go_by_the_schedule_and_from_one_process_at_a_time() {
    let (service, mail) = (TestService::start().await, SmtpServer::start().await);
    for name in ["ada", "bob"] {
        service.account(name).await;
    }
    let settings = [("MAIL_URL", mail.url()), ("MAIL_FROM", FROM.to_owned())];
    let one = Bootstrap::with(&service, "WebFunction", &settings).await;
    let other = Bootstrap::with(&service, "WebFunction", &settings).await;
    let forgot = |name: &str| {
        let mut event = all("")["web-forgot"].clone();
        event["body"] = format!("email={name}%40example.com").into();
        event["isBase64Encoded"] = false.into();
        event.to_string()
    };
    // no work remains after the answer, whether the address is known or not
    mail.set(Mood::Silent);
    for name in ["ada", "nobody", "bob"] {
        assert_eq!(status(&one, &forgot(name)).await, 200, "{name}");
    }
    assert_eq!(status(&one, &all("")["web-health"].to_string()).await, 200);
    assert_eq!((mail.commands().len(), service.outbox().await), (0, 3));

    // one of two has to do with the mail server, the other leaves it to it
    let (sending, leaving) = (Box::pin(status(&one, SCHEDULED)), Box::pin(status(&other, SCHEDULED)));
    let (first, second) = match select(sending, leaving).await {
        Either::Left((status, rest)) | Either::Right((status, rest)) => (status, rest),
    };
    assert!(service.outbox().await > 2, "the mails of two, and who sends them");
    assert_eq!((first, second.await, service.outbox().await), (200, 200, 2));

    mail.set(Mood::Kind);
    assert_eq!(status(&other, SCHEDULED).await, 200);
    let mut to: Vec<_> = mail.take().into_iter().map(|mail| mail.to[0].clone()).collect();
    to.sort();
    assert_eq!(to, ["ada@example.com", "bob@example.com"]);
    assert_eq!(service.outbox().await, 0);
}
