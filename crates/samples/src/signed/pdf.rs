//! Signs PDFs: each signature is an incremental update (ISO 32000-1, 7.5.6) with a field and its value.

use std::ops::Range;

use super::certificate::Certificate;
use super::cms::Cms;
use super::key::Key;
use crate::pdf::{CATALOG, PAGES, Pdf};

/// Number of the first signature's field; its value and what follows come next.
const FIRST_FIELD: u32 = 700;
/// Stands for numbers that are known once everything is written.
const NUMBERS: &str = "0 0000000000 0000000000 0000000000";
/// The sub-filter of [`Signing::new`].
pub const SIGNATURE: &str = "adbe.pkcs7.detached";

/// A PDF that is being signed and changed.
#[derive(Debug, Clone)]
pub struct SignedPdf {
    /// The file so far.
    pub file: Vec<u8>,
    /// Entries of the catalog beside its pages and its form.
    pub catalog: String,
    /// Fields of the form beside those of the signatures.
    pub fields: String,
    /// Further entries of the trailer, such as `/Encrypt`.
    pub trailer: String,
    signatures: u32,
    /// Numbers of the fields that the form lists.
    listed: Vec<u32>,
}

/// A signature to be put into a PDF.
#[derive(Debug, Clone)]
pub struct Signing {
    /// What signs.
    pub cms: Cms,
    /// Name of the field.
    pub field: String,
    /// `/SubFilter`.
    pub sub_filter: String,
    /// Further entries of the signature dictionary.
    pub entries: String,
    /// Further entries of the field.
    pub field_entries: String,
    /// The number of the form's field that it is a kid of, if any.
    pub below: Option<u32>,
    /// Whether the form lists the field.
    pub is_listed: bool,
    /// The field's rectangle, in points.
    pub rectangle: [u32; 4],
    /// How many bytes there are for the value.
    pub room: usize,
    /// What else the signer's software writes along.
    pub changes: Pdf,
}

impl Signing {
    /// A detached signature.
    #[must_use]
    pub fn new(cms: Cms) -> Self {
        Self {
            cms,
            field: "Signature".to_owned(),
            sub_filter: SIGNATURE.to_owned(),
            entries: String::new(),
            field_entries: String::new(),
            below: None,
            is_listed: true,
            rectangle: [0; 4],
            room: 4_096,
            changes: Pdf::changes(),
        }
    }

    /// One by this key, in a certificate that its holder has made himself.
    #[must_use]
    pub fn by(key: Key) -> Self {
        Self::new(Cms::new(Certificate::self_signed(key, "Ann Signer")))
    }

    /// With this name for its field.
    #[must_use]
    pub fn field(self, name: &str) -> Self {
        Self { field: name.to_owned(), ..self }
    }

    /// With this `/SubFilter`.
    #[must_use]
    pub fn sub_filter(self, name: &str) -> Self {
        Self { sub_filter: name.to_owned(), ..self }
    }

    /// As a certification at this level (12.8.2.2).
    #[must_use]
    pub fn certifying(self, level: u8) -> Self {
        let parameters = format!("<< /Type /TransformParams /P {level} /V /1.2 >>");
        let reference = format!("<< /Type /SigRef /TransformMethod /DocMDP /TransformParams {parameters} >>");
        Self { entries: format!("/Reference [{reference}]"), ..self }
    }
}

impl SignedPdf {
    /// A document that nobody has signed yet.
    #[must_use]
    pub fn new(pdf: &Pdf) -> Self {
        Self {
            file: pdf.classic(),
            catalog: String::new(),
            fields: String::new(),
            trailer: String::new(),
            signatures: 0,
            listed: Vec::new(),
        }
    }

    /// Signs all that there is.
    #[must_use]
    pub fn signed(self, signing: &Signing) -> Self {
        self.signed_around(signing, Range::clone)
    }

    /// Signs all that there is but for a part of the value, which is told by where the value stands.
    #[must_use]
    pub fn signed_around(mut self, signing: &Signing, unsigned: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        let start = self.file.len();
        let (field, value) = (field_number(self.signatures), value_number(self.signatures));
        self.signatures += 1;
        let top = signing.below.unwrap_or(field);
        self.listed.extend(Some(top).filter(|top| signing.is_listed && !self.listed.contains(top)));
        let changes = self.with_catalog(signing.changes.clone()).trailer(&self.trailer);
        let [left, bottom, right, top] = signing.rectangle;
        let parent = signing.below.map_or_else(String::new, |above| format!(" /Parent {above} 0 R"));
        let text = format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T ({}) /V {value} 0 R /Rect [{left} {bottom} {right} {top}] /F 132 \
             {}{parent} >>",
            signing.field, signing.field_entries
        );
        let zeros = "00".repeat(signing.room);
        let signature = format!(
            "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /{} {} /ByteRange [{NUMBERS}] /Contents <{zeros}> >>",
            signing.sub_filter, signing.entries
        );
        self.file = changes.with(field, text).with(value, signature).update(self.file);
        let contents = contents(&self.file, start);
        let hole = unsigned(&contents);
        let numbers = byte_range(&hole, self.file.len());
        set_byte_range(&mut self.file, start, &numbers);
        let bytes = [&self.file[..hole.start], &self.file[hole.end..]].concat();
        let digits: String = signing.cms.make(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        self.file[contents.start + 1..][..digits.len()].copy_from_slice(digits.as_bytes());
        self
    }

    /// Changes the document.
    #[must_use]
    pub fn updated(mut self, changes: &Pdf) -> Self {
        self.file = changes.update(self.file);
        self
    }

    /// The changes, with a catalog that leads to all signatures.
    #[must_use]
    pub fn with_catalog(&self, changes: Pdf) -> Pdf {
        let fields: String = self.listed.iter().map(|number| format!("{number} 0 R ")).collect();
        let form = format!("/AcroForm << /Fields [{fields}{}] /SigFlags 3 >>", self.fields);
        let catalog = format!("<< /Type /Catalog /Pages {PAGES} 0 R {form} {} >>", self.catalog);
        changes.with(CATALOG, catalog)
    }
}

/// Number of the field of a signature, counted from 0.
#[must_use]
pub fn field_number(index: u32) -> u32 {
    FIRST_FIELD + 2 * index
}

/// Number of its value.
#[must_use]
pub fn value_number(index: u32) -> u32 {
    field_number(index) + 1
}

/// Where the first `/Contents <…>` behind `start` stands.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn contents(file: &[u8], start: usize) -> Range<usize> {
    let begin = start + position(&file[start..], b"/Contents <") + b"/Contents ".len();
    begin..begin + position(&file[begin..], b">") + 1
}

/// The four numbers of a signature with this value in a file of this length.
#[must_use]
pub fn byte_range(contents: &Range<usize>, length: usize) -> String {
    let rest = length - contents.end;
    format!("0 {:010} {:010} {rest:010}", contents.start, contents.end)
}

/// Writes the first `/ByteRange` behind `start`, which has as many digits.
///
/// # Panics
/// When there is none, or the numbers are longer.
pub fn set_byte_range(file: &mut [u8], start: usize, numbers: &str) {
    let begin = start + position(&file[start..], b"/ByteRange [") + b"/ByteRange [".len();
    let room = position(&file[begin..], b"]");
    assert!(numbers.len() <= room, "the numbers are too long");
    let numbers = format!("{numbers:room$}");
    file[begin..][..room].copy_from_slice(numbers.as_bytes());
}

fn position(file: &[u8], text: &[u8]) -> usize {
    file.windows(text.len()).position(|window| window == text).expect("it is there")
}
