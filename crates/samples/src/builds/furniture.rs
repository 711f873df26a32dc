//! What a document has beside its pages (ISO 32000-1, 7.7.2 and 14): names, outlines, structure, metadata, housekeeping.

use super::sheet::Kind::{Packet, Private, Seen, Tagging, Unreached, Validation};
use super::sheet::Sheet;
use crate::pdf::{FIRST_PAGE, packet, stream};
use crate::signed::{Certificate, Key};

/// Names of scripts, attachments and destinations.
pub(super) fn names(sheet: &mut Sheet) {
    let script = sheet.add(Seen, "<< /S /JavaScript /JS (app.beep\\(0\\);) >>");
    let scripts = sheet.add(Seen, format!("<< /Names [(start) {script} 0 R] >>"));
    let attached = sheet.compressed(Seen, "/Type /EmbeddedFile /Subtype /text#2Fplain", "terms: 30 days");
    let file = format!("<< /Type /Filespec /F (terms.txt) /UF (terms.txt) /EF << /F {attached} 0 R >> >>");
    let file = sheet.add(Seen, file);
    let files = sheet.add(Seen, format!("<< /Kids [{} 0 R] >>", sheet.next() + 1));
    sheet.add(Seen, format!("<< /Limits [(terms.txt) (terms.txt)] /Names [(terms.txt) {file} 0 R] >>"));
    let place = sheet.add(Seen, format!("<< /D [{FIRST_PAGE} 0 R /XYZ 0 700 0] >>"));
    let names =
        format!("<< /JavaScript {scripts} 0 R /EmbeddedFiles {files} 0 R /Dests << /Names [(here) {place} 0 R] >> >>");
    let names = sheet.add(Seen, names);
    sheet.catalog.push_str(&format!("/Names {names} 0 R "));
}

/// A structure tree over marked content, and outlines that lead into it.
pub(super) fn structure(sheet: &mut Sheet) {
    let y = sheet.line();
    sheet.draw(&format!("/P << /MCID 0 >> BDC BT /F1 12 Tf 60 {y} Td (Clause 1) Tj ET EMC"));
    let (paragraph, root) = (sheet.next(), sheet.next() + 3);
    let text = format!(
        "<< /Type /StructElem /S /Clause /P {} 0 R /Pg {FIRST_PAGE} 0 R /K 0 /ActualText (Clause 1) /Lang (en) >>",
        paragraph + 1
    );
    sheet.add(Tagging, text);
    let document = format!("<< /Type /StructElem /S /Document /P {root} 0 R /K [{paragraph} 0 R] >>");
    let document = sheet.add(Tagging, document);
    let parents = sheet.add(Tagging, format!("<< /Nums [0 [{paragraph} 0 R]] >>"));
    let text = format!(
        "<< /Type /StructTreeRoot /K {document} 0 R /ParentTree {parents} 0 R /ParentTreeNextKey 1 \
         /RoleMap << /Clause /P >> >>"
    );
    sheet.add(Tagging, text);
    let outlines = sheet.next() + 1;
    let text = format!(
        "<< /Title (Clause 1) /Parent {outlines} 0 R /Dest [{FIRST_PAGE} 0 R /XYZ 0 {y} 0] /SE {paragraph} 0 R >>"
    );
    let item = sheet.add(Seen, text);
    sheet.add(Seen, format!("<< /Type /Outlines /First {item} 0 R /Last {item} 0 R /Count 1 >>"));
    sheet.page.push_str("/StructParents 0 ");
    let entries = format!("/StructTreeRoot {root} 0 R /MarkInfo << /Marked true >> /Outlines {outlines} 0 R ");
    sheet.catalog.push_str(&entries);
}

/// XMP. Nothing in its middle changes with each save.
pub(super) fn metadata(sheet: &mut Sheet) {
    let title = "Contract between Alice and Bob over 100 pieces, ".repeat(14);
    let properties = format!(
        "<xmp:CreateDate>2025-01-10T10:00:00Z</xmp:CreateDate><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}\
         </rdf:li></rdf:Alt></dc:title><xmp:ModifyDate>2025-01-10T10:00:00Z</xmp:ModifyDate>"
    );
    let number = sheet.add(Packet, stream("/Type /Metadata /Subtype /XML", packet(&properties).as_bytes()));
    sheet.catalog.push_str(&format!("/Metadata {number} 0 R "));
}

/// How the document opens, and what it is called page by page.
pub(super) fn opening(sheet: &mut Sheet) {
    let labels = sheet.add(Seen, "<< /Nums [0 << /S /r /St 3 >>] >>");
    let action = sheet.add(Seen, format!("<< /S /GoTo /D [{FIRST_PAGE} 0 R /Fit] >>"));
    let preferences = sheet.add(Seen, "<< /DisplayDocTitle true /Direction /L2R >>");
    let intent = "<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA39) /Info (Coated) >>";
    let intent = sheet.add(Seen, intent);
    sheet.catalog.push_str(&format!(
        "/PageLabels {labels} 0 R /OpenAction {action} 0 R /ViewerPreferences {preferences} 0 R /PageMode /UseOutlines \
         /OutputIntents [{intent} 0 R] /Lang (en-GB) "
    ));
    let script = sheet.add(Seen, "<< /S /JavaScript /JS (var opened = 1;) >>");
    sheet.page.push_str(&format!("/AA << /O {script} 0 R >> /Trans << /S /Wipe /D 2 >> /Dur 30 "));
}

/// What software keeps for itself, and an object that nothing leads to.
pub(super) fn housekeeping(sheet: &mut Sheet) {
    let certificate = sheet.stream(Validation, "", Certificate::self_signed(Key::Ed25519, "Ann Signer").make());
    let validation = sheet.add(Validation, format!("<< /Type /DSS /Certs [{certificate} 0 R] >>"));
    sheet.catalog.push_str(&format!(
        "/DSS {validation} 0 R /Version /1.7 /Extensions << /ADBE << /BaseVersion /1.7 /ExtensionLevel 3 >> >> "
    ));
    let kept = sheet.add(Private, "<< /LastModified (D:20250110100000Z) /Private << /Grid 12 >> >>");
    sheet.page.push_str(&format!("/LastModified (D:20250110100000Z) /PieceInfo << /Maker {kept} 0 R >> "));
    sheet.add(Unreached, "<< /Left (over) /From 1 >>");
    sheet.stream(Unreached, "", "BT /F1 12 Tf (Nobody 1 sees this) Tj ET");
}
