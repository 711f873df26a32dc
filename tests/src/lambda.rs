//! AWS Lambda as a function's binary sees it: the Runtime API, version 2018-06-01, the environment, standard output.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tempfile::NamedTempFile;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::clock::shift;
use crate::service::TestService;

/// A function's binary at work.
pub struct Bootstrap {
    child: Child,
    invocations: mpsc::UnboundedSender<Invocation>,
    output: NamedTempFile,
    /// Bytes of output read so far.
    seen: Mutex<usize>,
    /// From the start of the process to its first poll for an event.
    pub cold_start: Duration,
    /// CPU time of that, which depends little on other load.
    pub cold_processor: Duration,
}

struct Invocation {
    event: String,
    answer: oneshot::Sender<Result<Value, Value>>,
}

type Waiting = Mutex<BTreeMap<String, oneshot::Sender<Result<Value, Value>>>>;

struct Api {
    invocations: tokio::sync::Mutex<mpsc::UnboundedReceiver<Invocation>>,
    waiting: Waiting,
    polled: Mutex<Option<oneshot::Sender<Instant>>>,
}

/// The binary `name` among those that `BOOTSTRAPS`, a folder, holds.
///
/// # Panics
/// `BOOTSTRAPS` is not set.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let folder = std::env::var_os("BOOTSTRAPS").expect("set BOOTSTRAPS to the folder of the functions' binaries");
    // cargo runs tests in their package's folder
    crate::events::root().join(Path::new(&folder).join(name))
}

impl Bootstrap {
    /// Starts a function of the template on the embedded stores of `service`.
    pub async fn of(service: &TestService, function: &str) -> Self {
        Self::with(service, function, &[]).await
    }

    /// The same with these values of its environment.
    pub async fn with(service: &TestService, function: &str, values: &[(&str, String)]) -> Self {
        let service = service.service();
        let function = service.template().functions.iter().find(|known| known.logical_id == function).unwrap();
        let mut environment = function.environment.clone();
        environment.insert("AWS_ENDPOINT_URL_DYNAMODB".to_owned(), service.embedded().unwrap().dynamodb_endpoint());
        environment.insert("AWS_ENDPOINT_URL_S3".to_owned(), service.embedded().unwrap().s3_endpoint());
        environment.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        Self::start(&binary(&function.binary), &environment).await
    }

    /// Starts a binary with the environment that Lambda gives beside `environment`.
    pub async fn start(binary: &Path, environment: &BTreeMap<String, String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (invocations, receiver) = mpsc::unbounded_channel();
        let (polled, first_poll) = oneshot::channel();
        let api = Arc::new(Api {
            invocations: tokio::sync::Mutex::new(receiver),
            waiting: Mutex::default(),
            polled: Mutex::new(Some(polled)),
        });
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve(listener, api));
        let started = Instant::now();
        // a file, not a pipe: output written before an answer can be read after it
        let output = NamedTempFile::new().unwrap();
        let mut command = command(binary, environment, address);
        let child = command.stdout(output.reopen().unwrap()).stderr(Stdio::inherit()).spawn().unwrap();
        let first = tokio::time::timeout(Duration::from_secs(60), first_poll).await;
        let first = first.expect("the binary does not poll for events").unwrap();
        let cold_processor = processor_time(child.id());
        let seen = Mutex::default();
        Self { child, invocations, output, seen, cold_start: first - started, cold_processor }
    }

    /// Sends an event; returns the function's answer, or the error it reports.
    pub async fn invoke(&self, event: &str) -> Result<Value, Value> {
        let (answer, answered) = oneshot::channel();
        assert!(self.invocations.send(Invocation { event: event.to_owned(), answer }).is_ok());
        tokio::time::timeout(Duration::from_secs(60), answered).await.expect("no answer").unwrap()
    }

    /// The lines of standard output since the last call.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let output = std::fs::read_to_string(self.output.path()).unwrap();
        let from = std::mem::replace(&mut *self.seen.lock().unwrap(), output.len());
        output[from..].lines().map(str::to_owned).collect()
    }

    /// The process's id.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The processor time of its main thread, which does all of a function's work but extraction.
    #[must_use]
    pub fn processor_time(&self) -> Duration {
        processor_time(self.child.id())
    }
}

impl Drop for Bootstrap {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl std::fmt::Debug for Bootstrap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bootstrap").field("child", &self.child).finish_non_exhaustive()
    }
}

/// The CPU time of the main thread of a process from Linux, in nanoseconds.
fn processor_time(process: u32) -> Duration {
    let counted = std::fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    Duration::from_nanos(counted.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default())
}

fn command(binary: &Path, environment: &BTreeMap<String, String>, api: SocketAddr) -> Command {
    let mut command = Command::new(binary);
    command.env_clear().envs(shift()).envs(environment).envs([
        ("AWS_LAMBDA_RUNTIME_API", api.to_string().as_str()),
        ("AWS_LAMBDA_FUNCTION_NAME", "function"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
        ("AWS_LAMBDA_LOG_GROUP_NAME", "group"),
        ("AWS_LAMBDA_LOG_STREAM_NAME", "stream"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "local"),
        ("AWS_SECRET_ACCESS_KEY", "local"),
    ]);
    command
}

async fn serve(listener: TcpListener, api: Arc<Api>) {
    while let Ok((stream, _)) = listener.accept().await {
        let api = Arc::clone(&api);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(Arc::clone(&api), request));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(api: Arc<Api>, request: Request<Incoming>) -> Result<Response<Full<bytes::Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let rest = path.strip_prefix("/2018-06-01/runtime/").unwrap_or_default();
    if rest == "invocation/next" {
        return Ok(next(&api).await);
    }
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let parts: Vec<&str> = rest.split('/').collect();
    match parts[..] {
        ["invocation", id, "response"] => settle(&api, id, Ok(body)),
        ["invocation", id, "error"] => settle(&api, id, Err(body)),
        _ => eprintln!("the Runtime API has no {path}: {body}"),
    }
    Ok(Response::builder().status(202).body(Full::default()).unwrap())
}

async fn next(api: &Api) -> Response<Full<bytes::Bytes>> {
    if let Some(polled) = api.polled.lock().unwrap().take() {
        let _ = polled.send(Instant::now());
    }
    let Some(invocation) = api.invocations.lock().await.recv().await else {
        return std::future::pending().await;
    };
    let id = Uuid::new_v4().to_string();
    api.waiting.lock().unwrap().insert(id.clone(), invocation.answer);
    let deadline = SystemTime::now() + Duration::from_secs(28);
    let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    Response::builder()
        .header("lambda-runtime-aws-request-id", id)
        .header("lambda-runtime-deadline-ms", deadline.to_string())
        .header("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:123456789012:function:function")
        .body(Full::from(invocation.event))
        .unwrap()
}

fn settle(api: &Api, id: &str, answer: Result<Value, Value>) {
    if let Some(waiting) = api.waiting.lock().unwrap().remove(id) {
        let _ = waiting.send(answer);
    }
}
