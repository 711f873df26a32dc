//! NIST's path validation suite (PKITS 1.0.1), its sections as a table of paths and revocation lists that are made in code: what
//! each of them comes to where the reader trusts the anchor. Lists are brought along in the signature and in what the signer
//! signed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod distribution_points;
mod lists;
mod names;
mod policies;

use bytes::Bytes;
use engine::{Anchor, AnchorSource, Memory, Options, RevocationStatus, TrustStatus, analyze};
use samples::signed::{
    Certificate, Cms, Key, RevocationList, Signing, authority, element, extension, identifier, key_usage, sequence,
};

use crate::support::signed;

use RevocationStatus::{Good, NotChecked};
use TrustStatus::{NotTrusted, NotValidThen, Revoked, Trusted};

const MADE: &str = "261101000000Z";
const UNTIL: &str = "261201000000Z";
const REVOKED_AT: &str = "261020000000Z";
const GOOD: (TrustStatus, RevocationStatus) = (Trusted, Good);
const UNKNOWN: (TrustStatus, RevocationStatus) = (Trusted, NotChecked);
const BAD: (TrustStatus, RevocationStatus) = (NotTrusted, NotChecked);
const REVOKED: (TrustStatus, RevocationStatus) = (Revoked, RevocationStatus::Revoked);

