//! Whose signature it is: paths from signers to issuers whom the reader trusts, and what speaks against each of them.

use bytes::Bytes;
use engine::{Anchor, AnchorFault, AnchorSource, Level, Memory, Options, RevocationStatus, Signature, TimeSource};
use engine::{TrustStatus, analyze};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Certificate, Cms, Inside, Key, Reference, Signing, authority, extension, key_usage, purpose};
use samples::signed::{SignedPdf, element, identifier, name, sequence};

use crate::support::{INTACT, OTHER_CERTIFICATE, document, judge, signature, signed};

/// For what documents are signed with: `contentCommitment`.
const COMMITS: u8 = 0x40;

fn root() -> Certificate {
    Certificate::authority(Key::P384, "Root")
}

/// An authority below the root.
fn middle() -> Certificate {
    Certificate { serial: 2, ..Certificate::authority(Key::P256, "Middle").issued_by("Root", Key::P384) }
}

fn signer() -> Certificate {
    let own = Certificate::self_signed(Key::Ed25519, "Ann Signer").issued_by("Middle", Key::P256);
    Certificate { serial: 3, ..own.with(&[key_usage(COMMITS)]) }
}

/// A signature with these certificates beside the signer's own.
fn by(signer: &Certificate, others: &[Certificate]) -> Cms {
    let certificates = [signer].into_iter().chain(others).map(Certificate::make).collect();
    Cms { certificates: Some(certificates), ..Cms::new(signer.clone()) }
}

fn anchors(certificate: &Certificate) -> Vec<Anchor> {
    Anchor::read(&certificate.make(), AnchorSource::Account).expect("an issuer's certificate")
}

fn file(cms: Cms) -> Vec<u8> {
    signed(&Signing { room: 12_000, ..Signing::new(cms).sub_filter("ETSI.CAdES.detached") })
}

fn told(file: &[u8], anchors: &[Anchor]) -> Signature {
    let options = Options { anchors, ..Options::default() };
    let metadata = analyze(&Memory(Bytes::copy_from_slice(file)), &options).expect("it opens");
    metadata.integrity.signatures.into_iter().next().expect("it is signed")
}

/// What comes of a signature where the root is trusted, and why.
fn trust(cms: Cms) -> (TrustStatus, String) {
    let trust = told(&file(cms), &anchors(&root())).trust.expect("somebody is trusted");
    (trust.status, trust.because)
}

/// That a signature is not trusted, for a reason with these words.
fn refused(cms: Cms, status: TrustStatus, why: &str) {
    let (found, because) = trust(cms);
    assert_eq!(found, status, "{why}: {because}");
    assert!(because.contains(why), "{why}: {because}");
}

#[test]
fn a_chain_that_holds_leads_to_the_trusted_issuer() {
    let file = file(by(&signer(), &[middle()]));
    let signature = told(&file, &anchors(&root()));
    assert_eq!((signature.issuer_verified, signature.level), (Some(true), Some(Level::Basic)));
    let trust = signature.trust.unwrap();
    assert_eq!((trust.status, trust.revocation), (TrustStatus::Trusted, RevocationStatus::NotChecked));
    assert_eq!(trust.chain, ["Ann Signer", "Middle", "Root"]);
    assert_eq!(trust.at_source, Some(TimeSource::Claimed));
    let anchor = trust.anchor.unwrap();
    assert_eq!((anchor.name.as_str(), anchor.source), ("Root", AnchorSource::Account));
    assert_eq!(anchor.sha256, anchors(&root())[0].sha256);

    let all = |anchors: &[Anchor]| {
        let options = Options { anchors, ..Options::default() };
        analyze(&Memory(Bytes::copy_from_slice(&file)), &options).unwrap().integrity
    };
    let trusting = all(&anchors(&root()));
    assert_eq!(trusting.summary, "The file is unchanged since “Ann Signer” signed it; you trust its issuer, “Root”.");
    // whom the reader trusts changes nothing about what was done
    assert_eq!(trusting.verdict, all(&[]).verdict);
    assert_eq!(all(&[]).signatures[0].trust, None);
    let other = anchors(&Certificate::authority(Key::Rsa, "Other"));
    let summary = all(&other).summary;
    assert!(summary.contains("the signer is not trusted: no chain of certificates leads"), "{summary}");
}

