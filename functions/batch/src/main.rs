//! The Lambda binary of the `batch` stack.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    batch::run().await
}
