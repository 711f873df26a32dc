//! Page trees that never end, turn back or lie; and other trees that features are looked for in.

use crate::pdf::{FIRST_PAGE, PAGES, Pdf};

use super::Hostile;

pub(super) fn files() -> Vec<Hostile> {
    let mut files = counts();
    files.extend(page_trees());
    files.extend(large_trees());
    files.extend(other_trees());
    files
}

/// `/Count` of the root and of its kids.
fn counts() -> Vec<Hostile> {
    let root = |count: &'static str| {
        move || Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [4 0 R] /Count {count} >>")).classic()
    };
    let kids = |count: &'static str| {
        move || {
            let node = format!("<< /Type /Pages /Parent 2 0 R /Kids [4 0 R] /Count {count} >>");
            let pdf = Pdf::new(1).with(10, &node).with(11, &node).with(12, &node);
            pdf.with(PAGES, "<< /Type /Pages /Kids [10 0 R 11 0 R 12 0 R] /Count 3 >>").classic()
        }
    };
    vec![
        Hostile::new("a count of -1", root("-1")).opens(),
        Hostile::new("a count of 2^31-1", root("2147483647")).opens(),
        Hostile::new("a count of 2^32+1", root("4294967297")).opens(),
        Hostile::new("a count of 2^63-1", root("9223372036854775807")).opens(),
        Hostile::new("a count of 10^400", root(&"9".repeat(400).leak()[..])).opens(),
        Hostile::new("a count that is itself", root("2 0 R")).opens(),
        Hostile::new("a count that is text", root("(1)")).opens(),
        Hostile::new("kids that count -1", kids("-1")),
        Hostile::new("kids that count 2^32-1", kids("4294967295")),
        Hostile::new("kids that count 2^63-1", kids("9223372036854775807")),
        Hostile::new("kids that count 6148914691236517206", kids("6148914691236517206")),
    ]
}

fn page_trees() -> Vec<Hostile> {
    let root =
        |kids: &'static str| move || Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids {kids} >>")).classic();
    vec![
        Hostile::new("a root that is its own kid", root("[2 0 R]")),
        Hostile::new("a root that is its own kids", root("2 0 R")),
        Hostile::new("a root that is its kid twice", root("[2 0 R 2 0 R 4 0 R]")),
        Hostile::new("kids that are no array", root("(kids)")),
        Hostile::new("kids that are numbers", root("[1 2 3 -1 1.5 null true (a) /b]")),
        Hostile::new("kids that do not exist", root("[99 0 R 98 0 R 4294967295 0 R 4 65535 R]")),
        Hostile::new("two nodes in a circle", || {
            let pdf =
                Pdf::new(1).with(10, "<< /Type /Pages /Kids [11 0 R] >>").with(11, "<< /Type /Pages /Kids [10 0 R] >>");
            pdf.with(PAGES, "<< /Type /Pages /Kids [10 0 R] >>").classic()
        }),
        Hostile::new("a page that is its own parent", || {
            Pdf::new(1).with(FIRST_PAGE, "<< /Type /Page /Parent 4 0 R >>").classic()
        })
        .opens(),
        Hostile::new("a million branches of one node", || {
            let kids = "10 0 R ".repeat(1_000);
            let pdf = Pdf::new(1).with(10, format!("<< /Type /Pages /Kids [{}] >>", "11 0 R ".repeat(1_000)));
            let pdf = pdf.with(11, format!("<< /Type /Pages /Kids [{}] >>", "4 0 R ".repeat(1_000)));
            pdf.with(PAGES, format!("<< /Type /Pages /Kids [{kids}] >>")).classic()
        }),
        Hostile::new("a binary tree 60 deep of 60 nodes", || {
            let mut pdf = Pdf::new(1);
            for level in 10..70 {
                let next = if level == 69 { 4 } else { level + 1 };
                pdf = pdf.with(level, format!("<< /Type /Pages /Kids [{next} 0 R {next} 0 R] >>"));
            }
            pdf.with(PAGES, "<< /Type /Pages /Kids [10 0 R] >>").classic()
        }),
        Hostile::new("a tree 60,000 deep", || deep(60_000)),
    ]
}

