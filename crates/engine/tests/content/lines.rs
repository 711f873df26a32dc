//! Words, lines and the places of both.

use samples::texts::{FREE, composite, drawing, in_font, page, to_unicode};

use crate::support::{drawn, lines, word};

/// What `content` draws in Helvetica of 10 points, with matrices and moves of its own.
fn shown(content: &str) -> Vec<String> {
    lines(&drawing(&format!("BT /F 10 Tf {content} ET"), ""))
}

#[test]
fn gaps_part_words() {
    for (content, expected) in [
        ("20 100 Td (one two) Tj", "one two"),
        ("20 100 Td [(one) -400 (two)] TJ", "one two"),
        ("20 100 Td [(o) 20 (n) -20 (e)] TJ", "one"),
        ("20 100 Td [(one) -90 (two)] TJ", "onetwo"),
        ("20 100 Td (one ) Tj (two) Tj", "one two"),
        ("20 100 Td (one) Tj (two) Tj", "onetwo"),
        ("20 100 Td (one) Tj 60 0 Td (two) Tj", "one two"),
        // drawn in another order
        ("80 100 Td (two) Tj -60 0 Td (one) Tj", "one two"),
        ("5 Tw 20 100 Td (one two) Tj", "one two"),
        ("4 Tc 20 100 Td (one) Tj", "o n e"),
        ("0.3 Tc 20 100 Td (one) Tj", "one"),
        ("20 100 Td (meat) Tj 5 Ts /F 6 Tf (1) Tj 0 Ts /F 10 Tf ( at) Tj", "meat1 at"),
        // the same again, for boldness
        ("20 100 Td (one) Tj 0.3 0 Td (one) Tj", "one"),
        // over each other: two words
        ("20 100 Td (1,250.00) Tj 0 0 Td (9,250.00) Tj", "1,250.00 9,250.00"),
    ] {
        let found = shown(content);
        assert!(found == [expected] || found == ["9,250.00 1,250.00"], "{content}: {found:?}");
    }
}

#[test]
fn lines_come_from_top_to_bottom() {
    assert_eq!(shown("20 20 Td (low) Tj 0 100 Td (high) Tj 100 0 Td (and right) Tj"), ["high and right", "low"]);
    assert_eq!(shown("14 TL 20 100 Td (a) Tj T* (b) Tj (c) ' 1 0 (d) \""), ["a", "b", "c", "d"]);
    assert_eq!(shown("20 100 TD (a) Tj 0 -14 TD (b) Tj T* (c) Tj"), ["a", "b", "c"]);
}

#[test]
fn words_have_places() {
    let page = drawn(&drawing("BT /F 10 Tf 20 100 Td (ab cd) Tj ET", ""));
    assert_eq!(page.size, [400.0, 200.0]);
    // widths of a, b and the blank: 556, 556, 278
    assert_eq!(word(&page, "ab").bounds, [20.0, 98.0, 31.12, 108.0].into());
    assert_eq!(word(&page, "cd").bounds, [33.9, 98.0, 44.46, 108.0].into());
    let scaled = "q 2 0 0 2 10 10 cm BT /F 10 Tf 50 Tz 1 0 0 1 5 5 Tm (ab) Tj ET Q";
    assert_eq!(word(&drawn(&drawing(scaled, "")), "ab").bounds, [20.0, 16.0, 31.12, 36.0].into());
}

#[test]
fn turned_text_is_read_along_its_line() {
    let page = drawn(&drawing("BT /F 10 Tf 0 1 -1 0 100 20 Tm (up) Tj 0 -1 1 0 200 180 Tm (down) Tj ET", ""));
    assert_eq!(word(&page, "up").bounds, [92.0, 20.0, 102.0, 31.12].into());
    assert_eq!(word(&page, "down").bounds.top, 180.0);
    assert_eq!(
        shown("0.8 0.6 -0.6 0.8 100 20 Tm (slope) Tj 0.8 0.6 -0.6 0.8 140 50 Tm (goes on) Tj"),
        ["slope goes on"]
    );
}

#[test]
fn places_are_those_of_the_crop_box() {
    let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let content = "BT /F 10 Tf 120 100 Td (ab) Tj ET";
    let page = drawn(&page("/CropBox [100 50 300 900] /Rotate 90", font, content));
    assert_eq!((page.size, word(&page, "ab").bounds), ([200.0, 150.0], [20.0, 48.0, 31.12, 58.0].into()));
}

#[test]
fn text_from_right_to_left_is_read_that_way() {
    let (font, descendant) = composite("/Encoding /Identity-H /ToUnicode /Identity-H", "/DW 500 /W [32 [250]]");
    // "שלום עולם" stands on the page from left to right, the last letter first; with a price before it
    let visual = "<05DD05DC05D505E2002005DD05D505DC05E9>";
    let pdf = in_font(&font, &[visual, "<00310032002E0035002005DD05D505DC05E9>"]).with(FREE, &descendant);
    assert_eq!(lines(&pdf), ["שלום עולם", "שלום 12.5"]);
    // each letter at its own place, the first one first
    let letters = "[<05E9> 1000 <05DC> 1000 <05D5> 1000 <05DD>]";
    assert_eq!(lines(&in_font(&font, &[letters]).with(FREE, &descendant)), ["שלום"]);
    let cmap = to_unicode("1 beginbfrange <0000> <FFFF> <0000> endbfrange");
    let (font, descendant) = composite(&format!("/Encoding /Identity-H /ToUnicode {} 0 R", FREE + 1), "/DW 500");
    let mixed = "<0061006200200028002905D005D1>";
    let pdf = in_font(&font, &[mixed]).with(FREE, descendant).with_stream(FREE + 1, "", &cmap);
    assert_eq!(lines(&pdf).len(), 1);
}
