//! Codes and what they stand for, by the kind of font.

use samples::texts::{FREE, composite, in_font, to_unicode};

use crate::support::{drawn, lines, word};

/// Numbers of further objects.
const CMAP: u32 = FREE + 1;
const MORE: u32 = FREE + 2;

#[test]
fn simple_fonts_are_read_by_their_encoding() {
    let cases: [(&str, &str, &str); 14] = [
        ("/Subtype /Type1 /BaseFont /Helvetica", "(It's \\(1\\))", "It’s (1)"),
        ("/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding", "(It's \\200 5\\226)", "It's € 5–"),
        ("/Subtype /TrueType /BaseFont /Arial /Encoding /MacRomanEncoding", "(\\200\\212\\206\\262)", "ÄäÜ≤"),
        ("/Subtype /MMType1 /BaseFont /MyriadMM /Encoding /StandardEncoding", "(caf\\302e)", "caf´e"),
        ("/Subtype /Type1 /BaseFont /Symbol", "(abg)", "αβγ"),
        ("/Subtype /Type1 /BaseFont /ZapfDingbats", "(!4)", "✁✔"),
        (
            "/Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Differences [1 /Euro /f_i 65 /uni0416 /u1F600 /one.alt] >>",
            "(\\001\\002ABCD)",
            "€fiЖ😀1D",
        ),
        (
            "/Subtype /Type1 /BaseFont /Times-Roman /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /fi] >>",
            "(A\\200)",
            "fi€",
        ),
        // names that say nothing, a code without a name, a private character
        ("/Subtype /Type1 /BaseFont /Some /Encoding << /Differences [65 /g12 /C0066 /Asmall] >>", "(ABCD)", "���D"),
        // a program of which nothing is known
        ("/Subtype /TrueType /BaseFont /ABCDEF+Some /FontDescriptor << /Flags 4 /FontFile2 33 0 R >>", "(AB)", "��"),
        ("/Subtype /TrueType /BaseFont /ABCDEF+Some /FontDescriptor << /Flags 32 /FontFile2 33 0 R >>", "(AB)", "AB"),
        ("/Subtype /Type1 /BaseFont /ABCDEF+Some /FontDescriptor << /Flags 4 /FontFile3 33 0 R >>", "(AB)", "��"),
        (
            "/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << >> /FirstChar 97 /LastChar 98 \
             /Widths [0.5 0.5] /Encoding << /Differences [97 /A /odd] >>",
            "(ab)",
            "A�",
        ),
        ("/Subtype /TrueType /BaseFont /Arial /Encoding /NoSuchEncoding", "(AB)", "AB"),
    ];
    for (font, string, expected) in cases {
        assert_eq!(lines(&in_font(&format!("<< /Type /Font {font} >>"), &[string])), [expected], "{font}");
    }
}

#[test]
fn a_type_1_program_names_its_own_glyphs() {
    let program = b"%!PS-AdobeFont\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /Omega put\n\
        dup 14 /ff put readonly def currentfile eexec";
    let font = |encoding: &str| {
        format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+CMR10 /FontDescriptor << /Flags 4 /FontFile {FREE} 0 R >> \
             {encoding} >>"
        )
    };
    let read = |encoding: &str| lines(&in_font(&font(encoding), &["(A\\016B)"]).with_stream(FREE, "", program));
    assert_eq!(read(""), ["\u{2126}ff�"]);
    assert_eq!(read("/Encoding << /Differences [66 /B] >>"), ["\u{2126}ffB"]);
    assert_eq!(read("/Encoding /WinAnsiEncoding"), ["A�B"]);
}

#[test]
fn to_unicode_goes_before_the_encoding() {
    let font = format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {CMAP} 0 R >>");
    let cmap = "2 beginbfchar <41> <0058> <42> <00660066> endbfchar 1 beginbfrange <43> <45> <0030> endbfrange \
        1 beginbfchar <46> <FFFD> endbfchar 1 beginbfchar <47> <E001> endbfchar 1 beginbfchar <48> <0000> endbfchar";
    let pdf = in_font(&font, &["(ABCDEz)", "(FGH)"]).with_compressed(CMAP, "", &to_unicode(cmap));
    assert_eq!(lines(&pdf), ["Xff012z", "���"]);
    let page = drawn(&pdf);
    assert_eq!(word(&page, "���").undecoded, 3);
    assert_eq!((page.runs[1].undecoded, page.text(&page.runs[1]), page.font(&page.runs[1])), (3, "���", "Helvetica"));
}

