//! The Model Context Protocol's messages (JSON-RPC 2.0), independent of the transport: revision 2026-07-28, in which
//! requests are self-contained, and earlier ones, which begin with `initialize`.

mod message;
mod refusal;
mod server;
mod tool;
mod version;

pub use message::{Message, Request};
pub use refusal::{RpcCode, RpcError};
pub use server::{Dispatch, Server};
pub use tool::{Effect, Tool, failed, succeeded};
pub use version::{EARLIER, NEWEST, ProtocolVersion, versions};
