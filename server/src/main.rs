//! The binary: see `server::cli`.

/// An analysis makes thousands of small allocations, most of them in the SDK and the embedded DynamoDB: with the
/// system's allocator they take a fifth of a request's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
