//! The Lambda binary of the `user` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    let app = user::App::new(shared::runtime::platform().await?);
    shared::runtime::run(|request| app.handle(request)).await
}
