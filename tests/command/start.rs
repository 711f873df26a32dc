//! The first command of the README, on machines where other things run.

use std::net::TcpListener;

use tests::api::send;
use tests::command::Serving;

use crate::{PROGRAM, refusal};

/// The text after `words` in the start text, up to white space.
fn behind<'t>(greeting: &'t str, words: &str) -> &'t str {
    let (_, rest) = greeting.split_once(words).unwrap();
    rest.split_whitespace().next().unwrap()
}

#[tokio::test]
async fn two_start_side_by_side_and_each_says_where_it_is() {
    // the default port is occupied, by this test or another program
    let _taken = TcpListener::bind("127.0.0.1:3000");
    let both = [(); 2].map(|()| Serving::start_with(PROGRAM, &["--fresh"], &[]));
    for serving in &both {
        let (text, origin) = (&serving.greeting, &serving.origin);
        let port = origin.rsplit(':').next().unwrap();
        assert!(text.contains(&format!("Another program listens on port 3000, so this is {port}.")), "{text}");
        // the line to copy has the actual port
        assert!(text.contains(&format!("-F file=@document.pdf {origin}/api/v1/pdf/analyze")), "{text}");
        let token = behind(text, "Authorization: Bearer ").trim_end_matches('\'');
        let user = reqwest::Client::new().get(format!("{origin}/api/v1/user")).bearer_auth(token);
        assert_eq!(send(user).await.expect(200).json["data"]["email"], "demo@example.com");
        // what few people need comes last
        assert!(text.find("DynamoDB").unwrap() > text.find("curl").unwrap(), "{text}");
    }
    let [first, second] = both.each_ref().map(|serving| serving.greeting.as_str());
    for store in ["DynamoDB  ", "S3        "] {
        assert_ne!(behind(first, store), behind(second, store));
    }
}

#[test]
fn what_stands_behind_a_proxy_has_no_demo_account() {
    let stores = ["--fresh", "--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];
    for (proxy, has_one) in [(&[][..], true), (&["--behind-proxy"][..], false)] {
        let serving = Serving::start(PROGRAM, &[&stores[..], proxy].concat(), &[]);
        assert_eq!(serving.greeting.contains("pdfa_"), has_one, "{}", serving.greeting);
    }
}

/// The unit's own words, but for the folder, the origin and the ports, which others may have.
#[tokio::test]
async fn what_the_unit_starts_serves() {
    let unit = std::fs::read_to_string(tests::events::root().join("server/pdf-analysis.service")).unwrap();
    let command = behind_line(&unit, "ExecStart=/usr/local/bin/pdf-analysis ");
    let folder = tempfile::tempdir().unwrap();
    let command = command.replace("%S", folder.path().to_str().unwrap()).replace(":9090", ":0");
    let command = command.replace("${ORIGIN}", "https://pdf.example.com");
    let stores = ["--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];
    let serving = Serving::start(PROGRAM, &[&command.split(' ').collect::<Vec<_>>(), &stores[..]].concat(), &[]);
    assert!(folder.path().join("pdf-analysis/dynamodb.sqlite").exists());
    let health = reqwest::Client::new().get(format!("{}/health", serving.origin));
    assert_eq!(health.send().await.unwrap().status(), 200);
    assert!(serving.greeting.contains("Metrics   http://127.0.0.1:"), "{}", serving.greeting);
}

/// The rest of the line that begins with `words`.
fn behind_line<'t>(text: &'t str, words: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(words)).unwrap()
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_an_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for option in ["--listen", "--metrics-listen", "--dynamodb-listen", "--s3-listen"] {
        let said = refusal(&["--fresh", option, &address]);
        assert!(said.contains(&format!("{address} is in use by another program")) && said.contains(option), "{said}");
    }
}

#[tokio::test]
async fn containers_are_told_where_the_stores_are() {
    let stores = ["--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];
    let start = |option: &str| Serving::start(PROGRAM, &[&["--fresh", option], &stores[..]].concat(), &[]);
    let given = start("--for-containers=127.0.0.2");
    let (text, port) = (&given.greeting, behind(&given.greeting, "DynamoDB  ").rsplit(':').next().unwrap());
    assert!(text.contains(&format!("Containers reach them as http://host.docker.internal:{port} and")), "{text}");
    assert!(text.contains("They listen at 127.0.0.2, too."), "{text}");
    // with Docker's bridge or without: that depends on the machine
    let found = start("--for-containers");
    let text = &found.greeting;
    assert!(text.contains("They listen at") || text.contains("No bridge of Docker's was found"), "{text}");
    for (option, said) in [("--for-containers=0.0.0.0", "the one address"), ("--for-containers=docker", "172.17.0.1")] {
        assert!(refusal(&["--fresh", option]).contains(said), "{option}");
    }
    assert!(refusal(&["--aws", "--for-containers"]).contains("cannot be used with"));
}
