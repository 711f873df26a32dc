//! Signatures that would take for ever to check.

use super::Hostile;
use crate::pdf::{FIRST_PAGE, Pdf};
use crate::signed::{
    Certificate, Cms, Key, SignedPdf, Signing, byte_range, contents, element, identifier, set_byte_range,
};

/// Signature fields in one file.
const MANY: u32 = 1_000;
/// The first of their numbers.
const FIELDS: u32 = 10_000;

pub(super) fn files() -> Vec<Hostile> {
    vec![
        Hostile::new("a thousand signatures of the whole file", a_thousand).opens(),
        Hostile::new("a signature of 10 MB", || with_value(&[0x30; 10 << 20])).opens(),
        Hostile::new("a signature nested a million times", || with_value(&[0x30, 0x80].repeat(1_000_000))).opens(),
        Hostile::new("a signature with a million certificates", || with_value(&with_certificates(&empty(1_000_000))))
            .opens(),
        Hostile::new("a signature with a million attributes", a_million_attributes).opens(),
        Hostile::new("a thousand signatures by long keys", long_keys).opens(),
        Hostile::new("signatures in circles", circles).opens(),
        Hostile::new("a range around the whole world", || with_range("0 1 9223372036854775807 1")).opens(),
        Hostile::new("a range that goes backwards", || with_range("0 9223372036854775807 1 1")).opens(),
        Hostile::new("a thousand signatures in one place", one_place).opens(),
    ]
}

/// Sequences with nothing in them.
fn empty(count: usize) -> Vec<u8> {
    [0x30, 0].repeat(count)
}

fn usual() -> Cms {
    Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer"))
}

/// A document whose signature has this value.
fn with_value(value: &[u8]) -> Vec<u8> {
    let signing = Signing { room: value.len().max(4_096), ..Signing::new(usual()) };
    let mut file = SignedPdf::new(&Pdf::new(1)).signed(&signing).file;
    let hole = contents(&file, 0);
    for (place, byte) in file[hole.start + 1..].chunks_exact_mut(2).zip(value) {
        place.copy_from_slice(format!("{byte:02x}").as_bytes());
    }
    file
}

fn with_range(numbers: &str) -> Vec<u8> {
    let mut file = SignedPdf::new(&Pdf::new(1)).signed(&Signing::new(usual())).file;
    set_byte_range(&mut file, 0, numbers);
    file
}

fn with_certificates(certificates: &[u8]) -> Vec<u8> {
    Cms { certificates: Some(vec![certificates.to_vec()]), ..usual() }.make(b"")
}

/// Attributes that come in the wrong order, so that they have to be sorted before the value can be said not to fit.
fn a_million_attributes() -> Vec<u8> {
    let cms = usual().make(b"");
    // the signed attributes are the last element under this tag
    let start = cms.windows(2).rposition(|window| window[0] == 0xa0 && window[1] < 0x84).expect("it has some");
    let many = element(0x30, &[&identifier("1.2.3"), &[0x31, 0]]).repeat(200_000);
    let mut changed = cms[..start].to_vec();
    changed.extend(element(0xa0, &[&many]));
    with_value(&changed)
}

/// Fields with values one after the other, each of which signs all but itself.
fn a_thousand() -> Vec<u8> {
    many(&usual().make(b""), 3 << 20)
}

fn many(value: &[u8], filling: usize) -> Vec<u8> {
    let digits: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
    let fields: String = (0..MANY).map(|index| format!("{} 0 R ", FIELDS + index)).collect();
    let mut pdf = Pdf::new(1).catalog(&format!("/AcroForm << /Fields [{fields}] /SigFlags 3 >>"));
    for index in 0..MANY {
        let signature = format!(
            "<< /Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 0000000000 0000000000 0000000000] \
             /Contents <{digits}> >>"
        );
        pdf.set(FIELDS + MANY + index, signature);
        pdf.set(FIELDS + index, format!("<< /FT /Sig /T ({index}) /V {} 0 R >>", FIELDS + MANY + index));
    }
    let mut file = pdf.with_stream(FIELDS + 2 * MANY, "", &vec![b'x'; filling]).classic();
    let mut start = 0;
    for _ in 0..MANY {
        let hole = contents(&file, start);
        let numbers = byte_range(&hole, file.len());
        set_byte_range(&mut file, start, &numbers);
        start = hole.end;
    }
    file
}

