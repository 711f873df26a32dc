//! Serves HTTP/1.1 on a listener until it is stopped, then lets running requests finish.

pub(crate) mod body;
pub(crate) mod connections;
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
use tokio_io_timeout::TimeoutStream;

use body::RequestBody;
use connections::Connections;

use crate::connection_limits::ConnectionLimits;

/// How long a client may take to send a request's head, and a connection may stay idle: longer than the 60 s of a load
/// balancer, which might otherwise send a request into a closed connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Longest time without progress of a client that reads an answer.
const UNREAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Buffer of a connection's unparsed input: several times the limit of a request's head.
const INPUT_BUFFER: usize = 64 * 1024;

/// Time limit of running requests after the stop.
const GRACE: Duration = Duration::from_secs(10);

/// Pause after a failed accept: its cause, such as too many open files, is temporary.
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

/// A header's value, if present and text.
pub(crate) fn header_text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A running HTTP server; dropping it stops it.
#[derive(Debug)]
pub(crate) struct HttpServer {
    connections: Connections,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl HttpServer {
    pub(crate) fn start(listener: TcpListener, limits: ConnectionLimits, answer: Arc<impl Responder>) -> Self {
        let (stop, stopped) = oneshot::channel();
        let connections = Connections::new(limits);
        let task = tokio::spawn(run(listener, connections.clone(), answer, stopped));
        Self { connections, stop, task }
    }

    /// Its connections.
    pub(crate) fn connections(&self) -> Connections {
        self.connections.clone()
    }

    /// Stops accepting, lets running requests finish for a while and closes the rest.
    pub(crate) async fn stop(self) {
        // the receiver is dropped if the server has ended already
        let _ = self.stop.send(());
        if let Err(error) = self.task.await {
            tracing::error!(%error, "a server ended by itself");
        }
    }
}

async fn run(
    listener: TcpListener,
    places: Connections,
    answer: Arc<impl Responder>,
    mut stopped: oneshot::Receiver<()>,
) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            // an error means that the sender was dropped, which is a stop as well
            _ = &mut stopped => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let Some(place) = places.admit(peer.ip()) else { continue };
                    let connection = graceful.watch(connection(stream, peer, Arc::clone(&answer)));
                    connections.spawn(async move {
                        let _place = place;
                        connection.await
                    });
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
    // answers are written in one piece; Nagle's algorithm would only delay them
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(UNREAD_TIMEOUT));
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
        .max_buf_size(INPUT_BUFFER)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::Arc;

    use bytes::Bytes;
    use http::{Request, Response};
    use http_body_util::Full;
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;

    use super::ConnectionLimits;
    use super::body::RequestBody;
    use super::{HttpServer, Responder};

    /// Answers more than the system buffers, and reports when the answer is dropped.
    struct Large(mpsc::Sender<()>);

    struct Content(Vec<u8>, #[allow(dead_code, reason = "its end is what is waited for")] mpsc::Sender<()>);

    impl AsRef<[u8]> for Content {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    impl Responder for Large {
        type Body = Full<Bytes>;

        async fn answer(self: Arc<Self>, _: Request<RequestBody>, _: SocketAddr) -> Response<Full<Bytes>> {
            let content = Content(vec![b'x'; 64 << 20], self.0.clone());
            self.0.send(()).await.unwrap();
            Response::new(Full::new(Bytes::from_owner(content)))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_nothing_is_cut_off() {
        let (sender, mut released) = mpsc::channel(1);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answer = Arc::new(Large(sender));
        let server = HttpServer::start(listener, ConnectionLimits::UNLIMITED, Arc::clone(&answer));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        released.recv().await.unwrap();
        // the responder, of which one is here, has a sender; so has the answer
        while answer.0.strong_count() > 1 {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
        drop(client);
        server.stop().await;
    }
}
