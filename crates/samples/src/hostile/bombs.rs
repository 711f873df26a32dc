//! Streams that grow: whatever the filter, and whatever it is told.

use crate::pdf::{Pdf, deflate};

use super::Hostile;

/// A metadata stream with these entries and body: it is looked for in every file.
fn metadata(entries: &str, body: &[u8]) -> Vec<u8> {
    Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, &format!("/Type /Metadata {entries}"), body).classic()
}

/// A title in an object stream of this body, in a file without a cross-reference.
fn contained(entries: &str, body: &[u8]) -> Vec<u8> {
    let pdf = Pdf::new(1).info("/Title 90 0 R").with_stream(80, &format!("/Type /ObjStm {entries}"), body);
    let mut file = pdf.classic();
    file.truncate(file.len() - 20);
    file
}

pub(super) fn files() -> Vec<Hostile> {
    let mut files = inflating();
    files.extend(other_filters());
    files.extend(predictors());
    files.extend(containers());
    files.extend(lengths());
    files
}

fn inflating() -> Vec<Hostile> {
    let zeros = || deflate(&vec![0; 100 << 20]);
    vec![
        Hostile::new("100 MiB of zeros, deflated", move || metadata("/Filter /FlateDecode", &zeros())),
        Hostile::new("100 MiB of zeros, deflated twice", move || {
            metadata("/Filter [/FlateDecode /FlateDecode]", &deflate(&zeros()))
        }),
        Hostile::new("deflated 4 times", move || {
            metadata(
                "/Filter [/FlateDecode /FlateDecode /FlateDecode /FlateDecode]",
                &deflate(&deflate(&deflate(&zeros()))),
            )
        }),
        Hostile::new("an object stream of 100 MiB", move || contained("/N 1 /First 5 /Filter /FlateDecode", &zeros())),
        Hostile::new("50 object streams of 15 MiB", || {
            let body = deflate(&[b"90 0 [".as_slice(), &vec![b' '; 15 << 20]].concat());
            let mut pdf = Pdf::new(1).info("/Title 90 0 R");
            for number in 100..150 {
                pdf = pdf.with_stream(number, "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode", &body);
            }
            let mut file = pdf.classic();
            file.truncate(file.len() - 20);
            file
        }),
        Hostile::new("no zlib stream at all", || metadata("/Filter /FlateDecode", &vec![0xff; 1 << 20])),
        Hostile::new("a zlib stream that ends early", || {
            let body = deflate(&(0..1_000_000_u32).flat_map(u32::to_be_bytes).collect::<Vec<u8>>());
            metadata("/Filter /FlateDecode", &body[..body.len() / 2])
        }),
    ]
}

fn other_filters() -> Vec<Hostile> {
    vec![
        Hostile::new("LZW of 100 MiB", || metadata("/Filter /LZWDecode", &lzw(100 << 20))),
        Hostile::new("LZW of ones", || metadata("/Filter /LZWDecode", &vec![0xff; 4 << 20])),
        Hostile::new("LZW early change lies", || {
            metadata("/Filter /LZWDecode /DecodeParms << /EarlyChange -9 >>", &lzw(1 << 20))
        }),
        Hostile::new("ASCII85 of z", || {
            metadata("/Filter /ASCII85Decode", &[&vec![b'z'; 8 << 20], b"~>".as_slice()].concat())
        }),
        Hostile::new("ASCII85 beyond its digits", || metadata("/Filter /ASCII85Decode", &vec![b'u'; 4 << 20])),
        Hostile::new("ASCIIHex without an end", || metadata("/Filter /ASCIIHexDecode", &vec![b'f'; 8 << 20])),
        Hostile::new("RunLength of 500 MB", || metadata("/Filter /RunLengthDecode", &[129, b'x'].repeat(4 << 20))),
        Hostile::new("RunLength that ends early", || {
            metadata("/Filter /RunLengthDecode", &[127, b'x'].repeat(1 << 20)[..129])
        }),
        Hostile::new("a thousand filters", || {
            metadata(&format!("/Filter [{}]", "/ASCIIHexDecode ".repeat(1_000)), &vec![b'3'; 1 << 20])
        }),
        Hostile::new("100,000 filters", || metadata(&format!("/Filter [{}]", "/FlateDecode ".repeat(100_000)), b"x")),
        Hostile::new("filters that are none", || metadata("/Filter [/Nothing 5 null (a) [/FlateDecode] << >>]", b"x")),
        Hostile::new("a filter that is its stream", || metadata("/Filter 50 0 R /DecodeParms 50 0 R", b"x")),
        Hostile::new("filters for pictures", || {
            metadata("/Filter [/DCTDecode /JPXDecode /JBIG2Decode /CCITTFaxDecode /Crypt]", &vec![0; 1 << 20])
        }),
    ]
}

