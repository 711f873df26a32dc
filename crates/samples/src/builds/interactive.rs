//! Form fields and annotations (ISO 32000-1, 12.7 and 12.5).

use super::sheet::Kind::{Field, Look, Note, Seen};
use super::sheet::Sheet;
use crate::pdf::FIRST_PAGE;

impl Sheet {
    /// A place of its own for a widget or an annotation.
    fn rectangle(&mut self) -> String {
        let y = self.line();
        format!("/Rect [60 {y} 160 {}]", y + 20)
    }

    fn annotate(&mut self, number: u32) {
        self.annotations.push_str(&format!("{number} 0 R "));
    }

    fn field(&mut self, number: u32) {
        self.fields.push_str(&format!("{number} 0 R "));
    }
}

/// A text field with its look, and a list to choose from.
pub(super) fn filled(sheet: &mut Sheet) {
    let font = sheet.add(Seen, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>");
    let resources = format!("/Resources << /Font << /Helv {font} 0 R >> >>");
    sheet.form_fonts.push_str(&format!("/Helv {font} 0 R "));
    sheet.form.push_str("/DA (/Helv 12 Tf 0 g) ");
    let look = sheet.drawing(Look, &resources, "/Tx BMC BT /Helv 12 Tf 0 g 2 4 Td (1000) Tj ET EMC");
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /TU (The amount) /V (1000) /DA (/Helv 12 Tf 0 g) /Q 1 \
         /MaxLen 9 {rectangle} /F 4 /P {FIRST_PAGE} 0 R /MK << /BG [0.9 0.9 1] >> /AP << /N {look} 0 R >> >>"
    );
    let field = sheet.add(Field, text);
    sheet.annotate(field);
    sheet.field(field);
    let look = sheet.drawing(Look, &resources, "/Tx BMC BT /Helv 12 Tf 0 g 2 4 Td (Euro) Tj ET EMC");
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (currency) /Opt [(Euro) (Dollar)] /V (Euro) /I [0] \
         {rectangle} /F 4 /AP << /N {look} 0 R >> >>"
    );
    let field = sheet.add(Field, text);
    sheet.annotate(field);
    sheet.field(field);
}

/// A check box one of whose states is called as a key is, and two buttons that name no parent.
pub(super) fn buttons(sheet: &mut Sheet) {
    let on = sheet.drawing(Look, "", "0 0 15 15 re f");
    let off = sheet.drawing(Look, "", "0.5 0.5 14 14 re S");
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /P /AS /P {rectangle} /F 4 \
         /AP << /N << /P {on} 0 R /Off {off} 0 R >> >> >>"
    );
    let field = sheet.add(Field, text);
    sheet.annotate(field);
    sheet.field(field);
    let kids: String = ["A", "B"]
        .iter()
        .map(|state| {
            let rectangle = sheet.rectangle();
            let shown = if *state == "A" { "A" } else { "Off" };
            let text = format!(
                "<< /Type /Annot /Subtype /Widget {rectangle} /F 4 /AS /{shown} \
                 /AP << /N << /{state} {on} 0 R /Off {off} 0 R >> >> >>"
            );
            let kid = sheet.add(Field, text);
            sheet.annotate(kid);
            format!("{kid} 0 R ")
        })
        .collect();
    let field = sheet.add(Field, format!("<< /FT /Btn /Ff 49152 /T (choice) /V /A /Kids [{kids}] >>"));
    sheet.field(field);
}

/// Fields within a field, whose look viewers make; and what happens when one is typed into.
pub(super) fn nested_fields(sheet: &mut Sheet) {
    let script = sheet.stream(Seen, "", "event.value = 2 * 50;");
    let parent = sheet.next() + 1;
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /Widget /Parent {parent} 0 R /T (total) /V (300) {rectangle} /F 4 /DA (/Cour 12 Tf 0 g) \
         /AA << /C << /S /JavaScript /JS {script} 0 R >> >> >>"
    );
    let kid = sheet.add(Field, text);
    let parent = sheet.add(Field, format!("<< /FT /Tx /T (order) /Kids [{kid} 0 R] >>"));
    let font = sheet.add(Seen, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>");
    sheet.form_fonts.push_str(&format!("/Cour {font} 0 R "));
    sheet.form.push_str(&format!("/CO [{kid} 0 R] "));
    sheet.annotate(kid);
    sheet.field(parent);
}

/// Looks that viewers are to make anew.
pub(super) fn without_looks(sheet: &mut Sheet) {
    sheet.form.push_str("/NeedAppearances true ");
}

/// A form that is XML besides.
pub(super) fn xml_form(sheet: &mut Sheet) {
    let template =
        "<template xmlns=\"http://www.xfa.org/schema/xfa-template/3.0/\"><subform name=\"order\"/></template>";
    let template = sheet.stream(Seen, "", template);
    let data =
        sheet.compressed(Seen, "", "<xfa:data xmlns:xfa=\"http://www.xfa.org/schema/xfa-data/1.0/\">100</xfa:data>");
    sheet.form.push_str(&format!("/XFA [(template) {template} 0 R (datasets) {data} 0 R] "));
}

/// A stamp, a free text with its note, a highlight without a look, and a link.
pub(super) fn notes(sheet: &mut Sheet) {
    let look = sheet.drawing(Note, "", "1 0 0 RG 2 w 1 1 98 18 re S 0 0 30 10 re f");
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /Stamp {rectangle} /F 4 /Name /Approved /Contents (Approved) /M (D:20250110120000Z) \
         /P {FIRST_PAGE} 0 R /AP << /N {look} 0 R >> >>"
    );
    let stamp = sheet.add(Note, text);
    let look = sheet.drawing(Note, "/Resources << >>", "1 1 0 rg 0 0 100 20 re f 0 g 5 5 40 5 re f");
    let rectangle = sheet.rectangle();
    let text = format!(
        "<< /Type /Annot /Subtype /FreeText {rectangle} /F 4 /DA (/Helv 10 Tf) /Contents (Price is 100) \
         /AP << /N {look} 0 R >> >>"
    );
    let free = sheet.add(Note, text);
    let rectangle = sheet.rectangle();
    let square =
        format!("<< /Type /Annot /Subtype /Square {rectangle} /F 4 /C [1 0 0] /IC [0.8 1 0.8] /BS << /W 3 >> >>");
    let square = sheet.add(Note, square);
    let rectangle = sheet.rectangle();
    let action = sheet.add(Note, "<< /S /URI /URI (https://example.com/pay) >>");
    let link = format!("<< /Type /Annot /Subtype /Link {rectangle} /Border [0 0 2] /A {action} 0 R >>");
    let link = sheet.add(Note, link);
    for number in [stamp, free, square, link] {
        sheet.annotate(number);
    }
}
