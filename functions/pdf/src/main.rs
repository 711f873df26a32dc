//! The Lambda binary of the `pdf` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::run::<pdf::App>().await
}
