//! Builds an event from a sample, so that a function answers it successfully.

use aws_smithy_types::base64;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, header};
use lambda_http::Body;
use serde_json::{Value, json};
use uuid::Uuid;

use super::sample;
use crate::gateway::event;

/// An event being built from a sample.
#[derive(Clone, Debug)]
pub struct EventDraft(Value);

/// The request has no such input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotApplicable;

impl EventDraft {
    /// The sample of this name as if it were sent `now`; `None` if there is none.
    #[must_use]
    pub fn new(name: &str, now: DateTime<Utc>) -> Option<Self> {
        let mut event = sample(name)?;
        let request = Uuid::new_v4();
        event::stamp(&mut event, request, now);
        let trace = request.simple().to_string();
        event["headers"]["x-amzn-trace-id"] = format!("Root=1-{:08x}-{}", now.timestamp(), &trace[..24]).into();
        Some(Self(event))
    }

    /// Whether the request needs an API token.
    #[must_use]
    pub fn needs_token(&self) -> bool {
        self.0["headers"].get("authorization").is_some()
    }

    /// Sends the request with this API token.
    ///
    /// # Errors
    /// The request takes none.
    pub fn authorize(&mut self, token: &str) -> Result<(), NotApplicable> {
        if !self.needs_token() {
            return Err(NotApplicable);
        }
        self.0["headers"]["authorization"] = format!("Bearer {token}").into();
        Ok(())
    }

    /// Sends this file, or announces it in a request for an upload ticket.
    ///
    /// # Errors
    /// The request is about no file.
    pub fn attach(&mut self, filename: &str, file: &[u8]) -> Result<(), NotApplicable> {
        match self.0["routeKey"].as_str() {
            Some("POST /api/v1/pdf/analyze") => {
                let boundary = format!("------------------------{}", Uuid::new_v4().simple());
                self.put_body(&format!("multipart/form-data; boundary={boundary}"), form(&boundary, filename, file))
            }
            Some("POST /api/v1/pdf/uploads") => {
                let announced = json!({ "filename": filename, "file_size": file.len() });
                self.put_body("application/json", announced.to_string().into_bytes())
            }
            _ => Err(NotApplicable),
        }
    }

    /// Sets the id in the request's path.
    ///
    /// # Errors
    /// The request's path has no id.
    pub fn address(&mut self, id: &str) -> Result<(), NotApplicable> {
        if self.0["pathParameters"].get("id").is_none() {
            return Err(NotApplicable);
        }
        let route = self.0["routeKey"].as_str().unwrap_or_default();
        let path = route.split_once(' ').map_or("", |(_, path)| path).replace("{id}", id);
        self.0["pathParameters"]["id"] = id.into();
        self.0["requestContext"]["http"]["path"] = path.as_str().into();
        self.0["rawPath"] = path.into();
        Ok(())
    }

    /// The event.
    #[must_use]
    pub fn finish(self) -> Value {
        self.0
    }

    fn put_body(&mut self, content_type: &str, bytes: Vec<u8>) -> Result<(), NotApplicable> {
        let value = HeaderValue::from_str(content_type).map_err(|_| NotApplicable)?;
        self.0["headers"]["content-type"] = content_type.into();
        self.0["headers"]["content-length"] = bytes.len().to_string().into();
        let (body, encoded) = match event::body(bytes, &HeaderMap::from_iter([(header::CONTENT_TYPE, value)])) {
            Body::Text(text) => (text, false),
            other => (base64::encode(&other), true),
        };
        self.0["body"] = body.into();
        self.0["isBase64Encoded"] = encoded.into();
        Ok(())
    }
}

/// The form with which a browser sends a file (RFC 7578; in names, HTML escapes what would end them).
fn form(boundary: &str, filename: &str, file: &[u8]) -> Vec<u8> {
    let filename = filename.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{filename}\"\r\n\
         Content-Type: application/pdf\r\n\r\n"
    );
    [head.as_bytes(), file, format!("\r\n--{boundary}--\r\n").as_bytes()].concat()
}
