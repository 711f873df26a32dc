//! Fuzzes `documents::file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::documents::file(bytes));
