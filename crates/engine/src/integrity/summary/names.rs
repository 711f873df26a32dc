//! Names of programs in sentences.

use crate::integrity::clause::named;

/// What programs write between the name of the one that made a file and their own: iText, pyHanko.
const ADDED: [&str; 2] = ["; modified using ", "; pyHanko "];

/// The name of the program that wrote last, without the licenses and build numbers that some add after a semicolon.
pub(super) fn software(name: &str) -> String {
    let last = ADDED.iter().filter_map(|added| name.rfind(added)).max();
    let last = last.and_then(|place| name.get(place + 1..)).unwrap_or(name).trim_start();
    named(last.trim_start_matches("modified using ").split(';').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::software;

    #[test]
    fn the_program_that_wrote_last_is_named() {
        for (producer, shown) in [
            ("Billing 4.2", "Billing 4.2"),
            ("iText 2.1.7 by 1T3XT; licensed to nobody", "iText 2.1.7 by 1T3XT"),
            ("Distiller 8.1; modified using iText 5.0; licensed to nobody", "iText 5.0"),
            ("Skia/PDF m137; pyHanko 0.27", "pyHanko 0.27"),
            ("; modified using iText 5.0", "iText 5.0"),
        ] {
            assert_eq!(software(producer), format!("\u{201c}{shown}\u{201d}"));
        }
    }
}
