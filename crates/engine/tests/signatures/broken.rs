//! Signatures that do not fit what they are in.

use engine::SignatureStatus;
use samples::signed::{Certificate, Cms, Hash, Inside, Key, Reference, Signing, contents, set_byte_range};

use crate::support::{
    INTACT, ODD_FORMAT, OTHER_CERTIFICATE, OTHER_CONTENT, OTHER_RANGE, OTHER_VALUE, document, flipped, judge, judged,
    metadata, place_in_value, position, signature, signed, usual, with,
};

fn certificate() -> Certificate {
    Certificate::self_signed(Key::Ed25519, "Ann Signer")
}

#[test]
fn a_byte_changed_anywhere_breaks_it() {
    let file = usual();
    assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT);
    assert_eq!(judge(&with(&file, "%PDF-1.7", "%PDF-1.6")), OTHER_CONTENT);
    assert_eq!(judge(&with(&file, "Adobe.PPKLite", "Adobe.PPKMS  ")), OTHER_CONTENT);
    let last = file.len() - 1;
    assert_eq!(judge(&[&file[..last], b"\r"].concat()), OTHER_CONTENT);
}

#[test]
fn the_answer_says_which_does_not_fit() {
    assert_eq!(
        metadata(&with(&usual(), "(Contract)", "(Contracs)")).integrity.summary,
        "The signature of “Ann Signer” does not match the file: signed content was changed."
    );
}

#[test]
fn a_signature_that_was_never_made_is_not_broken() {
    let file = usual();
    let hole = contents(&file, 0);
    let mut blank = file.clone();
    blank[hole.start + 1..hole.end - 1].fill(b'0');
    assert_eq!(judge(&blank), ODD_FORMAT);
    set_byte_range(&mut blank, 0, "0 0 0 0");
    assert_eq!(judge(&blank), ODD_FORMAT, "nor has it bytes");
    // one that came all the same does not fit
    blank[hole.start + 1..hole.start + 3].copy_from_slice(b"30");
    assert_eq!(judge(&blank), OTHER_RANGE);
}

#[test]
fn a_change_breaks_the_signatures_that_cover_it() {
    let first = document().signed(&Signing::by(Key::Ed25519).field("First"));
    let between = first.file.len();
    let file = first.signed(&Signing::by(Key::P256).field("Second")).file;
    assert_eq!(judged(&file), [INTACT, INTACT]);
    assert_eq!(judged(&with(&file, "(Contract)", "(Contracs)")), [OTHER_CONTENT, OTHER_CONTENT]);
    let at = between + position(&file[between..], "(Second)");
    let changed = [&file[..at], b"(Sec0nd)", &file[at + 8..]].concat();
    assert_eq!(judged(&changed), [INTACT, OTHER_CONTENT]);
}

#[test]
fn the_value_counts_in_every_sub_filter() {
    for (sub_filter, inside) in [
        ("adbe.pkcs7.detached", Inside::Nothing),
        ("adbe.pkcs7.sha1", Inside::Sha1),
        ("ETSI.RFC3161", Inside::TimeStamp("20261104081600Z".to_owned())),
    ] {
        let cms = Cms { inside, ..Cms::new(certificate()) };
        let file = signed(&Signing::new(cms).sub_filter(sub_filter));
        assert_eq!(judge(&with(&file, "(Contract)", "(Contracs)")), OTHER_CONTENT, "{sub_filter}");
        // the last bytes before the padding
        let end = position(&file, &"0".repeat(100));
        assert_eq!(judge(&flipped(&file, end - 2)), OTHER_VALUE, "{sub_filter}");
    }
}

#[test]
fn content_within_counts_for_nothing_where_it_should_be_elsewhere() {
    let other = signed(&Signing::by(Key::Ed25519));
    let cms = Cms { inside: Inside::Bytes(other), ..Cms::new(certificate()) };
    let signing = Signing { room: 16_000, ..Signing::new(cms) };
    assert_eq!(judge(&signed(&signing)), ODD_FORMAT);
}

