//! Prints the API's document: `cargo run -p reference > docs/openapi.json` brings the stored one up to date.

fn main() {
    print!("{}", reference::document());
}
