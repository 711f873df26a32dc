//! What is fuzzed, and what has to be true of it whatever the input. Each target hands its bytes to one of these.

pub mod documents;
pub mod seeds;
pub mod tokens;

// Built from the sources, so that a fuzzer is built in a minute and with what makes it see its way.
#[path = "../../shared/src"]
#[allow(dead_code, missing_docs, unreachable_pub, reason = "only a part of the library is used here")]
mod shared {
    pub mod base62;
    pub mod extract;
    pub mod ids;
    pub mod secret;
}
#[path = "../../tests/src"]
#[allow(dead_code, missing_docs, unreachable_pub, reason = "only a part of the harness is used here")]
mod harness {
    pub mod pdf;
}

use harness::pdf;
use shared::{base62, extract, ids, secret};
