//! The `mcp` endpoint: the service as tools for agents, by the Model Context Protocol over streamable HTTP, without
//! sessions. `pdf-analysis mcp` shares the protocol and the reports.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod arrival;
mod origin;
pub mod protocol;
pub mod report;
mod tools;

use lambda_http::{Body, Response};
use shared::auth;
use shared::clock::Clock;
use shared::error::{Cause, Error};
use shared::function::{Function, Routes};
use shared::http::{Call, Reply};
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use shared::uploads::Uploads;
use shared::use_cases::analyze::Analyzer;

use arrival::{Arrival, Refused};
use protocol::{Dispatch, Server};

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    uploads: Uploads,
    analyzer: Analyzer,
    server: Server,
    /// The console's origin, whose pages may call; `None` if it is not configured.
    origin: Option<String>,
    clock: Clock,
    journal: Journal,
}

impl Function for App {
    const ROUTES: Routes = &[("/mcp", "POST")];

    fn new(platform: Platform) -> Self {
        let analyzer = Analyzer::new(&platform);
        Self {
            store: analyzer.store.clone(),
            uploads: analyzer.uploads.clone(),
            analyzer,
            server: tools::server(),
            origin: platform.mail.origin,
            clock: platform.clock,
            journal: platform.journal,
        }
    }

    async fn handle(&self, request: lambda_http::Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let is_authorized = call.has_header("authorization");
        let arrival = Arrival::read(&mut call);
        let tool_call = arrival.tool_call();
        let result = call.cost().during(self.answer(&mut call, arrival)).await;
        let refused = Refused { server: &self.server, tool_call, is_authorized };
        call.finish_with(result, |error, request_id, quota| refused.reply(error, request_id, quota))
    }
}

impl App {
    async fn answer(&self, call: &mut Call, arrival: Arrival) -> Result<Reply, Error> {
        match call.route() {
            "POST /mcp" => self.post(call, arrival).await,
            "ANY /mcp" => auth::refuse_method(&self.store, call, "POST").await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        }
    }

    async fn post(&self, call: &mut Call, arrival: Arrival) -> Result<Reply, Error> {
        origin::check(call, self.origin.as_deref())?;
        let answer = match arrival {
            Arrival::Request(request) => match self.server.ask(&request) {
                Ok(Dispatch::Call(tool, arguments)) => {
                    let answer = tools::call(self, call, tool, &arguments).await?;
                    return Ok(arrival::message(&self.server.answer(&request, protocol::succeeded(&answer).into())));
                }
                Ok(Dispatch::Answered(answer)) => Ok(arrival::message(&answer)),
                Err(refusal) => Ok(arrival::refusal(&refusal)),
            },
            Arrival::Other(answer) => answer,
        };
        // any error is reported only after authentication
        auth::caller(&self.store, call).await?;
        answer
    }
}
