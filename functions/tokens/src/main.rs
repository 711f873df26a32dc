//! The Lambda binary of the `tokens` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let app = tokens::App::new(shared::runtime::platform().await?);
    shared::runtime::run(|request| app.handle(request)).await
}