fn deep(levels: u32) -> Vec<u8> {
    let mut pdf = Pdf::new(1);
    for level in 10..10 + levels {
        let next = if level == 9 + levels { 4 } else { level + 1 };
        let parent = if level == 10 { 2 } else { level - 1 };
        pdf = pdf.with(level, format!("<< /Type /Pages /Parent {parent} 0 R /Kids [{next} 0 R] >>"));
    }
    let pdf = pdf.with(FIRST_PAGE, format!("<< /Type /Page /Parent {} 0 R >>", 9 + levels));
    pdf.with(PAGES, "<< /Type /Pages /Kids [10 0 R] >>").classic()
}

fn large_trees() -> Vec<Hostile> {
    vec![
        Hostile::new("1,250,000 pages", || {
            let mut pdf = Pdf::new(0);
            let kids: String = (0..1_250_000).map(|page| format!("{} 0 R ", FIRST_PAGE + page)).collect();
            pdf.set(PAGES, format!("<< /Type /Pages /Kids [{kids}] /Count 1250000 >>"));
            for page in 0..1_250_000 {
                pdf.set(FIRST_PAGE + page, "<</Type/Page/Parent 2 0 R>>");
            }
            pdf.classic()
        })
        .refused("too_complex"),
        Hostile::new("a thousand times a node of 600,000 pages", || {
            let pdf = Pdf::new(1).with(10, format!("<< /Type /Pages /Kids [{}] >>", "4 0 R ".repeat(600_000)));
            pdf.with(PAGES, format!("<< /Type /Pages /Kids [{}] /Count 9 >>", "10 0 R ".repeat(1_000))).classic()
        })
        .refused("too_complex"),
        Hostile::new("one page 1,250,000 times", || {
            let kids = "4 0 R ".repeat(1_250_000);
            Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [{kids}] /Count 1250000 >>")).classic()
        }),
        Hostile::new("40 MB of empty arrays", || {
            Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [{}] >>", "[]".repeat(20 << 20))).classic()
        }),
        Hostile::new("40 MB of numbers", || {
            Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [{}] /Count 1 >>", "0 ".repeat(20 << 20))).classic()
        }),
        Hostile::new("40 MB of a dictionary", || {
            Pdf::new(1).info(format!("/Title (T) {}", "/A 0 ".repeat(8 << 20))).classic()
        }),
        Hostile::new("a dictionary of 500,000 keys", || {
            let entries: String = (0..500_000).map(|key| format!("/K{key} {key} ")).collect();
            Pdf::new(1).info(format!("{entries} /Title (T)")).classic()
        }),
    ]
}

fn other_trees() -> Vec<Hostile> {
    vec![
        Hostile::new("form fields in a circle", || {
            let pdf = Pdf::new(1).catalog("/AcroForm << /Fields [10 0 R] >>").with(10, "<< /Kids [11 0 R] >>");
            pdf.with(11, "<< /Kids [10 0 R] /Parent 11 0 R >>").classic()
        })
        .opens(),
        Hostile::new("a million form fields", || {
            let pdf = Pdf::new(1).catalog("/AcroForm 10 0 R");
            pdf.with(10, format!("<< /Fields [{}] >>", "11 0 R ".repeat(1_000_000))).with(11, "<< /FT /Tx >>").classic()
        }),
        Hostile::new("names in a circle", || {
            let pdf = Pdf::new(1)
                .catalog("/Names 10 0 R /Outlines 11 0 R /OpenAction 12 0 R /OCProperties 13 0 R /AA 10 0 R");
            let pdf = pdf.with(10, "<< /JavaScript 10 0 R /EmbeddedFiles 10 0 R /Kids [10 0 R] >>");
            let pdf = pdf.with(11, "<< /First 11 0 R /Next 11 0 R >>").with(12, "<< /S /GoTo /Next 12 0 R >>");
            pdf.with(13, "<< /OCGs 13 0 R /D 13 0 R >>").classic()
        })
        .opens(),
    ]
}
