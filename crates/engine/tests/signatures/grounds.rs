//! What a new signature stands on: the margin of a scanned page, a page of words in fonts that are not embedded, a
//! rectangle without an area. Each forgery with its honest twin.

use engine::Verdict;
use samples::pdf::{FIRST_PAGE, Pdf, deflate};
use samples::scans::{group_4, jpeg};
use samples::signed::{Key, SignedPdf, Signing, field_number};

use crate::bill::*;

/// The size of the scan of a page, one sample per point.
const SCAN: [usize; 2] = [595, 842];
const GRAY: &str = "/Width 595 /Height 842 /ColorSpace /DeviceGray /BitsPerComponent 8";
const WHOLE_PAGE: &str = "q 595 0 0 842 0 0 cm /Im Do Q";
const NAME: &str = "BT /F 8 Tf 2 20 Td (Signed by A. Smith) Tj 0 -12 Td (in Example) Tj ET";

/// A scan with bars of this gray where an amount is, 172 to 219 by 700 to 709.
fn scan(gray: u8) -> Vec<u8> {
    let [width, height] = SCAN;
    let ink = |x: usize, y: usize| (172..219).contains(&x) && x % 4 < 2 && (700..709).contains(&y);
    let sample = |place: usize| if ink(place % width, height - 1 - place / width) { gray } else { 255 };
    (0..width * height).map(sample).collect()
}

/// The same as rows of PNG with two filters in turn.
fn predicted(samples: &[u8]) -> Vec<u8> {
    let [width, _] = SCAN;
    let rows = samples.chunks_exact(width).enumerate().map(|(row, samples)| {
        let left = [0].iter().chain(samples);
        match row % 2 {
            0 => [vec![0], samples.to_vec()].concat(),
            _ => {
                [vec![1], samples.iter().zip(left).map(|(sample, left)| sample.wrapping_sub(*left)).collect()].concat()
            }
        }
    });
    rows.collect::<Vec<_>>().concat()
}

/// Samples of one bit.
fn bitonal(samples: &[u8]) -> Vec<u8> {
    let [width, _] = SCAN;
    let byte = |samples: &[u8]| (0..8).fold(0, |byte, at| byte << 1 | samples.get(at).map_or(0, |sample| sample >> 7));
    samples.chunks_exact(width).flat_map(|row| row.chunks(8).map(byte)).collect()
}

/// The verdict after a second signature with this appearance in this place of a page with this content and image.
fn signed_on(
    printed: &str,
    (entries, data): (&str, &[u8]),
    [left, bottom, width, height]: [u32; 4],
    content: &str,
) -> (Verdict, String) {
    let document = bill("", |pdf| {
        pdf.with_stream(PICTURE, &format!("/Type /XObject /Subtype /Image {entries}"), data)
            .with_stream(CONTENT, "", printed.as_bytes())
            .with(MARK, look([9, 14], ""))
    });
    let again = Signing {
        rectangle: [left, bottom, left + width, bottom + height],
        ..second(&page(&format!("{} 0 R", field_number(1))), [width, height], content)
    };
    signed_again(document, &again)
}

fn second(page: &str, size: [u32; 2], content: &str) -> Signing {
    Signing {
        field_entries: format!("/P {FIRST_PAGE} 0 R /AP << /N {NEW} 0 R >>"),
        changes: Pdf::changes().with(NEW, look(size, content)).with(FIRST_PAGE, page),
        ..Signing::by(Key::Ed25519).field("Second")
    }
}

fn signed_again(document: SignedPdf, again: &Signing) -> (Verdict, String) {
    verdict(&document.signed(&Signing::by(Key::Ed25519)).signed(again).file)
}