/// Keys of 8,192 bits with the largest exponent, each in a certificate of its own.
fn long_keys() -> Vec<u8> {
    let modulus = element(2, &[&[0], &[0xff; 1_024]]);
    let exponent = element(2, &[&[1, 0xff, 0xff, 0xff, 0xff]]);
    let rsa = element(0x30, &[&identifier("1.2.840.113549.1.1.1"), &[5, 0]]);
    let key = element(3, &[&[0], &element(0x30, &[&modulus, &exponent])]);
    let info = element(0x30, &[&rsa, &key]);
    let hash = element(0x30, &[&identifier("2.16.840.1.101.3.4.2.1")]);
    let algorithm = element(0x30, &[&identifier("1.2.840.113549.1.1.11"), &[5, 0]]);
    let name = empty(1);
    let signed = element(0x30, &[&[2, 1, 1], &algorithm, &name, &empty(1), &name, &info]);
    let certificate = element(0x30, &[&signed, &algorithm, &element(3, &[&[0], &[1; 1_024]])]);
    let signer_name = element(0x30, &[&name, &[2, 1, 1]]);
    let attributes = element(0xa0, &[&attribute("1.2.840.113549.1.9.3", &identifier("1.2.840.113549.1.7.1"))]);
    let value = element(4, &[&[1; 1_024]]);
    let signer = element(0x30, &[&[2, 1, 1], &signer_name, &hash, &attributes, &algorithm, &value]);
    let data = element(
        0x30,
        &[
            &[2, 1, 1],
            &[0x31, 0],
            &element(0x30, &[&identifier("1.2.840.113549.1.7.1")]),
            &element(0xa0, &[&certificate]),
            &element(0x31, &[&signer]),
        ],
    );
    let info = element(0x30, &[&identifier("1.2.840.113549.1.7.2"), &element(0xa0, &[&data])]);
    many(&info, 0)
}

fn attribute(name: &str, value: &[u8]) -> Vec<u8> {
    element(0x30, &[&identifier(name), &element(0x31, &[value])])
}

/// Everything that a signature refers to refers back.
fn circles() -> Vec<u8> {
    let form = "/AcroForm 20 0 R /Perms 22 0 R /DSS 24 0 R";
    Pdf::new(1)
        .catalog(form)
        .with(20, "<< /Fields 21 0 R /SigFlags 3 /DR 20 0 R >>")
        .with(21, "[23 0 R 25 0 R 21 0 R 26 0 R]")
        .with(22, "<< /DocMDP 22 0 R /UR3 22 0 R /Type /Sig /Reference [22 0 R] /ByteRange 22 0 R /Contents 22 0 R >>")
        .with(
            23,
            format!("<< /FT /Sig /T 23 0 R /V 23 0 R /Kids [23 0 R 25 0 R] /Parent 25 0 R /P {FIRST_PAGE} 0 R >>"),
        )
        .with(24, "<< /VRI 24 0 R /Certs [24 0 R] /CRLs 24 0 R /OCSPs [[24 0 R]] >>")
        .with(
            25,
            "<< /FT 27 0 R /Kids [23 0 R 25 0 R 26 0 R] /Lock 25 0 R /Action /Include /Fields [25 0 R] /V 26 0 R >>",
        )
        .with(
            26,
            "<< /FT /Sig /V 25 0 R /Reference 26 0 R /TransformMethod /DocMDP /TransformParams 26 0 R /P 26 0 R >>",
        )
        .with(27, "27 0 R")
        .classic()
}

/// Fields whose values are one and the same, in the field itself and elsewhere.
fn one_place() -> Vec<u8> {
    let kids: String = (0..MANY).map(|index| format!("{} 0 R ", FIELDS + index)).collect();
    let mut document = SignedPdf::new(&Pdf::new(1));
    document.fields = kids;
    let mut changes = Pdf::changes();
    for index in 0..MANY {
        changes.set(FIELDS + index, format!("<< /FT /Sig /T ({index}) /V 701 0 R >>"));
    }
    document.signed(&Signing { changes, ..Signing::new(usual()) }).file
}
