//! Fuzzes `documents::packet`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::documents::packet(bytes));