/// LZW codes (7.4.4) of so many equal bytes: each code stands for one byte more than the last.
fn lzw(bytes: usize) -> Vec<u8> {
    let (mut out, mut buffer, mut bits) = (Vec::new(), 0_u32, 0_u32);
    let mut put = |code: u32, width: u32| {
        buffer = (buffer << width) | code;
        bits += width;
        while bits >= 8 {
            bits -= 8;
            out.push((buffer >> bits) as u8);
            buffer &= (1 << bits) - 1;
        }
    };
    let mut made = 0;
    while made < bytes {
        put(256, 9);
        put(0, 9);
        made += 1;
        for code in 258..4_093_u32 {
            // the table of the decoder is one entry behind, and codes widen one early
            let width = 32 - (code + 1).leading_zeros();
            put(code, width.clamp(9, 12));
            made += code as usize - 256;
        }
    }
    put(257, 12);
    put(0, 8);
    out
}

fn predictors() -> Vec<Hostile> {
    let with = |parameters: &'static str| {
        move || metadata(&format!("/Filter /FlateDecode /DecodeParms << {parameters} >>"), &deflate(&vec![2; 1 << 20]))
    };
    vec![
        Hostile::new("columns of 2^31-1", with("/Predictor 12 /Columns 2147483647")),
        Hostile::new("columns of 2^63-1", with("/Predictor 12 /Columns 9223372036854775807")),
        Hostile::new("columns of 0", with("/Predictor 12 /Columns 0")),
        Hostile::new("columns of -1", with("/Predictor 15 /Columns -1")),
        Hostile::new(
            "columns, colours and bits of 2^31",
            with("/Predictor 15 /Columns 2147483648 /Colors 2147483648 /BitsPerComponent 2147483648"),
        ),
        Hostile::new("colours of -1, bits of 0", with("/Predictor 11 /Columns 4 /Colors -1 /BitsPerComponent 0")),
        Hostile::new("TIFF's predictor", with("/Predictor 2 /Columns 7 /Colors 3 /BitsPerComponent 16")),
        Hostile::new("a predictor of 999", with("/Predictor 999 /Columns 5")),
        Hostile::new("parameters for another filter", with("/K -1 /Columns (a) /Predictor [12]")),
    ]
}

fn containers() -> Vec<Hostile> {
    let with = |entries: &'static str| move || contained(entries, b"90 0 (Title)");
    vec![
        Hostile::new("an object stream of one huge array", || {
            contained(
                "/N 1 /First 5 /Filter /FlateDecode",
                &deflate(&[b"90 0 [".as_slice(), &b"[]".repeat(7 << 20), b"]"].concat()),
            )
        }),
        Hostile::new("an object stream of 2^31-1 objects", with("/N 2147483647 /First 5")),
        Hostile::new("an object stream of -1 objects", with("/N -1 /First 5")),
        Hostile::new("a first object at 2^63-1", with("/N 1 /First 9223372036854775807")),
        Hostile::new("a first object at -5", with("/N 1 /First -5")),
        Hostile::new("an object stream that extends itself", with("/N 1 /First 5 /Extends 80 0 R")),
        Hostile::new("an index of a million objects", || {
            let index: String = (0..1_000_000).map(|number| format!("{} 0 ", 100 + number)).collect();
            contained(
                &format!("/N 1000000 /First {} /Filter /FlateDecode", index.len()),
                &deflate(&[index.as_bytes(), b"5"].concat()),
            )
        }),
        Hostile::new("an index of offsets far out", || {
            let index: String = (0..1_000).map(|_| "90 9223372036854775807 ".to_owned()).collect();
            contained(&format!("/N 1000 /First {}", index.len()), index.as_bytes())
        }),
    ]
}

fn lengths() -> Vec<Hostile> {
    let with = |length: &'static str| {
        move || {
            let text = format!("<< /Type /Metadata /Length {length} >>\nstream\n<a/>\nendstream");
            Pdf::new(1).catalog("/Metadata 50 0 R").with(50, text).classic()
        }
    };
    vec![
        Hostile::new("a length of -1", with("-1")).opens(),
        Hostile::new("a length of 2^63-1", with("9223372036854775807")).opens(),
        Hostile::new("a length that is its stream", with("50 0 R")).opens(),
        Hostile::new("a length of a hundred references", || {
            let mut pdf = Pdf::new(1).catalog("/Metadata 50 0 R");
            pdf.set(50, "<< /Type /Metadata /Length 51 0 R >>\nstream\n<a/>\nendstream");
            for number in 51..151 {
                pdf.set(number, format!("<< /Length {} 0 R >>\nstream\nx\nendstream", number + 1));
            }
            pdf.classic()
        })
        .opens(),
        Hostile::new("a stream without an end", || {
            let text = [b"<< /Type /Metadata /Length 99999999 >>\nstream\n".as_slice(), &vec![b'x'; 20 << 20]].concat();
            Pdf::new(1).catalog("/Metadata 50 0 R").with(50, text).classic()
        }),
    ]
}
