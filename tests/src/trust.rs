//! Issuers to trust, and files that were signed under them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use samples::pdf::Pdf;
use samples::signed::{Certificate, Cms, Key, SignedPdf, Signing, key_usage};

/// The certificate of an issuer of this name, as PEM (RFC 7468).
#[must_use]
pub fn authority(name: &str) -> String {
    pem(&Certificate::authority(Key::P256, name))
}

/// A certificate as PEM.
#[must_use]
pub fn pem(certificate: &Certificate) -> String {
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(certificate.make()))
}

/// A contract that was signed by Ann Signer, whose certificate an issuer of this name issued.
#[must_use]
pub fn signed_under(name: &str) -> Vec<u8> {
    let signer = Certificate::self_signed(Key::Ed25519, "Ann Signer").issued_by(name, Key::P256);
    let signing = Signing::new(Cms::new(signer.with(&[key_usage(0x40)])));
    SignedPdf::new(&Pdf::new(1).info("/Title (Contract)")).signed(&signing).file
}
