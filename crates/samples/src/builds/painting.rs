//! What pages draw by: form `XObject`s, patterns, shadings, states and layers (ISO 32000-1, 8.10, 8.7, 8.4.5, 8.11).

use super::sheet::{Kind::Seen, Sheet};
use crate::pdf::stream;

/// Forms within forms, whose names look like keys.
pub(super) fn nested(sheet: &mut Sheet) {
    let font = sheet.add(Seen, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>");
    let fonts = format!("/Resources << /Font << /Metadata {font} 0 R >> >>");
    let innermost = sheet.drawing(Seen, &fonts, "BT /Metadata 12 Tf 2 4 Td (Total 250) Tj ET");
    let inner =
        sheet.drawing(Seen, &format!("/Resources << /XObject << /B {innermost} 0 R >> >>"), "/B Do 0 0 50 1 re f");
    let resources = sheet.add(Seen, format!("<< /XObject << /P {inner} 0 R >> >>"));
    let outer = sheet.drawing(Seen, &format!("/Matrix [1 0 0 1 0 0] /Resources {resources} 0 R"), "/P Do");
    sheet.resource("XObject", "Parent", &format!("{outer} 0 R"));
    sheet.place("/Parent Do");
}

/// A form that finds its resources on the page, and one that is a group.
pub(super) fn borrowing(sheet: &mut Sheet) {
    let borrowing = sheet.drawing(Seen, "", "BT /F1 12 Tf 2 4 Td (Sum 75) Tj ET");
    sheet.resource("XObject", "Pg", &format!("{borrowing} 0 R"));
    sheet.place("/Pg Do");
    let group = sheet.drawing(Seen, "/Group << /S /Transparency /I true >>", "0.5 g 0 0 40 15 re f");
    sheet.resource("XObject", "Annots", &format!("{group} 0 R"));
    sheet.place("/Annots Do");
}

/// A tiling pattern and shadings with functions.
pub(super) fn patterns(sheet: &mut Sheet) {
    let tile = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 6 6] /XStep 6 /YStep 6 \
                /Resources << >>";
    let tile = sheet.stream(Seen, tile, "0 0 1 rg 0 0 3 3 re f");
    sheet.resource("Pattern", "A", &format!("{tile} 0 R"));
    sheet.place("/Pattern cs /A scn 0 0 60 18 re f");
    let function = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>";
    let function = sheet.add(Seen, function);
    let shading = format!("<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 90 0] /Function {function} 0 R >>");
    let shading = sheet.add(Seen, shading);
    sheet.resource("Shading", "V", &format!("{shading} 0 R"));
    sheet.place("0 0 90 15 re W n /V sh");
    let pattern = sheet.add(Seen, format!("<< /Type /Pattern /PatternType 2 /Shading {shading} 0 R >>"));
    sheet.resource("Pattern", "First", &format!("{pattern} 0 R"));
    sheet.place("/Pattern cs /First scn 0 0 60 18 re f");
}

/// Graphics states: a soft mask, a width of lines, a font.
pub(super) fn states(sheet: &mut Sheet) {
    let veil = "/Group << /S /Transparency /CS /DeviceGray >>";
    let veil = sheet.stream(
        Seen,
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 600 850] {veil}"),
        "1 g 0 0 90 850 re f 0.6 g 90 0 500 850 re f",
    );
    let masked = format!("<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G {veil} 0 R >> >>");
    let masked = sheet.add(Seen, masked);
    sheet.resource("ExtGState", "SE", &format!("{masked} 0 R"));
    sheet.place("/SE gs 0 0 60 15 re f");
    let font = sheet.add(Seen, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>");
    let state = sheet.add(Seen, format!("<< /Type /ExtGState /LW 4 /ca 0.5 /Font [{font} 0 R 12] >>"));
    sheet.resource("ExtGState", "StructParents", &format!("{state} 0 R"));
    sheet.place("/StructParents gs 0 0 40 15 re S BT 45 2 Td (Net 40) Tj ET");
}

/// Layers: one that shows, one that does not, and a rule over both.
pub(super) fn layers(sheet: &mut Sheet) {
    let shown = sheet.add(Seen, "<< /Type /OCG /Name (Offer) >>");
    let hidden = sheet.add(Seen, "<< /Type /OCG /Name (Draft) >>");
    let either = sheet.add(Seen, format!("<< /Type /OCMD /OCGs [{shown} 0 R {hidden} 0 R] /P /AnyOn >>"));
    let configuration = sheet
        .add(Seen, format!("<< /Name (Usual) /BaseState /ON /OFF [{hidden} 0 R] /Order [{shown} 0 R {hidden} 0 R] >>"));
    let properties = format!("<< /OCGs [{shown} 0 R {hidden} 0 R] /D {configuration} 0 R >>");
    let properties = sheet.add(Seen, properties);
    sheet.catalog.push_str(&format!("/OCProperties {properties} 0 R "));
    sheet.resource("Properties", "S", &format!("{shown} 0 R"));
    sheet.resource("Properties", "OC", &format!("{hidden} 0 R"));
    sheet.place("/OC /S BDC BT /F1 12 Tf (Offer 10) Tj ET EMC /OC /OC BDC BT /F1 12 Tf 90 0 Td (Draft 99) Tj ET EMC");
    let drawing = sheet.drawing(Seen, &format!("/OC {either} 0 R"), "0 0 30 15 re f");
    sheet.resource("XObject", "Dest", &format!("{drawing} 0 R"));
    sheet.place("/Dest Do");
}

/// References that lead to nothing, and names that stand for nothing: drawn once somebody fills them in.
pub(super) fn missing(sheet: &mut Sheet) {
    let paint = "q 0.8 g 0 0 400 400 re f Q";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 400]";
    let drawing = sheet.missing(stream(form, paint.as_bytes()));
    sheet.resource("XObject", "Later", &format!("{drawing} 0 R"));
    sheet.place("/Later Do /Ghost Do");
    let content = sheet.missing(stream("", paint.as_bytes()));
    sheet.contents.push_str(&format!("{content} 0 R "));
    let look = sheet.missing(stream(form, paint.as_bytes()));
    let note = format!("<< /Type /Annot /Subtype /Stamp /Rect [60 60 400 400] /F 4 /AP << /N {look} 0 R >> >>");
    let note = sheet.missing(note);
    sheet.annotations.push_str(&format!("{note} 0 R "));
    let field =
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (late) /V (999) /DA (/F1 30 Tf) /Rect [60 60 400 90] /F 4 >>";
    let field = sheet.missing(field);
    sheet.annotations.push_str(&format!("{field} 0 R "));
    sheet.fields.push_str(&format!("{field} 0 R "));
    let action = sheet.missing("<< /S /JavaScript /JS (app.alert\\(1\\);) >>");
    sheet.catalog.push_str(&format!("/OpenAction {action} 0 R "));
}
