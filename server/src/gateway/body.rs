//! Takes a request's body in, within bounds of size, time and the process's memory.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use crate::http::body::RequestBody;

const MIB: u64 = 1024 * 1024;

/// The largest file, and room for the multipart form around it: the function weighs the file itself.
pub(super) const MAXIMUM: u64 = shared::upload_form::MAX_BODY;

/// What bodies over `SMALL` may hold together: five of the largest at once, so that the process with
/// its analyses stays below 1 GiB. The others wait, and TCP makes their clients wait.
const TOGETHER_MIB: usize = 512;

/// Bodies up to this size do not queue behind large ones.
const SMALL: u64 = MIB;

/// A client that sends nothing for this long is gone.
const IDLE: Duration = Duration::from_secs(30);

/// A client slower than this in the mean (1 Mbit/s) holds the memory of others.
const SLOWEST_BYTES_PER_SECOND: u64 = 128 * 1024;

/// A whole body, and its share of the memory for as long as it lives.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) bytes: Vec<u8>,
    pub(super) share: Option<OwnedSemaphorePermit>,
    /// It is larger than allowed, and nothing of it is here.
    pub(super) left_out: bool,
}

impl Received {
    pub(super) fn left_out() -> Self {
        Self { left_out: true, ..Self::default() }
    }
}

/// Why a body was not taken.
#[derive(Debug, PartialEq)]
pub(super) enum Refusal {
    /// It is, or would become, larger than allowed.
    TooLarge,
    /// It comes too slowly.
    TooSlow,
    /// The client broke off.
    Incomplete,
}

/// The memory that large bodies share.
#[derive(Clone, Debug)]
pub(super) struct BodyMemory(Arc<Semaphore>);

impl BodyMemory {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(TOGETHER_MIB)))
    }

    /// Reads a body of at most `maximum` bytes.
    pub(super) async fn receive(&self, mut body: RequestBody, maximum: u64) -> Result<Received, Refusal> {
        let declared = body.size_hint().exact();
        if declared.is_some_and(|length| length > maximum) {
            return Err(Refusal::TooLarge);
        }
        let mut received = Received::default();
        if let Some(length) = declared.filter(|length| *length > SMALL) {
            self.reserve(&mut received, length).await;
        }
        let mut pace = Pace::start();
        while let Some(data) = pace.next(&mut body).await? {
            let length = (received.bytes.len() + data.len()) as u64;
            if length > maximum {
                return Err(Refusal::TooLarge);
            }
            if length > SMALL && received.share.is_none() {
                // No length was declared: it may become as large as any.
                self.reserve(&mut received, maximum).await;
                pace = Pace::start();
            }
            received.bytes.extend_from_slice(&data);
        }
        Ok(received)
    }

    async fn reserve(&self, received: &mut Received, length: u64) {
        let mebibytes = u32::try_from(length.div_ceil(MIB)).unwrap_or(u32::MAX);
        // It fails only when the semaphore is closed, which nobody does.
        received.share = Arc::clone(&self.0).acquire_many_owned(mebibytes).await.ok();
        let missing = usize::try_from(length).unwrap_or_default();
        received.bytes.reserve_exact(missing.saturating_sub(received.bytes.len()));
    }
}

/// How fast a body comes.
struct Pace {
    started: Instant,
    bytes: u64,
}

impl Pace {
    fn start() -> Self {
        Self { started: Instant::now(), bytes: 0 }
    }

    async fn next(&mut self, body: &mut RequestBody) -> Result<Option<bytes::Bytes>, Refusal> {
        let allowed = IDLE + Duration::from_secs(self.bytes / SLOWEST_BYTES_PER_SECOND);
        let frame = timeout_at(self.started + allowed, timeout(IDLE, body.frame())).await;
        match frame {
            Err(_) | Ok(Err(_)) => Err(Refusal::TooSlow),
            Ok(Ok(None)) => Ok(None),
            Ok(Ok(Some(Err(_)))) => Err(Refusal::Incomplete),
            Ok(Ok(Some(Ok(frame)))) => {
                let data = frame.into_data().unwrap_or_default();
                self.bytes += data.len() as u64;
                Ok(Some(data))
            }
        }
    }
}
