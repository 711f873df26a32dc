//! Whether a file was changed, and what shows it: revisions, what files say against themselves, and hostile updates.

mod claims;
mod costs;
mod hidden;
mod hostile;
#[path = "../common/quickly.rs"]
mod quickly;
#[path = "../common/remote.rs"]
mod remote;
mod revisions;
mod sentences;
mod support;
mod viewers;
mod words;
