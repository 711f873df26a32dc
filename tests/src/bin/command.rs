//! The `server` binary, for tests that run it.

fn main() -> std::process::ExitCode {
    server::cli::main()
}
