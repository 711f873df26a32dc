//! The binary `pdf-analysis`, for tests that run it.

fn main() -> std::process::ExitCode {
    server::cli::main()
}
