//! What a function of the service is: routes, a state that is built once, and an answer to every request.

use lambda_http::{Body, Request, Response};

use crate::platform::Platform;

/// Paths, each with the methods that it takes, as `Allow` lists them (RFC 9110, 10.2.1).
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

    /// Does what its schedule asks for; without one, nothing.
    fn due(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// Within an `impl`, the table of a function's routes (`TABLE`), and what awaits the handler of a call's route (`route`).
/// Methods that do not stand there are refused by the function named first; `else` is for paths that do not.
#[macro_export]
macro_rules! routes {
    (
        refuse by $refuse:path;
        $($path:literal => $method:ident $handler:path $(, $other:ident $other_handler:path)?;)+
        $(else $missing:path;)?
    ) => {
        pub(crate) const TABLE: $crate::function::Routes =
            &[$(($path, concat!(stringify!($method) $(, ", ", stringify!($other))?))),+];

        pub(crate) async fn route(
            &self,
            call: &mut $crate::http::Call,
        ) -> Result<$crate::http::Reply, $crate::error::Error> {
            match call.route() {
                $(
                    concat!(stringify!($method), " ", $path) => $handler(self, call).await,
                    $(concat!(stringify!($other), " ", $path) => $other_handler(self, call).await,)?
                    concat!("ANY ", $path) => {
                        $refuse(&self.store, call, concat!(stringify!($method) $(, ", ", stringify!($other))?)).await
                    }
                )+
                $("$default" => $missing(self, call).await,)?
                route => Err($crate::error::Error::Internal($crate::error::Cause::unknown_route(route))),
            }
        }
    };
}
