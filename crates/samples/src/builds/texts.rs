//! Text in fonts of each kind (ISO 32000-1, 9.6 and 9.7), some under names that look like keys.

use super::font_file::truetype;
use super::sheet::{Kind::Seen, Sheet};

/// What every build says, in the font that its pages share.
pub(super) fn plain(sheet: &mut Sheet) {
    let font = sheet.add(Seen, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    sheet.resource("Font", "F1", &format!("{font} 0 R"));
    sheet.place("BT /F1 14 Tf 0 0 Td (Pay 100 to Alice) Tj ET");
}

/// A standard font with an encoding and widths of its own.
pub(super) fn encoded(sheet: &mut Sheet) {
    let encoding = sheet.add(Seen, "<< /Type /Encoding /Differences [65 /A /C /B] >>");
    let widths = sheet.add(Seen, "[722 667 722 700]");
    let font = format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /FirstChar 65 /LastChar 68 /Widths {widths} 0 R \
         /Encoding {encoding} 0 R >>"
    );
    let font = sheet.add(Seen, font);
    sheet.resource("Font", "Parent", &format!("{font} 0 R"));
    sheet.place("BT /Parent 14 Tf 0 0 Td (ABCD) Tj ET");
}

fn descriptor(sheet: &mut Sheet) -> u32 {
    let file = truetype();
    let file = sheet.compressed(Seen, &format!("/Length1 {}", file.len()), &file);
    let text = format!(
        "<< /Type /FontDescriptor /FontName /Boxes /Flags 4 /FontBBox [0 0 700 700] /ItalicAngle 0 /Ascent 800 \
         /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 {file} 0 R >>"
    );
    sheet.add(Seen, text)
}

/// A TrueType font in the file.
pub(super) fn embedded(sheet: &mut Sheet) {
    let descriptor = descriptor(sheet);
    let font = format!(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Boxes /FirstChar 65 /LastChar 66 /Widths [700 700] \
         /FontDescriptor {descriptor} 0 R >>"
    );
    let font = sheet.add(Seen, font);
    sheet.resource("Font", "P", &format!("{font} 0 R"));
    sheet.place("BT /P 14 Tf 0 0 Td (ABBA) Tj ET");
}

/// A composite font, which can be searched.
pub(super) fn composite(sheet: &mut Sheet) {
    let descriptor = descriptor(sheet);
    let descendant = format!(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Boxes /FontDescriptor {descriptor} 0 R /DW 1000 \
         /W [1 [700 700]] /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    );
    let descendant = sheet.add(Seen, descendant);
    let map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def \
               1 begincodespacerange <0000> <FFFF> endcodespacerange \
               2 beginbfchar <0001> <0041> <0002> <0042> endbfchar endcmap end end";
    let map = sheet.stream(Seen, "", map);
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Boxes /Encoding /Identity-H /DescendantFonts [{descendant} 0 R] \
         /ToUnicode {map} 0 R >>"
    );
    let font = sheet.add(Seen, font);
    sheet.resource("Font", "Type", &format!("{font} 0 R"));
    sheet.place("BT /Type 14 Tf 0 0 Td <000100020001> Tj ET");
}

/// A font whose glyphs are content streams, with names of keys.
pub(super) fn drawn(sheet: &mut Sheet) {
    let stroke = sheet.drawing(Seen, "/Name /Pg", "0 0 60 10 re f");
    let bar = sheet.stream(Seen, "", "70 0 d0 /Pg Do");
    let step = sheet.stream(Seen, "", "70 0 0 0 70 70 d1 0 0 60 30 re f");
    let font = format!(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 70 70] /FontMatrix [0.01 0 0 0.01 0 0] \
         /CharProcs << /P {bar} 0 R /Parent {step} 0 R >> /Encoding << /Differences [97 /P /Parent] >> \
         /FirstChar 97 /LastChar 98 /Widths [70 70] /Resources << /XObject << /Pg {stroke} 0 R >> >> >>"
    );
    let font = sheet.add(Seen, font);
    sheet.resource("Font", "Pg", &format!("{font} 0 R"));
    sheet.place("BT /Pg 20 Tf 0 0 Td (abab) Tj ET");
}
