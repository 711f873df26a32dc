//! Signatures that fit: every algorithm, every sub-filter, certifications, several in a row.

use engine::{Covers, Options, SignatureKind, analyze};
use samples::pdf::{Cipher, Pdf};
use samples::signed::{Certificate, Cms, Inside, Key, Signing};
use sha2::{Digest, Sha256};

use crate::remote::Remote;
use crate::support::{INTACT, document, encrypt, judge, judged, metadata, signature, signatures, signed, usual};

fn certificate(key: Key) -> Certificate {
    Certificate::self_signed(key, "Ann Signer")
}

#[test]
fn what_is_told_of_a_signature() {
    let certificate = certificate(Key::Rsa).issued_by("Some Authority", Key::P256);
    let fingerprint: String = Sha256::digest(certificate.make()).iter().map(|byte| format!("{byte:02x}")).collect();
    let cms = Cms::new(certificate);
    let signature = signature(&signed(&Signing::new(cms).field("Buyer").sub_filter("ETSI.CAdES.detached")));
    assert_eq!(signature.field.as_deref(), Some("Buyer"));
    assert_eq!(signature.kind, SignatureKind::Approval);
    assert_eq!(signature.sub_filter.as_deref(), Some("ETSI.CAdES.detached"));
    assert_eq!(signature.signer.as_deref(), Some("Ann Signer"));
    assert_eq!(signature.issuer.as_deref(), Some("Some Authority"));
    assert_eq!(signature.self_signed, Some(false));
    let certificate = signature.certificate.unwrap();
    assert_eq!(certificate.serial, "01");
    let times = [certificate.valid_from, certificate.valid_until].map(|at| at.unwrap().to_rfc3339());
    assert_eq!(times, ["2020-01-01T00:00:00+00:00", "2099-12-31T23:59:59+00:00"]);
    assert_eq!(certificate.sha256, fingerprint);
    assert_eq!(signature.claimed_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-11-04T08:15:00+00:00"));
    assert_eq!(signature.timestamped_at, None);
    assert_eq!(signature.covers, Covers::File);
    assert_eq!(signature.permits, None);
}

#[test]
fn whoever_names_another_as_issuer_is_found_out_by_his_own_key() {
    let own = certificate(Key::P256);
    let cases = [(own.clone(), true), (own.clone().issued_by("Some Authority", Key::P256), true)];
    for (certificate, expected) in cases {
        let signature = signature(&signed(&Signing::new(Cms::new(certificate))));
        assert_eq!(signature.self_signed, Some(expected), "{:?}", signature.issuer);
    }
}

#[test]
fn the_time_of_the_dictionary_stands_in_for_a_missing_one() {
    let cms = Cms { signed_at: None, ..Cms::new(certificate(Key::Ed25519)) };
    let signing = Signing { entries: "/M (D:20261105101112+01'00')".to_owned(), ..Signing::new(cms) };
    let signature = signature(&signed(&signing));
    assert_eq!(signature.claimed_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-11-05T10:11:12+01:00"));
}

#[test]
fn every_sub_filter_is_checked() {
    for (sub_filter, inside) in [
        ("adbe.pkcs7.detached", Inside::Nothing),
        ("ETSI.CAdES.detached", Inside::Nothing),
        ("adbe.pkcs7.sha1", Inside::Sha1),
        ("ETSI.RFC3161", Inside::TimeStamp("20261104081600Z".to_owned())),
    ] {
        let cms = Cms { inside, ..Cms::new(certificate(Key::P256)) };
        assert_eq!(judge(&signed(&Signing::new(cms).sub_filter(sub_filter))), INTACT, "{sub_filter}");
    }
}

#[test]
fn time_stamps_tell_the_time() {
    let stamp = Cms::time_stamp(Certificate::self_signed(Key::P384, "Clock"), "20261104081600.5Z");
    let cms = Cms { time_stamp: Some(Box::new(stamp.clone())), ..Cms::new(certificate(Key::Rsa)) };
    let file = document().signed(&Signing { room: 8_192, ..Signing::new(cms) });
    let file = file.signed(&Signing::new(stamp).field("Stamp").sub_filter("ETSI.RFC3161")).file;
    let [signature, stamp] = &signatures(&file)[..] else { panic!("two signatures") };
    assert_eq!(judged(&file), [INTACT, INTACT]);
    assert_eq!(signature.timestamped_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-11-04T08:16:00+00:00"));
    assert_eq!(stamp.kind, SignatureKind::Timestamp);
    assert_eq!(stamp.timestamped_at, signature.timestamped_at);
    assert_eq!(stamp.signer.as_deref(), Some("Clock"));
}

#[test]
fn each_of_several_covers_its_revision() {
    let file = document()
        .signed(&Signing::by(Key::Ed25519).field("First"))
        .signed(&Signing::by(Key::P256).field("Second"))
        .updated(&Pdf::changes().info("/Title (Other)"))
        .file;
    let signatures = signatures(&file);
    assert_eq!(judged(&file), [INTACT, INTACT]);
    assert_eq!(
        signatures.iter().map(|found| found.field.as_deref()).collect::<Vec<_>>(),
        [Some("First"), Some("Second")]
    );
    assert_eq!([signatures[0].covers, signatures[1].covers], [Covers::Revision, Covers::Revision]);
}

#[test]
fn a_certification_says_what_it_permits() {
    for level in 1..=3 {
        let signature = signature(&signed(&Signing::by(Key::Ed25519).certifying(level)));
        assert_eq!(signature.kind, SignatureKind::Certification);
        assert_eq!(signature.permits, Some(level));
    }
    let lock = "/Lock << /Type /SigFieldLock /Action /All /P 1 >>".to_owned();
    let locking = signature(&signed(&Signing { field_entries: lock, ..Signing::by(Key::Ed25519) }));
    assert_eq!((locking.kind, locking.permits), (SignatureKind::Approval, Some(1)));
}

#[test]
fn a_certification_that_only_the_catalog_names_is_found() {
    let mut document = document();
    document.catalog = "/Perms << /DocMDP 701 0 R >>".to_owned();
    let signing = Signing { field_entries: "/FT /Btn".to_owned(), ..Signing::by(Key::Ed25519) };
    let signature = signature(&document.signed(&signing).file);
    assert_eq!((signature.kind, signature.field.as_deref()), (SignatureKind::Certification, None));
}

#[test]
fn a_kid_inherits_type_and_name() {
    let mut document = document();
    document.fields = "800 0 R".to_owned();
    let changes = Pdf::changes().with(800, "<< /FT /Sig /T (Contract) /Kids [801 0 R] >>");
    let changes = changes.with(801, "<< /T (Buyer) /Parent 800 0 R /V 701 0 R >>");
    let signing = Signing { field_entries: "/FT /Btn".to_owned(), changes, ..Signing::by(Key::Ed25519) };
    let signature = signature(&document.signed(&signing).file);
    assert_eq!(signature.field.as_deref(), Some("Contract.Buyer"));
}

#[test]
fn a_signature_in_an_encrypted_file_is_read_as_it_stands() {
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        let mut document = document();
        encrypt(&mut document, cipher);
        let file = document.signed(&Signing::by(Key::Ed25519)).file;
        let metadata = metadata(&file);
        assert!(metadata.security.encrypted && !metadata.structure.repaired, "{cipher:?}");
        assert_eq!(judge(&file), INTACT, "{cipher:?}");
    }
}

#[test]
fn white_space_behind_the_end_is_no_change() {
    for behind in ["\n", "\r\n", " \n\n", "\0\0\0"] {
        let file = [&usual()[..], behind.as_bytes()].concat();
        assert_eq!(judge(&file), INTACT);
        assert_ne!(signature(&file).covers, Covers::Part, "{behind:?}");
    }
}

#[test]
fn the_same_is_said_of_a_file_far_away() {
    let file = signed(&Signing::by(Key::P256).certifying(2));
    let remote = analyze(&Remote(&file), &Options::default()).expect("the file opens");
    assert_eq!(format!("{:?}", remote.integrity), format!("{:?}", metadata(&file).integrity));
}
