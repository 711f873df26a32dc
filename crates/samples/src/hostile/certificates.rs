//! Certificates, revocation lists and OCSP responses that would take for ever to verify: all of them fit by their names, and
//! no private key is needed to make them.

use super::Hostile;
use crate::pdf::Pdf;
use crate::signed::{
    Certificate, Cms, Key, Reference, SignedPdf, Signing, authority, bits, element, identifier, key_usage, name,
    octets, purpose, sequence,
};

/// Signatures of a file, and certificates of one subject.
const SIGNATURES: u32 = 100;
/// Signatures where each brings much along.
const FEWER: u32 = 20;
const CERTIFICATES: u32 = 200;
/// Length of the longest modulus that is verified by, in bytes.
const MODULUS: usize = 1_024;
/// Numbers of the objects that the store leads to.
const STORE: u32 = 5_000;
/// The subject of a crowd, whom the signers name as their issuer.
const CROWD: &str = "Crowd";
const SHA256_WITH_RSA: &str = "1.2.840.113549.1.1.11";

pub(super) fn files() -> Vec<Hostile> {
    let root = Certificate::authority(Key::Ed25519, "Root").make();
    vec![
        Hostile::new("a hundred signatures and two hundred issuers", || crowd(SIGNATURES)).opens(),
        Hostile::new("a hundred signatures and two hundred issuers, one of them trusted", || crowd(SIGNATURES))
            .opens()
            .trusting(of_crowd(CROWD, 0, &[])),
        Hostile::new("forty signatures and two hundred issuers, one of them trusted", || crowd(40))
            .opens()
            .trusting(of_crowd(CROWD, 0, &[])),
        Hostile::new("twenty signatures with a dozen issuers each", crowds).opens().trusting(of_crowd(CROWD, 0, &[])),
        Hostile::new("two hundred issuers that issued each other", cross_certificates).opens().trusting(root.clone()),
        Hostile::new("issuers with long names that differ in case", long_names).opens().trusting(root.clone()),
        Hostile::new("two hundred revocation lists by two hundred keys", many_lists).opens().trusting(trusted()),
        Hostile::new("a long revocation list for twenty signatures", long_list).opens().trusting(trusted()),
        Hostile::new("two hundred responses by two hundred responders", many_responses).opens().trusting(trusted()),
        Hostile::new("time-stamps by two hundred issuers", stamps).opens().trusting(of_crowd(CROWD, 0, &[])),
    ]
}

/// Numbers that look random and are always the same.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = u64::from(seed) << 20 | 0x9e37_79b9;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// A public key of 8,192 bits that nobody made: any odd number will do.
fn key(seed: u32) -> Vec<u8> {
    let mut modulus = noise(seed, MODULUS);
    modulus[0] |= 0x80;
    modulus[MODULUS - 1] |= 1;
    let number = sequence(&[&element(2, &[&[0], &modulus]), &element(2, &[&[1, 0, 1]])]);
    sequence(&[&sequence(&[&identifier("1.2.840.113549.1.1.1"), &[5, 0]]), &bits(&number)])
}

fn by_rsa() -> Vec<u8> {
    sequence(&[&identifier(SHA256_WITH_RSA), &[5, 0]])
}

/// What is said to be signed by a key of 8,192 bits.
fn unsigned(signed: &[u8], seed: u32) -> Vec<u8> {
    let mut value = noise(seed ^ 0xffff, MODULUS);
    value[0] &= 0x7f;
    sequence(&[signed, &by_rsa(), &bits(&value)])
}

fn of_subject(subject: &str, issuer: &str, serial: u32, info: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
    let validity = sequence(&[&element(0x17, &[b"200101000000Z"]), &element(0x18, &[b"20991231235959Z"])]);
    let serial_number = element(2, &[&[1], &serial.to_be_bytes()]);
    let extensions = element(0xa3, &[&sequence(&[&extensions.concat()])]);
    let version = element(0xa0, &[&[2, 1, 2]]);
    let fields = [&version, &serial_number, &by_rsa(), &name(issuer), &validity, &name(subject), info, &extensions];
    unsigned(&sequence(&fields), serial)
}

