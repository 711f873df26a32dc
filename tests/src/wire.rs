//! The transport of the SDK clients: counts calls and injects faults.

mod capacity;
mod contention;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use contention::Contention;

/// One call of an SDK client, as it goes over the wire.
#[derive(Clone, Debug)]
pub struct WireCall {
    /// `BatchGetItem`, `TransactWriteItems`, … or for S3 `GetObject`, `PutObject`, `DeleteObject`, `ListObjectsV2`.
    pub operation: String,
    /// How many calls went before this one.
    pub index: u64,
    /// Parts of the transaction; 0 for other calls.
    pub parts: usize,
    /// What it writes to DynamoDB: partition and sort key of each item, in the order sent.
    pub writes: Vec<(String, String)>,
}

/// The fault of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// Throttled by DynamoDB or S3; not carried out.
    Throttle,
    /// Status 500; not carried out.
    ServerError,
    /// The connection breaks before the request is sent.
    LostRequest,
    /// The request is carried out, but its answer never arrives.
    LostAnswer,
    /// No answer until the SDK's timeout; not carried out.
    Timeout,
    /// A transaction conflicts with another one; not carried out.
    Conflict,
    /// A transaction is canceled for these reasons (DynamoDB JSON); not carried out.
    Cancelled(Value),
    /// An earlier attempt of the same transaction is in progress; not carried out.
    InProgress,
    /// The body of the answer ends early.
    ShortBody,
    /// This status and S3 error code; not carried out.
    Refused(u16, &'static str),
    /// The request stalls before it is sent, so that the process can be killed.
    StallBefore,
    /// The request is carried out, then its answer stalls, so that the process can be killed.
    StallAfter,
}

type Plan = dyn Fn(&WireCall) -> Fault + Send + Sync;

/// Counts and faults, shared by all clients of one service.
#[derive(Clone)]
pub struct Wire(Arc<State>);

struct State {
    calls: AtomicU64,
    plan: Mutex<Arc<Plan>>,
    latency: Mutex<Duration>,
    contention: Contention,
    /// Whether DynamoDB is asked for the capacity that each call consumes.
    counts_capacity: AtomicBool,
    log: Mutex<Vec<Logged>>,
}

/// A call with the order of its beginning and end among all beginnings and ends.
#[derive(Clone, Debug)]
struct Logged {
    operation: String,
    request: Option<Value>,
    /// Capacity units consumed, if they are counted.
    units: f64,
    received: u64,
    began: u64,
    ended: u64,
}

/// Traffic between two reads.
#[derive(Debug)]
pub struct Traffic {
    /// The operations, in the order in which they began.
    pub operations: Vec<String>,
    /// Round trips: calls that overlap count once.
    pub rounds: usize,
    /// The same, only of S3's GETs.
    pub get_rounds: usize,
    /// Bytes of the answers to them.
    pub got: u64,
    /// The bodies of the DynamoDB queries.
    pub queries: Vec<Value>,
    /// Read units and write units that DynamoDB counted.
    pub units: [f64; 2],
}

impl Traffic {
    /// How many calls of `operation` there were.
    #[must_use]
    pub fn count(&self, operation: &str) -> usize {
        self.operations.iter().filter(|other| *other == operation).count()
    }
}

impl Default for Wire {
    fn default() -> Self {
        Self(Arc::new(State {
            calls: AtomicU64::new(0),
            plan: Mutex::new(Arc::new(|_| Fault::None)),
            latency: Mutex::new(Duration::ZERO),
            contention: Contention::default(),
            counts_capacity: AtomicBool::new(false),
            log: Mutex::new(Vec::new()),
        }))
    }
}

impl Wire {
    /// From now on `plan` decides.
    pub fn plan(&self, plan: impl Fn(&WireCall) -> Fault + Send + Sync + 'static) {
        *self.0.plan.lock().unwrap() = Arc::new(plan);
    }

    /// From now on nothing fails.
    pub fn heal(&self) {
        self.plan(|_| Fault::None);
    }

    /// Every call takes at least this long from now on.
    pub fn set_latency(&self, latency: Duration) {
        *self.0.latency.lock().unwrap() = latency;
    }

    /// From now on concurrent writes to an item conflict, as they do in AWS but not in a store that serializes them.
    pub fn contend(&self) {
        self.0.contention.begin();
    }

    /// From now on DynamoDB counts the capacity units that calls consume.
    pub fn count_capacity(&self) {
        self.0.counts_capacity.store(true, Ordering::SeqCst);
    }

    /// Traffic since the last call.
    #[must_use]
    pub fn take(&self) -> Traffic {
        let mut log = std::mem::take(&mut *self.0.log.lock().unwrap());
        log.sort_by_key(|call| call.began);
        let units = |writes| {
            let those = log.iter().filter(|call| capacity::writes(&call.operation) == writes);
            those.map(|call| call.units).sum()
        };
        let gets = || log.iter().filter(|call| call.operation == "GetObject");
        Traffic {
            rounds: rounds(log.iter()),
            units: [units(false), units(true)],
            get_rounds: rounds(gets()),
            got: gets().map(|call| call.received).sum(),
            queries: log
                .iter()
                .filter(|call| call.operation == "Query")
                .filter_map(|call| call.request.clone())
                .collect(),
            operations: log.into_iter().map(|call| call.operation).collect(),
        }
    }

