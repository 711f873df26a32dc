//! CORS by the gateway, as the template configures it; functions cannot change it.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use http_body_util::Full;

use crate::template::Cors;

/// The prepared answers of a CORS configuration.
#[derive(Clone, Debug)]
pub(super) struct CorsAnswers {
    origins: Vec<String>,
    preflight: HeaderMap,
    actual: HeaderMap,
}

/// Headers of functions that the gateway replaces.
const GATEWAY_HEADERS: [HeaderName; 6] = [
    header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
    header::ACCESS_CONTROL_ALLOW_HEADERS,
    header::ACCESS_CONTROL_ALLOW_METHODS,
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_EXPOSE_HEADERS,
    header::ACCESS_CONTROL_MAX_AGE,
];

impl CorsAnswers {
    pub(super) fn new(cors: &Cors) -> Self {
        let mut preflight = HeaderMap::new();
        let mut actual = HeaderMap::new();
        list(&mut preflight, header::ACCESS_CONTROL_ALLOW_METHODS, &cors.allow_methods);
        list(&mut preflight, header::ACCESS_CONTROL_ALLOW_HEADERS, &cors.allow_headers);
        list(&mut actual, header::ACCESS_CONTROL_EXPOSE_HEADERS, &cors.expose_headers);
        if let Some(seconds) = cors.max_age {
            preflight.insert(header::ACCESS_CONTROL_MAX_AGE, seconds.into());
        }
        Self { origins: cors.allow_origins.clone(), preflight, actual }
    }

    /// The answer if the request is a preflight; without headers if its origin is not allowed.
    pub(super) fn preflight(&self, method: &Method, headers: &HeaderMap) -> Option<Response<Full<Bytes>>> {
        let origin = headers.get(header::ORIGIN)?;
        if method != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        let mut response = Response::new(Full::default());
        *response.status_mut() = StatusCode::NO_CONTENT;
        self.allow(origin, &self.preflight, response.headers_mut());
        Some(response)
    }

    /// Replaces an answer's CORS headers by the configured ones.
    pub(super) fn decorate(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        for name in GATEWAY_HEADERS {
            headers.remove(name);
        }
        if let Some(origin) = origin {
            self.allow(origin, &self.actual, headers);
        }
    }

    fn allow(&self, origin: &HeaderValue, with: &HeaderMap, headers: &mut HeaderMap) {
        let is = |wanted: &[u8]| self.origins.iter().any(|allowed| allowed.as_bytes() == wanted);
        if is(b"*") {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        } else if is(origin.as_bytes()) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        } else {
            return;
        }
        headers.extend(with.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
}

fn list(headers: &mut HeaderMap, name: HeaderName, values: &[String]) {
    if let (false, Ok(value)) = (values.is_empty(), values.join(",").parse()) {
        headers.insert(name, value);
    }
}
