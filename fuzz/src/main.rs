//! The fuzzers, in one program: `FUZZ_TARGET` names what is fuzzed. The target's seeds are written to the folder
//! `FUZZ_SEEDS`, if it is set. `fuzz/run` sets both.

#![no_main]

mod cms;
mod content;
mod documents;
mod event;
mod form;
mod rights;
mod seeds;
mod stores;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

/// A fuzzer: what it does with an input, and what it starts from.
struct Target {
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

const TARGETS: [Target; 11] = [
    Target { name: "file", run: documents::file, seeds: seeds::files },
    Target { name: "objects", run: documents::objects, seeds: seeds::objects },
    Target { name: "update", run: documents::update, seeds: seeds::updates },
    Target { name: "date", run: documents::date, seeds: seeds::dates },
    Target { name: "text", run: documents::text, seeds: seeds::texts },
    Target { name: "packet", run: documents::packet, seeds: seeds::packets },
    Target { name: "cms", run: cms::value, seeds: seeds::values },
    Target { name: "content", run: content::drawn, seeds: seeds::contents },
    Target { name: "token", run: rights::parse, seeds: seeds::rights },
    Target { name: "form", run: form::read, seeds: seeds::forms },
    Target { name: "event", run: event::answer, seeds: seeds::events },
];

fuzz_target!(init: write_seeds(), |input: &[u8]| (target().run)(input));

fn target() -> &'static Target {
    static TARGET: OnceLock<&Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let named = TARGETS.iter().find(|target| target.name == name);
        named.unwrap_or_else(|| {
            panic!("FUZZ_TARGET is {name:?}; the targets are {:?}", TARGETS.map(|target| target.name))
        })
    })
}

fn write_seeds() {
    let Some(folder) = std::env::var_os("FUZZ_SEEDS") else { return };
    for (index, seed) in (target().seeds)().iter().enumerate() {
        let file = std::path::Path::new(&folder).join(format!("seed-{index:03}"));
        std::fs::write(file, seed).expect("the folder of FUZZ_SEEDS can be written to");
    }
}
