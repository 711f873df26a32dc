//! Writes the files that are made in code into a folder, for programs that are no Rust libraries.

use std::error::Error;
use std::fs::{self, File};
use std::path::PathBuf;

use samples::kinds::kinds;
use samples::large::{Arrangement, LARGE, write};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder")?);
    fs::create_dir_all(&folder)?;
    for (name, content) in kinds() {
        fs::write(folder.join(name).with_extension("pdf"), content)?;
    }
    let large = [
        ("large-classic.pdf", Arrangement::Classic),
        ("large-object-streams.pdf", Arrangement::ObjectStreams),
        ("large-linearized.pdf", Arrangement::Linearized),
        ("large-damaged.pdf", Arrangement::Classic),
    ];
    for (name, arrangement) in large {
        write(arrangement, LARGE, File::create(folder.join(name))?)?;
    }
    // what a request with 100 KB uploads
    fs::create_dir_all(folder.join("100-kb"))?;
    for (name, arrangement) in
        [("classic.pdf", Arrangement::Classic), ("object-streams.pdf", Arrangement::ObjectStreams)]
    {
        write(arrangement, 4, File::create(folder.join("100-kb").join(name))?)?;
    }
    let damaged = File::options().write(true).open(folder.join("large-damaged.pdf"))?;
    damaged.set_len(damaged.metadata()?.len() - 24)?;
    Ok(())
}
