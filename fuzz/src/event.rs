//! Events of API Gateway, answered by the five functions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lambda_http::http::header::{ALLOW, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use lambda_http::http::{HeaderName, HeaderValue};
use lambda_http::request::RequestContext;
use lambda_http::{Body, Context, Request, RequestExt, Response};
use serde_json::{Map, Value, json};
use server::template::{self, Route, Template};
use shared::error::Error;
use shared::function::Function;
use shared::http::{BASE_PATH, refusal, specimens};
use shared::platform::Platform;
use tokio::runtime::Runtime;

use crate::stores::{CSRF, Stores};

/// The gateway's id of every request that is put together here.
const REQUEST_ID: &str = "WqhX1hP5liAEJ6g=";
/// The byte between two fields of an input.
pub(crate) const SEPARATOR: u8 = 0xff;

/// Bits of an input's third byte: what its event has beside what it says itself.
pub(crate) const BASE64: u8 = 1;
pub(crate) const WITH_TOKEN: u8 = 2;
pub(crate) const WITH_SESSION: u8 = 4;
pub(crate) const FROM_OWN_PAGE: u8 = 8;
pub(crate) const HTTPS: u8 = 16;
const HEAD: u8 = 32;

/// The functions, as their processes hold them.
struct Functions {
    runtime: Runtime,
    stores: Stores,
    user: user::App,
    pdf: pdf::App,
    tokens: tokens::App,
    web: web::App,
    mcp: mcp::App,
    platform: Platform,
    /// The codes that go with a status.
    codes: BTreeMap<u16, Vec<&'static str>>,
}

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(Functions::new);
/// The routes, in the template's order.
pub(crate) static ROUTES: LazyLock<Vec<Route>> =
    LazyLock::new(|| Template::parse(template::TEXT).expect("the service's template").routes);

/// An odd first byte: the rest is an event as it is, JSON or not. An even one: bytes that choose a route and what
/// goes with it, then the path's parameter, the query, lines of headers and the body, between bytes 0xFF.
pub(crate) fn answer(input: &[u8]) {
    match input {
        [form, event @ ..] if form % 2 == 1 => {
            let event = String::from_utf8_lossy(event);
            let response = FUNCTIONS.answer(&event);
            FUNCTIONS.check(&response, serde_json::from_str(&event).is_ok_and(|event| asks_for_head(&event)));
        }
        [_, route, flags, fields @ ..] => {
            let route = &ROUTES[usize::from(*route) % ROUTES.len()];
            let fields = fields.splitn(4, |byte| *byte == SEPARATOR).collect::<Vec<_>>();
            let field = |index: usize| fields.get(index).copied().unwrap_or_default();
            let parameter = String::from_utf8_lossy(field(0));
            let path = match route.path.as_str() {
                "" => parameter.to_string(),
                path => {
                    ["{id}", "{name}", "{secret}"].iter().fold(path.to_owned(), |path, of| path.replace(of, &parameter))
                }
            };
            let mut event = event(route, *flags, &path, field(3));
            event["pathParameters"] = json!({"id": parameter, "name": parameter, "secret": parameter});
            event["rawQueryString"] = String::from_utf8_lossy(field(1)).into();
            event["headers"] = FUNCTIONS.headers(*flags, field(2));
            let response = FUNCTIONS.answer(&event.to_string());
            FUNCTIONS.check(&response, asks_for_head(&event));
            FUNCTIONS.check_of_whole_request(&path, &response);
        }
        _ => {}
    }
}

/// Whether an event's method is HEAD, whose answer has the headers of GET without its body (RFC 9110, 9.3.2).
fn asks_for_head(event: &Value) -> bool {
    event["requestContext"]["http"]["method"] == "HEAD"
}

fn event(route: &Route, flags: u8, path: &str, body: &[u8]) -> Value {
    let method = match route.key.split_once(' ') {
        Some((method, _)) if method != "ANY" => method,
        _ if flags & HEAD != 0 => "HEAD",
        _ => "PUT",
    };
    let base64 = flags & BASE64 != 0;
    let body = if base64 { STANDARD.encode(body) } else { String::from_utf8_lossy(body).into_owned() };
    json!({
        "version": "2.0",
        "routeKey": route.key,
        "rawPath": path,
        "requestContext": {
            "http": {
                "method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7", "userAgent": "",
            },
            "requestId": REQUEST_ID,
            "routeKey": route.key,
            "stage": "$default",
        },
        "body": body,
        "isBase64Encoded": base64,
    })
}

