//! API Gateway's part: takes HTTP requests, finds their route, calls the function and answers.

mod answer;
mod body;
mod callers;
mod cloud;
mod cors;
pub(crate) mod event;
mod memory;
mod origin;
mod router;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header, request::Parts};
use http_body_util::Full;
use lambda_http::{Body, RequestExt};
use serde_json::Value;
use shared::auth::SenderRows;
use shared::clock::Clock;
use shared::http::BodyOmitted;
use shared::runtime::request_of;
use shared::store::Store;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tracing::Instrument;
use uuid::Uuid;

use crate::functions::Hosted;
use crate::http::Responder;
use crate::http::body::RequestBody;
use crate::metrics::Metrics;
use crate::stores::embedded::s3::Passage;
use crate::template::Template;
use answer::Answered;
use body::{BodyRefusal, PacedBody, Received, Sender};
use callers::{Callers, Client};
use cors::CorsAnswers;
use event::RequestContext;
use memory::MemoryPermits;
use origin::Connection;
use router::{Router, Selected};

pub(crate) use cloud::LARGEST_EVENT;

/// API Gateway's limit of request line and headers together. The path may triple when the runtime encodes it again, and
/// must stay below the limit of an address (64 KB).
const LONGEST_TARGET: usize = 10_240;

/// Requests with bodies over this size are handled on a separate thread: longer computations would delay other
/// requests.
const OWN_THREAD_MIN_BYTES: usize = 8 * 1024 * 1024;

/// The route of forwarded uploads, for metrics.
const UPLOADS: &str = "PUT /uploads";

/// The gateway of a template's HTTP API.
pub(crate) struct Gateway {
    router: Router,
    cors: CorsAnswers,
    passage: Option<Arc<Passage>>,
    functions: HashMap<String, Arc<Hosted>>,
    permits: MemoryPermits,
    callers: Callers,
    cloud_limits: bool,
    behind_proxy: bool,
    clock: Clock,
    local: SocketAddr,
    metrics: Arc<Metrics>,
    /// Cloned for every invocation, so that a stop waits for the last one.
    running: mpsc::Sender<()>,
}

/// The settings of [`Gateway::new`].
pub(crate) struct Settings<'t> {
    pub(crate) template: &'t Template,
    pub(crate) functions: HashMap<String, Arc<Hosted>>,
    /// The forwarder of uploads to the embedded bucket.
    pub(crate) passage: Option<Arc<Passage>>,
    pub(crate) cloud_limits: bool,
    pub(crate) behind_proxy: bool,
    /// The lookup of the sender of a large body.
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) local: SocketAddr,
    pub(crate) metrics: Arc<Metrics>,
}

impl Gateway {
    /// The gateway, and a channel that ends when it and every invocation have ended.
    pub(crate) fn new(settings: Settings<'_>) -> (Self, mpsc::Receiver<()>) {
        let (running, ended) = mpsc::channel(1);
        let gateway = Self {
            router: Router::new(&settings.template.routes),
            cors: CorsAnswers::new(&settings.template.cors),
            passage: settings.passage,
            functions: settings.functions,
            permits: MemoryPermits::new(),
            callers: Callers { store: settings.store, clock: settings.clock.clone() },
            cloud_limits: settings.cloud_limits,
            behind_proxy: settings.behind_proxy,
            clock: settings.clock,
            local: settings.local,
            metrics: settings.metrics,
            running,
        };
        (gateway, ended)
    }

    /// Answers, with CORS headers.
    async fn respond_to_origins(
        &self,
        head: &Parts,
        selected: Option<&Selected<'_>>,
        body: RequestBody,
        peer: SocketAddr,
    ) -> Answered {
        if let Some(preflight) = self.cors.preflight(&head.method, &head.headers) {
            return preflight;
        }
        let mut response = self.respond(head, selected, body, peer).await;
        self.cors.decorate(head.headers.get(header::ORIGIN), response.headers_mut());
        response
    }

