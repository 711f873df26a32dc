//! Objects at offsets of the file, the bodies of streams and their filters, and objects inside streams (7.3.8, 7.4, 7.5.7).

pub(crate) mod body;
mod fax;
pub(crate) mod filter;
pub(crate) mod object_stream;
pub(crate) mod placed;
mod predictor;
