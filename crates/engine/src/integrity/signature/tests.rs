//! Results of signature checks on generated files, beyond what the report contains.

mod crowds;

use bytes::Bytes;
use samples::pdf::{CATALOG, Pdf};
use samples::signed::{Certificate, Cms, Hash, Inside, Key, SignedPdf, Signing, field_number, value_number};

use super::locks::Locks;
use super::{Anchor, CheckedSignature, Signatures, check, weakness};
use crate::integrity::findings::Findings;
use crate::integrity::report::{SignatureKind, SignatureReason, SignatureStatus, Strength};
use crate::integrity::signal::SignalId;
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::input::source::Memory;

/// The signatures of a file.
fn signatures(file: &[u8]) -> Signatures {
    signatures_by(file, &[])
}

/// The same with these anchors.
fn signatures_by(file: &[u8], anchors: &[Anchor]) -> Signatures {
    let source = Memory(Bytes::copy_from_slice(file));
    let mut document = Document::open(&source, TimeLimit::new(None, None)).expect("it opens");
    document.load(None).expect("its cross-reference is sound");
    let catalog = document.catalog().expect("it has one");
    let form = FormFields::read(&mut document.newest()).expect("it can be read");
    check(&mut document, &catalog, &form, anchors).expect("it can be read")
}

/// The only signature of a file, which is intact.
fn signature(document: &SignedPdf) -> CheckedSignature {
    let [checked] = &signatures(&document.file).checked[..] else { panic!("there is not one signature") };
    assert_eq!(checked.reported.status, SignatureStatus::Intact);
    checked.clone()
}

fn document() -> SignedPdf {
    SignedPdf::new(&Pdf::new(1).info("/Title (Contract)"))
}

#[test]
fn every_signature_is_returned_oldest_first() {
    let mut document = document();
    for index in 0..105 {
        document =
            document.signed(&Signing { room: 1_000, ..Signing::by(Key::Ed25519).field(&format!("Field {index}")) });
    }
    let found = signatures(&document.file);
    let names: Vec<_> = found.checked.iter().filter_map(|checked| checked.reported.field.clone()).collect();
    assert_eq!(names, (0..105).map(|index| format!("Field {index}")).collect::<Vec<_>>());
    assert!(!found.is_truncated && found.checked.iter().all(|checked| !checked.is_moved));
    // signatures beyond the limit are not intact
    let judged = |checked: &CheckedSignature| (checked.reported.status, checked.reported.reason);
    let (oldest, newest) = found.checked.split_at(5);
    let unchecked = (SignatureStatus::Unchecked, Some(SignatureReason::TooMany));
    assert!(oldest.iter().all(|checked| judged(checked) == unchecked));
    assert!(newest.iter().all(|checked| judged(checked) == (SignatureStatus::Intact, None)));
}

#[test]
fn fields_beyond_those_looked_at_are_not_passed_over_in_silence() {
    let with = |count: usize| {
        let mut document = document();
        document.fields = "<< /T (a) >> ".repeat(count);
        signatures(&document.signed(&Signing::by(Key::Ed25519)).file).is_truncated
    };
    assert!(!with(19_999));
    assert!(with(20_000));
    let deep = |levels: u32| {
        let mut document = document();
        document.fields = "1000 0 R".to_owned();
        let mut fields = Pdf::changes();
        for level in 0..levels {
            fields = fields.with(1_000 + level, format!("<< /T (a) /Kids [{} 0 R] >>", 1_001 + level));
        }
        let signing = Signing { changes: fields, ..Signing::by(Key::Ed25519) };
        signatures(&document.signed(&signing).file).is_truncated
    };
    assert!(!deep(30));
    assert!(deep(40));
}