#[test]
fn a_certificate_in_place_of_the_signers_is_noticed() {
    // the same key under another name, whose value therefore fits
    let mut other = certificate();
    other.subject = "Bob Forger".to_owned();
    let swapped = |reference| {
        let certificates = Some(vec![other.make()]);
        let cms = Cms { certificates, reference, ..Cms::new(certificate()) };
        judge(&signed(&Signing::new(cms)))
    };
    assert_eq!(swapped(Reference::New), OTHER_CERTIFICATE);
    assert_eq!(swapped(Reference::NewBy512), OTHER_CERTIFICATE);
    assert_eq!(swapped(Reference::Old), OTHER_CERTIFICATE);
    assert_eq!(swapped(Reference::Nothing), INTACT, "nobody can tell");
    // another key under the same name
    let forged = Certificate::self_signed(Key::OtherEd25519, "Ann Signer").make();
    for (reference, expected) in [(Reference::New, OTHER_CERTIFICATE), (Reference::Nothing, OTHER_VALUE)] {
        let cms = Cms { certificates: Some(vec![forged.clone()]), reference, ..Cms::new(certificate()) };
        assert_eq!(judge(&signed(&Signing::new(cms))), expected);
    }
    // which is of no harm while the right one is there too
    let cms = Cms { certificates: Some(vec![forged, certificate().make()]), ..Cms::new(certificate()) };
    let signature = signature(&signed(&Signing::new(cms)));
    assert_eq!(signature.status, SignatureStatus::Intact);
}

#[test]
fn a_byte_of_the_certificate_breaks_it() {
    let certificate = Certificate::self_signed(Key::Ed25519, "Ann Signer").make();
    let file = usual();
    let name = hexadecimal(b"Ann Signer");
    let issuer = place_in_value(&file, b"Ann Signer");
    let subject = issuer + 20 + position(&file[issuer + 20..], &name);
    let named = subject + 20 + position(&file[subject + 20..], &name);
    let end = place_in_value(&file, &certificate[certificate.len() - 8..]);
    for at in [issuer + 1, subject + 1, end] {
        assert_eq!(judge(&flipped(&file, at)), OTHER_CERTIFICATE, "{at}");
    }
    // by which name the signer picks it is not signed, but its digest is
    assert_eq!(judge(&flipped(&file, named + 1)), INTACT);
}

#[test]
fn what_nobody_signed_may_change() {
    let authority = Certificate::self_signed(Key::OtherEd25519, "Some Authority").make();
    let certificates = Some(vec![certificate().make(), authority.clone()]);
    let stamp = Cms::time_stamp(Certificate::self_signed(Key::OtherEd25519, "Clock"), "20261104081600Z");
    let cms = Cms { certificates, time_stamp: Some(Box::new(stamp)), ..Cms::new(certificate()) };
    let file = signed(&Signing::new(cms));
    assert!(signature(&file).timestamped_at.is_some());
    let at = place_in_value(&file, &authority[authority.len() - 8..]);
    assert_eq!(judge(&flipped(&file, at)), INTACT);
    // a time-stamp that does not fit tells no time
    let changed = with(&file, &hexadecimal(b"20261104081600Z"), &hexadecimal(b"20261104081601Z"));
    assert_eq!(judge(&changed), INTACT);
    assert_eq!(signature(&changed).timestamped_at, None);
}

#[test]
fn a_digest_that_was_put_in_place_is_noticed() {
    let file = usual();
    let changed = with(&file, "(Contract)", "(Contracs)");
    let hole = position(&changed, "/Contents <") + "/Contents ".len();
    let end = hole + position(&changed[hole..], ">") + 1;
    let digest = |file: &[u8]| hexadecimal(&Hash::Sha256.of(&[&file[..hole], &file[end..]].concat()));
    assert_eq!(judge(&with(&changed, &digest(&file), &digest(&changed))), OTHER_VALUE);
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