/// A signed form whose only field was filled in afterwards.
fn filled_in(cms: Cms) -> Vec<u8> {
    let fonts = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let fill = |pdf: Pdf, value: &str| {
        let appearance = format!("BT /Helv 10 Tf 2 6 Td ({value}) Tj ET");
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {fonts}");
        let field = "/Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [72 600 172 620] /AP << /N 520 0 R >>";
        pdf.with(510, format!("<< {field} /V ({value}) >>")).with(520, stream(&entries, appearance.as_bytes()))
    };
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [510 0 R] >>");
    let mut document = SignedPdf::new(&fill(Pdf::new(1).with(FIRST_PAGE, page), "old"));
    document.fields = "510 0 R".to_owned();
    let signing = Signing { room: 12_000, ..Signing::new(cms).sub_filter("ETSI.CAdES.detached").certifying(2) };
    document.signed(&signing).updated(&fill(Pdf::changes(), "new")).file
}

#[test]
fn other_readers_are_not_addressed_as_those_who_trust_the_issuer() {
    // a name with the sentence's own words is quoted as it is
    let odd = Certificate { subject: "Bank; you trust its issuer, X".to_owned(), ..signer() };
    let cms = by(&odd, &[middle()]);
    let sentences = |file: Vec<u8>, source: AnchorSource| {
        let anchors = Anchor::read(&root().make(), source).expect("an issuer's certificate");
        let options = Options { anchors: &anchors, ..Options::default() };
        let integrity = analyze(&Memory(Bytes::from(file)), &options).expect("it opens").integrity;
        (integrity.summary, integrity.summary_shared)
    };
    let unchanged = "The file is unchanged since “Bank; you trust its issuer, X” signed it;";
    let (own, shared) = sentences(file(cms.clone()), AnchorSource::Account);
    assert_eq!(own, format!("{unchanged} you trust its issuer, “Root”."));
    assert_eq!(shared, Some(format!("{unchanged} whoever shared it trusts its issuer, “Root”.")));
    let signed = "Since it was signed by “Bank; you trust its issuer, X”";
    let changes = "only changes that the signature permits were made: form fields on page 1 were filled in.";
    let (own, shared) = sentences(filled_in(cms.clone()), AnchorSource::Account);
    assert_eq!(own, format!("{signed} (you trust the issuer, “Root”), {changes}"));
    assert_eq!(shared, Some(format!("{signed} (whoever shared it trusts the issuer, “Root”), {changes}")));
    let (own, shared) = sentences(file(cms), AnchorSource::Operator);
    assert_eq!((own, shared), (format!("{unchanged} its issuer, “Root”, is trusted here."), None));
}

#[test]
fn whatever_is_wrong_with_a_chain_speaks_against_it() {
    use TrustStatus::{NotTrusted, NotValidThen};
    let past = Some(["200101000000Z", "210101000000Z"]);
    let only = |certificate: Certificate| by(&signer(), &[certificate]);
    let with = |extensions: &[Vec<u8>]| by(&signer().with(extensions), &[middle()]);
    let commits = key_usage(COMMITS);
    refused(by(&signer(), &[]), NotTrusted, "No chain");
    refused(only(Certificate { issuer_key: Key::P256, ..middle() }), NotTrusted, "whose key did not sign");
    refused(only(middle().with(&[key_usage(0x06)])), NotTrusted, "is not a CA certificate");
    refused(only(middle().with(&[authority(None), key_usage(0x02)])), NotTrusted, "does not allow");
    refused(only(Certificate { version: 1, ..middle() }), NotTrusted, "is not a CA certificate");
    refused(only(Certificate { validity: past, ..middle() }), NotValidThen, "not valid at that time");
    refused(by(&Certificate { validity: past, ..signer() }, &[middle()]), NotValidThen, "not valid at that time");
    refused(with(&[]), NotTrusted, "commits to contents");
    refused(with(&[key_usage(0x80)]), NotTrusted, "commits to contents");
    refused(with(&[commits.clone(), purpose("1.3.6.1.5.5.7.3.1")]), NotTrusted, "other purposes");
    refused(
        with(&[commits.clone(), extension("1.2.3.4", true, &[5, 0])]),
        NotTrusted,
        "unrecognized critical extension",
    );
    refused(with(&[commits.clone(), commits.clone()]), NotTrusted, "cannot be read");
    let short = Certificate { key: Key::ShortRsa, ..signer() };
    refused(by(&short, &[middle()]), NotTrusted, "weak");
    let timeless = Cms { signed_at: None, ..by(&signer(), &[middle()]) };
    refused(timeless, NotTrusted, "Nothing tells when");

    // and these are no reasons
    assert_eq!(trust(with(&[commits.clone(), purpose("1.3.6.1.5.5.7.3.4")])).0, TrustStatus::Trusted);
    assert_eq!(trust(with(&[commits.clone(), extension("1.2.3.4", false, &[5, 0])])).0, TrustStatus::Trusted);
    let both = [Certificate { issuer_key: Key::P256, ..middle() }, middle()];
    assert_eq!(trust(by(&signer(), &both)).0, TrustStatus::Trusted, "one that holds is enough");
}

