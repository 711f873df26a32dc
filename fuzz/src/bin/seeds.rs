//! Writes every target's seeds below a folder: `seeds FOLDER`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "corpus".to_owned());
    for (target, seeds) in fuzz::seeds::all() {
        let folder = Path::new(&folder).join(target);
        std::fs::create_dir_all(&folder)?;
        for (index, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{index:02}")), seed)?;
        }
    }
    Ok(())
}
