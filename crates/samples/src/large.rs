//! PDFs with up to thousands of images, each different and none compressible, in every arrangement that matters.

use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Bytes of an image.
const IMAGE: usize = 24 << 10;
/// So many images, on a page each, make up 100 MB.
pub const LARGE: u32 = 4_200;
/// Pages below one node of the page tree.
const PAGES_PER_NODE: u32 = 50;

/// How a file is arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// Catalog first, a cross-reference table last.
    Classic,
    /// Catalog, page tree and Info in the middle of the file, far from each other.
    Scattered,
    /// Everything but images in object streams, a cross-reference stream last.
    ObjectStreams,
    /// First page in front, a cross-reference table at either end.
    Linearized,
}

/// Writes a file of that many pages, titled `Large`, with an image of its own on each.
///
/// # Errors
/// When `output` cannot take it.
pub fn write(arrangement: Arrangement, pages: u32, output: impl Write) -> io::Result<()> {
    let mut file = Counted { output: BufWriter::new(output), written: 0, images: pages };
    file.write_all(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")?;
    match arrangement {
        Arrangement::Classic => write_classic(&mut file, false)?,
        Arrangement::Scattered => write_classic(&mut file, true)?,
        Arrangement::ObjectStreams => write_compressed(&mut file)?,
        Arrangement::Linearized => write_linearized(&mut file)?,
    }
    file.flush()
}

const CATALOG: u32 = 1;
const ROOT: u32 = 2;
const INFO: u32 = 3;
const FIRST_NODE: u32 = 4;

fn nodes(images: u32) -> u32 {
    images.div_ceil(PAGES_PER_NODE)
}

fn page_number(page: u32, images: u32) -> u32 {
    FIRST_NODE + nodes(images) + 2 * page
}

/// The number after the last image's.
fn size(images: u32) -> u32 {
    page_number(images, images)
}

/// Text of an object that is no image.
fn text(number: u32, images: u32) -> String {
    let kids =
        |numbers: &mut dyn Iterator<Item = u32>| -> String { numbers.map(|kid| format!("{kid} 0 R ")).collect() };
    match number {
        CATALOG => format!("<< /Type /Catalog /Pages {ROOT} 0 R /Lang (en) >>"),
        ROOT => {
            let kids = kids(&mut (FIRST_NODE..FIRST_NODE + nodes(images)));
            format!("<< /Type /Pages /Count {images} /Kids [{kids}] >>")
        }
        INFO => "<< /Title (Large) /Producer (bench) /CreationDate (D:20250115103000Z) >>".to_owned(),
        node if node < FIRST_NODE + nodes(images) => {
            let first = (node - FIRST_NODE) * PAGES_PER_NODE;
            let pages = first..(first + PAGES_PER_NODE).min(images);
            let (count, kids) = (pages.len(), kids(&mut pages.map(|page| page_number(page, images))));
            format!("<< /Type /Pages /Parent {ROOT} 0 R /Count {count} /Kids [{kids}] >>")
        }
        page => {
            let page_index = (page - FIRST_NODE - nodes(images)) / 2;
            let parent = FIRST_NODE + page_index / PAGES_PER_NODE;
            format!(
                "<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 595.28 841.89] \
                 /Resources << /XObject << /I {} 0 R >> >> >>",
                page + 1
            )
        }
    }
}

fn is_image(number: u32, images: u32) -> bool {
    number >= page_number(0, images) && (number - page_number(0, images)) % 2 == 1
}

/// A file being written, and how long it is so far.
struct Counted<W> {
    output: W,
    written: u64,
    images: u32,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl<W: Write> Counted<W> {
    fn object(&mut self, number: u32, offsets: &mut [u64]) -> io::Result<()> {
        offsets[number as usize] = self.written;
        if !is_image(number, self.images) {
            return write!(self, "{number} 0 obj\n{}\nendobj\n", text(number, self.images));
        }
        let entries =
            "/Type /XObject /Subtype /Image /Width 128 /Height 192 /ColorSpace /DeviceGray /BitsPerComponent 8";
        write!(self, "{number} 0 obj\n<< {entries} /Length {IMAGE} >>\nstream\n")?;
        self.write_all(&noise(number))?;
        self.write_all(b"\nendstream\nendobj\n")
    }

    fn table(&mut self, numbers: std::ops::Range<u32>, offsets: &[u64], entries: &str) -> io::Result<u64> {
        let start = self.written;
        write!(self, "xref\n{} {}\n", numbers.start, numbers.len())?;
        for number in numbers {
            let kind = if number == 0 { "65535 f" } else { "00000 n" };
            writeln!(self, "{:010} {kind} ", offsets[number as usize])?;
        }
        writeln!(self, "trailer\n<< /Size {} /Root {CATALOG} 0 R /Info {INFO} 0 R {entries} >>", size(self.images))?;
        Ok(start)
    }

    fn end(&mut self, start: u64) -> io::Result<()> {
        write!(self, "startxref\n{start}\n%%EOF\n")
    }
}

/// Bytes that differ from image to image and that nothing compresses (xorshift).
fn noise(seed: u32) -> Vec<u8> {
    let mut state = u64::from(seed) | 1 << 40;
    let mut bytes = Vec::with_capacity(IMAGE);
    while bytes.len() < IMAGE {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}

fn write_classic<W: Write>(file: &mut Counted<W>, scattered: bool) -> io::Result<()> {
    let images = file.images;
    let mut offsets = vec![0; size(images) as usize];
    let rest = page_number(0, images)..size(images);
    let early = if scattered { 0..0 } else { CATALOG..page_number(0, images) };
    for number in early {
        file.object(number, &mut offsets)?;
    }
    for number in rest {
        if scattered {
            // one object of the upper tree every hundred images
            let due = (number - page_number(0, images)) / 90 + 1;
            if (number - page_number(0, images)).is_multiple_of(90) && due < page_number(0, images) {
                file.object(due, &mut offsets)?;
            }
        }
        file.object(number, &mut offsets)?;
    }
    for number in 1..page_number(0, images) {
        if offsets[number as usize] == 0 {
            file.object(number, &mut offsets)?;
        }
    }
    let start = file.table(0..size(images), &offsets, "")?;
    file.end(start)
}

fn write_compressed<W: Write>(file: &mut Counted<W>) -> io::Result<()> {
    let images = file.images;
    /// Objects in one object stream, as most writers limit it.
    const CONTAINED: usize = 100;
    let texts: Vec<u32> = (1..size(images)).filter(|&number| !is_image(number, images)).collect();
    let containers = texts.len().div_ceil(CONTAINED) as u32;
    let mut rows = vec![[0_u8; 7]; (size(images) + containers + 1) as usize];
    let mut offsets = vec![0; rows.len()];
    for number in (1..size(images)).filter(|&number| is_image(number, images)) {
        file.object(number, &mut offsets)?;
    }
    for (container, numbers) in (size(images)..).zip(texts.chunks(CONTAINED)) {
        let (mut index, mut body) = (String::new(), String::new());
        for (place, &number) in numbers.iter().enumerate() {
            index += &format!("{number} {} ", body.len());
            body += &text(number, images);
            body.push('\n');
            rows[number as usize] = row(2, u64::from(container), place as u16);
        }
        offsets[container as usize] = file.written;
        let entries = format!("/Type /ObjStm /N {} /First {}", numbers.len(), index.len());
        stream(file, container, &entries, (index + &body).as_bytes())?;
    }
    let own = size(images) + containers;
    offsets[own as usize] = file.written;
    for (row_of, &offset) in rows.iter_mut().zip(&offsets).filter(|(_, offset)| **offset > 0) {
        *row_of = row(1, offset, 0);
    }
    let entries = format!("/Type /XRef /Size {} /W [1 4 2] /Root {CATALOG} 0 R /Info {INFO} 0 R", own + 1);
    let start = file.written;
    stream(file, own, &entries, rows.concat().as_slice())?;
    file.end(start)
}

fn row(kind: u8, second: u64, third: u16) -> [u8; 7] {
    let mut row = [kind, 0, 0, 0, 0, 0, 0];
    row[1..5].copy_from_slice(&(second as u32).to_be_bytes());
    row[5..].copy_from_slice(&third.to_be_bytes());
    row
}

fn stream<W: Write>(file: &mut Counted<W>, number: u32, entries: &str, body: &[u8]) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body)?;
    let body = encoder.finish()?;
    write!(file, "{number} 0 obj\n<< {entries} /Filter /FlateDecode /Length {} >>\nstream\n", body.len())?;
    file.write_all(&body)?;
    file.write_all(b"\nendstream\nendobj\n")
}

/// The linearization dictionary, a section for the catalog and the first page, these, all else, and its section.
fn write_linearized<W: Write>(file: &mut Counted<W>) -> io::Result<()> {
    let images = file.images;
    let own = size(images);
    let first = [CATALOG, page_number(0, images), page_number(0, images) + 1];
    // every part's length can be told in advance, since numbers are padded; so write it all to nowhere first
    let mut layout = Layout { offsets: vec![0; own as usize + 1], second: 0, length: 0 };
    for _ in 0..2 {
        let mut nowhere = Counted { output: io::sink(), written: file.written, images };
        layout = linearized(&mut nowhere, &first, &layout)?;
    }
    linearized(file, &first, &layout).map(|_| ())
}

struct Layout {
    offsets: Vec<u64>,
    second: u64,
    length: u64,
}

fn linearized<W: Write>(file: &mut Counted<W>, first: &[u32; 3], known: &Layout) -> io::Result<Layout> {
    let images = file.images;
    let own = size(images);
    let mut offsets = vec![0; own as usize + 1];
    offsets[own as usize] = file.written;
    // /T is where the line before the second section's first entry ends (annex F.3.3)
    let heading = format!("xref\n0 {own}").len() as u64;
    write!(
        file,
        "{own} 0 obj\n<< /Linearized 1 /L {:010} /H [0 0] /O {} /E 0 /N {images} /T {:010} >>\nendobj\n",
        known.length,
        first[1],
        known.second + heading
    )?;
    let start = file.written;
    writeln!(file, "xref")?;
    for number in first.iter().chain([&own]) {
        writeln!(file, "{number} 1\n{:010} 00000 n ", known.offsets[*number as usize])?;
    }
    let entries = format!("/Size {} /Root {CATALOG} 0 R /Info {INFO} 0 R /Prev {:010}", own + 1, known.second);
    write!(file, "trailer\n<< {entries} >>\nstartxref\n0\n%%EOF\n")?;
    for &number in first {
        file.object(number, &mut offsets)?;
    }
    for number in (1..own).filter(|number| !first.contains(number)) {
        file.object(number, &mut offsets)?;
    }
    let second = file.table(0..own, &offsets, "")?;
    file.end(start)?;
    Ok(Layout { offsets, second, length: file.written })
}
