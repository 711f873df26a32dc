//! Every algorithm that is checked, with values that fit and values that do not; and those that are not.

use samples::signed::{Certificate, Cms, Encoding, Hash, Key, Pss, Reference, Scheme, Signing};

use crate::support::{
    INTACT, ODD_FORMAT, OTHER_CONTENT, OTHER_VALUE, UNKNOWN_ALGORITHM, flipped, judge, position, signature, signed,
    with,
};

fn by(key: Key, hash: Hash) -> Cms {
    Cms { hash, ..Cms::new(Certificate::self_signed(key, "Ann Signer")) }
}

fn pss(key: Key, hash: Hash, mask: Hash, salt: u8) -> Cms {
    Cms { scheme: Scheme::PssWith(Pss { mask, salt, said: salt }), ..by(key, hash) }
}

/// What can be checked, and what it is called.
fn known() -> Vec<(Cms, &'static str)> {
    let unnamed = |key, hash| Cms { scheme: Scheme::Unnamed, ..by(key, hash) };
    let usual_pss = |hash| Cms { scheme: Scheme::Pss, ..by(Key::Rsa, hash) };
    vec![
        (by(Key::Rsa, Hash::Sha256), "RSA-SHA256"),
        (by(Key::Rsa, Hash::Sha384), "RSA-SHA384"),
        (by(Key::Rsa, Hash::Sha512), "RSA-SHA512"),
        (by(Key::Rsa, Hash::Sha224), "RSA-SHA224"),
        (by(Key::UnsignedRsa, Hash::Sha256), "RSA-SHA256"),
        (Cms { value_hash: Some(Hash::Sha256), ..by(Key::Rsa, Hash::Sha1) }, "RSA-SHA256"),
        (Cms { reference: Reference::Old, ..by(Key::ShortRsa, Hash::Sha1) }, "RSA-SHA1"),
        (by(Key::ShortRsa, Hash::Sha256), "RSA-SHA256"),
        (by(Key::ShortRsa, Hash::Sha384), "RSA-SHA384"),
        (by(Key::ShortRsa, Hash::Sha512), "RSA-SHA512"),
        (by(Key::Rsa2047, Hash::Sha256), "RSA-SHA256"),
        (by(Key::Rsa2047, Hash::Sha384), "RSA-SHA384"),
        (by(Key::Rsa2041, Hash::Sha512), "RSA-SHA512"),
        (Cms { scheme: Scheme::Pss, ..by(Key::PssRsa, Hash::Sha256) }, "RSA-PSS-SHA256"),
        (usual_pss(Hash::Sha256), "RSA-PSS-SHA256"),
        (usual_pss(Hash::Sha384), "RSA-PSS-SHA384"),
        (usual_pss(Hash::Sha512), "RSA-PSS-SHA512"),
        (pss(Key::Rsa2047, Hash::Sha256, Hash::Sha256, 32), "RSA-PSS-SHA256"),
        (pss(Key::Rsa2041, Hash::Sha256, Hash::Sha256, 32), "RSA-PSS-SHA256"),
        (pss(Key::Rsa2047, Hash::Sha256, Hash::Sha256, 20), "RSA-PSS-SHA256"),
        (pss(Key::Rsa2041, Hash::Sha256, Hash::Sha256, 20), "RSA-PSS-SHA256"),
        (pss(Key::Rsa, Hash::Sha256, Hash::Sha256, 0), "RSA-PSS-SHA256"),
        (pss(Key::Rsa, Hash::Sha256, Hash::Sha256, 20), "RSA-PSS-SHA256"),
        (pss(Key::Rsa, Hash::Sha512, Hash::Sha512, 126), "RSA-PSS-SHA512"),
        (pss(Key::Rsa, Hash::Sha256, Hash::Sha1, 32), "RSA-PSS-SHA256"),
        (pss(Key::ShortRsa, Hash::Sha1, Hash::Sha1, 20), "RSA-PSS-SHA1"),
        (pss(Key::ShortRsa, Hash::Sha512, Hash::Sha512, 62), "RSA-PSS-SHA512"),
        (by(Key::P256, Hash::Sha256), "ECDSA-P256-SHA256"),
        (by(Key::P256, Hash::Sha384), "ECDSA-P256-SHA384"),
        (by(Key::P256, Hash::Sha512), "ECDSA-P256-SHA512"),
        (by(Key::P256, Hash::Sha1), "ECDSA-P256-SHA1"),
        (by(Key::P384, Hash::Sha256), "ECDSA-P384-SHA256"),
        (by(Key::P384, Hash::Sha384), "ECDSA-P384-SHA384"),
        (by(Key::P384, Hash::Sha512), "ECDSA-P384-SHA512"),
        (by(Key::P521, Hash::Sha224), "ECDSA-P521-SHA224"),
        (by(Key::P521, Hash::Sha256), "ECDSA-P521-SHA256"),
        (by(Key::P521, Hash::Sha384), "ECDSA-P521-SHA384"),
        (by(Key::P521, Hash::Sha512), "ECDSA-P521-SHA512"),
        (unnamed(Key::Rsa, Hash::Sha384), "RSA-SHA384"),
        (unnamed(Key::P256, Hash::Sha256), "ECDSA-P256-SHA256"),
        (unnamed(Key::P384, Hash::Sha512), "ECDSA-P384-SHA512"),
        (by(Key::Ed25519, Hash::Sha512), "Ed25519"),
    ]
}

#[test]
fn every_algorithm_is_checked() {
    for (cms, algorithm) in known() {
        let signature = signature(&signed(&Signing::new(cms)));
        assert_eq!((signature.status, signature.reason), INTACT, "{algorithm}");
        assert_eq!(signature.algorithm.as_deref(), Some(algorithm));
    }
}

