//! One call of the API: its route, its clock reading, its answer. The only place that knows
//! statuses, headers and the envelope.

mod body;
mod envelope;
mod reply;
mod specimens;
mod status;

pub use body::{Fields, Json, is_json, json_bytes};
pub(crate) use body::{media_type, refuse_encoding};
pub use envelope::{Always, AnalyzedAnswer, Answer, Described, ErrorAnswer, ErrorCode, ErrorDetails};
pub use reply::Reply;
pub use specimens::specimens;
pub use status::{described, page, refusal, reply, reply_saying, retry_after, sentence};

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant, SystemTime};

use lambda_http::http::{Method, StatusCode, header};
use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt, Response};

use chrono::{DateTime, Utc};
use engine::Verdict;

use crate::clock::Clock;
use crate::deadline::Deadline;
use crate::error::{Cause, Error, Restricted, TooLarge};
use crate::ids::UserId;
use crate::journal::{AnalysisOutcome, Journal, JournalEntry};
use crate::quota::Quota;
use crate::request_cost::RequestCost;

/// The path that every route of the API starts with.
pub const BASE_PATH: &str = "/api/v1";

/// An answer on its way out of a function.
pub type Answered = Response<Body>;

/// A request on its way through a function. Not `Debug`: its headers and body carry secrets.
pub struct Call {
    request: Request,
    request_id: String,
    route: String,
    deadline: Deadline,
    journal: Journal,
    cost: RequestCost,
    began: Instant,
    /// The one reading of the clock: it fixes the day and every time stamp.
    pub now: DateTime<Utc>,
    /// The caller's quota, once authenticated: answered in the `RateLimit` headers.
    pub quota: Option<Quota>,
    /// The account, once authenticated, for the journal.
    pub user: Option<UserId>,
    /// The outcome of a successful analysis, for the journal.
    analysis: Option<AnalysisOutcome>,
    verdict: Option<Verdict>,
}

/// Extension of a request whose body was not read, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyOmitted {
    /// It is larger than any accepted body.
    TooLarge,
    /// No memory was free for it in time, or its sender could not be identified.
    NoMemory,
}

/// Time limit of a request whose platform sets no deadline.
const MAX_DURATION: Duration = Duration::from_secs(28);

