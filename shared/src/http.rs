//! One call of the API: its route, its clock reading, its answer. The only place that knows
//! statuses, headers and the envelope.

mod body;
mod reply;
mod status;

pub use body::{Fields, Json, NotText};
pub(crate) use body::{is_json, media_type, refuse_encoding};
pub use reply::Reply;
pub use status::refusal;

use std::time::Duration;

use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt, Response};

use chrono::{DateTime, Utc};

use crate::clock::Clock;
use crate::error::Error;
use crate::quota::Quota;
use crate::store::Deadline;

/// The path that every route of the API starts with.
pub const BASE_PATH: &str = "/api/v1";

/// A request on its way through a function.
pub struct Call {
    request: Request,
    request_id: String,
    route: String,
    deadline: Deadline,
    /// The one reading of the clock: it fixes the day and every time stamp.
    pub now: DateTime<Utc>,
    /// The caller's quota, once authenticated: answered in the `RateLimit` headers.
    pub quota: Option<Quota>,
}

/// What a request may take when its surroundings set no deadline.
const LONGEST: Duration = Duration::from_secs(28);

impl Call {
    /// Takes a request in: reads the clock, and the gateway's request id and route.
    #[must_use]
    pub fn new(request: Request, clock: &Clock) -> Self {
        let (request_id, route) = match request.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => (context.request_id.clone(), context.route_key.clone()),
            _ => (None, None),
        };
        let remaining = request
            .lambda_context_ref()
            .map(|context| context.deadline().duration_since(std::time::SystemTime::now()).unwrap_or_default());
        Self {
            deadline: Deadline::within(remaining.unwrap_or(LONGEST)),
            now: clock.now(),
            request_id: request_id.unwrap_or_default(),
            route: route.unwrap_or_default(),
            quota: None,
            request,
        }
    }

    /// The gateway's route key, such as `GET /api/v1/pdf/{id}`; `$default` if no route took it.
    #[must_use]
    pub fn route(&self) -> &str {
        &self.route
    }

    /// The path, as the gateway hands it on.
    #[must_use]
    pub fn path(&self) -> &str {
        self.request.uri().path()
    }

    /// The query string as sent.
    #[must_use]
    pub fn query(&self) -> &str {
        self.request.uri().query().unwrap_or_default()
    }

    /// The `{id}` of the routes that have one.
    #[must_use]
    pub fn id(&self) -> &str {
        self.request.path_parameters_ref().and_then(|parameters| parameters.first("id")).unwrap_or_default()
    }

    /// A header's value; `None` if it is missing or not visible ASCII.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    /// Whether the header is there, readable or not.
    #[must_use]
    pub fn has_header(&self, name: &str) -> bool {
        self.request.headers().contains_key(name)
    }

    /// Until when storage may be waited for.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Takes the body out.
    #[must_use]
    pub fn take_body(&mut self) -> Body {
        std::mem::take(self.request.body_mut())
    }

    /// Ends the call: the reply or the error becomes the response; an error of ours is logged
    /// with its cause, once.
    #[must_use]
    pub fn finish(self, result: Result<Reply, Error>) -> Response<Body> {
        if let Err(error @ (Error::Internal(_) | Error::Unavailable(_))) = &result {
            tracing::error!(request_id = self.request_id, route = self.route, cause = %error, "request failed");
        }
        let reply = result.unwrap_or_else(|error| status::reply(&error, &self.request_id, self.quota.as_ref()));
        reply.into_response(&self.request_id, self.quota.as_ref())
    }
}

impl std::fmt::Debug for Call {
    /// Without the request: its headers and body carry secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("request_id", &self.request_id).field("route", &self.route).finish_non_exhaustive()
    }
}
