//! An HTTP client that counts every call for the request that makes it.

use aws_smithy_runtime_api::client::connector_metadata::ConnectorMetadata;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

use crate::request_cost::RequestCost;

/// `inner`, with calls counted in the current [`RequestCost`]. Presigning sends nothing and is not counted.
#[must_use]
pub fn metered(inner: SharedHttpClient) -> SharedHttpClient {
    SharedHttpClient::new(Metered(inner))
}

#[derive(Debug)]
struct Metered<T>(T);

impl HttpClient for Metered<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(Metered(self.0.http_connector(settings, components)))
    }

    fn connector_metadata(&self) -> Option<ConnectorMetadata> {
        self.0.connector_metadata()
    }
}

impl HttpConnector for Metered<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let waiting = RequestCost::current().call();
        let answer = self.0.call(request);
        HttpConnectorFuture::new(async move {
            let answer = answer.await;
            drop(waiting);
            answer
        })
    }
}
