//! PDF's syntax (ISO 32000-1, 7.2 and 7.3): from bytes to tokens to objects.

pub(crate) mod char_class;
pub(crate) mod lexer;
pub(crate) mod name;
pub(crate) mod object;
pub(crate) mod parser;
pub(crate) mod strict;
mod string;

pub(crate) use object::dictionary;
