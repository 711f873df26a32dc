//! The binary: see `server::cli`.

/// An analysis asks for memory a thousand times, most of it for the SDK's and the embedded DynamoDB's small pieces: with
/// the system's allocator that is a fifth of a request's time.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
