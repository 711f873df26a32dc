//! What is answered about a file, in memory or asked for piece by piece.

use bytes::Bytes;
use engine::{Memory, Options, Verdict, analyze};

use crate::remote::Remote;

/// The verdict; none if the file is refused.
pub(crate) fn verdict(file: &[u8], is_remote: bool) -> Option<Verdict> {
    let options = Options::default();
    let in_memory = || analyze(&Memory(Bytes::copy_from_slice(file)), &options);
    let metadata = if is_remote { analyze(&Remote(file), &options) } else { in_memory() };
    metadata.ok().map(|metadata| metadata.integrity.verdict)
}
