//! Fuzzes `events::answer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::events::answer(bytes));
