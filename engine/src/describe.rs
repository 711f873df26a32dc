//! What an opened document says about itself, group by group of the metadata.

pub(crate) mod document_info;
pub(crate) mod features;
pub(crate) mod page;
pub(crate) mod pages;
pub(crate) mod security;
pub(crate) mod structure;
