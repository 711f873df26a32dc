//! Content streams, fonts and forms.

use crate::pdf::{Pdf, stream};
use crate::texts::{CONTENT, FREE, composite, drawing, in_font, page, to_unicode};

use super::Hostile;

/// Operators that make up a content stream of some megabytes.
const MANY: usize = 1_000_000;

pub(super) fn files() -> Vec<Hostile> {
    let mut files = streams();
    files.extend(forms());
    files.extend(fonts());
    files.into_iter().map(Hostile::opens).collect()
}

/// A page whose content is `unit`, so many times.
fn repeated(unit: &'static str, times: usize) -> impl Fn() -> Vec<u8> {
    move || drawing(&unit.repeat(times), "").classic()
}

fn streams() -> Vec<Hostile> {
    vec![
        Hostile::new("a million saved states", repeated("q ", MANY)),
        Hostile::new("a million restored states", repeated("Q ", MANY)),
        Hostile::new("a million rectangles", repeated("0 0 9 9 re f ", MANY)),
        Hostile::new("a path of a million rectangles", repeated("0 0 9 9 re ", MANY)),
        Hostile::new("a path of a million points", repeated("1 1 l ", MANY)),
        Hostile::new("a million letters", repeated("BT /F 9 Tf (a) Tj ET ", MANY)),
        Hostile::new("a string of a million blanks", || {
            drawing(&format!("BT /F 9 Tf ({}) Tj ET", "a ".repeat(MANY)), "").classic()
        }),
        Hostile::new("a million operands", repeated("1 ", MANY)),
        Hostile::new("an array of a million strings", || {
            drawing(&format!("BT /F 9 Tf [{}] TJ ET", "(a) -500 ".repeat(MANY)), "").classic()
        }),
        Hostile::new("a million dictionaries that are not closed", repeated("<<", MANY)),
        Hostile::new("a million sequences of marked content", repeated("/Span << /ActualText (a) >> BDC ", MANY)),
        Hostile::new("a million inline images that do not end", repeated("BI ID ", MANY)),
        Hostile::new("a million scalings", repeated("9 0 0 9 0 0 cm ", MANY)),
        Hostile::new("text at places that are no numbers", || {
            let far = "9".repeat(400);
            let content = format!(
                "{far}.5 0 0 {far} {far} -{far} cm BT /F {far} Tf {far} Tc {far} Tz {far} Ts {far} {far} Td (far) Tj \
                 [({far}) {far} (b)] TJ ET 0 0 0 0 0 0 cm BT /F 0 Tf (none) Tj ET {far} {far} {far} -{far} re f"
            );
            drawing(&content, "").classic()
        }),
        Hostile::new("a gigabyte of content in a megabyte", || {
            drawing("", "").with_compressed(CONTENT, "", &vec![b' '; 64 << 20]).classic()
        }),
        Hostile::new("a content of a thousand streams", || {
            let streams = format!("{CONTENT} 0 R ").repeat(100_000);
            let entries = format!("/Contents [{streams}]");
            page(&entries, "", &"0 0 9 9 re f ".repeat(5_000)).classic()
        }),
    ]
}

fn forms() -> Vec<Hostile> {
    const FORM: &str = "/Type /XObject /Subtype /Form /BBox [0 0 400 200]";
    vec![
        Hostile::new("two forms that draw each other without end", || {
            let resources = "/XObject << /A 30 0 R /B 31 0 R >>";
            let form = |number| format!("{FORM} /Resources << {resources} >> /Number {number}");
            drawing("/A Do", resources)
                .with_stream(30, &form(30), &b"/B Do ".repeat(1_000))
                .with_stream(31, &form(31), &b"/A Do ".repeat(1_000))
                .classic()
        }),
        Hostile::new("a hundred thousand forms in each other", || {
            let levels = 30..60_u32;
            let last = levels.end - 1;
            levels
                .fold(drawing("/A Do", "/XObject << /A 30 0 R >>"), |pdf, number| {
                    let next = (number + 1).min(last);
                    let entries = format!("{FORM} /Resources << /XObject << /A {next} 0 R >> >>");
                    pdf.with_stream(number, &entries, &b"/A Do ".repeat(10))
                })
                .classic()
        }),
        Hostile::new("a graphics state of ten thousand entries, set again and again", || {
            let entries: String = (0..10_000).map(|number| format!("/E{number} 1 ")).collect();
            let states: String = (0..2_000).map(|number| format!("/G{number} {FREE} 0 R ")).collect();
            let content: String = (0..2_000).map(|number| format!("/G{number} gs ")).collect();
            drawing(&content, &format!("/ExtGState << {states} >>")).with(FREE, format!("<< {entries} >>")).classic()
        }),
        Hostile::new("resources of fifty thousand names", || {
            let names: String = (0..50_000).map(|number| format!("/X{number} 1 ")).collect();
            drawing(&"/X1 Do ".repeat(100_000), &format!("/XObject << {names} >>")).classic()
        }),
        Hostile::new("a hundred thousand annotations with one appearance", || {
            let annotation = "<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 31 0 R >> >>";
            let annotations = format!("/Annots [{}]", "30 0 R ".repeat(100_000));
            page(&annotations, "", "")
                .with(30, annotation)
                .with_stream(31, FORM, &b"0 0 9 9 re f ".repeat(1_000))
                .classic()
        }),
    ]
}