#[test]
fn an_authority_says_how_deep_and_for_whom_it_issues() {
    let deep = |length| {
        let first = middle().with(&[authority(length), key_usage(0x06)]);
        let second = Certificate { serial: 9, ..Certificate::authority(Key::OtherEd25519, "Second") };
        let own = Certificate { issuer: "Second".to_owned(), issuer_key: Key::OtherEd25519, ..signer() };
        trust(by(&own, &[first, second.issued_by("Middle", Key::P256)])).0
    };
    assert_eq!(
        [deep(None), deep(Some(1)), deep(Some(0))],
        [TrustStatus::Trusted, TrustStatus::Trusted, TrustStatus::NotTrusted]
    );

    let constrained = |kind: u8, base: Vec<u8>| {
        let subtrees = element(kind, &[&sequence(&[&element(0xa4, &[&base])])]);
        middle().with(&[authority(None), extension("2.5.29.30", true, &sequence(&[&subtrees]))])
    };
    let holds = |kind, whom: &str| trust(by(&signer(), &[constrained(kind, name(whom))])).0 == TrustStatus::Trusted;
    let (permitted, excluded) = (0xa0, 0xa1);
    assert!(holds(permitted, "ANN  signer"), "neither case nor spaces count");
    assert!(!holds(permitted, "Bob Signer"));
    assert!(!holds(excluded, "Ann Signer"));
    assert!(holds(excluded, "Bob Signer"));
}

#[test]
fn policies_count_where_an_authority_demands_one() {
    let policy = |id: &str| extension("2.5.29.32", false, &sequence(&[&sequence(&[&identifier(id)])]));
    let demands = extension("2.5.29.36", true, &sequence(&[&[0x80, 1, 0]]));
    let demanding = middle().with(&[authority(None), policy("1.2.3"), demands]);
    let own = |extensions: &[Vec<u8>]| {
        let extensions = [&[key_usage(COMMITS)], extensions].concat();
        trust(by(&signer().with(&extensions), std::slice::from_ref(&demanding))).0
    };
    assert_eq!(own(&[policy("1.2.3")]), TrustStatus::Trusted);
    assert_eq!(own(&[policy("2.5.29.32.0")]), TrustStatus::Trusted, "any policy");
    assert_eq!(own(&[policy("1.2.4")]), TrustStatus::NotTrusted);
    assert_eq!(own(&[]), TrustStatus::NotTrusted);
}

