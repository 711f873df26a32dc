//! CORS by the bucket's rules: preflights, and headers of other answers.

use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use s3s::Body;

use super::refusal::refusal;
use crate::http::header_text;
use crate::template::BucketCorsRule;

/// The bucket's rules; the first that matches a request applies.
#[derive(Debug)]
pub(super) struct CorsRules(Vec<BucketCorsRule>);

impl CorsRules {
    pub(super) fn new(rules: Vec<BucketCorsRule>) -> Self {
        Self(rules)
    }

    /// Answers an OPTIONS request.
    pub(super) fn preflight(&self, asked: &HeaderMap) -> Response<Body> {
        let origin = asked.get(header::ORIGIN);
        let method = header_text(asked, header::ACCESS_CONTROL_REQUEST_METHOD);
        let (Some(origin), Some(method)) = (origin, method) else {
            return refusal(
                StatusCode::BAD_REQUEST,
                "BadRequest",
                "Insufficient information. Origin request header needed.",
            );
        };
        let names = header_text(asked, header::ACCESS_CONTROL_REQUEST_HEADERS).unwrap_or_default();
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let fits = |rule: &&BucketCorsRule| {
            let mut sent = names.iter().filter(|name| !name.is_empty());
            sent.all(|name| any(&rule.allowed_headers, &name.to_ascii_lowercase()))
        };
        let Some(rule) = self.rules_for(origin, method).find(fits) else {
            return refusal(
                StatusCode::FORBIDDEN,
                "AccessForbidden",
                "CORSResponse: This CORS request is not allowed.",
            );
        };
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        allow(headers, rule, origin);
        if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
        }
        if let Some(seconds) = rule.max_age {
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, seconds.into());
        }
        response
    }

    /// Adds the headers that let a browser's script see an answer.
    pub(super) fn decorate(&self, origin: &HeaderValue, method: &str, headers: &mut HeaderMap) {
        if let Some(rule) = self.rules_for(origin, method).next() {
            allow(headers, rule, origin);
        }
    }

    fn rules_for<'r>(
        &'r self,
        origin: &HeaderValue,
        method: &str,
    ) -> impl Iterator<Item = &'r BucketCorsRule> + use<'r> {
        let origin = origin.to_str().unwrap_or_default().to_owned();
        let method = method.to_owned();
        self.0.iter().filter(move |rule| any(&rule.allowed_origins, &origin) && rule.allowed_methods.contains(&method))
    }
}

fn allow(headers: &mut HeaderMap, rule: &BucketCorsRule, origin: &HeaderValue) {
    if rule.allowed_origins.iter().any(|allowed| allowed == "*") {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    } else {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
    let lists = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, &rule.allowed_methods),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, &rule.exposed_headers),
    ];
    for (name, values) in lists {
        if let (false, Ok(value)) = (values.is_empty(), values.join(", ").parse()) {
            headers.insert(name, value);
        }
    }
    headers.insert(
        header::VARY,
        HeaderValue::from_static("Origin, Access-Control-Request-Headers, Access-Control-Request-Method"),
    );
}

/// Whether one of the patterns, which may have one wildcard `*`, matches this value.
fn any(patterns: &[String], value: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.split_once('*') {
        Some((start, end)) => {
            value.len() >= start.len() + end.len()
                && value.starts_with(&start.to_ascii_lowercase())
                && value.ends_with(&end.to_ascii_lowercase())
        }
        None => pattern.eq_ignore_ascii_case(value),
    })
}
