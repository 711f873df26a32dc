//! Nobody who is known: bodies that are withheld, and answers that are not read.

use std::net::IpAddr;
use std::time::Duration;

use samples::small::pdf;
use tests::api::send;
use tests::command::Serving;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::PROGRAM;

const MIB: usize = 1024 * 1024;

/// All but the last byte of a mebibyte, from nobody: the connection, unless the server has refused it.
async fn withheld(origin: String) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(origin.trim_start_matches("http://")).await.ok()?;
    let head = format!("POST /api/v1/pdf/analyze HTTP/1.1\r\nHost: x\r\nContent-Length: {MIB}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(&vec![b'x'; MIB - 1]).await.ok()?;
    Some(stream)
}

#[tokio::test(flavor = "multi_thread")]
async fn four_hundred_withheld_bodies_take_little_memory() {
    let serving = Serving::start(PROGRAM, &["--fresh"], &[]);
    let token = serving.greeting.split_once("Authorization: Bearer ").unwrap().1.split('\'').next().unwrap();
    let (began, _) = serving.memory();
    let mut tasks = JoinSet::new();
    for _ in 0..400 {
        tasks.spawn(withheld(serving.origin.clone()));
    }
    let held: Vec<_> = tasks.join_all().await;
    let client = reqwest::Client::new();
    send(client.get(format!("{}/health", serving.origin))).await.expect(200);
    let url = format!("{}/api/v1/pdf/analyze", serving.origin);
    let file = reqwest::multipart::Part::bytes(pdf("Honest")).file_name("honest.pdf");
    let form = reqwest::multipart::Form::new().part("file", file);
    send(client.post(url).bearer_auth(token).multipart(form)).await.expect(200);
    let (_, peak) = serving.memory();
    println!("{} MB at the start, {} MB at most", began / 1_000_000, peak / 1_000_000);
    assert!(peak < began + 200_000_000, "{began} {peak}");
    drop(held);
}

/// With few descriptors, as many clients as there are of them ask for answers that they never read.
#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_read_keep_nobody_else_out() {
    let few = ["-c", "ulimit -n 300 && exec \"$0\" \"$@\"", PROGRAM, "--listen", "127.0.0.1:0", "--fresh"];
    let serving = Serving::start_with("sh", &few, &[("PATH", "/usr/bin:/bin")]);
    let address = serving.origin.trim_start_matches("http://");
    let ask = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200);
    let mut held = Vec::new();
    let mut refused = 0;
    for _ in 0..320 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _ = stream.write_all(ask.as_bytes()).await;
        let mut first = [0];
        // one that is refused is closed at once; of the others a byte is read, and no more
        match stream.read(&mut first).await {
            Ok(1) => held.push(stream),
            _ => refused += 1,
        }
    }
    println!("{} are held, {refused} were refused", held.len());
    assert!((50..=75).contains(&held.len()), "{}", held.len());
    let elsewhere = reqwest::Client::builder().local_address(IpAddr::from([127, 0, 0, 2]));
    let client = elsewhere.timeout(Duration::from_secs(10)).build().unwrap();
    for _ in 0..20 {
        send(client.get(format!("{}/health", serving.origin))).await.expect(200);
    }
    drop(held);
}
