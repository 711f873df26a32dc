//! The use cases of the service, which the API, the console, agents' tools and the operator's command share.

pub mod analyze;
pub mod create_token;
pub mod delete_account;
pub mod share;
pub mod stage;
