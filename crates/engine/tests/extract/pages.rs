//! The page count and the first page.

use engine::{Page, PageFormat, Reason};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};

use crate::support::{open, open_remote, refused};

fn pages(pdf: &Pdf) -> u64 {
    open(&pdf.classic()).basic.pages
}

fn page(entries: &str) -> Page {
    let text = format!("<< /Type /Page /Parent {PAGES} 0 R {entries} >>");
    open(&Pdf::new(1).with(FIRST_PAGE, text).classic()).page
}

#[test]
fn both_names_of_the_page_count_agree() {
    let metadata = open(&Pdf::new(12).classic());
    assert_eq!((metadata.basic.pages, metadata.page_count), (12, 12));
}

#[test]
fn nested_counts_add_up_without_a_look_at_the_leaves() {
    let pdf = Pdf::new(3)
        .with(PAGES, "<< /Type /Pages /Count 5 /Kids [40 0 R 41 0 R] >>")
        .with(40, "<< /Type /Pages /Count 2 /Kids [4 0 R 5 0 R] >>")
        .with(41, "<< /Type /Pages /Count 3 /Kids [6 0 R 98 0 R 99 0 R] >>");
    assert_eq!(pages(&pdf), 5);
}

#[test]
fn a_count_that_cannot_be_is_not_believed() {
    let tree = |count: &str| Pdf::new(3).with(PAGES, format!("<< /Type /Pages /Kids [4 0 R 5 0 R 6 0 R] {count} >>"));
    for count in ["/Count 4294967295", "/Count -1", "/Count 0", "/Count (3)", "/Count 5", ""] {
        assert_eq!(pages(&tree(count)), 3, "{count}");
    }
}

#[test]
fn a_count_of_nodes_is_not_one_of_pages() {
    let pdf = Pdf::new(3)
        .with(PAGES, "<< /Type /Pages /Count 1 /Kids [40 0 R] >>")
        .with(40, "<< /Type /Pages /Count 3 /Kids [4 0 R 5 0 R 6 0 R] >>");
    assert_eq!(pages(&pdf), 3);
    let too_few = Pdf::new(3).with(PAGES, "<< /Type /Pages /Count 2 /Kids [4 0 R 5 0 R 6 0 R] >>");
    assert_eq!(pages(&too_few), 3);
}

#[test]
fn a_page_that_is_lost_counts() {
    let pdf = Pdf::new(3).with(PAGES, "<< /Type /Pages /Count 4 /Kids [4 0 R 5 0 R 6 0 R 99 0 R] >>");
    assert_eq!(pages(&pdf.with(98, "null")), 4);
}

/// A document of half a million objects, with as many kids of the page tree's root; `kids` gets their array.
fn half_a_million(kids: impl Fn(Pdf, String) -> Pdf) -> Pdf {
    let pages = format!("[{}]", format!("{FIRST_PAGE} 0 R\n").repeat(500_000));
    kids(Pdf::new(1).with_stream(500_010, "", b""), pages)
}

#[test]
fn half_a_million_pages_below_one_node_are_counted() {
    let direct = |count: &'static str| {
        move |pdf: Pdf, kids| pdf.with(PAGES, format!("<< /Type /Pages {count} /Kids {kids} /Rotate 90 >>"))
    };
    let right = half_a_million(direct("/Count 500000"));
    let elsewhere = half_a_million(|pdf, kids| {
        pdf.with(PAGES, "<< /Type /Pages /Count 500000 /Kids 50 0 R /Rotate 90 >>").with(50, kids)
    });
    for metadata in [open(&right.compressed()), open_remote(&right.hybrid(&[])), open(&elsewhere.hybrid(&[]))] {
        assert_eq!((metadata.basic.pages, metadata.page.rotation), (500_000, 90));
    }
    for wrong in ["/Count 499999", ""] {
        assert_eq!(refused(&half_a_million(direct(wrong)).hybrid(&[]), None), Reason::TooComplex, "{wrong}");
    }
    let broken = half_a_million(|pdf, kids| direct("/Count 500000")(pdf, kids.replacen("0 R", "<< >>", 1)));
    assert_eq!(refused(&broken.hybrid(&[]), None), Reason::TooComplex);
}

#[test]
fn half_a_million_pages_below_one_of_several_nodes_are_counted() {
    let pdf = half_a_million(|pdf, kids| {
        pdf.with(PAGES, format!("<< /Type /Pages /Count 500001 /Kids [40 0 R {FIRST_PAGE} 0 R] >>"))
            .with(40, format!("<< /Type /Pages /Count 500000 /Kids {kids} >>"))
    });
    let metadata = open(&pdf.hybrid(&[]));
    assert_eq!((metadata.basic.pages, metadata.page.width_pt), (500_001, Some(595.28)));
}

