//! A small PDF writer for tests: any objects, in every form that a file can give them.

mod encrypt;
mod update;
mod xref;

pub use encrypt::{Cipher, encrypted, encrypted_object};
pub use update::{Form, size};
pub use xref::start_of_xref;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Number of the catalog of [`Pdf::new`].
pub const CATALOG: u32 = 1;
/// Number of the root of its page tree.
pub const PAGES: u32 = 2;
/// Number of its document information dictionary.
pub const INFO: u32 = 3;
/// Number of its first page; the others follow.
pub const FIRST_PAGE: u32 = 4;

/// A PDF to be written.
#[derive(Debug, Clone)]
pub struct Pdf {
    version: String,
    objects: BTreeMap<u32, Object>,
    trailer: String,
    /// Between the parts of an object's header.
    space: String,
    /// Objects that an update deletes.
    freed: BTreeSet<u32>,
    /// The highest number that is taken besides.
    last: u32,
}

/// An object's text between `obj` and `endobj`.
#[derive(Debug, Clone)]
struct Object {
    text: Vec<u8>,
    /// Streams cannot be kept in object streams.
    is_stream: bool,
}

impl Pdf {
    /// A document with so many A4 pages and an Info dictionary that says `Title`, version 1.7.
    #[must_use]
    pub fn new(pages: u32) -> Self {
        let kids: String = (0..pages).map(|page| format!("{} 0 R ", FIRST_PAGE + page)).collect();
        let mut pdf = Self::changes();
        pdf.set(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R >>"));
        pdf.set(PAGES, format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>"));
        pdf.set(INFO, "<< /Title (Title) >>");
        for page in 0..pages {
            let text = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595.28 841.89] >>");
            pdf.set(FIRST_PAGE + page, text);
        }
        pdf
    }

    /// No objects at all: what an incremental update of [`Pdf::new`] is made of.
    #[must_use]
    pub fn changes() -> Self {
        let trailer = format!("/Root {CATALOG} 0 R /Info {INFO} 0 R");
        let (objects, freed) = (BTreeMap::new(), BTreeSet::new());
        Self { version: "1.7".to_owned(), objects, trailer, space: " ".to_owned(), freed, last: 0 }
    }

    /// Writes this version into the header.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.version);
        self
    }

    /// Puts so many blanks between number, generation and `obj` of every object's header.
    #[must_use]
    pub fn spread(mut self, blanks: usize) -> Self {
        self.space = " ".repeat(blanks);
        self
    }

    /// Adds to the trailer's entries.
    #[must_use]
    pub fn trailer(mut self, entries: &str) -> Self {
        self.trailer = format!("{} {entries}", self.trailer);
        self
    }

    /// Replaces the trailer's entries.
    #[must_use]
    pub fn only_trailer(mut self, entries: &str) -> Self {
        entries.clone_into(&mut self.trailer);
        self
    }

    /// Sets an object, in place of one with that number.
    pub fn set(&mut self, number: u32, text: impl AsRef<[u8]>) {
        self.objects.insert(number, Object { text: text.as_ref().to_vec(), is_stream: false });
    }

    /// The same, for chains.
    #[must_use]
    pub fn with(mut self, number: u32, text: impl AsRef<[u8]>) -> Self {
        self.set(number, text);
        self
    }

    /// Sets an object by its whole text, be it a stream or not.
    pub fn set_whole(&mut self, number: u32, text: &[u8]) {
        let is_stream = text.ends_with(b"endstream");
        self.objects.insert(number, Object { text: text.to_vec(), is_stream });
    }

    /// Sets a stream with these entries beside `/Length`.
    #[must_use]
    pub fn with_stream(mut self, number: u32, entries: &str, body: &[u8]) -> Self {
        self.objects.insert(number, Object { text: stream(entries, body), is_stream: true });
        self
    }

    /// Sets a stream whose body is compressed.
    #[must_use]
    pub fn with_compressed(self, number: u32, entries: &str, body: &[u8]) -> Self {
        self.with_stream(number, &format!("/Filter /FlateDecode {entries}"), &deflate(body))
    }

    /// Sets the document's Info dictionary.
    #[must_use]
    pub fn info(self, entries: impl AsRef<[u8]>) -> Self {
        let text = [b"<< ".as_slice(), entries.as_ref(), b" >>"].concat();
        self.with(INFO, text)
    }

    /// Adds entries to the catalog.
    #[must_use]
    pub fn catalog(self, entries: &str) -> Self {
        self.with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R {entries} >>"))
    }

    /// Sets the document's XMP packet, around these properties.
    #[must_use]
    pub fn xmp(self, properties: &str) -> Self {
        const METADATA: u32 = 900;
        let packet = packet(properties);
        let pdf = self.catalog(&format!("/Metadata {METADATA} 0 R"));
        pdf.with_stream(METADATA, "/Type /Metadata /Subtype /XML", packet.as_bytes())
    }

    /// The number after the highest one.
    fn size(&self) -> u32 {
        self.objects.keys().next_back().copied().unwrap_or(0).max(self.last) + 1
    }

    /// Writes header and objects; offsets are counted from the start of `file`.
    fn write_objects(&self, file: &mut Vec<u8>, wanted: impl Fn(&Object) -> bool) -> BTreeMap<u32, usize> {
        let mut offsets = BTreeMap::new();
        for (number, object) in self.objects.iter().filter(|(_, object)| wanted(object)) {
            offsets.insert(*number, file.len());
            self.write_object(file, *number, &object.text);
        }
        offsets
    }

    fn write_object(&self, file: &mut Vec<u8>, number: u32, text: &[u8]) {
        let space = &self.space;
        file.extend_from_slice(format!("{number}{space}0{space}obj\n").as_bytes());
        file.extend_from_slice(text);
        file.extend_from_slice(b"\nendobj\n");
    }

    fn header(&self) -> Vec<u8> {
        format!("%PDF-{}\n%\u{e2}\u{e3}\u{cf}\u{d3}\n", self.version).into_bytes()
    }
}

/// An XMP packet around these properties.
#[must_use]
pub fn packet(properties: &str) -> String {
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" \
         xmlns:stEvt=\"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\" \
         xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\" xmlns:pdfxid=\"http://www.npes.org/pdfx/ns/id/\">\
         {properties}</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>"
    )
}

/// Text as UTF-16BE with its byte order mark, as a string in hexadecimal digits.
#[must_use]
pub fn utf16(text: &str) -> String {
    let digits: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{digits}>")
}

/// The text of a stream object.
#[must_use]
pub fn stream(entries: &str, body: &[u8]) -> Vec<u8> {
    let mut text = format!("<< {entries} /Length {} >>\nstream\n", body.len()).into_bytes();
    text.extend_from_slice(body);
    text.extend_from_slice(b"\nendstream");
    text
}

/// The bytes as a zlib stream.
#[must_use]
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}
