//! A far side of the SDK clients that knows one account and takes every write.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use shared::clock::Clock;
use shared::journal::Journal;
use shared::platform::{Config, Platform};
use shared::secret::ApiToken;

/// The table that knows `token` and its account.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    hash: String,
}

impl Storage {
    pub(crate) fn new(token: &ApiToken) -> Self {
        Self { hash: STANDARD.encode(token.secret().hash().as_bytes()) }
    }

    /// What the functions are built from.
    pub(crate) fn platform(&self) -> Platform {
        let region = aws_sdk_dynamodb::config::Region::new("eu-central-1");
        let credentials = aws_sdk_dynamodb::config::Credentials::new("fuzz", "fuzz", None, None, "fuzz");
        let dynamodb = aws_sdk_dynamodb::Config::builder()
            .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
            .region(region.clone())
            .credentials_provider(credentials.clone())
            .endpoint_url("http://127.0.0.1:1")
            .http_client(self.clone());
        let s3 = aws_sdk_s3::Config::builder()
            .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
            .region(region)
            .credentials_provider(credentials)
            .endpoint_url("http://127.0.0.1:1")
            .http_client(self.clone());
        Platform {
            dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
            s3: aws_sdk_s3::Client::from_conf(s3.build()),
            config: Config { table: "table".to_owned(), upload_bucket: "bucket".to_owned(), daily_limit: 50, metrics_namespace: "fuzz".to_owned() },
            clock: Clock::system(),
            journal: Journal::new(|_| {}),
        }
    }

    fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let operation = request.headers().get("x-amz-target").and_then(|target| target.rsplit('.').next());
        let body: Value = request.body().bytes().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
        match operation {
            Some("BatchGetItem") => json_answer(200, &self.found(&body)),
            Some("Query") => json_answer(200, &json!({"Items": [], "Count": 0, "ScannedCount": 0})),
            Some(_) => json_answer(200, &json!({})),
            None if request.method() == "GET" => json_answer(404, &Value::Null),
            None => json_answer(204, &Value::Null),
        }
    }

    fn found(&self, request: &Value) -> Value {
        let keys = request["RequestItems"]["table"]["Keys"].as_array().cloned().unwrap_or_default();
        let items = keys.into_iter().filter_map(|key| {
            let sort = key["sk"]["S"].as_str()?.to_owned();
            let mut item: Map<String, Value> = key.as_object()?.clone();
            let attributes = match sort.split('#').next() {
                Some("ACCOUNT") => json!({
                    "name": {"S": "Ada"},
                    "email": {"S": "ada@example.com"},
                    "daily_limit": {"N": "50"},
                    "analyses": {"N": "0"},
                    "created_at": {"S": "2026-11-20T07:15:38Z"},
                }),
                Some("TOKEN") => json!({
                    "name": {"S": "first"},
                    "secret_sha256": {"B": self.hash},
                    "hint": {"S": "abcd"},
                    "created_at": {"S": "2026-11-20T07:15:38Z"},
                }),
                _ => return None,
            };
            item.extend(attributes.as_object()?.clone());
            Some(Value::Object(item))
        });
        json!({"Responses": {"table": items.collect::<Vec<_>>()}, "UnprocessedKeys": {}})
    }
}

fn json_answer(status: u16, body: &Value) -> HttpResponse {
    let body = if body.is_null() { SdkBody::empty() } else { SdkBody::from(body.to_string()) };
    let mut response = HttpResponse::new(StatusCode::try_from(status).expect("a status"), body);
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}

impl HttpConnector for Storage {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Ok(self.answer(&request)))
    }
}

impl HttpClient for Storage {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
