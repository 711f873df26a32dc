//! Text beyond its clip, as in cells that are too narrow, and other text in its place.

use engine::{SignalId, Verdict};

use super::{LINE, analyzed, sheet};

/// A text that is cut off at a clip of this width.
fn cell(left: u32, bottom: u32, width: u32, text: &str) -> String {
    format!("q {left} {} {width} 14 re W n {} Q ", bottom - 4, at(left + 2, bottom, text))
}

fn at(left: u32, bottom: u32, text: &str) -> String {
    format!("BT /F 10 Tf {left} {bottom} Td ({text}) Tj ET ")
}

#[test]
fn a_cell_that_is_too_narrow_hides_no_earlier_text() {
    for content in [
        cell(20, 100, 80, "To the management of company number 4711 of Graz") + &at(104, 100, "1,250.00"),
        cell(20, 100, 60, "Eva Mustermann, Hauptplatz 801") + &at(80, 100, "Steel screw"),
        cell(20, 100, 40, "123456789 12345") + &at(66, 100, "987,654.00"),
        // a label for screen readers, and a row of a table that continues elsewhere
        format!("q 20 100 1 1 re W n {} Q {}", at(20, 100, "Current price:"), at(20, 100, "7,263.30 EUR")),
        (0..12)
            .map(|row| cell(20, 20 + 14 * row, 66, "Page 1 seat 7 row 3") + &at(86, 20 + 14 * row, "seat 8 row 4"))
            .collect(),
    ] {
        let integrity = analyzed(&sheet(&content)).integrity;
        assert_eq!(integrity.verdict, Verdict::NoSigns, "{content}: {}", integrity.summary);
    }
}

#[test]
fn another_version_of_a_text_replaces_it_beyond_its_clip() {
    let behind = |clip: &str, now: &str| format!("q {clip} W n {LINE} Q {now}");
    for content in [
        behind("18 95 26 14 re", &at(44, 100, "9,250.00 EUR")),
        behind("18 95 26 14 re", &at(44, 100, "8,431.17")),
        // as no cell is cut off
        behind("18 95 25 14 re 88 95 40 14 re", &at(45, 100, "nothing")),
    ] {
        let integrity = analyzed(&sheet(&content)).integrity;
        assert_eq!(integrity.because, [SignalId::TextRetyped], "{content}: {}", integrity.summary);
    }
}