#[test]
fn hostile_counts_of_children_do_no_harm() {
    let pdf = Pdf::new(1)
        .with(PAGES, "<< /Type /Pages /Count 4 /Kids [40 0 R 41 0 R] >>")
        .with(40, "<< /Type /Pages /Count 9223372036854775807 /Kids [4 0 R] >>")
        .with(41, "<< /Type /Pages /Count 9223372036854775807 /Kids [4 0 R] >>");
    assert_eq!(pages(&pdf), 2);
}

#[test]
fn a_tree_that_contains_itself_is_counted_once() {
    let pdf = Pdf::new(1).with(PAGES, format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R {PAGES} 0 R 40 0 R] >>"));
    let pdf = pdf.with(40, format!("<< /Type /Pages /Kids [40 0 R {PAGES} 0 R {FIRST_PAGE} 0 R] >>"));
    assert_eq!(pages(&pdf), 2);
}

#[test]
fn a_document_without_pages_is_refused() {
    assert_eq!(refused(&Pdf::new(0).classic(), None), Reason::NoPages);
}

#[test]
fn pages_may_be_given_directly() {
    let pdf = Pdf::new(1).with(1, format!("<< /Pages << /Kids [{FIRST_PAGE} 0 R] /Count 1 >> >>"));
    assert_eq!(pages(&pdf), 1);
    let pdf = Pdf::new(1).with(1, format!("<< /Type /Catalog /Pages {FIRST_PAGE} 0 R >>"));
    assert_eq!(pages(&pdf), 1);
}

#[test]
fn size_and_rotation_are_inherited() {
    let pdf = Pdf::new(1)
        .with(PAGES, "<< /Kids [40 0 R] /Count 1 /MediaBox [0 0 612 792] /Rotate 90 >>")
        .with(40, "<< /Kids [4 0 R] /Count 1 /MediaBox 50 0 R >>")
        .with(50, "[0 0 51 0 R 1008]")
        .with(51, "612")
        .with(FIRST_PAGE, "<< /Type /Page >>");
    let page = open(&pdf.classic()).page;
    assert_eq!((page.width_pt, page.height_pt, page.rotation), (Some(612.0), Some(1008.0), 90));
    assert_eq!(page.format, Some(PageFormat::Legal));
}

#[test]
fn paper_sizes_are_told_in_either_orientation_to_within_two_points() {
    let format = |media_box: &str| page(&format!("/MediaBox [{media_box}]")).format;
    assert_eq!(format("0 0 595.28 841.89"), Some(PageFormat::A4));
    assert_eq!(format("0 0 842 595"), Some(PageFormat::A4));
    assert_eq!(format("10 20 622 812"), Some(PageFormat::Letter));
    assert_eq!(format("595 842 0 0"), Some(PageFormat::A4));
    assert_eq!(format("0 0 597.2 841.89"), Some(PageFormat::A4));
    assert_eq!(format("0 0 597.4 841.89"), None);
    assert_eq!(format("0 0 1224 792"), Some(PageFormat::Tabloid));
    assert_eq!(format("0 0 842 1191"), Some(PageFormat::A3));
    assert_eq!(format("0 0 298 420"), Some(PageFormat::A6));
}

#[test]
fn rotation_is_a_quarter_turn() {
    assert_eq!(page("/Rotate -90").rotation, 270);
    assert_eq!(page("/Rotate 450").rotation, 90);
    assert_eq!(page("/Rotate 45").rotation, 0);
    assert_eq!(page("/Rotate /Left").rotation, 0);
}

#[test]
fn a_page_without_size_has_none() {
    for media_box in ["", "/MediaBox [0 0 612]", "/MediaBox [0 0 (a) 7]", "/MediaBox 12"] {
        let page = page(media_box);
        assert_eq!((page.width_pt, page.height_pt, page.format), (None, None, None), "{media_box}");
    }
}

#[test]
fn units_of_a_page_may_be_larger_than_points() {
    let size = |entries: &str| {
        let page = page(entries);
        (page.width_pt, page.height_pt, page.format)
    };
    assert_eq!(size("/MediaBox [0 0 612 792] /UserUnit 10"), (Some(6120.0), Some(7920.0), None));
    assert_eq!(size("/MediaBox [0 0 306 396] /UserUnit 2.0"), (Some(612.0), Some(792.0), Some(PageFormat::Letter)));
    for none in ["/UserUnit 0", "/UserUnit -2", "/UserUnit (2)", "/UserUnit null"] {
        let letter = (Some(612.0), Some(792.0), Some(PageFormat::Letter));
        assert_eq!(size(&format!("/MediaBox [0 0 612 792] {none}")), letter, "{none}");
    }
}