    async fn respond(
        &self,
        head: &Parts,
        selected: Option<&Selected<'_>>,
        body: RequestBody,
        peer: SocketAddr,
    ) -> Answered {
        let Some(host) = event::host(head).filter(|_| head.uri.path().starts_with('/')) else {
            return answer::gateway(StatusCode::BAD_REQUEST, "Bad Request");
        };
        if head.uri.path_and_query().is_some_and(|target| target.as_str().len() > LONGEST_TARGET) {
            return answer::gateway(StatusCode::URI_TOO_LONG, "Request-URI Too Long");
        }
        let Some(selected) = selected else {
            return answer::gateway(StatusCode::NOT_FOUND, "Not Found");
        };
        let Some(function) = self.functions.get(&selected.route.function) else {
            return cloud::failed();
        };
        let connection = Connection { peer, local: self.local, behind_proxy: self.behind_proxy };
        let arrival = RequestContext { host, request_id: Uuid::new_v4(), connection, now: self.clock.now() };
        let mut event = event::event(head, selected, &arrival);
        let (mut parts, _) = match request_of(&event) {
            Ok(request) => request.into_parts(),
            Err(unreadable) => return answer::from_function(unreadable.answer()).unwrap_or_else(cloud::failed),
        };
        let sender_rows = SenderRows::default();
        let maximum = if self.cloud_limits { cloud::LARGEST_BODY } else { body::MAX_BODY };
        let identify = async {
            if self.cloud_limits {
                // the cloud does not identify senders: no body is larger than 10 MB
                return Some(Client { user: None, address: peer.ip() });
            }
            parts.extensions.insert(sender_rows.clone());
            self.callers.identify(lambda_http::Request::from_parts(parts.clone(), Body::Empty)).await.ok()
        };
        let sender = Sender::new(connection.client(&head.headers), identify);
        let received = match body::receive(body, maximum, &self.permits, sender).await {
            Ok(received) => received,
            // the function answers with the error, after authentication
            Err(BodyRefusal::TooLarge) if !self.cloud_limits => Received::omitted(BodyOmitted::TooLarge),
            Err(BodyRefusal::NoMemory) => Received::omitted(BodyOmitted::NoMemory),
            Err(refusal) => return refuse(&refusal),
        };
        event::measure(&mut event, &mut parts.headers, received.bytes.len());
        self.call(parts, &event, arrival.request_id, function, received).await
    }

    async fn call(
        &self,
        parts: Parts,
        event: &Value,
        request_id: Uuid,
        function: &Arc<Hosted>,
        received: Received,
    ) -> Answered {
        let Received { bytes, permit, omitted } = received;
        let body = event::body(bytes, &parts.headers);
        if self.cloud_limits && !cloud::takes(event, &body) {
            return cloud::too_large();
        }
        let request = lambda_http::Request::from_parts(parts, body);
        let mut request = request.with_lambda_context(function.context(request_id));
        if let Some(why) = omitted {
            request.extensions_mut().insert(why);
        }
        let held = (permit, self.running.clone());
        self.invoke(function, request, held, request_id).await
    }

    /// Runs the function to its end, also if the client disconnects, as Lambda does. One with a large body computes
    /// longer, so it gets a separate thread; memory permits limit their number.
    async fn invoke(
        &self,
        function: &Arc<Hosted>,
        request: lambda_http::Request,
        held: impl Send + 'static,
        request_id: Uuid,
    ) -> Answered {
        let span = tracing::info_span!("invocation", %request_id);
        let running = Arc::clone(function);
        let large = request.body().len() > OWN_THREAD_MIN_BYTES;
        let invocation = async move {
            let response = running.handle(request).await;
            drop(held);
            response
        };
        let invocation = invocation.instrument(span);
        let mut task = if large && !self.cloud_limits {
            let runtime = Handle::current();
            tokio::task::spawn_blocking(move || runtime.block_on(invocation))
        } else {
            tokio::spawn(invocation)
        };
        let ended = if self.cloud_limits {
            let longest = function.timeout.min(cloud::LONGEST_INTEGRATION);
            match tokio::time::timeout(longest, &mut task).await {
                Ok(ended) => ended,
                Err(_) if function.timeout > cloud::LONGEST_INTEGRATION => return cloud::timed_out(),
                Err(_) => {
                    task.abort();
                    return cloud::failed();
                }
            }
        } else {
            task.await
        };
        // a panic is logged by the panic hook
        let Ok(response) = ended else {
            return answer::internal_error(request_id);
        };
        let answer = answer::from_function(response).unwrap_or_else(cloud::failed);
        if self.cloud_limits { cloud::limit_answer(answer) } else { answer }
    }
}

impl Responder for Gateway {
    type Body = Full<Bytes>;

    async fn answer(self: Arc<Self>, request: Request<RequestBody>, peer: SocketAddr) -> Response<Full<Bytes>> {
        let began = Instant::now();
        let (head, body) = request.into_parts();
        if let Some(passage) = self.passage.as_ref().filter(|_| Passage::takes(&head)) {
            let response = passage.answer(head, PacedBody::new(body)).await;
            self.metrics.answered(UPLOADS, response.status(), began.elapsed());
            return response;
        }
        let selected = self.router.select(head.method.as_str(), head.uri.path());
        let response = self.respond_to_origins(&head, selected.as_ref(), body, peer).await;
        let route = selected.map_or("none", |selected| &selected.route.key);
        self.metrics.answered(route, response.status(), began.elapsed());
        response
    }
}

fn refuse(refusal: &BodyRefusal) -> Answered {
    match refusal {
        BodyRefusal::TooLarge | BodyRefusal::NoMemory => cloud::too_large(),
        BodyRefusal::TooSlow => closing(answer::gateway(StatusCode::REQUEST_TIMEOUT, "Request Timeout")),
        BodyRefusal::Incomplete => closing(answer::gateway(StatusCode::BAD_REQUEST, "Bad Request")),
    }
}

/// the rest of the body would be parsed as the next request
fn closing(mut answer: Answered) -> Answered {
    let close = http::HeaderValue::from_static("close");
    answer.headers_mut().insert(header::CONNECTION, close);
    answer
}

#[cfg(test)]
mod tests;