#[test]
fn a_revocation_counts_whoever_brings_it_along() {
    use RevocationStatus::{Good, NotChecked, Revoked};
    let (made, until) = ("261104000000Z", "261204000000Z");
    let of_root = root().revocations(&[], made, until);
    let told_by = |revocations: &[Vec<u8>]| {
        let cms = Cms { revocations: revocations.to_vec(), ..by(&signer(), &[middle()]) };
        let trust = told(&file(cms), &anchors(&root())).trust.unwrap();
        (trust.status, trust.revocation)
    };
    let list = |revoked: &[(u8, &str)]| middle().revocations(revoked, made, until);
    assert_eq!(told_by(&[of_root.clone(), list(&[])]), (TrustStatus::Trusted, Good));
    assert_eq!(told_by(&[list(&[])]), (TrustStatus::Trusted, NotChecked), "of the authority nothing is known");
    assert_eq!(told_by(&[of_root.clone(), list(&[(4, made)])]), (TrustStatus::Trusted, Good), "another one");
    assert_eq!(told_by(&[of_root.clone(), list(&[(3, made)])]), (TrustStatus::Revoked, Revoked));
    // the signer's clock proves nothing: it may have been later
    assert_eq!(told_by(&[of_root.clone(), list(&[(3, "261201000000Z")])]), (TrustStatus::Revoked, Revoked));
    assert_eq!(told_by(&[root().revocations(&[(2, made)], made, until)]), (TrustStatus::Revoked, Revoked));
    // a list by somebody else, or one that was out of date, leaves a doubt
    let forged = Certificate { key: Key::Rsa, ..middle() }.revocations(&[], made, until);
    assert_eq!(told_by(&[of_root.clone(), forged]), (TrustStatus::NotTrusted, NotChecked));
    let old = middle().revocations(&[], "250101000000Z", "250201000000Z");
    assert_eq!(told_by(&[of_root.clone(), old]), (TrustStatus::NotTrusted, NotChecked));

    let (made, until) = ("20261104000000Z", "20261204000000Z");
    let answer = |by: &Certificate, revoked| signer().answer(&middle(), by, revoked, made, until);
    assert_eq!(told_by(&[of_root.clone(), answer(&middle(), None)]), (TrustStatus::Trusted, Good));
    assert_eq!(told_by(&[of_root.clone(), answer(&middle(), Some(made))]), (TrustStatus::Revoked, Revoked));
    let other = Certificate::self_signed(Key::Rsa, "Answers").issued_by("Middle", Key::P256);
    let charged = other.clone().with(&[purpose("1.3.6.1.5.5.7.3.9")]);
    assert_eq!(told_by(&[of_root.clone(), answer(&charged, None)]), (TrustStatus::Trusted, Good));
    assert_eq!(told_by(&[of_root, answer(&other, None)]), (TrustStatus::NotTrusted, NotChecked), "nobody charged it");
}

#[test]
fn a_time_stamp_proves_when_if_its_maker_is_trusted() {
    let clock = Certificate { serial: 7, ..Certificate::self_signed(Key::Rsa, "Clock").issued_by("Root", Key::P384) };
    let clock = clock.with(&[key_usage(0x80), purpose("1.3.6.1.5.5.7.3.8")]);
    let stranger = Certificate::self_signed(Key::Rsa, "Clock").with(&[purpose("1.3.6.1.5.5.7.3.8")]);
    let (made, until) = ("261201000000Z", "261231000000Z");
    let lists = vec![root().revocations(&[], made, until), middle().revocations(&[(3, made)], made, until)];
    let stamped = |clock: &Certificate, validity| {
        let stamp = Cms::time_stamp(clock.clone(), "20261104081600Z");
        let signer = Certificate { validity, ..signer() };
        let cms = Cms { time_stamp: Some(Box::new(stamp)), revocations: lists.clone(), ..by(&signer, &[middle()]) };
        let signature = told(&file(cms), &anchors(&root()));
        assert_eq!(signature.signed_at.authority.as_deref(), Some("Clock"));
        assert_eq!(signature.signed_at.source, Some(TimeSource::Timestamp));
        signature.trust.unwrap().status
    };
    assert_eq!(stamped(&clock, None), TrustStatus::Trusted, "revoked later");
    assert_eq!(stamped(&stranger, None), TrustStatus::Revoked, "which a clock of one's own does not prove");
    // nor does it make a signature of a time when the certificate was good
    let ended = Some(["200101000000Z", "261104081530Z"]);
    assert_eq!(stamped(&stranger, ended), TrustStatus::NotValidThen);
}

/// An authority for time-stamps below the root.
fn clock() -> Certificate {
    let clock = Certificate::self_signed(Key::Rsa, "Clock").issued_by("Root", Key::P384);
    Certificate { serial: 7, ..clock.with(&[key_usage(0x80), purpose("1.3.6.1.5.5.7.3.8")]) }
}

#[test]
fn an_authority_that_the_file_shows_revoked_proves_no_time() {
    let (made, until) = ("261201000000Z", "261231000000Z");
    let with = |of_root: &[(u8, &str)]| {
        let revocations =
            vec![root().revocations(of_root, made, until), middle().revocations(&[(3, made)], made, until)];
        let stamp = Cms::time_stamp(clock(), "20261104081600Z");
        trust(Cms { time_stamp: Some(Box::new(stamp)), revocations, ..by(&signer(), &[middle()]) }).0
    };
    assert_eq!(with(&[]), TrustStatus::Trusted);
    assert_eq!(with(&[(7, made)]), TrustStatus::Revoked, "after the time that it states");
    assert_eq!(with(&[(7, "261101000000Z")]), TrustStatus::Revoked, "before");
}

