//! Cost limits for files with very many certificates, CRLs and responses: counted, not timed.

use std::time::Duration;

use samples::hostile::{Hostile, certificates, named};

use super::super::Anchor;
use super::signatures_by;
use crate::integrity::report::{AnchorSource, SignatureReason, SignatureStatus};
use crate::integrity::signal::SignalId;
use crate::{Options, analyze};
use pdf_syntax::input::source::Memory;

/// Maximum verified values with keys of 8,192 bits, half a second of optimized code, and with Curve25519, which takes a
/// twentieth.
const MOST: u32 = 500;
const MOST_SHORT: u32 = 20 * MOST;
/// Values of signatures with short keys.
const SIGNATURES: u32 = 100;

fn anchors(file: &Hostile) -> Vec<Anchor> {
    let read = |certificate: &Vec<u8>| Anchor::read(certificate, AnchorSource::Account).expect("an issuer's");
    file.anchors.iter().flat_map(read).collect()
}

#[test]
fn no_crowd_is_verified_beyond_the_allowance_of_the_file() {
    for file in certificates() {
        let found = signatures_by(&file.make(), &anchors(&file));
        let is_crowded = |reason| reason == Some(SignatureReason::TooManyCertificates);
        let unchecked = found.checked.iter().filter(|one| is_crowded(one.reported.reason)).count();
        println!("{}: {} verifications, {unchecked} unchecked", file.name, found.verifications);
        // unverified signatures are reported
        assert!(unchecked > 0 || !file.name.contains("two hundred issuers"), "{}", file.name);
        let most =
            if file.name == "two hundred issuers that issued each other" { MOST_SHORT } else { MOST + SIGNATURES };
        assert!(found.verifications <= most, "{}: {}", file.name, found.verifications);
        // the values of all signatures come first
        let is_known = |status| matches!(status, SignatureStatus::Intact | SignatureStatus::Unchecked);
        assert!(found.checked.iter().all(|one| is_known(one.reported.status)), "{}", file.name);
    }
}

#[test]
fn signatures_beside_too_many_certificates_are_unchecked() {
    let file = named("a hundred signatures and two hundred issuers, one of them trusted");
    let (bytes, anchors) = (file.make(), anchors(&file));
    let options = Options { anchors: &anchors, ..Options::default() };
    let integrity = analyze(&Memory(bytes.into()), &options).expect("it opens").integrity;
    let is_crowded = |reason| reason == Some(SignatureReason::TooManyCertificates);
    assert_eq!(integrity.signatures.iter().filter(|one| is_crowded(one.reason)).count(), 50, "of those that are shown");
    let signal = integrity.signals.iter().find(|signal| signal.id == SignalId::SignatureUnchecked);
    let place = signal.and_then(|signal| signal.evidence[0].place.clone()).unwrap_or_default();
    assert!(place.ends_with("too many certificates"), "{place}");
}

#[test]
fn files_at_once_spend_each_its_own_allowance() {
    let file = named("forty signatures and two hundred issuers, one of them trusted");
    let (bytes, anchors) = (file.make(), anchors(&file));
    let count = || signatures_by(&bytes, &anchors).verifications;
    let counts: Vec<u32> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
        running.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(counts.iter().all(|count| *count <= MOST + SIGNATURES), "{counts:?}");
}

#[test]
fn certificates_and_statements_are_verified_once() {
    // twenty signatures by one signer with one issuer: one value each, and the certificate, its root and the CRL once
    let file = named("a long revocation list for twenty signatures");
    let found = signatures_by(&file.make(), &anchors(&file));
    assert!(found.verifications <= 20 + 5, "{}", found.verifications);
    assert!(found.checked.iter().all(|one| one.reported.status == SignatureStatus::Intact));
}

#[test]
fn the_time_that_a_file_may_take_ends_its_verifications() {
    let file = named("twenty signatures with a dozen issuers each");
    let (bytes, anchors) = (file.make(), anchors(&file));
    let options = Options { anchors: &anchors, processor_time: Some(Duration::from_millis(1)), ..Options::default() };
    assert!(analyze(&Memory(bytes.into()), &options).is_err());
}