#[test]
fn a_signature_may_be_in_the_margin_of_a_scan() {
    let flate = format!("{GRAY} /Filter /FlateDecode");
    let png = "/DecodeParms << /Predictor 15 /Columns 595 /Colors 1 /BitsPerComponent 8 >>";
    let bits = GRAY.replacen("/BitsPerComponent 8", "/BitsPerComponent 1", 1);
    let bits = format!("{bits} /Filter /FlateDecode");
    let (dark, light) = (deflate(&scan(0)), deflate(&scan(254)));
    let margin = [300, 690, 100, 30];
    for (entries, data, place, expected) in [
        (flate.clone(), &dark, margin, PERMITTED),
        (format!("{flate} {png}"), &deflate(&predicted(&scan(0))), margin, PERMITTED),
        (bits.clone(), &deflate(&bitonal(&scan(0))), margin, PERMITTED),
        // over the amount, if it is hardly seen; on its line, and in its row
        (flate.clone(), &dark, [160, 690, 100, 30], UNKNOWN),
        (flate.clone(), &light, [160, 690, 100, 30], UNKNOWN),
        (bits, &deflate(&bitonal(&scan(0))), [160, 690, 100, 30], UNKNOWN),
        (flate.clone(), &dark, [224, 690, 100, 30], UNKNOWN),
        (flate.clone(), &dark, [172, 660, 100, 30], UNKNOWN),
        // what viewers may decode otherwise
        (format!("{flate} /Decode [1 0]"), &dark, margin, UNKNOWN),
        (format!("{flate} /Mask [0 0]"), &dark, margin, UNKNOWN),
        (format!("{flate} /DecodeParms << /Predictor 2 >>"), &dark, margin, UNKNOWN),
        (format!("{flate} {}", png.replacen("595", "596", 1)), &deflate(&predicted(&scan(0))), margin, UNKNOWN),
        (flate.replacen("/Height 842", "/Height 843", 1), &dark, margin, UNKNOWN),
        (flate.replacen("/Height 842", "/Height 421", 1), &dark, margin, UNKNOWN),
        (flate.replacen("/DeviceGray", "/DeviceRGB", 1), &dark, margin, UNKNOWN),
        (flate.clone(), &[dark.as_slice(), b"more"].concat(), margin, UNKNOWN),
        (flate, &dark[..dark.len() - 4].to_vec(), margin, UNKNOWN),
        (format!("{GRAY} /Filter /DCTDecode"), &dark, margin, UNKNOWN),
    ] {
        let (found, summary) = signed_on(WHOLE_PAGE, (&entries, data), place, NAME);
        assert_eq!(found, expected, "{entries} {place:?}: {summary}");
    }
}

/// A scan in JPEG with blocks of this gray where an amount is, 176 to 216 by 698 to 706, on noisy paper.
fn jpeg_scan(components: u8, gray: u8, noise: u8) -> Vec<u8> {
    let paper = |x: usize, y: usize| 250 - (x * 7 + y * 13 + x * y) as u8 % (noise + 1);
    jpeg([595, 842], components, |x, y| if y == 17 && [22, 24, 26].contains(&x) { gray } else { paper(x, y) })
}

#[test]
fn a_signature_may_be_in_the_margin_of_a_scan_in_jpeg() {
    let gray = format!("{GRAY} /Filter /DCTDecode");
    let color = gray.replacen("/DeviceGray", "/DeviceRGB", 1);
    let (margin, over, beside) = ([300, 690, 100, 30], [160, 690, 100, 30], [224, 690, 100, 30]);
    let (dark, dark_color) = (jpeg_scan(1, 30, 3), jpeg_scan(3, 30, 3));
    let end = dark.len() - 2;
    for (entries, data, place, expected) in [
        (gray.clone(), &dark, margin, PERMITTED),
        (color.clone(), &dark_color, margin, PERMITTED),
        (format!("{gray} /Decode [0 1]"), &dark, margin, PERMITTED),
        (gray.clone(), &dark, over, UNKNOWN),
        (gray.clone(), &dark, beside, UNKNOWN),
        (color.clone(), &dark_color, over, UNKNOWN),
        // an amount in light gray, and paper with more noise than any
        (gray.clone(), &jpeg_scan(1, 230, 3), over, UNKNOWN),
        (color.clone(), &jpeg_scan(3, 230, 3), over, UNKNOWN),
        (gray.clone(), &jpeg_scan(1, 30, 30), margin, UNKNOWN),
        // what viewers may decode otherwise: damaged, two frames, another size, other components or colors
        (gray.clone(), &dark[..end].to_vec(), margin, UNKNOWN),
        (gray.clone(), &[&dark[..end / 2], &[0xff, 0xd9]].concat(), margin, UNKNOWN),
        (gray.clone(), &[&dark[..], &dark].concat(), margin, UNKNOWN),
        (gray.clone(), &[&dark[..2], &dark[2..end], &dark[2..]].concat(), margin, UNKNOWN),
        (gray.replacen("/Height 842", "/Height 841", 1), &dark, margin, UNKNOWN),
        (color.clone(), &dark, margin, UNKNOWN),
        (gray.clone(), &dark_color, margin, UNKNOWN),
        (format!("{color} /DecodeParms << /ColorTransform 0 >>"), &dark_color, margin, UNKNOWN),
        (format!("{gray} /Decode [1 0]"), &dark, margin, UNKNOWN),
        (format!("{gray} /Mask [0 0]"), &dark, margin, UNKNOWN),
        // a space in which neighbors may differ as black and white do
        (gray.replacen("/DeviceGray", "[/CalGray << /WhitePoint [1 1 1] /Gamma 99 >>]", 1), &dark, margin, UNKNOWN),
    ] {
        let (found, summary) = signed_on(WHOLE_PAGE, (&entries, data), place, NAME);
        assert_eq!(found, expected, "{entries} {} {place:?}: {summary}", data.len());
    }
}

