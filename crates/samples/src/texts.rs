//! Pages that draw text, in every kind of font, and what lies over it.

use crate::pdf::{FIRST_PAGE, PAGES, Pdf};

/// Number of the content stream of a page's text.
pub const CONTENT: u32 = 20;
/// Numbers of what a test adds begin here.
pub const FREE: u32 = 30;

/// A page of 400 × 200 points that draws `content` with these resources beside the font `/F`, which is Helvetica.
#[must_use]
pub fn drawing(content: &str, resources: &str) -> Pdf {
    page("", &format!("/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> {resources}"), content)
}

/// A page that shows strings, as `Tj` and `TJ` take them, in one font, each 20 points below the one before it.
#[must_use]
pub fn in_font(font: &str, strings: &[&str]) -> Pdf {
    let show = |string: &&str| format!("{string} {} 0 -20 Td ", if string.starts_with('[') { "TJ" } else { "Tj" });
    let shown: String = strings.iter().map(show).collect();
    page("", &format!("/Font << /F {font} >>"), &format!("BT /F 10 Tf 20 150 Td {shown} ET"))
}

/// A page of 400 × 200 points with these entries, resources and content.
#[must_use]
pub fn page(entries: &str, resources: &str, content: &str) -> Pdf {
    Pdf::new(1)
        .with(
            FIRST_PAGE,
            format!(
                "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 400 200] /Contents {CONTENT} 0 R \
                 /Resources << {resources} >> {entries} >>"
            ),
        )
        .with_compressed(CONTENT, "", content.as_bytes())
}

/// A Type 0 font with these entries; its descendant, a CIDFont with those, is object [`FREE`].
#[must_use]
pub fn composite(entries: &str, descendant: &str) -> (String, String) {
    let font =
        format!("<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Some /DescendantFonts [{FREE} 0 R] {entries} >>");
    let descendant = format!("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Some {descendant} >>");
    (font, descendant)
}

/// A CMap for `/ToUnicode` with these sections.
#[must_use]
pub fn to_unicode(sections: &str) -> Vec<u8> {
    format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n\
         1 begincodespacerange <0000> <FFFF> endcodespacerange\n{sections}\nendcmap end end"
    )
    .into_bytes()
}
