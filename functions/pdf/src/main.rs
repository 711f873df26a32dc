//! The Lambda binary of the `pdf` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let app = pdf::App::new(shared::runtime::platform().await?);
    shared::runtime::run(|request| app.handle(request)).await
}
