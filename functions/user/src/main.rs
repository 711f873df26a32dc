//! The Lambda binary of the `user` endpoint group.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::runtime::run::<user::App>().await
}