#[test]
fn paint_that_makes_contrast_of_noise_needs_an_even_ground() {
    let entries = format!("{GRAY} /Filter /DCTDecode");
    let (noisy, even) = (jpeg_scan(1, 30, 3), jpeg_scan(1, 30, 0));
    let blend = |mode: &str, content: &str| format!("/{mode} gs 0.9 0.9 1 rg 0 0 100 30 re f {content}");
    let blends = "/ExtGState << /Multiply << /BM /Multiply >> /ColorBurn << /BM /ColorBurn >> >> /Font << ";
    for (data, mode, expected) in [
        (&noisy, "Multiply", PERMITTED),
        (&noisy, "ColorBurn", UNKNOWN),
        (&even, "Multiply", PERMITTED),
        (&even, "ColorBurn", PERMITTED),
    ] {
        let document = bill("", |pdf| {
            pdf.with_stream(PICTURE, &format!("/Type /XObject /Subtype /Image {entries}"), data)
                .with_stream(CONTENT, "", WHOLE_PAGE.as_bytes())
                .with(MARK, look([9, 14], ""))
        });
        let form = String::from_utf8(look([100, 30], &blend(mode, NAME))).unwrap();
        let form = form.replacen("/Font << ", blends, 1);
        let again = Signing {
            rectangle: [300, 690, 400, 720],
            changes: Pdf::changes().with(NEW, form).with(FIRST_PAGE, page(&format!("{} 0 R", field_number(1)))),
            ..second("", [100, 30], "")
        };
        let (found, summary) = signed_again(document, &again);
        assert_eq!(found, expected, "{mode} {}: {summary}", data.len());
    }
}

#[test]
fn a_signature_may_be_in_the_margin_of_a_bitonal_scan() {
    let bits = GRAY.replacen("/BitsPerComponent 8", "/BitsPerComponent 1", 1);
    let fax = |parameters: &str| format!("{bits} /Filter /CCITTFaxDecode /DecodeParms << {parameters} >>");
    let data = group_4(842, (133, 142));
    for (entries, place, expected) in [
        (fax("/K -1 /Columns 595"), [300, 690, 100, 30], PERMITTED),
        (fax("/K -1 /Columns 595 /Rows 842 /BlackIs1 false"), [300, 690, 100, 30], PERMITTED),
        (fax("/K -1 /Columns 595"), [160, 690, 100, 30], UNKNOWN),
        (fax("/K -1 /Columns 595"), [224, 690, 100, 30], UNKNOWN),
        (fax("/K -1 /Columns 596"), [300, 690, 100, 30], UNKNOWN),
        (fax("/K -1 /Columns 595 /Rows 841"), [300, 690, 100, 30], UNKNOWN),
        (fax("/K 0 /Columns 595"), [300, 690, 100, 30], UNKNOWN),
        (fax("/K -1 /Columns 595 /EncodedByteAlign true"), [300, 690, 100, 30], UNKNOWN),
    ] {
        let (found, summary) = signed_on(WHOLE_PAGE, (&entries, &data), place, NAME);
        assert_eq!(found, expected, "{entries} {place:?}: {summary}");
    }
}