type Outcome = (TrustStatus, RevocationStatus);
/// A name, the path from the signer up without the anchor, the lists beside those of the anchor, and what it comes to.
type Case = (&'static str, Vec<Certificate>, Vec<Vec<u8>>, Outcome);

fn anchor() -> Certificate {
    Certificate::authority(Key::Ed25519, "Trust Anchor")
}

fn other_key(key: Key) -> Key {
    if key == Key::Ed25519 { Key::OtherEd25519 } else { Key::Ed25519 }
}

/// A certificate that `by` issued, for another key than his.
fn issued(subject: &str, by: &Certificate, serial: u8) -> Certificate {
    let own = Certificate { serial, ..Certificate::self_signed(other_key(by.key), subject) };
    let names = [None, by.names[0].clone()];
    Certificate { names, ..own.issued_by(&by.subject, by.key) }
}

fn ca(subject: &str, by: &Certificate) -> Certificate {
    let serial = subject.bytes().fold(40_u8, u8::wrapping_add) % 100 + 1;
    issued(subject, by, serial).with(&[authority(None), key_usage(0x06)])
}

/// The signer, whose number is 3.
fn ee(by: &Certificate) -> Certificate {
    issued("Ann Signer", by, 3).with(&[key_usage(0x40)])
}

fn and(certificate: &Certificate, more: &[Vec<u8>]) -> Certificate {
    let extensions = [&certificate.extensions[..], more].concat();
    Certificate { extensions, ..certificate.clone() }
}

fn clean(by: &Certificate) -> RevocationList {
    RevocationList::of(by, MADE, UNTIL)
}

/// What comes of a signature by the first certificate with these lists, wherever they are.
fn outcome(path: &[Certificate], lists: &[Vec<u8>], in_archive: bool) -> Outcome {
    let certificates = path.iter().map(Certificate::make).collect();
    let (revocations, archived) = if in_archive { (vec![], lists.to_vec()) } else { (lists.to_vec(), vec![]) };
    let cms =
        Cms { certificates: Some(certificates), revocations, archive: [archived, vec![]], ..Cms::new(path[0].clone()) };
    let file = signed(&Signing { room: 30_000, ..Signing::new(cms) });
    let anchors = Anchor::read(&anchor().make(), AnchorSource::Account).unwrap();
    let options = Options { anchors: &anchors, ..Options::default() };
    let integrity = analyze(&Memory(Bytes::from(file)), &options).unwrap().integrity;
    let trust = integrity.signatures[0].trust.clone().unwrap();
    (trust.status, trust.revocation)
}

fn check(section: &str, cases: Vec<Case>) {
    let mut wrong = Vec::new();
    for (name, path, lists, expected) in cases {
        for in_archive in [false, true] {
            let found = outcome(&path, &lists, in_archive);
            if found != expected {
                wrong.push(format!("{section} {name} (archive: {in_archive}): {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The signer below an authority below the anchor, and the anchor's list.
fn usual() -> (Certificate, Certificate, Vec<u8>) {
    let ca = ca("Good CA", &anchor());
    (ee(&ca), ca, clean(&anchor()).make())
}

fn attribute(kind: &str, tag: u8, text: &[u8]) -> Vec<u8> {
    element(0x31, &[&sequence(&[&identifier(kind), &element(tag, &[text])])])
}

/// Authorities with these extensions, from the anchor down, and the signer with his.
fn stack(levels: &[&[Vec<u8>]], signer: &[Vec<u8>]) -> Vec<Certificate> {
    let mut path: Vec<Certificate> = Vec::new();
    for (level, extensions) in levels.iter().enumerate() {
        let next = and(&ca(&format!("Policy CA {level}"), path.first().unwrap_or(&anchor())), extensions);
        path.insert(0, next);
    }
    let signer = and(&ee(&path[0]), signer);
    path.insert(0, signer);
    path
}

#[test]
fn section_1_signatures() {
    let (ee, ca, root) = usual();
    let clean = clean(&ca).make();
    let lists = vec![root, clean];
    let forged = |certificate: &Certificate| Certificate { issuer_key: Key::P256, ..certificate.clone() };
    check(
        "4.1",
        vec![
            ("1 valid signatures", vec![ee.clone(), ca.clone()], lists.clone(), GOOD),
            ("2 CA signature", vec![ee.clone(), forged(&ca)], lists.clone(), BAD),
            ("3 EE signature", vec![forged(&ee), ca], lists, BAD),
        ],
    );
}

#[test]
fn section_2_validity() {
    let (ee, ca, _) = usual();
    let during = |certificate: &Certificate, validity| Certificate { validity: Some(validity), ..certificate.clone() };
    let (future, past) = (["470101120100Z", "490101120100Z"], ["970101120100Z", "000101120100Z"]);
    let long_ago = ["500101120100Z", "490101120100Z"];
    let not_then = (NotValidThen, NotChecked);
    check(
        "4.2",
        vec![
            ("1 CA notBefore", vec![ee.clone(), during(&ca, future)], vec![], not_then),
            ("2 EE notBefore", vec![during(&ee, future), ca.clone()], vec![], not_then),
            ("3 pre-2000 notBefore", vec![during(&ee, long_ago), ca.clone()], vec![], UNKNOWN),
            ("5 CA notAfter", vec![ee.clone(), during(&ca, past)], vec![], not_then),
            ("6 EE notAfter", vec![during(&ee, past), ca], vec![], not_then),
        ],
    );
}

#[test]
fn section_5_self_issued_certificates() {
    // the CA's new key, certified by its old one, signs the signer's certificate; the old one signs the lists
    let old = ca("Rollover CA", &anchor());
    let new =
        Certificate { key: Key::P256, ..issued("Rollover CA", &old, 8) }.with(&[authority(None), key_usage(0x06)]);
    let ee = ee(&new);
    let path = vec![ee, new.clone(), old.clone()];
    let root = clean(&anchor()).make();
    check(
        "4.5",
        vec![
            ("1 old with new", path.clone(), vec![root.clone(), clean(&old).make(), clean(&new).make()], GOOD),
            ("1 lists by the old key", path.clone(), vec![root.clone(), clean(&old).make()], GOOD),
            (
                "2 revoked EE",
                path.clone(),
                vec![root.clone(), clean(&old).revoking(3, REVOKED_AT, &[]).make()],
                REVOKED,
            ),
            (
                "7 revoked new key",
                path,
                vec![root, clean(&old).revoking(8, REVOKED_AT, &[]).make(), clean(&new).make()],
                REVOKED,
            ),
        ],
    );
}

#[test]
fn section_6_basic_constraints() {
    let with = |extensions: &[Vec<u8>]| {
        let ca = ca("Constrained CA", &anchor()).with(extensions);
        vec![ee(&ca), ca]
    };
    let no_authority = extension("2.5.29.19", true, &sequence(&[]));
    let lax = extension("2.5.29.19", false, &sequence(&[&[1, 1, 0xff]]));
    let limited = |length, below: usize, self_issued: bool| {
        let mut path = vec![ca("Level", &anchor()).with(&[authority(Some(length)), key_usage(0x06)])];
        for level in 0..below {
            let name = if self_issued { "Level".to_owned() } else { format!("Level {level}") };
            let next = ca(&name, &path[0]);
            path.insert(0, next);
        }
        let signer = ee(&path[0]);
        path.insert(0, signer);
        path
    };
    check(
        "4.6",
        vec![
            ("1 missing basicConstraints", with(&[key_usage(0x06)]), vec![], BAD),
            ("2 cA false", with(&[no_authority, key_usage(0x06)]), vec![], BAD),
            ("4 not critical", with(&[lax, key_usage(0x06)]), vec![], UNKNOWN),
            ("5 pathLen 0, one below", limited(0, 1, false), vec![], BAD),
            ("7 pathLen 0", limited(0, 0, false), vec![], UNKNOWN),
            ("13 pathLen 2, two below", limited(2, 2, false), vec![], UNKNOWN),
            ("11 pathLen 2, three below", limited(2, 3, false), vec![], BAD),
            ("15 pathLen 0, self-issued below", limited(0, 1, true), vec![], UNKNOWN),
        ],
    );
}

#[test]
fn section_7_key_usage() {
    let with = |usage: u8| {
        let ca = ca("Usage CA", &anchor()).with(&[authority(None), key_usage(usage)]);
        vec![ee(&ca), ca]
    };
    let lists = |path: &[Certificate]| vec![clean(&anchor()).make(), clean(&path[1]).make()];
    let no_lists = with(0x04);
    check(
        "4.7",
        vec![
            ("1 no keyCertSign", with(0x02), vec![], BAD),
            ("3 both", with(0x06), lists(&with(0x06)), GOOD),
            ("4 no cRLSign", no_lists.clone(), lists(&no_lists), BAD),
            ("no cRLSign, no lists", no_lists, vec![], UNKNOWN),
        ],
    );
}

#[test]
fn section_16_private_extensions() {
    let (ee, ca, _) = usual();
    let odd = |is_critical| extension("2.16.840.1.101.2.1.12.2", is_critical, &[2, 1, 1]);
    check(
        "4.16",
        vec![
            ("1 unknown", vec![and(&ee, &[odd(false)]), ca.clone()], vec![], UNKNOWN),
            ("2 unknown and critical", vec![and(&ee, &[odd(true)]), ca], vec![], BAD),
        ],
    );
}
