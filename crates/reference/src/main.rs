//! Prints the API's document, or with `fields` that of all fields, signals and errors. Brings the stored ones up to date,
//! which it reads itself: `cargo run -p reference > new && mv new docs/openapi.json`,
//! `cargo run -p reference -- fields > new && mv new docs/fields.md`. With `calls` it writes the pages in `crates/reference/calls`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("calls") => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("calls");
            std::fs::create_dir_all(&folder)?;
            reference::calls().into_iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))?;
        }
        Some("fields") => print!("{}", reference::fields()),
        _ => print!("{}", reference::document()),
    }
    Ok(())
}