fn fonts() -> Vec<Hostile> {
    let with_cmap = |sections: String| move || cmap(&to_unicode(&sections));
    vec![
        Hostile::new("a font with 400,000 widths", || {
            let widths: String = (0..200_000).map(|cid| format!("{cid} [{}] ", cid % 7)).collect();
            let (font, descendant) = composite("/Encoding /Identity-H", &format!("/W [{widths}]"));
            in_font(&font, &["<00010002>"]).with(FREE, descendant).classic()
        }),
        Hostile::new("a font with widths that refer to themselves", || {
            let (font, descendant) = composite("/Encoding /Identity-H", "/W 31 0 R");
            in_font(&font, &["<00010002>"]).with(FREE, descendant).with(31, "[31 0 R 31 0 R 1 [31 0 R]]").classic()
        }),
        Hostile::new(
            "a CMap of 300,000 ranges",
            with_cmap(format!("beginbfrange {} endbfrange", "<0000> <FFFF> <0041> ".repeat(300_000))),
        ),
        Hostile::new(
            "a CMap of ranges of long texts",
            with_cmap(format!(
                "beginbfrange {} endbfrange",
                format!("<0000> <FFFFFFFF> <{}> ", "0041".repeat(1_000)).repeat(100)
            )),
        ),
        Hostile::new(
            "a CMap of 100,000 codespaces",
            with_cmap(format!("begincodespacerange {} endcodespacerange", "<00> <00> ".repeat(100_000))),
        ),
        Hostile::new("a CMap that goes on from itself", || {
            let (font, descendant) = composite("/Encoding 31 0 R", "");
            in_font(&font, &["<00010002>"])
                .with(FREE, descendant)
                .with_stream(31, "/Type /CMap /UseCMap 31 0 R", b"/Self usecmap")
                .classic()
        }),
        Hostile::new("a thousand fonts of East Asia", || {
            let fonts: String = (0..1_000).map(|number| format!("/F{number} {} 0 R ", 100 + number)).collect();
            let content: String = (0..1_000).map(|number| format!("BT /F{number} 9 Tf <8140> Tj ET ")).collect();
            let (font, descendant) = composite(
                "/Encoding /90ms-RKSJ-H",
                "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>",
            );
            (0..1_000)
                .fold(page("", &format!("/Font << {fonts} >>"), &content), |pdf: Pdf, number| {
                    pdf.with(100 + number, &font)
                })
                .with(FREE, descendant)
                .classic()
        }),
        Hostile::new("an encoding of a million differences", || {
            let differences = "1 /a ".repeat(400_000);
            let font = format!("<< /Type /Font /Subtype /Type1 /Encoding << /Differences [{differences}] >> >>");
            drawing("BT /F 9 Tf (a) Tj ET", "/Font << /F 31 0 R >>").with(31, font).classic()
        }),
    ]
}

/// A page in a font whose `/Encoding` and `/ToUnicode` are this CMap.
fn cmap(cmap: &[u8]) -> Vec<u8> {
    let (font, descendant) = composite("/Encoding 31 0 R /ToUnicode 31 0 R", "");
    let strings = format!("<{}>", "0001".repeat(50_000));
    in_font(&font, &[&strings]).with(FREE, descendant).with(32, stream("", b"")).with_compressed(31, "", cmap).classic()
}
