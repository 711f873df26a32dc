//! Signs builds: a field that was prepared gets its value in an update, or has it from the start (ISO 32000-1, 12.8).

use super::sheet::{Kind, Sheet};
use crate::pdf::{FIRST_PAGE, Form, size};
use crate::section::Section;
use crate::signed::{Certificate, Cms, Key, byte_range, contents, set_byte_range};

/// Bytes for a signature's value.
const ROOM: usize = 1_000;
const NUMBERS: &str = "0 0000000000 0000000000 0000000000";

/// How a value begins.
const HEAD: &[u8] = b" 0 obj\n<< /Type /";

/// A signature to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signature {
    Approval,
    /// With a look on the page.
    Visible,
    /// At this level (12.8.2.2).
    Certification(u8),
    /// Of all fields, or of this one (12.8.2.4).
    Lock(Option<&'static str>),
}

/// A field that waits for its signature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prepared {
    pub(super) signature: Signature,
    pub(super) field: u32,
    pub(super) value: u32,
    look: Option<u32>,
    /// The object of its parameters, if they are one.
    parameters: Option<u32>,
}

impl Prepared {
    /// Adds the field to page and form.
    pub(super) fn add(sheet: &mut Sheet, signature: Signature, has_objects: bool) -> Self {
        let parameters = match signature {
            Signature::Certification(level) if has_objects => {
                let text = format!("<< /Type /TransformParams /V /1.2 /P {level} >>");
                Some(sheet.add(Kind::Signature, text))
            }
            _ => None,
        };
        let look = (signature == Signature::Visible).then(|| {
            let fonts = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
            sheet.drawing(Kind::Signature, fonts, "BT /F 10 Tf 2 4 Td (Signed by Ann 7) Tj ET")
        });
        let (field, value) = (sheet.next(), sheet.next() + 1);
        let prepared = Self { signature, field, value, look, parameters };
        sheet.objects.insert(field, (Kind::Signature, prepared.field_text(false)));
        // the number is taken
        sheet.objects.insert(value, (Kind::Signature, b"null".to_vec()));
        sheet.annotations.push_str(&format!("{field} 0 R "));
        sheet.fields.push_str(&format!("{field} 0 R "));
        prepared
    }

    /// The field's text, with its value or without.
    pub(super) fn field_text(&self, is_signed: bool) -> Vec<u8> {
        let value = if is_signed { format!("/V {} 0 R", self.value) } else { String::new() };
        let rectangle = self.look.map_or_else(
            || "/Rect [0 0 0 0]".to_owned(),
            |look| format!("/Rect [400 60 500 80] /AP << /N {look} 0 R >>"),
        );
        let lock = match self.signature {
            Signature::Lock(field) => format!("/Lock << /Type /SigFieldLock {} >>", action(field)),
            _ => String::new(),
        };
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature{}) /F 132 /P {FIRST_PAGE} 0 R {rectangle} {lock} \
             {value} >>",
            self.field
        )
        .into_bytes()
    }

    /// The value's text, with room for what is not known yet.
    pub(super) fn value_text(&self) -> Vec<u8> {
        let reference = |method: &str, entries: &str| {
            let parameters = self.parameters.map_or_else(
                || format!("<< /Type /TransformParams /V /1.2 {entries} >>"),
                |number| format!("{number} 0 R"),
            );
            format!("/Reference [<< /Type /SigRef /TransformMethod /{method} /TransformParams {parameters} >>]")
        };
        value_text(&match self.signature {
            Signature::Approval | Signature::Visible => "/Reason (I agree)".to_owned(),
            Signature::Certification(level) => reference("DocMDP", &format!("/P {level}")),
            Signature::Lock(field) => reference("FieldMDP", &action(field)),
        })
    }
}

fn action(field: Option<&str>) -> String {
    field.map_or_else(|| "/Action /All".to_owned(), |name| format!("/Action /Include /Fields [({name})]"))
}

/// A signature's text with these entries, and room for what is not known yet.
fn value_text(entries: &str) -> Vec<u8> {
    let zeros = "00".repeat(ROOM);
    format!(
        "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached {entries} /Name (Ann) \
         /M (D:20250111090000Z) /ByteRange [{NUMBERS}] /Contents <{zeros}> >>"
    )
    .into_bytes()
}

/// Fills the first signature behind `start` with one of all that there is; returns its text.
pub(super) fn fill(file: &mut [u8], start: usize, cms: &Cms) -> Vec<u8> {
    let hole = contents(file, start);
    let numbers = byte_range(&hole, file.len());
    set_byte_range(file, start, &numbers);
    let bytes = [&file[..hole.start], &file[hole.end..]].concat();
    let digits: String = cms.make(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    file[hole.start + 1..][..digits.len()].copy_from_slice(digits.as_bytes());
    let head = file[..hole.start].windows(HEAD.len()).rposition(|window| window == HEAD).expect("it begins");
    file[head + b" 0 obj\n".len()..hole.end + 3].to_vec()
}

/// Who signs the builds.
pub(super) fn ann() -> Cms {
    Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer"))
}

/// The file with this update and, as its object `value`, a further signature by another key.
#[must_use]
pub fn signed_again(file: Vec<u8>, section: Section, value: u32, entries: &str) -> Vec<u8> {
    let cms = Cms::new(Certificate::self_signed(Key::OtherEd25519, "Bob Signer"));
    signed_with(file, section, value, &value_text(entries), &cms)
}

/// The file with this update and, as its object `value`, a time-stamp of all that there is (ISO 32000-2, 12.8.5).
#[must_use]
pub fn time_stamped(file: Vec<u8>, section: Section, value: u32) -> Vec<u8> {
    let authority = Certificate::self_signed(Key::OtherEd25519, "Example Time Authority");
    let text = String::from_utf8(value_text("")).expect("text").replace("/Type /Sig", "/Type /DocTimeStamp");
    let text = text.replace("adbe.pkcs7.detached", "ETSI.RFC3161");
    signed_with(file, section, value, text.as_bytes(), &Cms::time_stamp(authority, "20250112090000Z"))
}

fn signed_with(file: Vec<u8>, section: Section, value: u32, text: &[u8], cms: &Cms) -> Vec<u8> {
    let start = file.len();
    let section = Section { size: section.size.max(size(&file)), ..section };
    let mut file = section.with(value, text).write(file, Form::Table);
    fill(&mut file, start, cms);
    file
}
