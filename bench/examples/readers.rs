//! Passes over the files named on standard input with one library, in this process: `readers READER PASSES`. Prints the
//! processor time of each file in each pass in nanoseconds, one line a pass. Files are in memory before the clock starts.

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use bench::measure::timed;
use bytes::Bytes;
use engine::{Memory, Options, analyze};
use hayro_syntax::Pdf;
use lopdf::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let reader = arguments
        .next()
        .ok_or("name a reader: ours (metadata alone), content (with what pages hide), hayro-syntax or lopdf")?;
    let passes: usize = arguments.next().ok_or("say how many passes")?.parse()?;
    let files: Vec<Vec<u8>> = io::stdin().lines().map(|path| std::fs::read(path?)).collect::<Result<_, _>>()?;
    let shared: Vec<Bytes> = files.iter().cloned().map(Bytes::from).collect();
    let arcs: Vec<Arc<Vec<u8>>> = files.iter().cloned().map(Arc::new).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let read: Box<dyn Fn(usize)> = match reader.as_str() {
        "ours" | "content" => {
            let skip_content = reader == "ours";
            let options = Options { skip_content, ..Options::default() };
            Box::new(move |at| drop(analyze(&Memory(shared[at].clone()), &options)))
        }
        "hayro-syntax" => Box::new(|at| drop(Pdf::new(Arc::clone(&arcs[at]) as Arc<_>))),
        "lopdf" => Box::new(|at| drop(std::panic::catch_unwind(|| Document::load_metadata_mem(&files[at])))),
        other => return Err(format!("no such reader: {other}").into()),
    };
    let mut output = io::stdout().lock();
    for _ in 0..passes {
        for at in 0..files.len() {
            write!(output, "{} ", timed(|| read(at)).1.as_nanos())?;
        }
        writeln!(output)?;
    }
    Ok(())
}
