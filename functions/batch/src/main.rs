//! The Lambda binary of the `batch` stack.

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    batch::run().await
}