#[test]
fn a_time_stamp_of_the_document_proves_when_all_that_it_covers_was_signed() {
    let (made, until) = ("261201000000Z", "261231000000Z");
    let judged = |clock: &Certificate, revoked: &'static str| {
        let lists = vec![root().revocations(&[], made, until), middle().revocations(&[(3, revoked)], made, until)];
        let own = Cms { revocations: lists, ..by(&signer(), &[middle()]) };
        let own = Signing { room: 12_000, ..Signing::new(own).sub_filter("ETSI.CAdES.detached") };
        let stamp = Signing::new(Cms::time_stamp(clock.clone(), "20261105081600Z")).field("Stamp");
        let file = document().signed(&own).signed(&stamp.sub_filter("ETSI.RFC3161")).file;
        let signature = told(&file, &anchors(&root()));
        // the signer's own clock is what it was
        assert_eq!(signature.signed_at.source, Some(TimeSource::Claimed));
        let trust = signature.trust.unwrap();
        (trust.status, trust.at_source)
    };
    let stamped = Some(TimeSource::Timestamp);
    assert_eq!(judged(&clock(), "261110000000Z"), (TrustStatus::Trusted, stamped), "revoked after it");
    assert_eq!(judged(&clock(), "261104120000Z").0, TrustStatus::Revoked, "before it");
    let stranger = Certificate::self_signed(Key::Rsa, "Clock").with(&[purpose("1.3.6.1.5.5.7.3.8")]);
    assert_eq!(judged(&stranger, "261110000000Z").0, TrustStatus::Revoked, "by nobody that is trusted");
}

#[test]
fn a_responder_that_the_file_shows_revoked_is_not_believed() {
    let (made, until) = ("261104000000Z", "261204000000Z");
    let of_root = root().revocations(&[], made, until);
    let responder = |extensions: &[Vec<u8>]| {
        let own = Certificate::self_signed(Key::Rsa, "Answers").issued_by("Middle", Key::P256);
        Certificate { serial: 5, ..own.with(extensions) }
    };
    let judged = |extensions: &[Vec<u8>], revoked: &[(u8, &str)]| {
        let answer = signer().answer(&middle(), &responder(extensions), None, "20261104000000Z", "20261204000000Z");
        // out of date for the signer, and still proof of a revocation
        let old = middle().revocations(revoked, "260901000000Z", "260902000000Z");
        let found = told(
            &file(Cms { revocations: vec![of_root.clone(), old, answer], ..by(&signer(), &[middle()]) }),
            &anchors(&root()),
        );
        let trust = found.trust.unwrap();
        (trust.status, trust.revocation)
    };
    let (answers, signs) = (purpose("1.3.6.1.5.5.7.3.9"), key_usage(0x80));
    let good = (TrustStatus::Trusted, RevocationStatus::Good);
    let doubtful = (TrustStatus::NotTrusted, RevocationStatus::NotChecked);
    assert_eq!(judged(&[answers.clone(), signs.clone()], &[(9, "260801000000Z")]), good);
    assert_eq!(judged(&[answers.clone(), signs], &[(5, "260801000000Z")]), doubtful);
    assert_eq!(judged(std::slice::from_ref(&answers), &[]), good, "without any keyUsage");
    assert_eq!(judged(&[answers, key_usage(0x20)], &[]), doubtful, "a key that signs nothing");
}

#[test]
fn names_are_shown_as_they_are_read() {
    let odd = Certificate { subject: "A\u{202e}knaB\u{200b}".to_owned(), ..signer() };
    let signature = told(&file(by(&odd, &[middle()])), &anchors(&root()));
    assert_eq!(signature.signer.as_deref(), Some("AknaB"));
    assert_eq!(signature.trust.unwrap().chain[0], "AknaB");
}

