//! In-process transport from SDK clients to the embedded DynamoDB: requests go to the store's thread directly.

use std::time::Instant;

use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use shared::disk_space::DiskSpace;
use shared::store::STORAGE_FULL;
use tokio::sync::{mpsc, oneshot};

use super::operations::{JSON, StoreAnswer, stores};
use super::store::Store;

/// Queues requests for the store's thread, whose operations block.
#[derive(Clone, Debug)]
pub(super) struct Direct(mpsc::UnboundedSender<StoreCall>);

/// The queue of the store's thread.
pub(super) type Jobs = mpsc::UnboundedReceiver<StoreCall>;

/// A request and the channel of its answer.
#[derive(Debug)]
pub(super) struct StoreCall {
    request: HttpRequest,
    answer: oneshot::Sender<StoreAnswer>,
}

impl Direct {
    pub(super) fn new() -> (Self, Jobs) {
        let (sender, jobs) = mpsc::unbounded_channel();
        (Self(sender), jobs)
    }
}

impl StoreCall {
    /// Executes the request. It blocks.
    pub(super) fn run(self, store: &Store, disk_space: &DiskSpace) {
        let target = self.request.headers().get("x-amz-target").unwrap_or_default();
        let body = self.request.body().bytes().unwrap_or_default();
        // the caller may have stopped waiting
        let _ = self.answer.send(if stores(target, body) && disk_space.is_too_small_for(body.len() as u64) {
            full()
        } else {
            match store.answer(target, body, Instant::now()) {
                // the database failed because the disk is full
                failed if failed.status >= 500 && disk_space.is_too_small_for(0) => full(),
                answer => answer,
            }
        });
    }
}

impl HttpConnector for Direct {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (sender, receiver) = oneshot::channel();
        let sent = self.0.send(StoreCall { request, answer: sender });
        HttpConnectorFuture::new(async move {
            sent.map_err(|_| closed())?;
            receiver.await.map_err(|_| closed())?.try_into()
        })
    }
}

impl TryFrom<StoreAnswer> for HttpResponse {
    type Error = ConnectorError;

    fn try_from(answer: StoreAnswer) -> Result<Self, ConnectorError> {
        let status = StatusCode::try_from(answer.status).map_err(|error| ConnectorError::other(error.into(), None))?;
        let length = answer.text.len();
        let mut response = Self::new(status, SdkBody::from(answer.text));
        response.headers_mut().insert("content-type", JSON);
        response.headers_mut().insert("content-length", length.to_string());
        Ok(response)
    }
}

/// The answer when the disk is full, without executing the request.
fn full() -> StoreAnswer {
    StoreAnswer::refusal(400, STORAGE_FULL, "There is no room left on the disk.")
}

fn closed() -> ConnectorError {
    ConnectorError::io("the embedded DynamoDB has been closed".into())
}
