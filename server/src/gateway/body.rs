//! Reads a request's body within limits of size, time and the process's memory.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};
use shared::http::BodyOmitted;
use tokio::time::{Instant, timeout_at};

use super::callers::Client;
use super::memory::{MIB, MemoryPermit, MemoryPermits};
use crate::http::body::RequestBody;

/// The largest file with its multipart form; the function checks the file's own size.
pub(super) const MAX_BODY: u64 = shared::inputs::form_parts::MAX_BODY;

/// Bodies up to this size, which is enough for most routes, need no permit: the limit of connections also limits their
/// number.
const UNRESERVED_BYTES: u64 = 64 * 1024;
/// Bodies up to this size need no identified sender while memory for such bodies is free.
const UNIDENTIFIED_MAX_BYTES: u64 = MIB;

/// Idle timeout of a client.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Lowest mean rate of a client (1 Mbit/s): slower ones would occupy memory.
const MIN_BYTES_PER_SECOND: u64 = 128 * 1024;

/// Fewest bytes per window, independent of earlier ones: 10 KB/s.
const WINDOW: Duration = Duration::from_secs(30);
const MIN_BYTES_PER_WINDOW: u64 = 300_000;

/// The sender of a body.
pub(super) struct Sender<F> {
    /// The address.
    pub(super) address: IpAddr,
    /// Identifies the account, once.
    pub(super) identify: Option<F>,
    client: Option<Client>,
}

impl<F: Future<Output = Option<Client>>> Sender<F> {
    pub(super) fn new(address: IpAddr, identify: F) -> Self {
        Self { address, identify: Some(identify), client: None }
    }

    async fn client(&mut self) -> Option<Client> {
        if let Some(identify) = self.identify.take() {
            self.client = Box::pin(identify).await;
        }
        self.client
    }
}

/// A body, and its memory permit until it is dropped.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) bytes: Vec<u8>,
    pub(super) permit: Option<MemoryPermit>,
    /// The reason if the body was not read.
    pub(super) omitted: Option<BodyOmitted>,
}

impl Received {
    pub(super) fn omitted(why: BodyOmitted) -> Self {
        Self { omitted: Some(why), ..Self::default() }
    }

    /// Takes a memory permit for a body of `length` bytes.
    async fn reserve(
        &mut self,
        length: u64,
        permits: &MemoryPermits,
        sender: &mut Sender<impl Future<Output = Option<Client>>>,
    ) -> Result<(), BodyRefusal> {
        let unidentified =
            (length <= UNIDENTIFIED_MAX_BYTES).then(|| permits.take_unidentified(sender.address)).flatten();
        self.permit = match unidentified {
            None => {
                let client = sender.client().await.ok_or(BodyRefusal::NoMemory)?;
                Some(permits.take(client, length).await.ok_or(BodyRefusal::NoMemory)?)
            }
            unidentified => unidentified,
        };
        let missing = usize::try_from(length).unwrap_or_default();
        self.bytes.reserve_exact(missing.saturating_sub(self.bytes.len()));
        Ok(())
    }
}

/// Why a body was refused.
#[derive(Debug, PartialEq)]
pub(super) enum BodyRefusal {
    /// It is, or would become, larger than allowed.
    TooLarge,
    /// It is large and its sender could not be identified, or there was no memory for it in time.
    NoMemory,
    /// It comes too slowly.
    TooSlow,
    /// The client closed the connection.
    Incomplete,
}

/// Reads a body of at most `maximum` bytes. The `sender` of a large one must be identified before it gets one of
/// `permits`.
pub(super) async fn receive(
    mut body: RequestBody,
    maximum: u64,
    permits: &MemoryPermits,
    mut sender: Sender<impl Future<Output = Option<Client>> + Send>,
) -> Result<Received, BodyRefusal> {
    let declared = body.size_hint().exact();
    if declared.is_some_and(|length| length > maximum) {
        return Err(BodyRefusal::TooLarge);
    }
    let mut received = Received::default();
    let mut reserved = declared.unwrap_or(UNRESERVED_BYTES).max(UNRESERVED_BYTES);
    if reserved > UNRESERVED_BYTES {
        received.reserve(reserved, permits, &mut sender).await?;
    }
    let mut pace = Pace::start();
    while let Some(data) = pace.next(&mut body).await? {
        let length = (received.bytes.len() + data.len()) as u64;
        if length > maximum {
            return Err(BodyRefusal::TooLarge);
        }
        if length > reserved {
            // no declared length: it may reach the maximum
            reserved = if length <= UNIDENTIFIED_MAX_BYTES { UNIDENTIFIED_MAX_BYTES } else { maximum };
            received.reserve(reserved, permits, &mut sender).await?;
            pace = Pace::start();
        }
        received.bytes.extend_from_slice(&data);
    }
    Ok(received)
}

