//! The Lambda binary of the `web` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let platform = shared::runtime::platform().await?;
    let app = web::App::new(platform.clone());
    shared::runtime::run_scheduled(&platform, |request| app.handle(request), || app.send_mails()).await
}
