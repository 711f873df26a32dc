//! Prints the API's document, or with `fields` that of all fields, signals and errors. Brings the stored ones up to date,
//! which it reads itself: `cargo run -p reference > new && mv new docs/openapi.json`,
//! `cargo run -p reference -- fields > new && mv new docs/fields.md`.

fn main() {
    let wants_fields = std::env::args().nth(1).is_some_and(|what| what == "fields");
    print!("{}", if wants_fields { reference::fields() } else { reference::document() });
}
