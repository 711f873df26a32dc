//! The Lambda binary of the `web` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::run::<web::App>().await
}
