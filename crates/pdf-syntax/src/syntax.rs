//! PDF's syntax (ISO 32000-1, 7.2 and 7.3): from bytes to tokens to objects.

pub mod char_class;
pub mod lexer;
pub mod name;
pub mod object;
pub mod operator;
pub mod parser;
pub mod strict;
pub mod strict_content;
mod string;

pub use object::dictionary;
