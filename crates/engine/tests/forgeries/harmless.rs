//! Updates of signed files that change nothing, or what their signatures permit: one table.

use std::collections::BTreeMap;

use engine::Verdict;
use samples::builds::{Permits, signed_again, time_stamped};
use samples::pdf::{CATALOG, FIRST_PAGE, Form, INFO};
use samples::section::{Row, Section};
use samples::signed::{Certificate, Key};

use crate::subject::{Subject, find};

/// What is wanted of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// That nothing was changed.
    Unchanged,
    /// That nothing was changed, or what is permitted.
    Permitted,
}

impl Wanted {
    pub(crate) fn allows(self, verdict: Option<Verdict>) -> bool {
        match verdict {
            Some(Verdict::UnchangedSinceSigning) => true,
            Some(Verdict::PermittedChangesSinceSigning) => self == Self::Permitted,
            _ => false,
        }
    }
}

/// An update that is harmless.
pub(crate) struct Harmless {
    pub(crate) name: &'static str,
    pub(crate) wanted: Wanted,
    /// The least that the signatures have to permit.
    pub(crate) least: Permits,
    /// The files with it, if it can be done to this one.
    pub(crate) make: fn(&Subject, Form) -> Vec<Vec<u8>>,
}

macro_rules! harmless {
    ($($name:literal, $wanted:ident, $least:ident, $make:ident;)+) => {
        &[$(Harmless { name: $name, wanted: Wanted::$wanted, least: Permits::$least, make: $make }),+]
    };
}

/// All of them.
pub(crate) const HARMLESS: &[Harmless] = harmless! {
    "nothing", Unchanged, Nothing, nothing;
    "nothing, fifty times", Unchanged, Nothing, fifty_times;
    "everything again as it was", Unchanged, Nothing, everything;
    "each object again as it was", Unchanged, Nothing, each_object;
    "everything again with other white space", Unchanged, Nothing, spaced;
    "dates and producer", Unchanged, Nothing, dates;
    "validation data", Unchanged, Nothing, validation;
    "time-stamp", Unchanged, Nothing, time_stamp;
    "validation data and time-stamp", Unchanged, Nothing, archived;
    "version", Unchanged, Nothing, version;
    "extensions as an object, twice", Unchanged, Nothing, extensions;
    "an object that nothing leads to", Unchanged, Nothing, unreached;
    "numbers freed that were never used", Unchanged, Nothing, freed;
    "an identifier", Unchanged, Nothing, identifier;
    "another signature", Unchanged, Filling, signature;
    "an empty signature field", Permitted, Filling, empty_field;
    "a field filled in", Permitted, Filling, filled;
    "a box ticked off", Permitted, Filling, ticked;
    "a note", Permitted, Notes, note;
};

fn one(section: &Section, subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    vec![section.write(subject.build.file.clone(), form)]
}

fn nothing(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    one(&subject.section(), subject, form)
}

fn fifty_times(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    vec![(0..50).fold(subject.build.file.clone(), |file, _| subject.section().write(file, form))]
}

/// All objects but a signature's value, which is one place in the file.
fn again(subject: &Subject) -> BTreeMap<u32, &[u8]> {
    let is_value = |text: &[u8]| find(text, b"/ByteRange").is_some();
    let objects = subject.objects.iter().map(|(number, (_, text))| (*number, text.as_slice()));
    objects.filter(|(_, text)| !is_value(text)).collect()
}

fn everything(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let section =
        again(subject).into_iter().fold(subject.section(), |section, (number, text)| section.with(number, text));
    one(&section, subject, form)
}

fn each_object(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let write = |(number, text)| subject.section().with(number, text).write(subject.build.file.clone(), form);
    again(subject).into_iter().map(write).collect()
}

fn spaced(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let plain = again(subject).into_iter().filter(|(_, text)| !text.ends_with(b"endstream"));
    let section = plain.fold(subject.section(), |section, (number, text)| {
        let text = String::from_utf8_lossy(text).replace("<< /", "<<\r\n  /").replace(" R]", " R ]");
        section.with(number, text)
    });
    one(&section, subject, form)
}

/// An object's text with something in place of something else, if that is there.
fn with(subject: &Subject, number: u32, old: &str, new: &str) -> Option<String> {
    let text = std::str::from_utf8(subject.text(number)).ok()?;
    text.contains(old).then(|| text.replacen(old, new, 1))
}

fn dates(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let info = with(subject, INFO, "/ModDate (D:20250110100000Z)", "/ModDate (D:20250113100000Z)").expect("a date");
    let mut section = subject.section().with(INFO, info.replace("Writer 1", "Writer 1; Signer 2"));
    if let Some(number) = subject.having("<xmp:ModifyDate>") {
        let (old, new) = (
            "<xmp:ModifyDate>2025-01-10T10:00:00Z</xmp:ModifyDate>",
            "<xmp:ModifyDate>2025-01-13T10:00:00Z</xmp:ModifyDate><xmp:MetadataDate>2025-01-13T10:00:00Z</xmp:MetadataDate>\
             <xmpMM:InstanceID>uuid:2</xmpMM:InstanceID><pdf:Producer>Writer 1; Signer 2</pdf:Producer>",
        );
        let text = with(subject, number, old, new).expect("a packet");
        let body =
            text.split_once("stream\n").and_then(|(_, body)| body.strip_suffix("\nendstream")).expect("a stream");
        let text = samples::pdf::stream("/Type /Metadata /Subtype /XML", body.as_bytes());
        section = section.with(number, text);
    }
    one(&section, subject, form)
}

