//! A request body that is drained after an early answer, so that the client can read that answer.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, header};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// Closing a connection with unread bytes makes the kernel reset it, and the client may lose the answer. So the rest is
/// read and discarded, up to this many bytes …
const DRAIN_MAX_BYTES: u64 = 256 * 1024 * 1024;

/// … and up to this time.
const DRAIN_MAX_TIME: Duration = Duration::from_secs(10);

/// A request's body; the unread rest is drained in the background when it is dropped.
pub(crate) struct RequestBody {
    body: Option<Incoming>,
    /// A client that expects `100 Continue` sends nothing when it gets the answer instead.
    waits_for_continue: bool,
}

impl RequestBody {
    pub(crate) fn wrap(request: Request<Incoming>) -> Request<Self> {
        let waits_for_continue = request.headers().contains_key(header::EXPECT);
        request.map(|body| Self { body: Some(body), waits_for_continue })
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.waits_for_continue = false;
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else { return };
        if body.is_end_stream() || self.waits_for_continue {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(DRAIN_MAX_TIME, drain(body)));
        }
    }
}

async fn drain(mut body: Incoming) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, |data| data.len() as u64);
        if read > DRAIN_MAX_BYTES {
            return;
        }
    }
}
