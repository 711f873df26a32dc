//! The forms that a signature's value may have (RFC 5652), and those that are not read.

use engine::SignatureReason;
use samples::signed::{Certificate, Cms, Encoding, Hash, Inside, Key, Reference, Signing};

use crate::support::{
    INTACT, NO_CERTIFICATE, ODD_FORMAT, OTHER_CONTENT, OTHER_VALUE, SEVERAL_SIGNERS, UNKNOWN_ALGORITHM, judge,
    place_in_value, position, signature, signed, usual, with,
};

fn cms() -> Cms {
    Cms::new(Certificate::self_signed(Key::Ed25519, "Ann Signer"))
}

fn judged(cms: Cms) -> (engine::SignatureStatus, Option<SignatureReason>) {
    judge(&signed(&Signing::new(cms)))
}

#[test]
fn every_encoding_is_read() {
    for encoding in [Encoding::Der, Encoding::Ber, Encoding::BerThroughout, Encoding::Unsorted] {
        assert_eq!(judged(Cms { encoding, ..cms() }), INTACT, "{encoding:?}");
        let stamp = Cms { encoding, ..Cms::time_stamp(cms().certificate, "20261104081600Z") };
        assert_eq!(judge(&signed(&Signing::new(stamp).sub_filter("ETSI.RFC3161"))), INTACT, "{encoding:?}");
    }
}

#[test]
fn a_certificate_may_be_named_by_its_key() {
    assert_eq!(judged(Cms { by_key_identifier: true, ..cms() }), INTACT);
    let other = Certificate::self_signed(Key::OtherEd25519, "Ann Signer").make();
    assert_eq!(judged(Cms { by_key_identifier: true, certificates: Some(vec![other]), ..cms() }), NO_CERTIFICATE);
}

#[test]
fn a_signature_of_nothing_but_the_content_is_checked() {
    let bare = Cms { has_attributes: false, ..Cms::new(Certificate::self_signed(Key::P256, "Ann Signer")) };
    let file = signed(&Signing::new(bare.clone()));
    assert_eq!(judge(&file), INTACT);
    assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_VALUE);
    // Ed25519 signs a message, not its digest (RFC 8032, 5.1)
    let whole = Cms { has_attributes: false, ..cms() };
    assert_eq!(judge(&signed(&Signing::new(whole))), UNKNOWN_ALGORITHM);
    let file = signed(&Signing::new(Cms { inside: Inside::Sha1, ..bare }).sub_filter("adbe.pkcs7.sha1"));
    assert_eq!(judge(&file), INTACT);
    assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT);
}

/// As PoDoFo signs, with two hashes. Readers may verify any of several signatures.
#[test]
fn several_signatures_of_one_certificate_are_all_checked() {
    let with = |further: Cms| judged(Cms { further: Some(Box::new(further)), ..cms() });
    assert_eq!(with(cms()), INTACT);
    assert_eq!(with(Cms { hash: Hash::Sha512, ..cms() }), INTACT);
    let other_key = Cms::new(Certificate::self_signed(Key::P256, "Ann Signer"));
    assert_eq!(with(other_key), SEVERAL_SIGNERS, "one that does not verify");
    assert_eq!(with(Cms::new(Certificate::self_signed(Key::P256, "Bob Other"))), SEVERAL_SIGNERS);
    assert_eq!(judged(Cms { signers: 5, ..cms() }), SEVERAL_SIGNERS);
}

#[test]
fn what_cannot_be_checked_is_said_to_be_so() {
    assert_eq!(judge(&signed(&Signing::new(cms()).sub_filter("Some.Other"))), UNKNOWN_ALGORITHM);
    let no_value = Signing::new(cms()).sub_filter("adbe.x509.rsa_sha1");
    assert_eq!(judge(&signed(&no_value)), ODD_FORMAT, "a message is no value by PKCS #1");
    assert_eq!(judged(Cms { certificates: Some(vec![]), ..cms() }), NO_CERTIFICATE);
    assert_eq!(judged(Cms { signers: 0, ..cms() }), ODD_FORMAT);
    let stamp = Cms::time_stamp(cms().certificate, "20261104081600Z");
    assert_eq!(judged(stamp), ODD_FORMAT, "a time-stamp is no signature of the document");
    let no_stamp = Signing::new(cms()).sub_filter("ETSI.RFC3161");
    assert_eq!(judge(&signed(&no_stamp)), ODD_FORMAT, "and the other way round");
    assert_eq!(judge(&signed(&Signing::new(cms()).sub_filter("adbe.pkcs7.sha1"))), ODD_FORMAT);
    assert_eq!(judged(Cms { reference: Reference::Nothing, ..cms() }), INTACT);
}

#[test]
fn a_value_that_is_none_is_broken() {
    let file = usual();
    let start = position(&file, "/Contents <") + "/Contents <".len();
    let end = start + position(&file[start..], ">");
    for value in ["30", "3080", "04020102", "3003020101", "ffffffff", "30820fff"] {
        let room = end - start;
        let changed = [&file[..start], format!("{value:0<room$}").as_bytes(), &file[end..]].concat();
        let (status, reason) = judge(&changed);
        // a sequence, but not of what it should be
        let is_odd = (status, reason) == ODD_FORMAT && value.starts_with("30");
        assert!((status, reason) == OTHER_VALUE || is_odd, "{value}: {status:?} {reason:?}");
    }
}

#[test]
fn a_damaged_value_is_never_intact() {
    let file = usual();
    let start = place_in_value(&file, &[0x30, 0x82]);
    let end = position(&file, &"0".repeat(100));
    for at in start..end {
        let changed = crate::support::flipped(&file, at);
        let signature = signature(&changed);
        let is_intact = signature.status == engine::SignatureStatus::Intact;
        // numbers of versions, the set of digests and the certificate's own signature mean nothing to the value
        assert!(!is_intact || signature.signer.as_deref() == Some("Ann Signer"), "{at}");
    }
}
