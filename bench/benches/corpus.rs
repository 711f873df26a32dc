//! Processor time over all files of the folder that `PDF_CORPUS` names, against other readers, all from memory.
//!
//! Files encrypted with AES-256 are left out: deriving their key takes milliseconds and hides everything else.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use bench::measure::timed;
use bytes::Bytes;
use engine::{Algorithm, Memory, Options, analyze};
use hayro_syntax::Pdf;
use lopdf::Document;

/// Each reader passes over all files so often; the fastest pass counts.
const PASSES: usize = 7;

fn main() {
    let Some(corpus) = env::var_os("PDF_CORPUS").map(PathBuf::from) else {
        println!("skipped: PDF_CORPUS names no folder of PDF files");
        return;
    };
    let folder = if corpus.join("files").is_dir() { corpus.join("files") } else { corpus };
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).expect("a folder of PDF files") {
        files.push(fs::read(entry.expect("a file").path()).expect("a readable file"));
    }
    files.retain(|file| !is_aes_256(file));
    let shared: Vec<Bytes> = files.iter().cloned().map(Bytes::from).collect();
    let arcs: Vec<Arc<Vec<u8>>> = files.iter().cloned().map(Arc::new).collect();

    let mut best: BTreeMap<&str, Duration> = BTreeMap::new();
    for _ in 0..PASSES {
        let mut pass = |name, work: &dyn Fn()| {
            let ((), took) = timed(work);
            let known = best.entry(name).or_insert(took);
            *known = took.min(*known);
        };
        for (name, skip_content) in [("this engine: metadata", true), ("this engine: and content", false)] {
            pass(name, &|| {
                for file in &shared {
                    let _ = analyze(&Memory(file.clone()), &Options { skip_content, ..Options::default() });
                }
            });
        }
        pass("hayro-syntax: Pdf::new", &|| {
            for file in &arcs {
                let _ = Pdf::new(Arc::clone(file) as Arc<_>);
            }
        });
        pass("lopdf: load_metadata_mem", &|| {
            for file in &files {
                let _ = std::panic::catch_unwind(|| Document::load_metadata_mem(file));
            }
        });
    }
    let hayro = best["hayro-syntax: Pdf::new"].as_secs_f64();
    println!("{} files", files.len());
    for (name, took) in best {
        println!("{name:26} {:8.2} ms  {:5.2} x hayro-syntax", took.as_secs_f64() * 1e3, took.as_secs_f64() / hayro);
    }
}

fn is_aes_256(file: &[u8]) -> bool {
    let metadata = analyze(&Memory(Bytes::copy_from_slice(file)), &Options::default());
    let is_unlocked = metadata.is_ok_and(|metadata| metadata.security.algorithm == Some(Algorithm::Aes256));
    is_unlocked || file.windows(5).any(|window| window == b"AESV3")
}
