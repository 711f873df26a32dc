//! `/trust`: the issuers whom the account trusts, by whom signatures in its files are judged.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod remove;