#[test]
fn weak_algorithms_are_noted() {
    let by = |key, hash| Cms { hash, ..Cms::new(Certificate::self_signed(key, "Ann Signer")) };
    let cases = [
        (by(Key::Rsa, Hash::Sha256), None),
        (by(Key::Rsa2047, Hash::Sha256), None),
        (by(Key::Rsa2041, Hash::Sha224), None),
        (by(Key::P256, Hash::Sha256), None),
        (by(Key::Rsa, Hash::Sha1), Some("SHA1")),
        (by(Key::P256, Hash::Sha1), Some("SHA1")),
        (Cms { value_hash: Some(Hash::Sha1), ..by(Key::Rsa, Hash::Sha256) }, Some("SHA1")),
        (by(Key::ShortRsa, Hash::Sha256), Some("RSA-1024")),
        (by(Key::ShortRsa, Hash::Sha1), Some("SHA1, RSA-1024")),
    ];
    for (cms, expected) in cases {
        let checked = signature(&document().signed(&Signing::new(cms)));
        assert_eq!(checked.weak_algorithm.as_deref(), expected, "{:?}", checked.reported.algorithm);
    }
    let cms = Cms { inside: Inside::Sha1, ..by(Key::P256, Hash::Sha256) };
    let checked = signature(&document().signed(&Signing::new(cms).sub_filter("adbe.pkcs7.sha1")));
    assert_eq!(checked.weak_algorithm.as_deref(), Some("SHA1"), "in between");
}

#[test]
fn a_weak_algorithm_is_told_of_what_fits() {
    let cms = Cms { hash: Hash::Sha1, ..Cms::new(Certificate::self_signed(Key::ShortRsa, "Ann Signer")) };
    let checked = signature(&document().signed(&Signing::new(cms).field("Buyer")));
    let mut broken = checked.clone();
    broken.reported.status = SignatureStatus::Broken;
    let strong = signature(&document().signed(&Signing::by(Key::P256)));
    let mut findings = Findings::default();
    weakness::record(&[broken, checked, strong], &mut findings);
    let [signal] = &findings.finish()[..] else { panic!("there is one signal") };
    assert_eq!((signal.id, signal.strength, signal.evidence_total), (SignalId::WeakAlgorithm, Strength::Weak, 1));
    assert_eq!(signal.summary, "A signature matches, but uses an algorithm that is no longer considered secure.");
    let evidence = &signal.evidence[0];
    assert_eq!((evidence.place.as_deref(), evidence.after.as_deref()), (Some("Buyer"), Some("SHA1, RSA-1024")));
    assert_eq!(evidence.object, Some(value_number(0)));
}

#[test]
fn what_is_permitted_is_what_was_signed() {
    let entries = "/Reference [<< /TransformMethod /DocMDP /TransformParams 801 0 R >> \
                   << /TransformMethod /FieldMDP /TransformParams 802 0 R >>]";
    let permissions = |level, fields: &str| {
        Pdf::changes()
            .with(801, format!("<< /P {level} >>"))
            .with(802, format!("<< /Action /Include /Fields [{fields}] >>"))
    };
    let signing =
        Signing { entries: entries.to_owned(), changes: permissions(1, "(Name)"), ..Signing::by(Key::Ed25519) };
    let signed = document().signed(&signing);
    let locked = Some(Locks::Include(vec!["Name".to_owned()]));
    for document in [signed.clone(), signed.clone().updated(&permissions(3, ""))] {
        let checked = signature(&document);
        assert_eq!((checked.reported.permits, checked.locks, checked.is_moved), (Some(1), locked.clone(), false));
    }
    // unreadable parameters permit nothing
    let dangling = Signing { changes: Pdf::changes(), ..signing };
    let signed = document().signed(&dangling);
    for document in [signed.clone(), signed.updated(&permissions(3, ""))] {
        assert_eq!(signature(&document).reported.permits, Some(1));
    }
}

#[test]
fn locks_of_more_fields_than_are_kept_lock_all() {
    let locks = |action: &str, count| {
        let names = "(Name) ".repeat(count);
        let field_entries = format!("/Lock << /Type /SigFieldLock /Action /{action} /Fields [{names}] >>");
        signature(&document().signed(&Signing { field_entries, ..Signing::by(Key::Ed25519) })).locks
    };
    assert_eq!(locks("Include", 1_001), Some(Locks::All));
    assert_eq!(locks("Exclude", 1_001), Some(Locks::Exclude(vec!["Name".to_owned(); 1_000])));
}

