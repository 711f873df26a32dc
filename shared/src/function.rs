//! A function of the service: routes, state that is built once, and the handler of requests.

use lambda_http::{Body, Request, Response};

use crate::error::Error;
use crate::http::{Call, Reply};
use crate::platform::Platform;

/// Paths with their methods, as in `Allow` (RFC 9110, 10.2.1). GET includes HEAD.
pub type Routes = &'static [(&'static str, &'static str)];

/// One of the service's functions. Its state is built once and used by every request.
pub trait Function: Send + Sync + 'static {
    /// Its routes. The template declares the same, and `ANY` for each path, for the methods that it refuses.
    const ROUTES: Routes;

    /// Builds the function from its platform.
    #[must_use]
    fn new(platform: Platform) -> Self;

    /// Answers one request; failures become error answers.
    fn handle(&self, request: Request) -> impl Future<Output = Response<Body>> + Send;

    /// Ends a call with its result.
    fn finish(call: Call, outcome: Result<Reply, Error>) -> Response<Body> {
        call.finish(outcome)
    }

    /// Runs the scheduled work, if the function has any.
    fn due(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Declares the routes of a [`Function`] with a store, a clock and a journal, and dispatches requests to their
/// handlers. Other methods are refused by the function named first; `else` handles other paths.
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
            let outcome = call.cost().during(async {
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
