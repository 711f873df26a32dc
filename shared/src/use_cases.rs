//! What the service does for whoever asks: the API, the console, agents' tools and the operator's command call the same.

pub mod analyze;
pub mod create_token;
pub mod delete_account;
pub mod share;
pub mod stage;