#[test]
fn an_unknown_state_of_revocation_is_said() {
    let reason = |cms: Cms| {
        let anchors = anchors(&root());
        let options = Options { anchors: &anchors, ..Options::default() };
        let integrity = analyze(&Memory(Bytes::from(file(cms))), &options).unwrap().integrity;
        integrity.reason.unwrap().phrase
    };
    assert_eq!(reason(by(&signer(), &[middle()])), "As signed; you trust its issuer; revocation not checked");
    let (made, until) = ("261101000000Z", "261201000000Z");
    let revocations = vec![root().revocations(&[], made, until), middle().revocations(&[], made, until)];
    assert_eq!(reason(Cms { revocations, ..by(&signer(), &[middle()]) }), "As signed; you trust its issuer");
}

#[test]
fn a_certificate_put_in_place_of_the_signers_is_no_issuers() {
    // the same key, issuer and number, and another name, which nobody signed
    let fake = Certificate { subject: "Great Bank".to_owned(), issuer_key: Key::Rsa, ..signer() };
    let certificates = Some(vec![fake.make(), middle().make()]);
    let bound = Cms { certificates: certificates.clone(), ..Cms::new(signer()) };
    assert_eq!(judge(&file(bound)), OTHER_CERTIFICATE);
    let unbound = file(Cms { certificates, reference: Reference::Nothing, ..Cms::new(signer()) });
    assert_eq!(judge(&unbound), INTACT);
    let signature = told(&unbound, &anchors(&root()));
    assert_eq!((signature.signer.as_deref(), signature.issuer_verified), (Some("Great Bank"), Some(false)));
    assert_eq!(signature.trust.unwrap().status, TrustStatus::NotTrusted);
}

#[test]
fn levels_rise_by_what_is_there() {
    let stamp = |at: &str| Cms::time_stamp(Certificate::self_signed(Key::P384, "Clock"), at);
    let lists = vec![
        root().revocations(&[], "261104000000Z", "261204000000Z"),
        middle().revocations(&[], "261104000000Z", "261204000000Z"),
    ];
    let own = by(&signer(), &[middle(), root()]);
    let stamped = Cms { time_stamp: Some(Box::new(stamp("20261104081600Z"))), ..own.clone() };
    assert_eq!(signature(&file(own.clone())).level, Some(Level::Basic));
    assert_eq!(signature(&file(stamped.clone())).level, Some(Level::Timestamped));
    let long = Cms { revocations: lists, ..stamped };
    assert_eq!(signature(&file(long)).level, Some(Level::LongTerm));
    assert_eq!(signature(&file(Cms { reference: Reference::Nothing, ..own.clone() })).level, None, "no PAdES");
    // a time-stamp of the document proves the time of what it covers
    let twice = document().signed(&Signing { room: 12_000, ..Signing::new(own).sub_filter("ETSI.CAdES.detached") });
    let cms = Cms { inside: Inside::TimeStamp("20261104081700Z".to_owned()), ..stamp("20261104081700Z") };
    let twice = twice.signed(&Signing::new(cms).field("Stamp").sub_filter("ETSI.RFC3161"));
    assert_eq!(told(&twice.file, &[]).level, Some(Level::Timestamped));
}

#[test]
fn only_issuers_are_anchors() {
    let read = |bytes: &[u8]| Anchor::read(bytes, AnchorSource::Operator);
    assert_eq!(read(b"hello"), Err(AnchorFault::Nothing));
    assert_eq!(read(b"-----BEGIN CERTIFICATE-----\nMII"), Err(AnchorFault::Unreadable(1)));
    assert_eq!(read(&signer().make()), Err(AnchorFault::NoAuthority(1)));
    let twice = [root().make(), vec![0]].concat();
    assert_eq!(read(&twice), Err(AnchorFault::Unreadable(1)), "with more behind it");
    assert_eq!(read(&middle().make()).unwrap()[0].name, "Middle", "it need not be the last one");
    // what looks like a certificate within a line, such as a name, is none
    let named = b"# List CA -----BEGIN CERTIFICATE-----MII-----END CERTIFICATE-----\n";
    assert_eq!(read(named), Err(AnchorFault::Nothing));
    // what somebody issued to himself is his own to trust
    let own = Certificate::self_signed(Key::Ed25519, "Ann");
    let trust = told(&file(Cms::new(own.clone())), &anchors(&own)).trust.unwrap();
    assert_eq!((trust.status, trust.chain), (TrustStatus::Trusted, vec!["Ann".to_owned()]));
}