    /// `inner` behind this wire.
    #[must_use]
    pub fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(WireClient { inner, wire: self.clone() })
    }

    fn decide(&self, request: &HttpRequest) -> (WireCall, Fault, Duration) {
        let index = self.0.calls.fetch_add(1, Ordering::SeqCst);
        let call = describe(request, index);
        let plan = Arc::clone(&self.0.plan.lock().unwrap());
        let fault = plan(&call);
        (call, fault, *self.0.latency.lock().unwrap())
    }

    fn tick(&self) -> u64 {
        static CLOCK: AtomicU64 = AtomicU64::new(1);
        CLOCK.fetch_add(1, Ordering::SeqCst)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

/// The round trips of these calls, in the order in which they began.
fn rounds<'a>(calls: impl Iterator<Item = &'a Logged>) -> usize {
    let (mut rounds, mut busy_until) = (0, 0);
    for call in calls {
        if call.began > busy_until {
            rounds += 1;
        }
        busy_until = busy_until.max(call.ended);
    }
    rounds
}

#[derive(Debug)]
struct WireClient {
    inner: SharedHttpClient,
    wire: Wire,
}

impl HttpClient for WireClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(WireConnector { inner, wire: self.wire.clone() })
    }
}

#[derive(Debug)]
struct WireConnector {
    inner: SharedHttpConnector,
    wire: Wire,
}

impl HttpConnector for WireConnector {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let (inner, wire) = (self.inner.clone(), self.wire.clone());
        HttpConnectorFuture::new(async move {
            let (call, fault, latency) = wire.decide(&request);
            let body = request.body().bytes().and_then(|body| serde_json::from_slice(body).ok());
            if wire.0.counts_capacity.load(Ordering::SeqCst) {
                capacity::ask(&mut request);
            }
            let began = wire.tick();
            let guard = wire.0.contention.acquire(&call);
            if !latency.is_zero() {
                tokio::time::sleep(latency).await;
            }
            let answer = match &guard {
                Ok(_writing) => carry(&inner, request, &call, &fault).await,
                Err(met) => Ok(met.answer()),
            };
            drop(guard);
            let ended = wire.tick();
            let length = answer.as_ref().ok().and_then(|answer| answer.headers().get("content-length")?.parse().ok());
            let received = length.unwrap_or(0);
            let units = answer.as_ref().map_or(0.0, capacity::consumed);
            let logged = Logged { operation: call.operation, request: body, units, received, began, ended };
            wire.0.log.lock().unwrap().push(logged);
            answer
        })
    }
}

async fn carry(
    inner: &SharedHttpConnector,
    request: HttpRequest,
    call: &WireCall,
    fault: &Fault,
) -> Result<HttpResponse, ConnectorError> {
    let is_s3 = call.operation.contains("Object");
    match fault {
        Fault::None => inner.call(request).await,
        Fault::Throttle if is_s3 => Ok(s3_error(503, "SlowDown")),
        Fault::Throttle => Ok(dynamodb_error(400, "ThrottlingException", json!({}))),
        Fault::ServerError if is_s3 => Ok(s3_error(500, "InternalError")),
        Fault::ServerError => Ok(dynamodb_error(500, "InternalServerError", json!({}))),
        Fault::LostRequest => Err(ConnectorError::io("connection reset before the request".into())),
        Fault::LostAnswer => {
            let answer = inner.call(request).await?;
            drop(answer);
            Err(ConnectorError::io("connection reset after the request".into()))
        }
        Fault::Timeout => Err(ConnectorError::timeout("no answer".into())),
        Fault::Conflict => {
            let reasons = vec![json!({"Code": "TransactionConflict"}); call.parts];
            Ok(cancelled(&json!(reasons)))
        }
        Fault::Cancelled(reasons) => Ok(cancelled(reasons)),
        Fault::InProgress => Ok(dynamodb_error(400, "TransactionInProgressException", json!({}))),
        Fault::ShortBody => inner.call(request).await.map(|answer| answer.map(shortened)),
        Fault::Refused(status, code) => Ok(s3_error(*status, code)),
        Fault::StallBefore => {
            println!("stalled");
            std::future::pending().await
        }
        Fault::StallAfter => {
            let answer = inner.call(request).await?;
            println!("stalled");
            drop(answer);
            std::future::pending().await
        }
    }
}

fn describe(request: &HttpRequest, index: u64) -> WireCall {
    if let Some(target) = request.headers().get("x-amz-target") {
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body: Value = request.body().bytes().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
        let parts = body["TransactItems"].as_array().map_or(0, Vec::len);
        return WireCall { writes: contention::writes(&operation, &body), operation, index, parts };
    }
    let operation = match request.method() {
        "GET" if request.uri().contains("list-type=2") => "ListObjectsV2",
        "GET" => "GetObject",
        "PUT" => "PutObject",
        "DELETE" => "DeleteObject",
        "HEAD" => "HeadObject",
        other => other,
    };
    WireCall { operation: operation.to_owned(), index, parts: 0, writes: Vec::new() }
}

fn cancelled(reasons: &Value) -> HttpResponse {
    dynamodb_error(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons }))
}

fn dynamodb_error(status: u16, code: &str, extra: Value) -> HttpResponse {
    let mut body = json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "injected" });
    if let (Some(body), Value::Object(extra)) = (body.as_object_mut(), extra) {
        body.extend(extra);
    }
    let mut response = HttpResponse::new(StatusCode::try_from(status).unwrap(), SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}

fn s3_error(status: u16, code: &str) -> HttpResponse {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>injected</Message></Error>");
    HttpResponse::new(StatusCode::try_from(status).unwrap(), SdkBody::from(body))
}

/// A truncated body: a single chunk, then an error, as after a closed connection.
fn shortened(_body: SdkBody) -> SdkBody {
    SdkBody::from("short")
}
