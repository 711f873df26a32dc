//! The least that a function on Lambda can be: what the service's functions are measured against.

use lambda_http::{Body, Error, Response, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    lambda_http::run(service_fn(|_| async { Ok::<_, Error>(Response::new(Body::Empty)) })).await
}