/// One certificate of a crowd: an authority of this name, with a key of its own.
fn of_crowd(name: &str, seed: u32, more: &[Vec<u8>]) -> Vec<u8> {
    of_subject(name, name, seed, &key(seed), &[&[authority(None), key_usage(0x06)], more].concat())
}

/// A signer who names the crowd as his issuer, with a value that a key of 8,192 bits may have made.
fn follower() -> Cms {
    let own = Certificate::self_signed(Key::Ed25519, "Ann Signer").issued_by(CROWD, Key::Rsa);
    let mut made = own.with(&[key_usage(0x40)]);
    made.serial = 3;
    Cms { reference: Reference::Nothing, by_key_identifier: true, ..Cms::new(made) }
}

fn followed(seed: u32) -> Cms {
    let cms = follower();
    let certificate = &cms.certificate;
    let extensions = [certificate.identifier_extension(), key_usage(0x40)];
    let certificate = of_subject("Ann Signer", CROWD, seed, &certificate.key.info(), &extensions);
    Cms { certificates: Some(vec![certificate]), ..cms }
}

/// A document whose store has these certificates, revocation lists and OCSP responses.
fn stored(certificates: &[Vec<u8>], lists: &[Vec<u8>], responses: &[Vec<u8>]) -> SignedPdf {
    let mut pdf = Pdf::new(1);
    let mut number = STORE;
    let mut place = |streams: &[Vec<u8>]| -> String {
        let references = streams.iter().map(|stream| {
            number += 1;
            pdf = std::mem::replace(&mut pdf, Pdf::new(1)).with_stream(number, "", stream);
            format!("{number} 0 R ")
        });
        references.collect()
    };
    let (certificates, lists, responses) = (place(certificates), place(lists), place(responses));
    let store = format!("/DSS << /Certs [{certificates}] /CRLs [{lists}] /OCSPs [{responses}] >>");
    let mut document = SignedPdf::new(&pdf.catalog(&store));
    document.catalog = store;
    document
}

fn signed(mut document: SignedPdf, signatures: u32, cms: impl Fn(u32) -> Cms, room: usize) -> Vec<u8> {
    for index in 0..signatures {
        let signing = Signing { room, ..Signing::new(cms(index)).field(&format!("Field {index}")) };
        document = document.signed(&signing.sub_filter("ETSI.CAdES.detached"));
    }
    document.file
}

/// Signatures whose issuer may be any of the crowd.
fn crowd(signatures: u32) -> Vec<u8> {
    let issuers: Vec<_> = (0..CERTIFICATES).map(|seed| of_crowd(CROWD, seed, &[])).collect();
    signed(stored(&issuers, &[], &[]), signatures, |index| followed(1_000 + index), 4_096)
}

/// The same with a crowd of its own for each signature, in the signature.
fn crowds() -> Vec<u8> {
    let cms = |index: u32| {
        let own = followed(1_000 + index);
        let crowd = (0..12).map(|seed| of_crowd(CROWD, 10_000 + index * 100 + seed, &[]));
        Cms { certificates: Some(own.certificates.into_iter().flatten().chain(crowd).collect()), ..own }
    };
    signed(stored(&[], &[], &[]), FEWER, cms, 32_000)
}

/// Ten levels of twenty authorities, each of which all of the next level issued: paths without end, of which none leads to
/// the root.
fn cross_certificates() -> Vec<u8> {
    let level = |level: u32| format!("Level {level}");
    let mut certificates = Vec::new();
    for below in 0..10 {
        for serial in 0..20 {
            let own = Certificate { serial, ..Certificate::authority(Key::Ed25519, &level(below)) };
            certificates.push(own.issued_by(&level(below + 1), Key::Ed25519).make());
        }
    }
    let signer = Certificate::self_signed(Key::P256, "Ann Signer").issued_by(&level(0), Key::Ed25519);
    let cms = Cms::new(signer.with(&[key_usage(0x40)]));
    signed(stored(&certificates, &[], &[]), 10, |_| cms.clone(), 4_096)
}