/// A body that is forwarded in chunks, and fails if it arrives too slowly.
pub(super) struct PacedBody {
    pieces: Pin<Box<dyn Stream<Item = Result<Frame<Bytes>, Broken>> + Send>>,
    size: SizeHint,
}

/// A body ended before it was complete.
#[derive(Debug, thiserror::Error)]
#[error("the body came too slowly, or broke off")]
pub(super) struct Broken;

impl PacedBody {
    pub(super) fn new(body: RequestBody) -> Self {
        let size = body.size_hint();
        let pieces = stream::unfold(Some((body, Pace::start())), |state| async {
            let (mut body, mut pace) = state?;
            match pace.next(&mut body).await {
                Ok(None) => None,
                Ok(Some(data)) => Some((Ok(Frame::data(data)), Some((body, pace)))),
                Err(_) => Some((Err(Broken), None)),
            }
        });
        Self { pieces: Box::pin(pieces), size }
    }
}

impl Body for PacedBody {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        self.pieces.as_mut().poll_next(context)
    }

    fn size_hint(&self) -> SizeHint {
        self.size
    }
}

/// The rate of a body.
struct Pace {
    started: Instant,
    bytes: u64,
    /// The start of the current window, and the bytes within it.
    window: Instant,
    in_window: u64,
}

impl Pace {
    fn start() -> Self {
        let now = Instant::now();
        Self { started: now, bytes: 0, window: now, in_window: 0 }
    }

    async fn next<B: Body<Data = Bytes> + Unpin>(&mut self, body: &mut B) -> Result<Option<Bytes>, BodyRefusal> {
        let asked = Instant::now();
        loop {
            let mean = self.started + IDLE_TIMEOUT + Duration::from_secs(self.bytes / MIN_BYTES_PER_SECOND);
            let last = mean.min(asked + IDLE_TIMEOUT);
            match timeout_at(last.min(self.window + WINDOW), body.frame()).await {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(BodyRefusal::Incomplete),
                Ok(Some(Ok(frame))) => {
                    let data = frame.into_data().unwrap_or_default();
                    self.bytes += data.len() as u64;
                    self.in_window += data.len() as u64;
                    return Ok(Some(data));
                }
                Err(_) if Instant::now() >= last || self.in_window < MIN_BYTES_PER_WINDOW => {
                    return Err(BodyRefusal::TooSlow);
                }
                Err(_) => (self.window, self.in_window) = (Instant::now(), 0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::stream;
    use http_body_util::StreamBody;
    use hyper::body::Frame;
    use tokio::time::Instant;

    use super::{BodyRefusal, Pace};

    /// 20 MB at once, then `trickle` bytes a second for ten minutes: when it is refused, in seconds.
    async fn cut(trickle: usize) -> Option<u64> {
        let chunks = stream::unfold(0, |second| async move {
            if second > 0 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            let size = if second == 0 { 20_000_000 } else { trickle };
            let frame = Ok::<_, Infallible>(Frame::data(Bytes::from(vec![b'x'; size])));
            (second <= 100).then_some((frame, second + 1))
        });
        let mut body = StreamBody::new(Box::pin(chunks));
        let (began, mut pace) = (Instant::now(), Pace::start());
        loop {
            match pace.next(&mut body).await {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(refusal) => {
                    assert_eq!(refusal, BodyRefusal::TooSlow);
                    return Some(began.elapsed().as_secs());
                }
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn less_than_ten_kilobytes_a_second_is_too_slow_however_fast_it_began() {
        assert_eq!(cut(9_000).await, Some(60));
        assert_eq!(cut(11_000).await, None);
        assert_eq!(cut(0).await, Some(60), "empty frames are nothing");
    }
}
