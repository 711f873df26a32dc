//! Fuzzes `documents::objects`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::documents::objects(bytes));
