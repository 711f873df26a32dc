//! How a build's pages and its file are arranged.

use std::collections::BTreeMap;

use super::sheet::{Kind, Sheet};
use crate::pdf::{CATALOG, FIRST_PAGE, INFO, PAGES, Pdf, deflate, stream};

const SECOND_PAGE: u32 = 5;
const FIRST_NODE: u32 = 6;
const SECOND_NODE: u32 = 7;
const RESOURCES: u32 = 8;
const SECOND_CONTENT: u32 = 9;

/// How the file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Table,
    Compressed,
    Hybrid,
    Linearized,
}

/// Where pages have their attributes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tree {
    /// Each has its own.
    Flat,
    /// From the root and from a node each (ISO 32000-1, 7.7.3.4).
    Nested,
}

/// How the first page's content is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    One,
    Compressed,
    IndirectLength,
    Array,
    IndirectArray,
}

/// Adds pages with their content, page tree and Info.
pub(super) fn arrange(sheet: &mut Sheet, tree: Tree, content: Content) {
    let contents = contents(sheet, content);
    let resources = sheet.resources();
    let mut set = |number, kind, text: String| sheet.objects.insert(number, (kind, text.into_bytes()));
    set(INFO, Kind::Info, INFO_TEXT.to_owned());
    let (resources_entry, first_parent, second_parent) = match tree {
        Tree::Flat => {
            set(RESOURCES, Kind::Seen, resources);
            set(PAGES, Kind::Seen, format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R {SECOND_PAGE} 0 R] /Count 2 >>"));
            (format!("/MediaBox [0 0 595 842] /Resources {RESOURCES} 0 R"), PAGES, PAGES)
        }
        Tree::Nested => {
            let root = format!(
                "<< /Type /Pages /Kids [{FIRST_NODE} 0 R {SECOND_NODE} 0 R] /Count 2 /Resources {resources} \
                 /MediaBox [0 0 612 900] >>"
            );
            set(PAGES, Kind::Seen, root);
            let node = |page: u32, entries: &str| {
                format!("<< /Type /Pages /Parent {PAGES} 0 R /Kids [{page} 0 R] /Count 1 {entries} >>")
            };
            set(FIRST_NODE, Kind::Seen, node(FIRST_PAGE, "/MediaBox [0 0 595 842]"));
            set(SECOND_NODE, Kind::Seen, node(SECOND_PAGE, "/Rotate 90 /CropBox [20 20 500 830]"));
            (String::new(), FIRST_NODE, SECOND_NODE)
        }
    };
    let second = format!(
        "<< /Type /Page /Parent {second_parent} 0 R {resources_entry} /UserUnit 1.5 /Contents {SECOND_CONTENT} 0 R >>"
    );
    set(SECOND_PAGE, Kind::Page, second);
    let text = stream("", b"BT /F1 14 Tf 60 400 Td (Page 2 says 200) Tj ET");
    sheet.objects.insert(SECOND_CONTENT, (Kind::Seen, text));
    let first = format!(
        "<< /Type /Page /Parent {first_parent} 0 R {resources_entry} /Contents {contents} /Annots [{}] {} >>",
        sheet.annotations, sheet.page
    );
    sheet.objects.insert(FIRST_PAGE, (Kind::Page, first.into_bytes()));
}

const INFO_TEXT: &str = "<< /Title (Contract 100) /Author (Alice) /Producer (Writer 1) /Trapped /False \
                         /CreationDate (D:20250110100000Z) /ModDate (D:20250110100000Z) >>";

/// Adds the first page's content; returns the value of its `/Contents`.
fn contents(sheet: &mut Sheet, content: Content) -> String {
    let text = std::mem::take(&mut sheet.content);
    let half = text[..text.len() / 2].rfind('\n').map_or(0, |at| at + 1);
    match content {
        Content::One => format!("{} 0 R", sheet.stream(Kind::Seen, "", &text)),
        Content::Compressed => format!("{} 0 R", sheet.compressed(Kind::Seen, "", &text)),
        Content::IndirectLength => {
            let length = sheet.add(Kind::Seen, text.len().to_string());
            let stream = format!("<< /Length {length} 0 R >>\nstream\n{text}\nendstream");
            format!("{} 0 R", sheet.add(Kind::Seen, stream))
        }
        Content::Array | Content::IndirectArray => {
            let one = sheet.stream(Kind::Seen, "", &text[..half]);
            let other = sheet.stream(Kind::Seen, "/Filter /FlateDecode", deflate(&text.as_bytes()[half..]));
            let array = format!("[{one} 0 R {other} 0 R {}]", sheet.contents);
            if content == Content::Array { array } else { format!("{} 0 R", sheet.add(Kind::Seen, array)) }
        }
    }
}

/// The file of these objects, and the members of its object streams.
pub(super) fn file(
    objects: &BTreeMap<u32, (Kind, Vec<u8>)>,
    written: Written,
    trailer: &str,
) -> (Vec<u8>, BTreeMap<u32, Vec<u32>>) {
    let mut pdf = Pdf::changes().only_trailer(trailer);
    for (number, (_, text)) in objects {
        pdf.set_whole(*number, text);
    }
    let mut containers = BTreeMap::new();
    let file = match written {
        Written::Table => pdf.classic(),
        Written::Linearized => pdf.linearized(),
        Written::Hybrid => pdf.hybrid(&[SECOND_CONTENT]),
        Written::Compressed => {
            let is_member =
                |(number, (_, text)): (&u32, &(Kind, Vec<u8>))| (!text.ends_with(b"endstream")).then_some(*number);
            let number = objects.keys().next_back().map_or(1, |last| last + 1);
            containers.insert(number, objects.iter().filter_map(is_member).collect());
            pdf.compressed()
        }
    };
    debug_assert!(objects.contains_key(&CATALOG), "it has a root");
    (file, containers)
}
