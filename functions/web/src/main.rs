//! The Lambda binary of the `web` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let app = web::App::new(shared::runtime::platform().await?);
    shared::runtime::run(|request| app.handle(request)).await
}