/// The catalog with further entries.
fn catalog(subject: &Subject, entries: &str) -> String {
    with(subject, CATALOG, "/Type /Catalog", &format!("/Type /Catalog {entries}")).expect("a catalog")
}

fn validated(subject: &Subject) -> Option<Section> {
    let number = subject.build.unused();
    let section = subject.section().with(CATALOG, catalog(subject, &format!("/DSS {number} 0 R")));
    let section = section.with(number, format!("<< /Type /DSS /Certs [{} 0 R] >>", number + 1));
    let section = section
        .with(number + 1, samples::pdf::stream("", &Certificate::self_signed(Key::OtherEd25519, "Bob Signer").make()));
    subject.having("/DSS").is_none().then_some(section)
}

fn validation(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    validated(subject).iter().flat_map(|section| one(section, subject, form)).collect()
}

/// An update with another field in the form, and the field's number.
fn with_field(subject: &Subject, widget: impl Fn(u32) -> String) -> (Section, u32) {
    let number = subject.build.unused() + 20;
    let form = subject.build.form;
    let text = with(subject, form, "/Fields [", &format!("/Fields [{number} 0 R ")).expect("a form");
    (subject.section().with(form, text).with(number, widget(number)), number)
}

fn widget(number: u32) -> String {
    let value = number + 1;
    format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Later) /V {value} 0 R /Rect [0 0 0 0] /F 132 >>")
}

fn stamped(subject: &Subject, file: Vec<u8>) -> Vec<u8> {
    let (section, number) = with_field(subject, widget);
    time_stamped(file, section, number + 1)
}

fn time_stamp(subject: &Subject, _: Form) -> Vec<Vec<u8>> {
    vec![stamped(subject, subject.build.file.clone())]
}

fn archived(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    // the form's own object stays, so that the time-stamp's update need not know of the validation data
    let apart = subject.build.form != CATALOG;
    validation(subject, form).into_iter().filter(|_| apart).map(|file| stamped(subject, file)).collect()
}

fn version(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let text = with(subject, CATALOG, "/Version /1.7", "/Version /2.0");
    one(&subject.section().with(CATALOG, text.unwrap_or_else(|| catalog(subject, "/Version /2.0"))), subject, form)
}

fn extensions(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    if subject.having("/Extensions").is_some() {
        return Vec::new();
    }
    let number = subject.build.unused();
    let text = |level: u32| format!("<< /ADBE << /BaseVersion /1.7 /ExtensionLevel {level} >> >>");
    let first = subject.section().with(CATALOG, catalog(subject, &format!("/Extensions {number} 0 R")));
    let file = first.with(number, text(3)).write(subject.build.file.clone(), form);
    vec![subject.section().with(number, text(8)).write(file, form)]
}

fn unreached(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    one(&subject.section().with(subject.build.unused(), "<< /Left (over) >>"), subject, form)
}

fn freed(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let number = subject.build.unused();
    one(&subject.section().row(number, Row::Free(0)).row(number + 1, Row::Free(65_535)), subject, form)
}

fn identifier(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let mut section = subject.section();
    section.trailer.push_str(" /ID [<00112233445566778899aabbccddeeff> <ffeeddccbbaa99887766554433221100>]");
    one(&section, subject, form)
}

fn signature(subject: &Subject, _: Form) -> Vec<Vec<u8>> {
    let (section, number) = with_field(subject, widget);
    vec![signed_again(subject.build.file.clone(), section, number + 1, "/Reason (I agree, too)")]
}

fn empty_field(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let widget = |_| "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Later) /Rect [0 0 0 0] /F 132 >>".to_owned();
    one(&with_field(subject, widget).0, subject, form)
}

fn filled(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let Some(field) = subject.having("/T (amount)").filter(|field| !subject.build.locked.contains(field)) else {
        return Vec::new();
    };
    let look = subject.having("(1000) Tj").expect("a look");
    let text = with(subject, field, "/V (1000)", "/V (2500)").expect("a value");
    let look_text = with(subject, look, "(1000) Tj", "(2500) Tj").expect("a look");
    one(&subject.section().with(field, text).with(look, look_text), subject, form)
}

fn ticked(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let Some(field) = subject.having("/T (agreed)").filter(|field| !subject.build.locked.contains(field)) else {
        return Vec::new();
    };
    let text = with(subject, field, "/V /P /AS /P", "/V /Off /AS /Off").expect("a value");
    one(&subject.section().with(field, text), subject, form)
}

fn note(subject: &Subject, form: Form) -> Vec<Vec<u8>> {
    let number = subject.build.unused();
    let page = with(subject, FIRST_PAGE, "/Annots [", &format!("/Annots [{number} 0 R ")).expect("annotations");
    let note = format!(
        "<< /Type /Annot /Subtype /Text /Rect [500 800 520 820] /P {FIRST_PAGE} 0 R /Contents (Seen) /F 4 \
         /M (D:20250113100000Z) >>"
    );
    one(&subject.section().with(FIRST_PAGE, page).with(number, note), subject, form)
}