impl Call {
    /// Starts a call: reads the clock and the gateway's request id and route. Its end is recorded in `journal`.
    #[must_use]
    pub fn new(request: Request, clock: &Clock, journal: &Journal) -> Self {
        let (request_id, route) = match request.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => (context.request_id.clone(), context.route_key.clone()),
            _ => (None, None),
        };
        let lambda = request.lambda_context_ref();
        // ignore a deadline in the past: Lambda never sets one, cargo lambda sets 1970
        let remaining = lambda.and_then(|context| context.deadline().duration_since(SystemTime::now()).ok());
        Self {
            deadline: Deadline::within(remaining.unwrap_or(MAX_DURATION)),
            now: clock.now(),
            request_id: request_id.unwrap_or_default(),
            route: route.unwrap_or_default(),
            journal: journal.clone(),
            cost: RequestCost::default(),
            began: Instant::now(),
            quota: None,
            user: None,
            analysis: None,
            verdict: None,
            request,
        }
    }

    /// The gateway's route key, such as `GET /api/v1/pdf/{id}`; `$default` if no route took it.
    #[must_use]
    pub fn route(&self) -> &str {
        &self.route
    }

    /// Treats HEAD as GET (RFC 9110, 9.3.2) if `of_path` lists GET for the path. HEAD arrives by the path's `ANY`
    /// route.
    pub fn take_head_for_get(&mut self, of_path: impl Fn(&str) -> Option<&'static str>) {
        if self.request.method() != Method::HEAD {
            return;
        }
        let path = self.route.strip_prefix("ANY ");
        let get = path.filter(|path| of_path(path).is_some_and(|methods| methods.split(", ").any(|one| one == "GET")));
        if let Some(path) = get {
            self.route = format!("GET {path}");
        }
    }

    /// The path, as the gateway forwards it.
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
        self.parameter("id")
    }

    /// A parameter of the route's path; empty if it has none of this name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.request.path_parameters_ref().and_then(|parameters| parameters.first(name)).unwrap_or_default()
    }

    /// The first cookie of this name.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        // the service's own cookies are ASCII
        let lines = self.request.headers().get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find_map(|(found, value)| (found == name).then_some(value))
    }

    /// Whether the client uses HTTPS to the gateway, which appends to the header's earlier values.
    #[must_use]
    pub fn is_https(&self) -> bool {
        let chain = self.header("x-forwarded-proto").unwrap_or_default();
        chain.rsplit(',').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("https"))
    }

    /// The origin that the request was sent to (RFC 6454), such as `https://example.org`.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        let scheme = if self.is_https() { "https" } else { "http" };
        Some(format!("{scheme}://{}", self.header("host")?))
    }

    /// The client's address, as the gateway saw it; the unspecified one if it saw none.
    #[must_use]
    pub fn client(&self) -> IpAddr {
        let seen = match self.request.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.as_deref(),
            _ => None,
        };
        seen.and_then(|address| address.parse().ok()).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }

    /// A header's value; `None` if it is missing or not visible ASCII.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    /// Whether the header is present, valid or not.
    #[must_use]
    pub fn has_header(&self, name: &str) -> bool {
        self.request.headers().contains_key(name)
    }

    /// An extension of the request, from the platform.
    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.request.extensions().get().cloned()
    }

    /// The deadline of the request's waits.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The cost of the request so far.
    #[must_use]
    pub fn cost(&self) -> RequestCost {
        self.cost.clone()
    }

    /// The body; `None` if it is [`BodyOmitted`].
    #[must_use]
    pub fn body(&self) -> Option<&Body> {
        self.request.extensions().get::<BodyOmitted>().is_none().then(|| self.request.body())
    }

    /// Takes the body out.
    ///
    /// # Errors
    /// If it is [`BodyOmitted`]: [`Error::TooLarge`] with `what`, or [`Error::Unavailable`].
    pub fn take_body(&mut self, what: TooLarge) -> Result<Body, Error> {
        match self.request.extensions().get() {
            Some(BodyOmitted::TooLarge) => Err(Error::TooLarge(what)),
            Some(BodyOmitted::NoMemory) => Err(Error::Unavailable(Cause::text("no memory for the body in time"))),
            None => Ok(std::mem::take(self.request.body_mut())),
        }
    }

    /// Records an analysis: its outcome, its verdict if it was stored, and the quota after it.
    pub fn record(&mut self, outcome: AnalysisOutcome, verdict: Option<Verdict>, quota: Quota) {
        self.analysis = Some(outcome);
        self.verdict = verdict;
        self.quota = Some(quota);
    }

    /// Ends the call: converts the reply or error to the response, logs the cause of an internal error once, and
    /// records the request in the journal.
    #[must_use]
    pub fn finish(self, result: Result<Reply, Error>) -> Response<Body> {
        self.finish_with(result, status::reply)
    }

    /// The same, with `shown` to build the reply from an error, the request id and the quota.
    #[must_use]
    pub fn finish_with(
        mut self,
        result: Result<Reply, Error>,
        shown: impl FnOnce(&Error, &str, Option<&Quota>) -> Reply,
    ) -> Response<Body> {
        if let Err(error @ (Error::Internal(_) | Error::Unavailable(_))) = &result {
            tracing::error!(request_id = self.request_id, route = self.route, cause = %error, "request failed");
        }
        if let (Err(Error::DailyLimitExceeded { remaining }), Some(quota)) = (&result, &mut self.quota) {
            // concurrent requests may have used the quota since the account was read
            quota.used = quota.limit.saturating_sub(*remaining).max(quota.used);
        }
        let (reply, error) = match result {
            Ok(reply) => (reply, None),
            Err(error) => (shown(&error, &self.request_id, self.quota.as_ref()), Some(error)),
        };
        let response = reply.into_response(&self.request_id, self.quota.as_ref());
        let response = if self.request.method() == Method::HEAD { without_body(response) } else { response };
        self.journal.record(&self.entry(error.as_ref(), response.status()));
        response
    }

    /// The request's entry in the journal.
    fn entry(&self, error: Option<&Error>, status: StatusCode) -> JournalEntry {
        let (analysis, reason) = match error {
            Some(Error::AnalysisFailed(reason) | Error::ComparisonFailed(_, reason)) => {
                (Some(AnalysisOutcome::Failed), Some(reason.code()))
            }
            Some(Error::DailyLimitExceeded { .. } | Error::RateLimited | Error::Unconfirmed(Restricted::Analysis)) => {
                (Some(AnalysisOutcome::Refused), None)
            }
            _ => (self.analysis, None),
        };
        JournalEntry {
            time: self.now,
            request_id: self.request_id.clone(),
            route: self.route.clone(),
            status: status.as_u16(),
            user: self.user.map(|user| user.to_string()),
            analysis,
            verdict: self.verdict,
            error: error.map(|error| status::code(error).name()),
            reason,
            remaining_checks: self.quota.as_ref().map(Quota::remaining),
            // rounded to microseconds
            latency_ms: (self.began.elapsed().as_secs_f64() * 1e6).round() / 1e3,
            storage_calls: self.cost.calls(),
            storage_rounds: self.cost.rounds(),
            bytes_read: self.cost.bytes_read(),
            password_hashes: self.cost.password_hashes(),
        }
    }
}

/// The answer to HEAD: that to GET with its length, without its body.
fn without_body(mut response: Response<Body>) -> Response<Body> {
    let length = std::mem::take(response.body_mut()).len();
    response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    response
}