/// Names of 10,000 bytes, each to be read to see that it is not another.
fn long_names() -> Vec<u8> {
    let long = |index: u32| format!("{index:04}{}", "aA".repeat(5_000));
    let certificates: Vec<_> = (0..CERTIFICATES)
        .map(|seed| {
            let certificate = Certificate { serial: seed as u8, ..Certificate::authority(Key::Ed25519, &long(seed)) };
            certificate.make()
        })
        .collect();
    let signer = Certificate::self_signed(Key::P256, "Ann Signer").issued_by(&long(9_999).to_uppercase(), Key::Ed25519);
    let cms = Cms::new(signer.with(&[key_usage(0x40)]));
    signed(stored(&certificates, &[], &[]), FEWER, |_| cms.clone(), 26_000)
}

/// The issuer whose signer the following are about.
fn issuer() -> Certificate {
    Certificate::authority(Key::P256, "Issuer")
}

fn trusted() -> Vec<u8> {
    issuer().make()
}

fn issued() -> Cms {
    let signer = Certificate::self_signed(Key::Ed25519, "Ann Signer").issued_by("Issuer", Key::P256);
    Cms::new(Certificate { serial: 3, ..signer.with(&[key_usage(0x40)]) })
}

/// Lists of the issuer by any of two hundred keys under his name.
fn many_lists() -> Vec<u8> {
    let of_name: Vec<_> = (0..CERTIFICATES / 2).map(|seed| of_crowd("Issuer", seed, &[])).collect();
    let time = |time: &str| element(0x17, &[time.as_bytes()]);
    let lists: Vec<_> = (0..CERTIFICATES / 2)
        .map(|seed| {
            let number = element(2, &[&[1], &seed.to_be_bytes()]);
            let entry = sequence(&[&number, &time("261101000000Z")]);
            let times = [time("261101000000Z"), time("361101000000Z")].concat();
            unsigned(&sequence(&[&[2, 1, 1], &by_rsa(), &name("Issuer"), &times, &sequence(&[&entry])]), seed)
        })
        .collect();
    signed(stored(&of_name, &lists, &[]), FEWER, |_| issued(), 4_096)
}

/// A list of 3 MB, which each signature is looked up in.
fn long_list() -> Vec<u8> {
    let numbers: Vec<u32> = (0..100_000).collect();
    let list = issuer().long_list(&numbers, "261101000000Z", "361101000000Z");
    signed(stored(&[], &[list], &[]), FEWER, |_| issued(), 4_096)
}

/// Responses with responders who may each have been charged by the issuer.
fn many_responses() -> Vec<u8> {
    let (made, until) = ("20261101000000Z", "20361101000000Z");
    let responders: Vec<Vec<u8>> = (0..CERTIFICATES / 2)
        .map(|seed| of_subject("Responder", "Issuer", seed, &key(seed), &[purpose("1.3.6.1.5.5.7.3.9")]))
        .collect();
    let signer = issued().certificate;
    let responses: Vec<Vec<u8>> = (0..CERTIFICATES / 2)
        .map(|seed| {
            let data = signer.response_data(&issuer(), &element(0xa1, &[&name("Responder")]), None, made, until);
            let value = noise(seed, MODULUS);
            let certificates = element(0xa0, &[&sequence(&[&responders.concat()])]);
            let basic = octets(&sequence(&[&data, &by_rsa(), &bits(&value), &certificates]));
            let bytes = element(0xa0, &[&sequence(&[&identifier("1.3.6.1.5.5.7.48.1.1"), &basic])]);
            sequence(&[&[0x0a, 1, 0], &bytes])
        })
        .take(20)
        .collect();
    signed(stored(&responders, &[], &responses), FEWER, |_| issued(), 4_096)
}

/// Time-stamps whose maker any of the crowd may have issued.
fn stamps() -> Vec<u8> {
    let issuers: Vec<_> = (0..CERTIFICATES).map(|seed| of_crowd(CROWD, seed, &[])).collect();
    let cms = |index: u32| {
        let own = followed(1_000 + index);
        let stamp = Cms { signed_at: None, ..followed(3_000 + index) };
        let stamp = Cms { inside: Cms::time_stamp(own.certificate.clone(), "20261104081600Z").inside, ..stamp };
        Cms { time_stamp: Some(Box::new(stamp)), ..own }
    };
    signed(stored(&issuers, &[], &[]), FEWER, cms, 8_192)
}
