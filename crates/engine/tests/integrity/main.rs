//! Whether a file was changed, and what shows it: revisions, what files say against themselves, and hostile updates.

mod claims;
mod costs;
mod hidden;
mod hostile;
mod revisions;
mod sentences;
mod support;
mod words;
