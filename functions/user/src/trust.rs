//! `/trust`: the issuers trusted by the account, for validating signatures in its files.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod remove;
