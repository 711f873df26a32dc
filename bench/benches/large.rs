//! What files of 100 MB cost: processor time, memory, bytes and rounds of reads, intact and damaged.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use bench::measure::{Counting, METADATA, peak_memory, timed};
use engine::{LocalFile, analyze_measured};
use samples::large::{Arrangement, LARGE, write};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Each file is analyzed so often; the median counts.
const RUNS: usize = 21;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join("pdf-bench");
    fs::create_dir_all(&folder)?;
    println!(
        "{:30} {:>9} {:>9} {:>9} {:>7} {:>6} {:>6}",
        "file", "time", "memory", "bytes", "share", "reads", "rounds"
    );
    for arrangement in
        [Arrangement::Classic, Arrangement::Scattered, Arrangement::ObjectStreams, Arrangement::Linearized]
    {
        let path = folder.join(format!("{arrangement:?}.pdf"));
        write(arrangement, LARGE, File::create(&path)?)?;
        report(&format!("{arrangement:?}"), &path)?;
        let file = File::options().write(true).open(&path)?;
        file.set_len(file.metadata()?.len() - 24)?;
        report(&format!("{arrangement:?}, end cut off"), &path)?;
        fs::remove_file(&path)?;
    }
    Ok(())
}

fn report(name: &str, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..RUNS {
        let (_, time) = timed(|| LocalFile::open(path).map(|file| analyze_measured(&file, &METADATA)));
        times.push(time);
    }
    times.sort();
    let file = LocalFile::open(path)?;
    let ((result, stats), memory) = peak_memory(|| analyze_measured(&file, &METADATA));
    let metadata = result?;
    assert_eq!((metadata.page_count, metadata.document.title.as_deref()), (u64::from(LARGE), Some("Large")));
    println!(
        "{name:30} {:6.2} ms {:6} KB {:6} KB {:5.2} % {:6} {:6}",
        times[RUNS / 2].as_secs_f64() * 1e3,
        memory >> 10,
        stats.bytes_read >> 10,
        100.0 * stats.bytes_read as f64 / stats.file_size as f64,
        stats.reads,
        stats.rounds
    );
    Ok(())
}
