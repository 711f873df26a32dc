//! Serves HTTP/1.1 on a listener until told to stop, then lets what runs finish.

pub(crate) mod body;
pub(crate) mod listen;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::AsHeaderName;
use http::{HeaderMap, Request, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use body::RequestBody;

/// How long a client may take to send a request's head, and a connection may stay idle: longer than the
/// 60 s of a load balancer, which would else now and then send a request into a closed connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// How long running requests may take to finish after the stop.
const GRACE: Duration = Duration::from_secs(10);

/// Rest after a failed accept: the reason, too many open files say, goes by time only.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Something that answers HTTP requests.
pub(crate) trait Responder: Send + Sync + 'static {
    /// The answer's body.
    type Body: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static;

    /// Answers one request of `peer`.
    fn answer(
        self: Arc<Self>,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response<Self::Body>> + Send;
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A header's value, if it is there and text.
pub(crate) fn header_text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A running HTTP server; dropping it stops it.
#[derive(Debug)]
pub(crate) struct HttpServer {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl HttpServer {
    pub(crate) fn start(listener: TcpListener, answer: Arc<impl Responder>) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(run(listener, answer, stopped));
        Self { stop, task }
    }

    /// Stops accepting, lets running requests finish for a while and closes what is left.
    pub(crate) async fn stop(self) {
        // Nobody listens any more if the server has ended by itself.
        let _ = self.stop.send(());
        if let Err(error) = self.task.await {
            tracing::error!(%error, "a server ended by itself");
        }
    }
}

async fn run(listener: TcpListener, answer: Arc<impl Responder>, mut stopped: oneshot::Receiver<()>) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            // An error here means that the sender is gone, which is a stop as well.
            _ = &mut stopped => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let connection = connection(stream, peer, Arc::clone(&answer));
                    connections.spawn(graceful.watch(connection));
                }
                Err(error) => {
                    tracing::warn!(%error, "no connection accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
    connections.shutdown().await;
}

fn connection<A: Responder>(
    stream: TcpStream,
    peer: SocketAddr,
    answer: Arc<A>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send {
    // Answers are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let answer = Arc::clone(&answer);
        async move {
            let request = RequestBody::wrap(request);
            Ok::<_, Infallible>(answer.answer(request, peer).await)
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
}
