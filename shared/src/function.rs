//! What a function of the service is: routes, a state that is built once, and an answer to every request.

use lambda_http::{Body, Request, Response};

use crate::error::Error;
use crate::http::{Call, Reply};
use crate::platform::Platform;

/// Paths, each with the methods that it takes, as `Allow` lists them (RFC 9110, 10.2.1). Whatever takes GET takes HEAD.
pub type Routes = &'static [(&'static str, &'static str)];

/// One of the service's functions. Its state is built once and used by every request.
pub trait Function: Send + Sync + 'static {
    /// What it answers. The template declares the same, and with each path `ANY`, for the methods that it refuses.
    const ROUTES: Routes;

    /// Builds the function from what its process was given.
    #[must_use]
    fn new(platform: Platform) -> Self;

    /// Answers one request; never fails, every failure is an answer.
    fn handle(&self, request: Request) -> impl Future<Output = Response<Body>> + Send;

    /// Ends a call with what came of it.
    fn finish(call: Call, outcome: Result<Reply, Error>) -> Response<Body> {
        call.finish(outcome)
    }

    /// Does what its schedule asks for; without one, nothing.
    fn due(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Within the `impl` of a [`Function`] with a store, a clock and a journal, its routes, and what answers a request by the handler
/// of its own. Methods that do not stand there are refused by the function named first; `else` is for paths that do not.
#[macro_export]
macro_rules! routes {
    (
        refuse by $refuse:path;
        $($path:literal => $method:ident $handler:path $(, $other:ident $other_handler:path)?;)+
        $(else $missing:path;)?
    ) => {
        const ROUTES: $crate::function::Routes =
            &[$(($path, concat!($crate::methods!($method) $(, ", ", stringify!($other))?))),+];

        async fn handle(&self, request: lambda_http::Request) -> lambda_http::Response<lambda_http::Body> {
            let mut call = $crate::http::Call::new(request, &self.clock, &self.journal);
            call.take_head_for_get(|path| Self::ROUTES.iter().find(|(known, _)| *known == path).map(|(_, methods)| *methods));
            let outcome = call.tally().during(async {
                let call = &mut call;
                match call.route() {
                    $(
                        concat!(stringify!($method), " ", $path) => $handler(self, call).await,
                        $(concat!(stringify!($other), " ", $path) => $other_handler(self, call).await,)?
                        concat!("ANY ", $path) => {
                            $refuse(&self.store, call, concat!($crate::methods!($method) $(, ", ", stringify!($other))?)).await
                        }
                    )+
                    $("$default" => $missing(self, call).await,)?
                    route => Err($crate::error::Error::Internal($crate::error::Cause::unknown_route(route))),
                }
            });
            let outcome = outcome.await;
            Self::finish(call, outcome)
        }
    };
}

/// A method as `Allow` lists it: HEAD beside GET.
#[doc(hidden)]
#[macro_export]
macro_rules! methods {
    (GET) => {
        "GET, HEAD"
    };
    ($method:ident) => {
        stringify!($method)
    };
}
