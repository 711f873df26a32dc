//! Revocation lists: complete ones (4.4), deltas (4.15), and lists made after a certificate expired.

use samples::signed::{Certificate, Key, RevocationList, element, extension, key_usage, name};

use super::distribution_points::{USERS, scope};
use super::{BAD, GOOD, REVOKED, REVOKED_AT, UNKNOWN, UNTIL, anchor, check, clean, issued, usual};

fn number(number: u8) -> Vec<u8> {
    extension("2.5.29.20", false, &[2, 1, number])
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