#[test]
fn composite_fonts_are_read_by_their_cmaps() {
    let (font, descendant) = composite(&format!("/Encoding /Identity-H /ToUnicode {CMAP} 0 R"), "/DW 500 /W [3 [250]]");
    let cmap = "2 beginbfrange <0003> <0003> [<0020>] <0010> <0019> <0030> endbfrange \
        1 beginbfchar <0020> <006600660069> endbfchar";
    let pdf = in_font(&font, &["<0011001200030013>", "<002000FF>"]).with(FREE, &descendant).with_compressed(
        CMAP,
        "",
        &to_unicode(cmap),
    );
    assert_eq!(lines(&pdf), ["12 3", "ffi�"]);
    // two digits of 5 points, a blank of 2.5, a digit
    assert_eq!(word(&drawn(&pdf), "3").bounds.left, 32.5);

    // without any meaning, no codes are characters
    let (font, descendant) = composite("/Encoding /Identity-H", "/DW 500");
    assert_eq!(lines(&in_font(&font, &["<00410042>"]).with(FREE, descendant)), ["��"]);

    // codes of one and of two bytes
    let (font, descendant) = composite(&format!("/Encoding {MORE} 0 R /ToUnicode {CMAP} 0 R"), "/DW 500");
    let encoding = b"2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange \
        2 begincidrange <00> <7f> 1 <8000> <80ff> 200 endcidrange";
    let pdf = in_font(&font, &["<41804142>"])
        .with(FREE, &descendant)
        .with_stream(MORE, "/Type /CMap", encoding)
        .with_compressed(CMAP, "", &to_unicode("3 beginbfchar <41> <0061> <8041> <4E2D> <42> <0062> endbfchar"));
    assert_eq!(lines(&pdf), ["a中b"]);

    // each code its own character, as some say it
    let (font, descendant) = composite("/Encoding /Identity-H /ToUnicode /Identity-H", "/DW 500");
    assert_eq!(lines(&in_font(&font, &["<00480069>"]).with(FREE, descendant)), ["Hi"]);
}

#[test]
fn collections_of_east_asia_are_known() {
    let japan = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 /W [231 632 500]";
    for (encoding, string, expected) in [
        ("90ms-RKSJ-H", "<93fa967b8cea41>", "日本語A"),
        ("UniJIS-UCS2-H", "<65e5672c8a9e>", "日本語"),
        ("UniJIS-UTF16-H", "<65e5672c8a9e>", "日本語"),
        // 3284, 3723: numbers of the collection's glyphs
        ("Identity-H", "<0b370c14>", "語"),
    ] {
        let (font, descendant) = composite(&format!("/Encoding /{encoding}"), japan);
        let found = lines(&in_font(&font, &[string]).with(FREE, descendant));
        assert!(found[0].contains(expected) || encoding == "Identity-H" && !found[0].contains('\u{fffd}'), "{found:?}");
    }
    let (font, descendant) = composite("/Encoding /NoSuchCMap-H", japan);
    assert_eq!(lines(&in_font(&font, &["<0041>"]).with(FREE, descendant)), ["��"]);
}

#[test]
fn text_that_runs_down_is_one_line() {
    let (font, descendant) = composite("/Encoding /Identity-V /ToUnicode /Identity-H", "/DW 1000");
    let pdf = in_font(&font, &["<65e5672c8a9e>"]).with(FREE, descendant);
    assert_eq!(lines(&pdf), ["日本語"]);
    // the middle of the first glyph's top is where the text begins, and each takes 10 points
    assert_eq!(word(&drawn(&pdf), "日本語").bounds, [15.0, 120.0, 25.0, 150.0].into());
}

#[test]
fn a_font_that_is_not_there_has_no_characters() {
    let pdf = samples::texts::drawing("BT /Nothing 10 Tf 20 100 Td (ab) Tj ET", "");
    assert_eq!(lines(&pdf), ["��"]);
    let pdf = samples::texts::drawing("BT 20 100 Td (ab) Tj ET", "");
    assert_eq!(lines(&pdf), ["��"]);
}
