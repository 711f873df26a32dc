//! What the functions reach through the AWS SDK, without a network: the table, and a bucket in which every upload
//! is one small PDF.

use std::sync::Arc;

use aws_sdk_dynamodb::config::{Credentials, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use serde_json::Value;
use shared::aws;
use shared::clock::Clock;
use shared::journal::Journal;
use shared::mail::Mail;
use shared::platform::{Config, Platform, Process};
use shared::registration::{Policy, RegistrationLimits};

use crate::table::{TABLE, Table, document, now};

const ENDPOINT: &str = "http://cloud.example.org";

/// The far side of the SDK's clients.
#[derive(Clone, Debug)]
pub(crate) struct Cloud {
    pub(crate) table: Arc<Table>,
    file: Arc<[u8]>,
}

impl Cloud {
    pub(crate) fn new() -> Self {
        Self { table: Arc::new(Table::new()), file: document().into() }
    }

    /// The surroundings of a function.
    pub(crate) fn platform(&self) -> Platform {
        let credentials = Credentials::new("key", "key", None, None, "fuzz");
        let sdk =
            aws::exactly(Some(Region::from_static("us-east-1")), credentials, SharedHttpClient::new(self.clone()));
        let sdk = sdk.into_builder().endpoint_url(ENDPOINT).build();
        let table = self.table.clone();
        Platform {
            dynamodb: aws_sdk_dynamodb::Client::new(&sdk),
            s3: (&sdk).into(),
            config: Config {
                table: TABLE.to_owned(),
                upload_bucket: "uploads".to_owned(),
                daily_limit: 50,
                registration: Policy::Open,
                registration_limits: RegistrationLimits { in_all: 100, per_network: 5 },
                trusted_issuers: None,
                sends_directly: false,
                metrics_namespace: "fuzz".to_owned(),
            },
            mail: Mail::default(),
            clock: Clock::new(now),
            journal: Journal::new(move |entry| {
                let line = serde_json::to_string(entry).expect("an entry has a JSON form");
                assert!(!table.secrets.iter().any(|secret| line.contains(secret)), "{line}");
            }),
            process: Process::default(),
        }
    }

    fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let Some((_, operation)) = request.headers().get("x-amz-target").and_then(|target| target.split_once('.'))
        else {
            return self.object(request);
        };
        let body = request.body().bytes().expect("DynamoDB's requests are in memory");
        let body = std::str::from_utf8(body).expect("DynamoDB's requests are JSON");
        assert!(!self.table.secrets.iter().any(|secret| body.contains(secret)), "{body}");
        let request: Value = serde_json::from_str(body).expect("DynamoDB's requests are JSON");
        let answer = self.table.answer(operation, &request).to_string();
        let mut response = HttpResponse::new(200.try_into().expect("a status"), SdkBody::from(answer));
        response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
        response
    }

    /// A range of the file, what it is like, or the word that it was deleted.
    fn object(&self, request: &HttpRequest) -> HttpResponse {
        if request.method() == "DELETE" {
            return HttpResponse::new(204.try_into().expect("a status"), SdkBody::empty());
        }
        let size = self.file.len();
        if request.method() == "HEAD" {
            let mut response = HttpResponse::new(200.try_into().expect("a status"), SdkBody::empty());
            response.headers_mut().insert("content-length", size.to_string());
            response.headers_mut().insert("etag", "\"1\"");
            return response;
        }
        assert_eq!(request.method(), "GET", "tickets are signed here, files are uploaded by others");
        let range = request.headers().get("range").and_then(|range| range.strip_prefix("bytes=")).expect("a range");
        let (start, end) = match range.split_once('-').expect("a range") {
            ("", last) => (size.saturating_sub(number(last)), size),
            (first, last) => (number(first), size.min(number(last) + 1)),
        };
        let body = SdkBody::from(self.file.get(start..end).expect("a range of the file"));
        let mut response = HttpResponse::new(206.try_into().expect("a status"), body);
        response.headers_mut().insert("content-range", format!("bytes {start}-{}/{size}", end - 1));
        response.headers_mut().insert("content-length", (end - start).to_string());
        response.headers_mut().insert("etag", "\"1\"");
        response.headers_mut().insert("x-amz-meta-filename", "a%2Epdf");
        response
    }
}

fn number(digits: &str) -> usize {
    digits.parse().expect("a number")
}

impl HttpClient for Cloud {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Cloud {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Ok(self.answer(&request)))
    }
}