#[test]
fn a_lock_or_certification_that_came_later_counts_for_nothing() {
    let signed = document().signed(&Signing::by(Key::Ed25519).field("Buyer"));
    let (field, value) = (field_number(0), value_number(0));
    let text = |lock: &str| format!("<< /FT /Sig /T (Buyer) /V {value} 0 R {lock} >>");
    let lock = "/Lock << /Type /SigFieldLock /Action /Exclude /Fields [] /P 3 >>";
    let checked = signature(&signed.clone().updated(&Pdf::changes().with(field, text(lock))));
    assert_eq!((checked.reported.permits, checked.locks, checked.is_moved), (None, None, false));
    let mut certified = signed;
    certified.catalog = format!("/Perms << /DocMDP {value} 0 R >>");
    let changes = certified.with_catalog(Pdf::changes());
    assert_eq!(signature(&certified.updated(&changes)).reported.kind, SignatureKind::Approval);
}

#[test]
fn a_signature_is_that_of_the_field_which_was_signed() {
    let signed = document().signed(&Signing::by(Key::Ed25519).field("Buyer"));
    let (field, value) = (field_number(0), value_number(0));
    let reported = |document: &SignedPdf| {
        let checked = signature(document);
        (checked.reported.field, checked.is_moved)
    };
    let buyer = Some("Buyer".to_owned());
    assert_eq!(reported(&signed), (buyer.clone(), false));
    assert_eq!(reported(&signed.clone().updated(&Pdf::changes().info("/Title (Other)"))), (buyer.clone(), false));
    // renaming the field in an update is unsigned and changes nothing
    let renamed = Pdf::changes().with(field, format!("<< /FT /Sig /T (Seller) /V {value} 0 R >>"));
    assert_eq!(reported(&signed.clone().updated(&renamed)), (buyer.clone(), false));

    let other = format!("<< /FT /Sig /T (Seller) /V {value} 0 R >>");
    let shown_in = |fields: &str, buyer: Option<&str>| {
        let form = format!("/AcroForm << /Fields [{fields}] /SigFlags 3 >>");
        let mut changes = Pdf::changes().catalog(&form).with(800, &other);
        if let Some(text) = buyer {
            changes.set(field, text);
        }
        reported(&signed.clone().updated(&changes))
    };
    let unsigned = "<< /FT /Sig /T (Buyer) >>";
    assert_eq!(shown_in("800 0 R", None), (buyer.clone(), true), "instead");
    assert_eq!(shown_in(&format!("{field} 0 R 800 0 R"), Some(unsigned)), (buyer.clone(), true), "taken from it");
    assert_eq!(shown_in(&format!("800 0 R {field} 0 R"), None), (buyer.clone(), true), "first");
    assert_eq!(shown_in(&format!("{field} 0 R 800 0 R"), None), (buyer.clone(), true), "as well");
    assert_eq!(shown_in(&other, None), (buyer.clone(), true), "without a number");
}

#[test]
fn a_signature_that_the_signed_state_does_not_lead_to_is_moved() {
    let signed = document().signed(&Signing::by(Key::Ed25519).field("Buyer"));
    // an old state without the signature is presented as the newest one, with the signature's objects listed again
    let oldest = 1 + document().file.windows(6).rposition(|window| window == b"\nxref\n").expect("it has one");
    let at = |number: u32| {
        let header = format!("\n{number} 0 obj\n");
        1 + signed.file.windows(header.len()).rposition(|window| window == header.as_bytes()).expect("it is there")
    };
    let entries: String = [CATALOG, field_number(0), value_number(0)]
        .map(|number| format!("{number} 1\n{:010} 00000 n \n", at(number)))
        .concat();
    let trailer = format!("<< /Size 900 /Root {CATALOG} 0 R /Prev {oldest} >>");
    let end = format!("xref\n{entries}trailer\n{trailer}\nstartxref\n{}\n%%EOF\n", signed.file.len());
    let file = [&signed.file[..], end.as_bytes()].concat();
    let found = signatures(&file);
    let reported: Vec<_> = found.checked.iter().map(|checked| (checked.reported.status, checked.is_moved)).collect();
    assert_eq!(reported, [(SignatureStatus::Intact, true)]);
}
