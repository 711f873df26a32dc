//! Names of programs in sentences.

use crate::integrity::clause::named;

/// The name of a program without the licenses and build numbers that some add after a semicolon.
pub(super) fn software(name: &str) -> String {
    named(name.split(';').next().unwrap_or_default())
}
