//! Prints the API's document. Brings the stored one up to date, which it reads itself:
//! `cargo run -p reference > new.json && mv new.json docs/openapi.json`.

fn main() {
    print!("{}", reference::document());
}