#[test]
fn an_even_picture_is_a_ground_where_it_is_painted_alone() {
    let image = (format!("{GRAY} /Filter /FlateDecode"), deflate(&scan(0)));
    let words = "/Pattern cs BT /F 90 Tf 300 690 Td 7 Tr (1,250.00) Tj ET";
    for (printed, place, content, expected) in [
        // turned by half and mirrored: the amount is elsewhere
        ("q -595 0 0 -842 595 842 cm /Im Do Q", [172, 690, 100, 30], NAME, PERMITTED),
        ("q -595 0 0 842 595 0 cm /Im Do Q", [360, 690, 100, 30], NAME, UNKNOWN),
        ("q 0 842 -595 0 595 0 cm /Im Do Q", [300, 690, 100, 30], NAME, PERMITTED),
        // clipped to words, turned slightly, or smaller than the place
        (words, [300, 690, 100, 30], NAME, PERMITTED),
        (
            "q BT /F 90 Tf 300 690 Td 7 Tr (1,250.00) Tj ET 595 0 0 842 0 0 cm /Im Do Q",
            [300, 690, 100, 30],
            NAME,
            UNKNOWN,
        ),
        ("q 595 60 -60 842 0 0 cm /Im Do Q", [300, 690, 100, 30], NAME, UNKNOWN),
        ("q 100 0 0 100 310 660 cm /Im Do Q", [300, 690, 100, 30], NAME, UNKNOWN),
        // as large as the page, but for the width of less than a line
        ("q 595 0 0 841.78 0 .12 cm /Im Do Q", [300, 4, 100, 30], NAME, PERMITTED),
        ("q 595 0 0 838 0 4 cm /Im Do Q", [300, 4, 100, 30], NAME, UNKNOWN),
        // hidden altogether
        ("q 40 0 0 10 310 700 cm /Im Do Q", [300, 690, 100, 30], "1 g 0 0 100 30 re f", CHANGED),
    ] {
        let (found, summary) = signed_on(printed, (&image.0, &image.1), place, content);
        assert_eq!(found, expected, "{printed} {place:?}: {summary}");
    }
}

#[test]
fn a_page_with_large_fonts_that_are_not_embedded_is_read_completely() {
    let fonts = [("UniJIS-UTF16-H", "Japan1"), ("UniGB-UCS2-H", "GB1"), ("UniKS-UCS2-H", "Korea1")];
    let font = |(place, (encoding, ordering)): (usize, &(&str, &str))| {
        format!(
            "/C{place} << /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /{encoding} /DescendantFonts [<< /Type \
             /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) \
             /Supplement 2 >> /DW 1000 >>] >> "
        )
    };
    let fonts: String = fonts.iter().enumerate().map(font).collect();
    let page = |annotations: &str| page(annotations).replacen("/Font << ", &format!("/Font << {fonts}"), 1);
    let printed =
        "BT /C0 12 Tf 72 700 Td <65E5672C8A9E> Tj /C1 12 Tf 0 -20 Td <4E2D6587> Tj /C2 12 Tf 0 -20 Td <AC00AC01> Tj ET";
    for (place, content, expected) in [
        ([300, 690, 100, 30], NAME, PERMITTED),
        ([60, 690, 100, 30], "1 g 0 0 100 30 re f", CHANGED),
        ([60, 670, 100, 30], "1 g 0 0 100 30 re f", CHANGED),
        ([60, 690, 100, 30], NAME, UNKNOWN),
    ] {
        let document = bill("", |pdf| {
            pdf.with(FIRST_PAGE, page("")).with_stream(CONTENT, "", printed.as_bytes()).with(MARK, look([9, 14], ""))
        });
        let [left, bottom, width, height] = place;
        let again = Signing {
            rectangle: [left, bottom, left + width, bottom + height],
            ..second(&page(&format!("{} 0 R", field_number(1))), [width, height], content)
        };
        let (found, summary) = signed_again(document, &again);
        assert_eq!(found, expected, "{place:?} {content}: {summary}");
    }
}

#[test]
fn an_appearance_without_an_area_is_no_visible_change() {
    let white = "1 g 0 0 100 30 re f";
    for (place, content, expected) in [
        ([0, 0, 0, 0], white, Verdict::UnchangedSinceSigning),
        ([0, 0, 0, 0], NAME, UNKNOWN),
        ([172, 700, 60, 0], white, UNKNOWN),
        ([172, 700, 0, 12], white, UNKNOWN),
        ([0, 0, 0, 0], "", Verdict::UnchangedSinceSigning),
        ([160, 690, 100, 30], white, CHANGED),
    ] {
        let [left, bottom, width, height] = place;
        let document = bill("", |pdf| pdf.with(MARK, look([9, 14], "")));
        let again = Signing {
            rectangle: [left, bottom, left + width, bottom + height],
            ..second(&page(&format!("{} 0 R", field_number(1))), [100, 30], content)
        };
        let (found, summary) = signed_again(document, &again);
        assert_eq!(found, expected, "{place:?} {content}: {summary}");
        assert_eq!(summary.contains("in a rectangle without an area"), expected == UNKNOWN, "{summary}");
    }
}
