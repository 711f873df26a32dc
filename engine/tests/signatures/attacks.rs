//! Published attacks: what is broken is called so, and no file that was changed since is called unchanged.

use engine::{SignatureStatus, Verdict};
use samples::signed::attacks::{Effect, all};

use crate::support::metadata;

#[test]
fn published_attacks_are_seen() {
    let mut wrong = Vec::new();
    for attack in all() {
        let integrity = metadata(&attack.file).integrity;
        let is_broken = integrity.signatures.iter().any(|found| found.status == SignatureStatus::Broken);
        println!("{:50} {:?} {:?}", attack.name, integrity.verdict, integrity.because);
        let is_as_expected = !integrity.signatures.is_empty()
            && is_broken == (attack.effect == Effect::Broken)
            && match attack.effect {
                Effect::Broken | Effect::Forbidden => integrity.verdict == Verdict::ChangedSinceSigning,
                Effect::ByTheLetter => integrity.verdict != Verdict::NoSigns,
            };
        if !is_as_expected {
            wrong.push((attack.name, integrity.verdict, integrity.signatures));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
