//! The Lambda binary of the `mcp` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::run::<mcp::App>().await
}
