//! The Lambda binary of the `tokens` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::run::<tokens::App>().await
}
