//! Objects at offsets of the file, the bodies of streams and their filters, and objects inside streams (7.3.8, 7.4, 7.5.7).

pub mod body;
pub mod exact;
mod fax;
pub mod filter;
pub mod object_stream;
pub mod placed;
mod predictor;