#[test]
fn no_algorithm_takes_another_digest_or_value() {
    for (cms, algorithm) in known() {
        let file = signed(&Signing::new(cms));
        assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT, "{algorithm}");
        // the last digits before the padding are those of the value
        let end = position(&file, &"0".repeat(100));
        for before_end in [2, 20, 40] {
            assert_eq!(judge(&flipped(&file, end - before_end)), OTHER_VALUE, "{algorithm} {before_end}");
        }
        // the value of what was signed with another time
        let moved = with(&file, &hexadecimal(b"261104081500Z"), &hexadecimal(b"261104081501Z"));
        assert_eq!(judge(&moved), OTHER_VALUE, "{algorithm}");
    }
}

#[test]
fn what_cannot_be_checked_is_said_to_be_so() {
    let salted = |salt, said| Scheme::PssWith(Pss { mask: Hash::Sha256, salt, said });
    let cases = [
        (by(Key::NoPoint, Hash::Sha512), "ECDSA-P521-SHA512"),
        (by(Key::Brainpool, Hash::Sha256), "ECDSA-brainpoolP256r1-SHA256"),
        // a key that is for another padding
        (by(Key::PssRsa, Hash::Sha256), "RSA-SHA256"),
        // no key of the algorithm whose hash is left open
        (Cms { scheme: Scheme::Unnamed, ..by(Key::PssRsa, Hash::Sha256) }, "RSA-SHA256"),
        // made with another salt than is said, which breaks the standard and no signature
        (Cms { scheme: salted(20, 32), ..by(Key::Rsa, Hash::Sha256) }, "RSA-PSS-SHA256"),
        (Cms { scheme: salted(32, 20), ..by(Key::Rsa2047, Hash::Sha256) }, "RSA-PSS-SHA256"),
    ];
    for (cms, algorithm) in cases {
        let file = signed(&Signing::new(cms));
        assert_eq!(judge(&file), UNKNOWN_ALGORITHM, "{algorithm}");
        assert_eq!(signature(&file).algorithm.as_deref(), Some(algorithm));
        assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT, "{algorithm}: that much is sure");
    }
}

#[test]
fn a_value_by_the_hash_of_the_content_is_not_broken_where_another_is_named() {
    for key in [Key::Rsa, Key::Rsa2047, Key::ShortRsa] {
        for (hash, named) in [(Hash::Sha256, Hash::Sha1), (Hash::Sha512, Hash::Sha256)] {
            let cms = Cms { value_hash: Some(named), scheme: Scheme::With(hash), ..by(key, hash) };
            let file = signed(&Signing::new(cms));
            assert_eq!(judge(&file), UNKNOWN_ALGORITHM, "{key:?} {hash:?} {named:?}");
            let end = position(&file, &"0".repeat(100));
            assert_eq!(judge(&flipped(&file, end - 2)), OTHER_VALUE, "{key:?} {hash:?} {named:?}");
        }
    }
}

#[test]
fn brainpool_curves_are_checked() {
    for (file, algorithm) in [
        (&include_bytes!("data/brainpool-256.pdf")[..], "ECDSA-brainpoolP256r1-SHA256"),
        (&include_bytes!("data/brainpool-384.pdf")[..], "ECDSA-brainpoolP384r1-SHA384"),
        (&include_bytes!("data/brainpool-512.pdf")[..], "ECDSA-brainpoolP512r1-SHA512"),
    ] {
        let found = signature(file);
        assert_eq!((found.status, found.reason, found.self_signed), (INTACT.0, None, Some(true)), "{algorithm}");
        assert_eq!(found.algorithm.as_deref(), Some(algorithm));
        assert_eq!(judge(&with(file, "(Contract)", "(Contracs)")), OTHER_CONTENT, "{algorithm}");
        let end = position(file, &"0".repeat(100));
        for before_end in [2, 20, 40] {
            assert_eq!(judge(&flipped(file, end - before_end)), OTHER_VALUE, "{algorithm} {before_end}");
        }
    }
}

#[test]
fn values_without_a_message_are_checked() {
    for (key, hash, algorithm) in [
        (Key::Rsa, Hash::Sha1, "RSA-SHA1"),
        (Key::Rsa, Hash::Sha256, "RSA-SHA256"),
        (Key::Rsa2047, Hash::Sha512, "RSA-SHA512"),
    ] {
        let cms = Cms { encoding: Encoding::Pkcs1, ..by(key, hash) };
        let beside = |certificate: &[u8]| format!("/Cert <{}>", hexadecimal(certificate));
        let signing = Signing { entries: beside(&cms.certificate.make()), ..Signing::new(cms) };
        let file = signed(&signing.clone().sub_filter("adbe.x509.rsa_sha1"));
        let found = signature(&file);
        assert_eq!((found.status, found.reason), INTACT, "{algorithm}");
        assert_eq!((found.algorithm.as_deref(), found.signer.as_deref()), (Some(algorithm), Some("Ann Signer")));
        // nothing but the value names a digest, so that other content is another value
        assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_VALUE, "{algorithm}");
        let end = position(&file, &"0".repeat(100));
        assert_eq!(judge(&flipped(&file, end - 2)), OTHER_VALUE, "{algorithm}");
        let other = Certificate::self_signed(Key::ShortRsa, "Bob").make();
        let by_other = Signing { entries: beside(&other), ..signing.clone() };
        assert_eq!(judge(&signed(&by_other.sub_filter("adbe.x509.rsa_sha1"))).0, OTHER_VALUE.0, "{algorithm}");
        let alone = Signing { entries: String::new(), ..signing };
        assert_eq!(judge(&signed(&alone.sub_filter("adbe.x509.rsa_sha1"))), ODD_FORMAT, "{algorithm}");
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
