//! Fuzzes `tokens::parse`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::tokens::parse(bytes));
