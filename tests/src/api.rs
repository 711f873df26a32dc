//! A client of the API, as a user would write one.

use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use shared::ids::UserId;
use shared::secret::ApiToken;
use uuid::Uuid;

/// One account's access to one service.
#[derive(Clone, Debug)]
pub struct Api {
    http: reqwest::Client,
    origin: String,
    token: ApiToken,
    patient: bool,
}

/// How long a patient client goes on asking: not for ever, so that a test which cannot pass ends.
const PATIENCE: Duration = Duration::from_secs(20 * 60);

/// The most that it waits between two tries, as a multiple of what an answer says.
const MOST: u32 = 15;

/// An answer, read whole.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as text.
    pub text: String,
    /// The body as JSON; `null` if it is none.
    pub json: Value,
}

impl Answer {
    /// Reads a response.
    pub async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        let json = serde_json::from_str(&text).unwrap_or_default();
        Self { status, headers, text, json }
    }

    /// A header as text; empty if it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The error code; empty if it is no error.
    #[must_use]
    pub fn code(&self) -> &str {
        self.json["error"]["code"].as_str().unwrap_or_default()
    }

    /// The answer, which has to have this status.
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}

impl Api {
    pub(crate) fn new(http: reqwest::Client, origin: String, token: ApiToken) -> Self {
        Self { http, origin, token, patient: false }
    }

    /// The account's id.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.token.user
    }

    /// The token's id.
    #[must_use]
    pub fn token_id(&self) -> String {
        self.token.id.to_string()
    }

    /// The token.
    #[must_use]
    pub fn token(&self) -> String {
        self.token.reveal()
    }

    /// The same account with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: ApiToken::parse(token).unwrap(), ..self.clone() }
    }

    /// The same token at another service.
    #[must_use]
    pub fn at(&self, origin: String) -> Self {
        Self { origin, ..self.clone() }
    }

    /// The same access, but what is safe to repeat is repeated after a 503: for tests that give a slow
    /// machine more to do than it may manage within a request. An upload gets a key for that.
    #[must_use]
    pub fn patient(&self) -> Self {
        Self { patient: true, ..self.clone() }
    }

    /// A request to a path below the base address, without authorization.
    pub fn anonymous(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}/api/v1{path}", self.origin))
    }

    /// A request to a path below the base address.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.anonymous(method, path).bearer_auth(self.token())
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask(|| self.request(Method::GET, path)).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path).json(body)).await
    }

    /// PUT of JSON.
    pub async fn replace(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::PUT, path).json(body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path)).await
    }

    /// A direct upload.
    pub async fn analyze(&self, filename: &str, pdf: Vec<u8>) -> Answer {
        if self.patient {
            return self.analyze_once(&Uuid::new_v4().to_string(), filename, pdf).await;
        }
        send(self.analyze_request(filename, pdf)).await
    }

    /// A direct upload under an `Idempotency-Key`.
    pub async fn analyze_once(&self, key: &str, filename: &str, pdf: Vec<u8>) -> Answer {
        self.ask(|| self.analyze_request(filename, pdf.clone()).header("idempotency-key", key)).await
    }

    /// A direct upload, not yet sent.
    pub fn analyze_request(&self, filename: &str, pdf: Vec<u8>) -> RequestBuilder {
        let form = Form::new().part("file", Part::bytes(pdf).file_name(filename.to_owned()));
        self.request(Method::POST, "/pdf/analyze").multipart(form)
    }

    /// Stages `pdf`: asks for a ticket and uploads to the bucket. Returns the upload id.
    pub async fn stage(&self, filename: &str, pdf: Vec<u8>) -> String {
        let ticket = self.ticket(filename, pdf.len()).await;
        let put = self.put(&ticket, pdf).await;
        assert_eq!(put.status, 200, "{}", put.text);
        ticket["upload_id"].as_str().unwrap().to_owned()
    }

    /// Asks for a ticket to stage a file.
    pub async fn ticket(&self, filename: &str, size: usize) -> Value {
        let body = serde_json::json!({ "filename": filename, "file_size": size });
        let ticket = self.ask(|| self.request(Method::POST, "/pdf/uploads").json(&body)).await;
        ticket.expect(201).json["data"].clone()
    }

    /// Uploads to the bucket as the ticket says.
    pub async fn put(&self, ticket: &Value, body: impl Into<reqwest::Body>) -> Answer {
        let mut request = self.http.put(ticket["url"].as_str().unwrap());
        for (name, value) in ticket["headers"].as_object().unwrap() {
            if name != "content-length" {
                request = request.header(name, value.as_str().unwrap());
            }
        }
        send(request.body(body)).await
    }

    /// Analyses a staged upload.
    pub async fn analyze_staged(&self, upload: &str) -> Answer {
        let body = serde_json::json!({ "upload_id": upload });
        self.ask(|| self.request(Method::POST, "/pdf/analyze").json(&body)).await
    }

    /// `checks_used_today` of the account.
    pub async fn used(&self) -> u64 {
        self.get("/user").await.expect(200).json["data"]["checks_used_today"].as_u64().unwrap()
    }

    /// Sends a request that is safe to repeat.
    async fn ask(&self, request: impl Fn() -> RequestBuilder) -> Answer {
        if self.patient { persistently(|| send(request())).await } else { send(request()).await }
    }
}

/// Asks again after each 503, for what a slow machine may not do within one request: when the answer
/// says, and later from time to time, so that a crowd thins out. Gives up in the end. Whatever `ask` sends
/// has to be safe to repeat.
pub async fn persistently<A: Future<Output = Answer>>(ask: impl Fn() -> A) -> Answer {
    let began = Instant::now();
    let mut times = 1;
    loop {
        let answer = ask().await;
        if answer.status != 503 || began.elapsed() > PATIENCE {
            return answer;
        }
        let seconds = answer.header("retry-after").parse().expect("a 503 says when to come back");
        tokio::time::sleep(Duration::from_secs(seconds) * times).await;
        times = MOST.min(times + 1);
    }
}

/// Sends a request, whose body is in memory, again after each 503.
pub async fn patiently(request: RequestBuilder) -> Answer {
    persistently(|| send(request.try_clone().expect("a body in memory"))).await
}

/// Sends a request and reads the answer.
pub async fn send(request: RequestBuilder) -> Answer {
    Answer::of(request.send().await.unwrap()).await
}
