//! Takes a request's body in, within bounds of size, time and the process's memory.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};
use shared::http::LeftOut;
use tokio::time::{Instant, timeout_at};

use super::callers::Client;
use super::memory::{Allotment, Allotments, MIB};
use crate::http::body::RequestBody;

/// The largest file, and room for the multipart form around it: the function weighs the file itself.
pub(super) const MAXIMUM: u64 = shared::inputs::form_parts::MAX_BODY;

/// Bodies up to this size, the most that any route but few takes, need no share: there are no more of them than
/// connections.
const SMALL: u64 = 64 * 1024;
/// For bodies up to this size nobody is asked for who sends them, as long as there is room for such.
const UNASKED: u64 = MIB;

/// A client that sends nothing for this long is gone.
const IDLE: Duration = Duration::from_secs(30);

/// A client slower than this in the mean (1 Mbit/s) holds the memory of others.
const SLOWEST_BYTES_PER_SECOND: u64 = 128 * 1024;

/// So much has to come within each of the windows, however fast it came before: 10 KB/s.
const WINDOW: Duration = Duration::from_secs(30);
const LEAST_IN_WINDOW: u64 = 300_000;

/// Who sends a body.
pub(super) struct Sender<F> {
    /// From where.
    pub(super) address: IpAddr,
    /// Says who it is, once.
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

/// A whole body, and its share of the memory for as long as it lives.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) bytes: Vec<u8>,
    pub(super) allotment: Option<Allotment>,
    /// Why nothing of it is here.
    pub(super) left_out: Option<LeftOut>,
}

impl Received {
    pub(super) fn left_out(why: LeftOut) -> Self {
        Self { left_out: Some(why), ..Self::default() }
    }

    /// Takes a share of the memory for a body of `length` bytes.
    async fn reserve(
        &mut self,
        length: u64,
        allotments: &Allotments,
        sender: &mut Sender<impl Future<Output = Option<Client>>>,
    ) -> Result<(), BodyRefusal> {
        let unasked = (length <= UNASKED).then(|| allotments.take_unasked(sender.address)).flatten();
        self.allotment = match unasked {
            None => {
                let client = sender.client().await.ok_or(BodyRefusal::NoRoom)?;
                Some(allotments.take(client, length).await.ok_or(BodyRefusal::NoRoom)?)
            }
            unasked => unasked,
        };
        let missing = usize::try_from(length).unwrap_or_default();
        self.bytes.reserve_exact(missing.saturating_sub(self.bytes.len()));
        Ok(())
    }
}

/// Why a body was not taken.
#[derive(Debug, PartialEq)]
pub(super) enum BodyRefusal {
    /// It is, or would become, larger than allowed.
    TooLarge,
    /// It is large and from nobody who is known, or there was no memory for it in time.
    NoRoom,
    /// It comes too slowly.
    TooSlow,
    /// The client broke off.
    Incomplete,
}

/// Reads a body of at most `maximum` bytes. If it is large, its `sender` has to be known before it gets one of the
/// `allotments` of the memory.
pub(super) async fn receive(
    mut body: RequestBody,
    maximum: u64,
    allotments: &Allotments,
    mut sender: Sender<impl Future<Output = Option<Client>> + Send>,
) -> Result<Received, BodyRefusal> {
    let declared = body.size_hint().exact();
    if declared.is_some_and(|length| length > maximum) {
        return Err(BodyRefusal::TooLarge);
    }
    let mut received = Received::default();
    let mut room = declared.unwrap_or(SMALL).max(SMALL);
    if room > SMALL {
        received.reserve(room, allotments, &mut sender).await?;
    }
    let mut pace = Pace::start();
    while let Some(data) = pace.next(&mut body).await? {
        let length = (received.bytes.len() + data.len()) as u64;
        if length > maximum {
            return Err(BodyRefusal::TooLarge);
        }
        if length > room {
            // No length was declared: it may become as large as any.
            room = if length <= UNASKED { UNASKED } else { maximum };
            received.reserve(room, allotments, &mut sender).await?;
            pace = Pace::start();
        }
        received.bytes.extend_from_slice(&data);
    }
    Ok(received)
}

/// A body that is passed on piece by piece, and breaks off if it comes too slowly.
pub(super) struct PacedBody {
    pieces: Pin<Box<dyn Stream<Item = Result<Frame<Bytes>, Broken>> + Send>>,
    size: SizeHint,
}

/// A body ended before it was whole.
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

/// How fast a body comes.
struct Pace {
    started: Instant,
    bytes: u64,
    /// When the current window began, and what has come within it.
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
            let mean = self.started + IDLE + Duration::from_secs(self.bytes / SLOWEST_BYTES_PER_SECOND);
            let last = mean.min(asked + IDLE);
            match timeout_at(last.min(self.window + WINDOW), body.frame()).await {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(BodyRefusal::Incomplete),
                Ok(Some(Ok(frame))) => {
                    let data = frame.into_data().unwrap_or_default();
                    self.bytes += data.len() as u64;
                    self.in_window += data.len() as u64;
                    return Ok(Some(data));
                }
                Err(_) if Instant::now() >= last || self.in_window < LEAST_IN_WINDOW => {
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
