//! The gateway before functions that misbehave.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lambda_http::{Body, Request, RequestExt, Response};
use shared::clock::Clock;
use shared::store::Store;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{Gateway, Settings};
use crate::connection_limits::ConnectionLimits;
use crate::functions::Hosted;
use crate::http::HttpServer;
use crate::metrics::Metrics;
use crate::stores::embedded::access;
use crate::template::{TEXT, Template};

/// A gateway all of whose functions are `answer`, which Lambda would stop after half a second.
struct World {
    address: std::net::SocketAddr,
    server: HttpServer,
    ended: tokio::sync::mpsc::Receiver<()>,
}

async fn world<A>(cloud_limits: bool, answer: fn(Request) -> A) -> World
where
    A: Future<Output = Response<Body>> + Send + 'static,
{
    let hosted = Arc::new(Hosted::fake(Duration::from_millis(500), answer));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (gateway, ended) = gateway(&hosted, address, cloud_limits);
    World { address, server: HttpServer::start(listener, ConnectionLimits::UNLIMITED, Arc::new(gateway)), ended }
}

fn gateway(
    hosted: &Arc<Hosted>,
    address: std::net::SocketAddr,
    cloud_limits: bool,
) -> (Gateway, tokio::sync::mpsc::Receiver<()>) {
    let template = Template::parse(TEXT).unwrap();
    let ids = template.functions.iter().map(|function| function.logical_id.clone());
    Gateway::new(Settings {
        template: &template,
        functions: ids.map(|id| (id, Arc::clone(hosted))).collect(),
        passage: None,
        cloud_limits,
        behind_proxy: false,
        store: Store::new(aws_sdk_dynamodb::Client::new(&access::over_http(address)), "none"),
        clock: Clock::system(),
        local: address,
        metrics: Arc::new(Metrics::new().unwrap()),
    })
}

impl World {
    /// Sends a GET request and gives the whole answer as text.
    async fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nOrigin: http://o\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_no_more() {
    let world = world(false, |request| async move {
        assert_ne!(request.raw_http_path(), "/panic", "as asked");
        Response::new(Body::Empty)
    })
    .await;
    let answer = world.get("/panic").await;
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
    assert!(answer.contains("\"internal_error\"") && answer.contains("x-request-id: "), "{answer}");
    assert!(world.get("/").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn lambda_s_limits_apply_only_when_asked_for() {
    async fn large(_: Request) -> Response<Body> {
        Response::new(Body::Binary(vec![b'x'; 6 * 1024 * 1024 + 1]))
    }
    async fn slow(_: Request) -> Response<Body> {
        tokio::time::sleep(Duration::from_millis(700)).await;
        Response::new(Body::Empty)
    }
    assert!(world(false, large).await.get("/").await.starts_with("HTTP/1.1 200"));
    assert!(world(false, slow).await.get("/").await.starts_with("HTTP/1.1 200"));
    for answer in [world(true, large).await.get("/").await, world(true, slow).await.get("/").await] {
        assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
        assert!(answer.ends_with("{\"message\":\"Internal Server Error\"}"), "{answer}");
    }
}

#[tokio::test]
async fn headers_go_out_as_from_lambda_and_cors_is_the_gateway_s() {
    let world = world(false, |_| async {
        let response = Response::builder()
            .header("set-cookie", "a=1")
            .header("set-cookie", "b=2")
            .header("link", "first")
            .header("link", "second")
            .header("access-control-allow-origin", "http://evil")
            .header("access-control-allow-credentials", "true");
        response.body(Body::Empty).unwrap()
    })
    .await;
    let answer = world.get("/").await;
    assert_eq!(answer.matches("set-cookie: ").count(), 2, "{answer}");
    assert!(answer.contains("link: first") && !answer.contains("second"), "{answer}");
    assert!(answer.contains("access-control-allow-origin: *\r\n"), "{answer}");
    assert!(!answer.contains("evil") && !answer.contains("credentials"), "{answer}");
}

#[tokio::test]
async fn an_invocation_ends_although_its_client_is_gone() {
    static STARTED: AtomicBool = AtomicBool::new(false);
    static ENDED: AtomicBool = AtomicBool::new(false);
    let mut world = world(false, |_| async {
        STARTED.store(true, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        ENDED.store(true, Ordering::SeqCst);
        Response::new(Body::Empty)
    })
    .await;
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    while !STARTED.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(stream);
    world.server.stop().await;
    world.ended.recv().await;
    assert!(ENDED.load(Ordering::SeqCst));
}

/// On the test's single thread, handling a large body would block all other requests.
#[tokio::test]
async fn a_large_body_keeps_nobody_else_waiting() {
    let hosted = Arc::new(Hosted::fake(Duration::from_secs(30), |request| async move {
        if request.body().len() > super::OWN_THREAD_MIN_BYTES {
            std::thread::sleep(Duration::from_millis(300));
        }
        Response::new(Body::Empty)
    }));
    let (gateway, _ended) = gateway(&hosted, ([127, 0, 0, 1], 1).into(), false);
    let ended = std::sync::Mutex::new(Vec::new());
    let invoke = |size: usize| {
        let (gateway, hosted, ended) = (&gateway, &hosted, &ended);
        async move {
            let request = Request::new(Body::Binary(vec![b'x'; size]));
            let answer = gateway.invoke(hosted, request, (), uuid::Uuid::nil()).await;
            assert_eq!(answer.status(), 200);
            ended.lock().unwrap().push(size);
        }
    };
    tokio::join!(invoke(super::OWN_THREAD_MIN_BYTES + 1), invoke(1));
    assert_eq!(*ended.lock().unwrap(), [1, super::OWN_THREAD_MIN_BYTES + 1]);
}