impl Functions {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let stores = runtime.block_on(Stores::start());
        let mut codes = BTreeMap::<_, Vec<_>>::new();
        for (code, response) in specimens("") {
            codes.entry(response.status().as_u16()).or_default().push(code.name());
        }
        Self {
            user: user::App::new(stores.platform("UserFunction")),
            pdf: pdf::App::new(stores.platform("PdfFunction")),
            tokens: tokens::App::new(stores.platform("TokensFunction")),
            web: web::App::new(stores.platform("WebFunction")),
            mcp: mcp::App::new(stores.platform("McpFunction")),
            platform: stores.platform("WebFunction"),
            runtime,
            stores,
            codes,
        }
    }

    fn answer(&self, event: &str) -> Response<Body> {
        let due = || self.web.due();
        let answer =
            shared::runtime::answer(event, Context::default(), &self.platform, |request| self.handle(request), due);
        self.runtime.block_on(async {
            self.stores.restore().await;
            answer.await
        })
    }

    /// What the function of the request's route says; the gateway knows no other routes.
    async fn handle(&self, request: Request) -> Response<Body> {
        let key = match request.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => context.route_key.clone(),
            _ => None,
        };
        let route = ROUTES.iter().find(|route| Some(&route.key) == key.as_ref());
        match route.map(|route| route.function.as_str()) {
            Some("UserFunction") => self.user.handle(request).await,
            Some("PdfFunction") => self.pdf.handle(request).await,
            Some("TokensFunction") => self.tokens.handle(request).await,
            Some("WebFunction") => Box::pin(self.web.handle(request)).await,
            Some("McpFunction") => Box::pin(self.mcp.handle(request)).await,
            Some(other) => panic!("{other} is not fuzzed"),
            None => refusal(&Error::NotFound, REQUEST_ID),
        }
    }

    /// The lines `name: value` that the gateway would let through, and what `flags` add.
    fn headers(&self, flags: u8, lines: &[u8]) -> Value {
        let [token, session] = &self.stores.secrets;
        let mut headers = Map::new();
        let mut set = |name: &str, value: &str| headers.insert(name.to_owned(), value.into());
        set("host", "example.org");
        for line in String::from_utf8_lossy(lines).lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            let (name, value) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value.trim()));
            if let (Ok(name), Ok(Ok(value))) = (name, value.as_ref().map(HeaderValue::to_str)) {
                set(name.as_str(), value);
            }
        }
        if flags & HTTPS != 0 {
            set("x-forwarded-proto", "https");
        }
        if flags & WITH_TOKEN != 0 {
            set("authorization", &format!("Bearer {token}"));
        }
        if flags & WITH_SESSION != 0 {
            set("cookie", &format!("session={session}; __Host-session={session}"));
        }
        if flags & FROM_OWN_PAGE != 0 {
            set("sec-fetch-site", "same-origin");
            set("x-csrf-token", CSRF);
        }
        headers.into()
    }

    /// What the contract says of every answer: an error has a code of its status, in the envelope or on a page.
    fn check(&self, response: &Response<Body>, is_head: bool) {
        let status = response.status().as_u16();
        let body = text(response);
        assert!(status != 500 && status != 503, "{status} {body}");
        if status < 400 {
            assert!(matches!(status, 200 | 201 | 202 | 303), "{status} {body}");
            // nothing that could have a type
            let is_bare = status == 202;
            assert_eq!(is_bare, !response.headers().contains_key(CONTENT_TYPE), "{status} {body}");
            assert!(!is_bare || body.is_empty(), "{body}");
            assert_eq!(status == 303, response.headers().contains_key(LOCATION) && body.is_empty(), "{body}");
        }
        assert_eq!(status == 405, response.headers().contains_key(ALLOW));
        assert_eq!(status == 429, response.headers().contains_key(RETRY_AFTER));
        let content_type = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        if content_type.starts_with(b"application/json") && !(is_head && body.is_empty()) {
            let json: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
            if json["jsonrpc"] == "2.0" {
                assert!(status < 400 || json["error"]["code"].is_i64(), "{status} {body}");
            } else if status >= 400 {
                let error = &json["error"];
                assert_eq!(json["success"], false, "{body}");
                assert!(error["message"].is_string() && error["request_id"].is_string(), "{body}");
                assert!(error["code"].as_str().is_some_and(|code| self.codes[&status].contains(&code)), "{body}");
            }
        }
    }

    /// And of the answer to a request that the gateway would hand on.
    fn check_of_whole_request(&self, path: &str, response: &Response<Body>) {
        assert_eq!(response.headers()["x-request-id"], REQUEST_ID);
        for (name, value) in response.headers() {
            assert!(value.to_str().is_ok(), "{name}: {value:?}");
        }
        let body = text(response);
        for secret in &self.stores.secrets {
            assert!(!body.contains(secret) && !format!("{:?}", response.headers()).contains(secret), "{body}");
        }
        let is_api = path.strip_prefix(BASE_PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if is_api && response.status().as_u16() >= 400 {
            assert_eq!(response.headers()[CONTENT_TYPE], "application/json", "{body}");
        }
    }
}

fn text(response: &Response<Body>) -> &str {
    match response.body() {
        Body::Text(text) => text,
        _ => "",
    }
}
