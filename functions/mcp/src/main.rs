//! The Lambda binary of the `mcp` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let platform = shared::runtime::platform().await?;
    let app = mcp::App::new(platform.clone());
    shared::runtime::run(&platform, |request| app.handle(request)).await
}
