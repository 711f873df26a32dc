//! NIST's path validation suite (PKITS 1.0.1), its sections as a table of paths and revocation lists that are made in code: what
//! each of them comes to where the reader trusts the anchor. Lists are brought along in the signature and in what the signer
//! signed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use bytes::Bytes;
use engine::{Anchor, AnchorSource, Memory, Options, RevocationStatus, TrustStatus, analyze};
use samples::signed::{
    Certificate, Cms, Key, RevocationList, Signing, authority, element, extension, identifier, key_usage, name,
    sequence,
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

fn number(number: u8) -> Vec<u8> {
    extension("2.5.29.20", false, &[2, 1, number])
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

fn attribute(kind: &str, tag: u8, text: &[u8]) -> Vec<u8> {
    element(0x31, &[&sequence(&[&identifier(kind), &element(tag, &[text])])])
}

/// A name of one unit and a common name of this type.
fn unit(of: &str, common: &str, tag: u8) -> Vec<u8> {
    sequence(&[
        &attribute("2.5.4.6", 0x13, b"US"),
        &attribute("2.5.4.11", 0x13, of.as_bytes()),
        &attribute("2.5.4.3", tag, common.as_bytes()),
    ])
}

#[test]
fn section_3_name_chaining() {
    let named = |subject: Vec<u8>, issuer: Vec<u8>| {
        let mut ca = ca("Named CA", &anchor());
        ca.names[0] = Some(subject);
        let mut ee = ee(&ca);
        ee.names[1] = Some(issuer);
        vec![ee, ca]
    };
    let [utf8, printable] = [0x0c, 0x13];
    let two = |first: &str, second: &str| {
        sequence(&[&attribute("2.5.4.11", 0x13, first.as_bytes()), &attribute("2.5.4.11", 0x13, second.as_bytes())])
    };
    check(
        "4.3",
        vec![
            ("1 other name", named(unit("A", "CA", printable), unit("A", "CA Root", printable)), vec![], BAD),
            ("2 other order", named(two("A", "B"), two("B", "A")), vec![], BAD),
            (
                "3 white space",
                named(unit("A", "Good CA", printable), unit("A", "Good     CA", printable)),
                vec![],
                UNKNOWN,
            ),
            (
                "4 white space at the ends",
                named(unit("A", "Good CA", printable), unit("A", "  Good CA  ", printable)),
                vec![],
                UNKNOWN,
            ),
            (
                "5 capitalization",
                named(unit("A", "Good CA", printable), unit("a", "GOOD CA", printable)),
                vec![],
                UNKNOWN,
            ),
            ("9 UTF8String", named(unit("A", "Größe CA", utf8), unit("A", "Größe CA", utf8)), vec![], UNKNOWN),
            (
                "10 rollover from PrintableString",
                named(unit("A", "Good CA", printable), unit("A", "Good CA", utf8)),
                vec![],
                UNKNOWN,
            ),
            (
                "11 UTF8String, capitalization",
                named(unit("A", "größe CA", utf8), unit("A", "GRÖẞE  ca", utf8)),
                vec![],
                UNKNOWN,
            ),
        ],
    );
}

#[test]
fn section_4_basic_lists() {
    let (ee, ca, root) = usual();
    let path = vec![ee.clone(), ca.clone()];
    let with = |list: &RevocationList| vec![root.clone(), list.make()];
    let on_root = clean(&anchor()).revoking(ca.serial, REVOKED_AT, &[]).make();
    let good = clean(&ca);
    let broken = {
        let mut list = good.make();
        let last = list.len() - 1;
        list[last] ^= 1;
        list
    };
    let unreadable = {
        let mut list = good.make();
        // the bit string of the value says that bits are unused, as no signature's does
        let at = list.len() - 65;
        list[at] = 3;
        list
    };
    let reason = |reason: u8| extension("2.5.29.21", false, &[0x0a, 1, reason]);
    let odd = extension("2.16.840.1.101.2.1.12.2", true, &[2, 1, 1]);
    let old = RevocationList::of(&ca, "260101000000Z", "260201000000Z");
    let very_old = RevocationList::of(&ca, "980101000000Z", "990101000000Z");
    let named_otherwise = RevocationList { issuer: Some(name("Incorrect CRL Issuer")), ..good.clone() };
    // a key of the CA for lists alone, under the same name
    let lister = Certificate { key: Key::P256, ..issued("Good CA", &anchor(), 77) }.with(&[key_usage(0x02)]);
    let separately = |lister: &Certificate| vec![ee.clone(), ca.clone(), lister.clone()];
    let by_lister = clean(&lister);
    let no_lister = lister.clone().with(&[key_usage(0x80)]);
    let foreign = Certificate { issuer_key: Key::P384, ..lister.clone() };
    check(
        "4.4",
        vec![
            ("1 missing CRL", path.clone(), vec![root.clone()], BAD),
            ("2 revoked CA", path.clone(), vec![on_root, good.make()], REVOKED),
            ("3 revoked EE", path.clone(), with(&good.clone().revoking(3, REVOKED_AT, &[])), REVOKED),
            (
                "3 revoked EE, with a reason",
                path.clone(),
                with(&good.clone().revoking(3, REVOKED_AT, &[reason(1)])),
                REVOKED,
            ),
            ("3 revoked EE, later", path.clone(), with(&good.clone().revoking(3, "261120000000Z", &[])), REVOKED),
            ("4 CRL signature", path.clone(), vec![root.clone(), broken.clone()], BAD),
            ("4 CRL that cannot be read", path.clone(), vec![root.clone(), unreadable.clone()], BAD),
            (
                "4 CRL that cannot be read beside one that can",
                path.clone(),
                vec![root.clone(), good.make(), unreadable],
                UNKNOWN,
            ),
            ("4 forged CRL beside a sound one", path.clone(), vec![root.clone(), good.make(), broken], GOOD),
            ("5 CRL issuer's name", path.clone(), with(&named_otherwise), BAD),
            ("6 wrong CRL", path.clone(), vec![root.clone(), root.clone()], BAD),
            ("7 two CRLs", path.clone(), vec![root.clone(), old.make(), good.make()], GOOD),
            (
                "8 unknown entry extension",
                path.clone(),
                with(&good.clone().revoking(9, REVOKED_AT, std::slice::from_ref(&odd))),
                BAD,
            ),
            (
                "9 unknown extension, revoked",
                path.clone(),
                with(&good.clone().revoking(3, REVOKED_AT, &[]).with(std::slice::from_ref(&odd))),
                REVOKED,
            ),
            ("10 unknown extension", path.clone(), with(&good.clone().with(&[odd])), BAD),
            ("11 old nextUpdate", path.clone(), with(&old), BAD),
            ("12 pre-2000 nextUpdate", path.clone(), with(&very_old), BAD),
            ("16 number of other digits", path.clone(), with(&good.clone().revoking(4, REVOKED_AT, &[])), GOOD),
            ("19 separate keys", separately(&lister), with(&by_lister), GOOD),
            (
                "20 separate keys, revoked EE",
                separately(&lister),
                with(&by_lister.clone().revoking(3, REVOKED_AT, &[])),
                REVOKED,
            ),
            (
                "21 separate keys, revoked signer of the CRL",
                separately(&lister),
                vec![clean(&anchor()).revoking(77, REVOKED_AT, &[]).make(), by_lister.make()],
                BAD,
            ),
            (
                "separate key that may sign no CRL",
                separately(&no_lister),
                with(&RevocationList { by: no_lister.clone(), ..by_lister.clone() }),
                BAD,
            ),
            (
                "separate key that nobody trusts",
                separately(&foreign),
                with(&RevocationList { by: foreign.clone(), ..by_lister }),
                BAD,
            ),
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

fn policies(ids: &[&str]) -> Vec<u8> {
    let each: Vec<Vec<u8>> = ids.iter().map(|id| sequence(&[&identifier(id)])).collect();
    extension("2.5.29.32", false, &sequence(&[&each.concat()]))
}

const ANY: &str = "2.5.29.32.0";
const P1: &str = "2.16.840.1.101.3.2.1.48.1";
const P2: &str = "2.16.840.1.101.3.2.1.48.2";
const P3: &str = "2.16.840.1.101.3.2.1.48.3";

/// `requireExplicitPolicy` and `inhibitPolicyMapping` after so many certificates.
fn demands(explicit: Option<u8>, mapping: Option<u8>) -> Vec<u8> {
    let part = |tag: u8, count: Option<u8>| count.map_or_else(Vec::new, |count| vec![tag, 1, count]);
    extension("2.5.29.36", true, &sequence(&[&part(0x80, explicit), &part(0x81, mapping)]))
}

fn maps(pairs: &[(&str, &str)]) -> Vec<u8> {
    let each: Vec<Vec<u8>> =
        pairs.iter().map(|(own, other)| sequence(&[&identifier(own), &identifier(other)])).collect();
    extension("2.5.29.33", true, &sequence(&[&each.concat()]))
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
fn section_8_policies() {
    let needed = demands(Some(0), None);
    check(
        "4.8",
        vec![
            ("1 same policy", stack(&[&[policies(&[P1]), needed.clone()]], &[policies(&[P1])]), vec![], UNKNOWN),
            ("2 no policies", stack(&[&[]], &[]), vec![], UNKNOWN),
            ("2 no policies, needed", stack(&[std::slice::from_ref(&needed)], &[]), vec![], BAD),
            (
                "3 different policies",
                stack(&[&[policies(&[P1])], &[policies(&[P2])]], &[policies(&[P2])]),
                vec![],
                UNKNOWN,
            ),
            (
                "4 different policies, needed",
                stack(&[&[policies(&[P1]), needed.clone()], &[policies(&[P2])]], &[policies(&[P2])]),
                vec![],
                BAD,
            ),
            (
                "6 overlapping policies",
                stack(&[&[policies(&[P1, P2]), needed.clone()], &[policies(&[P1, P3])]], &[policies(&[P1])]),
                vec![],
                UNKNOWN,
            ),
            ("11 any policy", stack(&[&[policies(&[ANY]), needed.clone()]], &[policies(&[P1])]), vec![], UNKNOWN),
            (
                "12 any at the signer",
                stack(&[&[policies(&[P1]), needed.clone()]], &[policies(&[ANY])]),
                vec![],
                UNKNOWN,
            ),
            ("12 other policy", stack(&[&[policies(&[P1]), needed]], &[policies(&[P2])]), vec![], BAD),
        ],
    );
}

#[test]
fn section_9_explicit_policy() {
    let after = |count| demands(Some(count), None);
    let below = |count, levels: usize| {
        let first: &[Vec<u8>] = &[after(count)];
        let mut all = vec![first];
        all.extend(std::iter::repeat_n(&[] as &[Vec<u8>], levels));
        stack(&all, &[])
    };
    check(
        "4.9",
        vec![
            ("1 after ten", below(10, 3), vec![], UNKNOWN),
            ("3 after four", below(4, 2), vec![], UNKNOWN),
            ("3 after two", below(2, 2), vec![], BAD),
            ("5 after none", below(0, 1), vec![], BAD),
            ("by the signer himself", stack(&[&[]], &[after(0)]), vec![], BAD),
        ],
    );
}

#[test]
fn section_10_policy_mappings() {
    let needed = demands(Some(0), None);
    let mapped = |own: &[&str], pairs: &[(&str, &str)], below: &str| {
        stack(&[&[policies(own), needed.clone()], &[policies(own), maps(pairs)]], &[policies(&[below])])
    };
    check(
        "4.10",
        vec![
            ("1 mapped", mapped(&[P1], &[(P1, P2)], P2), vec![], UNKNOWN),
            ("1 mapped away", mapped(&[P1], &[(P1, P2)], P1), vec![], BAD),
            ("2 not mapped to", mapped(&[P1], &[(P1, P2)], P3), vec![], BAD),
            ("5 mapped to two", mapped(&[P1], &[(P1, P2), (P1, P3)], P3), vec![], UNKNOWN),
            ("7 from any policy", mapped(&[ANY], &[(ANY, P1)], P1), vec![], BAD),
            ("8 to any policy", mapped(&[P1], &[(P1, ANY)], P1), vec![], BAD),
            ("9 by any policy", mapped(&[ANY], &[(P1, P2)], P2), vec![], UNKNOWN),
            ("swapped", mapped(&[P1, P2], &[(P1, P2), (P2, P1)], P1), vec![], UNKNOWN),
            (
                "a foreign policy mapped to one that is mapped away",
                mapped(&[P2], &[(P1, P2), (P2, P3)], P2),
                vec![],
                BAD,
            ),
            ("the same, by its new name", mapped(&[P2], &[(P1, P2), (P2, P3)], P3), vec![], UNKNOWN),
        ],
    );
}

#[test]
fn section_11_inhibited_mapping() {
    let mapping = |after| {
        let first: &[Vec<u8>] = &[policies(&[P1]), demands(Some(0), Some(after))];
        let second: &[Vec<u8>] = &[policies(&[P1]), maps(&[(P1, P2)])];
        stack(&[first, second], &[policies(&[P2])])
    };
    check("4.11", vec![("1 after none", mapping(0), vec![], BAD), ("2 after one", mapping(1), vec![], UNKNOWN)]);
}

#[test]
fn section_12_inhibited_any_policy() {
    let inhibited = |after: u8| {
        let first: &[Vec<u8>] =
            &[policies(&[ANY]), demands(Some(0), None), extension("2.5.29.54", true, &[2, 1, after])];
        stack(&[first], &[policies(&[ANY])])
    };
    check("4.12", vec![("1 after none", inhibited(0), vec![], BAD), ("3 after one", inhibited(1), vec![], UNKNOWN)]);
}

/// Permitted (0xa0) or excluded (0xa1) subtrees with this base.
fn subtree(kind: u8, base: &[u8]) -> Vec<u8> {
    extension("2.5.29.30", true, &sequence(&[&element(kind, &[&sequence(&[base])])]))
}

fn alternative(tag: u8, text: &str) -> Vec<u8> {
    extension("2.5.29.17", false, &sequence(&[&element(tag, &[text.as_bytes()])]))
}

#[test]
fn section_13_name_constraints() {
    let (permitted, excluded) = (0xa0, 0xa1);
    let named = |constraint: Vec<u8>, subject: Option<Vec<u8>>, more: &[Vec<u8>]| {
        let mut path = stack(&[&[constraint]], more);
        path[0].names[0] = subject;
        path
    };
    let directory = |of: &str| {
        element(0xa4, &[&sequence(&[&attribute("2.5.4.6", 0x13, b"US"), &attribute("2.5.4.11", 0x0c, of.as_bytes())])])
    };
    let text = |tag: u8, base: &str| element(tag, &[base.as_bytes()]);
    let (email, dns, uri) = (0x81, 0x82, 0x86);
    let within =
        |kind, tag, base: &str, other: &str| named(subtree(kind, &text(tag, base)), None, &[alternative(tag, other)]);
    let below = |of: &str, kind, base: &str| named(subtree(kind, &directory(base)), Some(unit(of, "Ann", 0x0c)), &[]);
    check(
        "4.13",
        vec![
            ("1 permitted DN", below("permitted", permitted, "permitted"), vec![], UNKNOWN),
            ("2 other DN", below("other", permitted, "permitted"), vec![], BAD),
            ("7 excluded DN", below("excluded", excluded, "EXCLUDED"), vec![], BAD),
            ("11 other than excluded DN", below("other", excluded, "excluded"), vec![], UNKNOWN),
            ("excluded DN in full-width letters", below("ｅｘｃｌｕｄｅｄ", excluded, "excluded"), vec![], BAD),
            ("excluded DN with a soft hyphen", below("ex\u{ad}cluded", excluded, "excluded"), vec![], BAD),
            ("excluded DN with a space of no width", below("ex\u{200b}cluded", excluded, "excluded"), vec![], BAD),
            ("excluded DN decomposed", below("u\u{308}bel", excluded, "übel"), vec![], BAD),
            ("21 permitted e-mail", within(permitted, email, "example.com", "ann@example.com"), vec![], UNKNOWN),
            ("22 other e-mail", within(permitted, email, "example.com", "ann@mail.example.com"), vec![], BAD),
            ("25 excluded e-mail", within(excluded, email, "example.com", "ann@EXAMPLE.com"), vec![], BAD),
            ("30 permitted DNS", within(permitted, dns, "example.com", "host.example.com"), vec![], UNKNOWN),
            ("31 other DNS", within(permitted, dns, "example.com", "hostexample.com"), vec![], BAD),
            ("33 excluded DNS", within(excluded, dns, "evil.example", "host.evil.example"), vec![], BAD),
            (
                "excluded DNS with the root's dot",
                within(excluded, dns, "evil.example", "host.evil.example."),
                vec![],
                BAD,
            ),
            ("34 permitted URI", within(permitted, uri, ".example.com", "http://host.example.com/a"), vec![], UNKNOWN),
            ("35 other URI", within(permitted, uri, ".example.com", "ftp://example.com:21/a"), vec![], BAD),
            ("37 excluded URI", within(excluded, uri, "evil.example", "https://evil.example:8443/"), vec![], BAD),
            (
                "excluded URI, another host",
                within(excluded, uri, "evil.example", "https://good.example/"),
                vec![],
                UNKNOWN,
            ),
            ("excluded URI, none with a host", within(excluded, uri, "evil.example", "urn:evil:1"), vec![], BAD),
            ("excluded URI, an address", within(excluded, uri, "evil.example", "http://192.0.2.1/"), vec![], BAD),
            (
                "excluded URI with the root's dot",
                within(excluded, uri, "evil.example", "http://evil.example./"),
                vec![],
                BAD,
            ),
        ],
    );
}

/// A name of a distribution point.
fn point(of: &str) -> Vec<u8> {
    element(0xa0, &[&element(0xa0, &[&element(0x86, &[format!("http://ca.example/{of}.crl").as_bytes()])])])
}

/// That a certificate is to be looked up at points: names, reasons and issuers of lists, each if any.
fn points(each: &[[Vec<u8>; 3]]) -> Vec<u8> {
    let all: Vec<Vec<u8>> = each.iter().map(|parts| sequence(&[&parts.concat()])).collect();
    extension("2.5.29.31", false, &sequence(&[&all.concat()]))
}

fn scope(is_critical: bool, parts: &[&[u8]]) -> Vec<u8> {
    extension("2.5.29.28", is_critical, &sequence(parts))
}

fn crl_issuer(of: &Certificate) -> Vec<u8> {
    element(0xa2, &[&element(0xa4, &[&of.subject()])])
}

const USERS: &[u8] = &[0x81, 1, 0xff];
const AUTHORITIES: &[u8] = &[0x82, 1, 0xff];
const INDIRECT: &[u8] = &[0x84, 1, 0xff];
const ATTRIBUTES: &[u8] = &[0x85, 1, 0xff];
/// `keyCompromise` and `cACompromise`; all others but `aACompromise`; that one.
const SOME: &[u8] = &[0x83, 2, 5, 0x60];
const OTHERS: &[u8] = &[0x83, 2, 0, 0x1f];
const LAST: &[u8] = &[0x83, 3, 7, 0, 0x80];

fn on_behalf_of(of: &Certificate) -> Vec<u8> {
    extension("2.5.29.29", true, &sequence(&[&element(0xa4, &[&of.subject()])]))
}

fn authority_of_lists() -> Certificate {
    ca("Lister", &anchor())
}

#[test]
fn section_14_distribution_points() {
    let (plain, ca, root) = usual();
    let none: Vec<u8> = Vec::new();
    let at = |of: &str| and(&plain, &[points(&[[point(of), none.clone(), none.clone()]])]);
    let path = |signer: &Certificate| vec![signer.clone(), ca.clone()];
    let list = |parts: &[&[u8]]| clean(&ca).with(&[scope(true, parts)]);
    let with = |list: &RevocationList| vec![root.clone(), list.make()];
    let here = [point("a")];
    let relative = |common: &str| {
        element(0xa0, &[&element(0xa1, &[&sequence(&[&identifier("2.5.4.3"), &element(0x0c, &[common.as_bytes()])])])])
    };
    let at_relative = and(&plain, &[points(&[[relative("CRL1"), none.clone(), none.clone()]])]);
    let full = {
        let sets = [
            attribute("2.5.4.6", 0x13, b"DE"),
            attribute("2.5.4.3", 0x0c, b"Good CA"),
            attribute("2.5.4.3", 0x0c, b"CRL1"),
        ];
        element(0xa0, &[&element(0xa0, &[&element(0xa4, &[&sequence(&[&sets.concat()])])])])
    };
    let not_critical = |parts: &[&[u8]]| clean(&ca).with(&[scope(false, parts)]);
    let reasons = [list(SOME_OF), list(&[OTHERS]), list(&[LAST])];
    let in_parts = |count: usize, revoked: Option<usize>| -> Vec<Vec<u8>> {
        let each = reasons.iter().take(count).enumerate().map(|(at, list)| match revoked {
            Some(place) if place == at => list.clone().revoking(3, REVOKED_AT, &[]).make(),
            _ => list.make(),
        });
        [root.clone()].into_iter().chain(each).collect()
    };
    // an authority for lists, which lists for others
    let lister = Certificate { serial: 90, ..authority_of_lists() };
    let elsewhere = and(&plain, &[points(&[[none.clone(), none.clone(), crl_issuer(&lister)]])]);
    let at_elsewhere = and(&plain, &[points(&[[point("a"), none.clone(), crl_issuer(&lister)]])]);
    let indirect = clean(&lister).with(&[scope(true, &[INDIRECT])]);
    let listed = |signer: &Certificate| vec![signer.clone(), ca.clone(), lister.clone()];
    let of = on_behalf_of(&ca);
    let own_indirect = clean(&ca).with(&[scope(true, &[INDIRECT])]);
    check(
        "4.14",
        vec![
            ("1 the point's list", path(&at("a")), with(&list(&[&here[0]])), GOOD),
            ("2 revoked there", path(&at("a")), with(&list(&[&here[0]]).revoking(3, REVOKED_AT, &[])), REVOKED),
            ("3 another point's list", path(&at("b")), with(&list(&[&here[0]])), BAD),
            ("3 another point's list, not critical", path(&at("b")), with(&not_critical(&[&here[0]])), BAD),
            ("5 relative names", path(&at_relative), with(&list(&[&relative("CRL1")])), GOOD),
            ("7 relative and full name", path(&at_relative), with(&list(&[&full])), GOOD),
            (
                "8 relative names, revoked",
                path(&at_relative),
                with(&list(&[&full]).revoking(3, REVOKED_AT, &[])),
                REVOKED,
            ),
            ("9 another relative name", path(&at_relative), with(&list(&[&relative("CRL2")])), BAD),
            ("10 list without a point", path(&at("a")), with(&clean(&ca)), GOOD),
            ("list of a point, certificate without", path(&plain), with(&list(&[&here[0]])), BAD),
            ("13 users' list", path(&plain), with(&list(&[USERS])), GOOD),
            ("12 authorities' list", path(&plain), with(&list(&[AUTHORITIES])), BAD),
            ("12 authorities' list, not critical", path(&plain), with(&not_critical(&[AUTHORITIES])), BAD),
            (
                "13 authorities' list for the CA",
                path(&plain),
                vec![clean(&anchor()).with(&[scope(true, &[AUTHORITIES])]).make(), clean(&ca).make()],
                GOOD,
            ),
            (
                "11 users' list for the CA",
                path(&plain),
                vec![clean(&anchor()).with(&[scope(true, &[USERS])]).make(), clean(&ca).make()],
                BAD,
            ),
            ("14 attributes' list", path(&plain), with(&list(&[ATTRIBUTES])), BAD),
            ("15 some reasons, revoked", path(&plain), in_parts(1, Some(0)), REVOKED),
            ("16 some reasons alone", path(&plain), in_parts(2, None), BAD),
            ("18 some reasons, together all", path(&plain), in_parts(3, None), GOOD),
            ("20 some reasons, revoked in another", path(&plain), in_parts(3, Some(1)), REVOKED),
            ("24 own indirect list", path(&plain), with(&own_indirect), GOOD),
            (
                "26 own indirect list, another's entry",
                path(&plain),
                with(&own_indirect.clone().revoking(3, REVOKED_AT, &[on_behalf_of(&lister)])),
                GOOD,
            ),
            (
                "26 own indirect list, another's entry, then none named",
                path(&plain),
                with(&own_indirect.clone().revoking(8, REVOKED_AT, &[on_behalf_of(&lister)]).revoking(
                    3,
                    REVOKED_AT,
                    &[],
                )),
                GOOD,
            ),
            (
                "own indirect list, another's entry, then the issuer's",
                path(&plain),
                with(&own_indirect.clone().revoking(8, REVOKED_AT, &[on_behalf_of(&lister)]).revoking(
                    3,
                    REVOKED_AT,
                    std::slice::from_ref(&of),
                )),
                REVOKED,
            ),
            ("27 another's list without indirectCRL", listed(&elsewhere), with(&clean(&lister)), BAD),
            ("28 another's list", listed(&elsewhere), with(&indirect), GOOD),
            (
                "29 another's list of a point",
                listed(&at_elsewhere),
                with(&clean(&lister).with(&[scope(true, &[&here[0], INDIRECT])])),
                GOOD,
            ),
            (
                "31 another's list, revoked",
                listed(&elsewhere),
                with(&indirect.clone().revoking(3, REVOKED_AT, std::slice::from_ref(&of))),
                REVOKED,
            ),
            (
                "32 another's list, its own certificate revoked",
                listed(&elsewhere),
                with(&indirect.clone().revoking(3, REVOKED_AT, &[])),
                GOOD,
            ),
            ("34 another's list, not named", listed(&plain), with(&indirect), BAD),
            ("35 another's list, its issuer not at hand", path(&elsewhere), with(&indirect), BAD),
            (
                "another's list, its issuer revoked",
                listed(&elsewhere),
                vec![clean(&anchor()).revoking(90, REVOKED_AT, &[]).make(), indirect.make()],
                BAD,
            ),
        ],
    );
}

const SOME_OF: &[&[u8]] = &[SOME];

#[test]
fn section_15_delta_lists() {
    let (ee, ca, root) = usual();
    let path = vec![ee, ca.clone()];
    let delta = |own: u8, base: u8| clean(&ca).with(&[number(own), extension("2.5.29.27", true, &[2, 1, base])]);
    let complete = |own: u8| clean(&ca).with(&[number(own)]);
    let old = |own: u8| RevocationList::of(&ca, "261001000000Z", "261010000000Z").with(&[number(own)]);
    let reason = |reason: u8| extension("2.5.29.21", false, &[0x0a, 1, reason]);
    let (hold, removed) = (reason(6), reason(8));
    let with = |lists: &[&RevocationList]| -> Vec<Vec<u8>> {
        [root.clone()].into_iter().chain(lists.iter().map(|list| list.make())).collect()
    };
    let held = complete(5).revoking(3, REVOKED_AT, std::slice::from_ref(&hold));
    let lifted = delta(6, 1).revoking(3, REVOKED_AT, std::slice::from_ref(&removed));
    let newer = RevocationList { validity: ["261102000000Z".to_owned(), UNTIL.to_owned()], ..complete(7) };
    let compromised = complete(5).revoking(3, REVOKED_AT, &[reason(1)]);
    check(
        "4.15",
        vec![
            ("1 no base", path.clone(), with(&[&delta(6, 1)]), BAD),
            (
                "1 no base, not critical",
                path.clone(),
                with(&[&clean(&ca).with(&[number(6), extension("2.5.29.27", false, &[2, 1, 1])])]),
                BAD,
            ),
            ("1 no base, revoked", path.clone(), with(&[&delta(6, 1).revoking(3, REVOKED_AT, &[])]), REVOKED),
            ("2 base and delta", path.clone(), with(&[&complete(5), &delta(6, 1)]), GOOD),
            ("2 old base and delta", path.clone(), with(&[&old(5), &delta(6, 5)]), GOOD),
            ("3 revoked in the base", path.clone(), with(&[&compromised, &delta(6, 1)]), REVOKED),
            (
                "4 revoked in the delta",
                path.clone(),
                with(&[&complete(5), &delta(6, 1).revoking(3, REVOKED_AT, &[reason(1)])]),
                REVOKED,
            ),
            ("5 hold taken off by the delta", path.clone(), with(&[&held, &lifted]), GOOD),
            ("6 hold in the base", path.clone(), with(&[&held, &delta(6, 1)]), REVOKED),
            (
                "7 hold turned into a revocation",
                path.clone(),
                with(&[&held, &delta(6, 1).revoking(3, REVOKED_AT, &[reason(1)])]),
                REVOKED,
            ),
            ("9 base older than the delta's", path.clone(), with(&[&old(2), &delta(6, 4)]), BAD),
            (
                "10 delta older than its base",
                path.clone(),
                with(&[&held, &delta(4, 1).revoking(3, REVOKED_AT, std::slice::from_ref(&removed))]),
                REVOKED,
            ),
            ("hold gone from a newer list", path.clone(), with(&[&held, &newer]), GOOD),
            ("revocation gone from a newer list", path.clone(), with(&[&compromised, &newer]), REVOKED),
            ("delta of another scope", path, with(&[&held, &lifted.clone().with(&[scope(true, &[USERS])])]), REVOKED),
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

#[test]
fn lists_made_after_the_certificate_expired_are_no_proof() {
    let (signer, ca, root) = usual();
    // the time is the claimed one, at which the certificate held
    let ended = Certificate { validity: Some(["260101000000Z", "261110000000Z"]), ..signer };
    let path = vec![ended, ca.clone()];
    let late = RevocationList::of(&ca, "261120000000Z", "261220000000Z");
    let keeps = extension("2.5.29.60", false, &element(0x18, &[b"20200101000000Z"]));
    let kept_too_late = extension("2.5.29.60", false, &element(0x18, &[b"20261115000000Z"]));
    let with = |list: &RevocationList| vec![root.clone(), list.make()];
    check(
        "expiry",
        vec![
            ("list in time", path.clone(), with(&clean(&ca)), GOOD),
            ("late list", path.clone(), with(&late), BAD),
            ("late list beside one in time", path.clone(), vec![root.clone(), late.make(), clean(&ca).make()], GOOD),
            ("late list that keeps what expired", path.clone(), with(&late.clone().with(&[keeps])), GOOD),
            ("late list that keeps what expired later", path.clone(), with(&late.clone().with(&[kept_too_late])), BAD),
            ("late list that revokes", path, with(&late.revoking(3, REVOKED_AT, &[])), REVOKED),
        ],
    );
}
