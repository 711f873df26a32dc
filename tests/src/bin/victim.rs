//! A service in a process of its own, to be killed: `victim FOLDER [CALL before|after]`.
//!
//! Prints its origin. At call number CALL (from 0) of the SDK clients' it says `stalled` and waits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::Path;

use tests::service::TestService;
use tests::wire::Fault;

/// The server's, because what it leaves behind is measured.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let service = TestService::start_in(Path::new(&arguments[0])).await;
    if let [_, call, moment] = arguments.as_slice() {
        let call: u64 = call.parse().unwrap();
        let stall = if moment == "before" { Fault::StallBefore } else { Fault::StallAfter };
        service.wire.plan(move |seen| if seen.index == call { stall.clone() } else { Fault::None });
    }
    println!("{}", service.service().origin());
    std::future::pending::<()>().await;
}
