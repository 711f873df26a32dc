//! Whether a file was changed, and what shows it: revisions, what files say against themselves, and hostile updates.

#[path = "../common/bounded.rs"]
mod bounded;
mod claims;
mod costs;
mod hidden;
mod hostile;
#[path = "../common/remote.rs"]
mod remote;
mod revisions;
mod sentences;
mod support;
mod viewers;
mod words;
