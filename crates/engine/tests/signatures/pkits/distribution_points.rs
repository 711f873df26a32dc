//! Lists of distribution points, of some reasons, and by other issuers (4.14).

use samples::signed::{Certificate, RevocationList, element, extension, identifier, sequence};

use super::{BAD, GOOD, REVOKED, REVOKED_AT, anchor, and, attribute, ca, check, clean, usual};

/// A name of a distribution point.
fn point(of: &str) -> Vec<u8> {
    element(0xa0, &[&element(0xa0, &[&element(0x86, &[format!("http://ca.example/{of}.crl").as_bytes()])])])
}

/// That a certificate is to be looked up at points: names, reasons and issuers of lists, each if any.
fn points(each: &[[Vec<u8>; 3]]) -> Vec<u8> {
    let all: Vec<Vec<u8>> = each.iter().map(|parts| sequence(&[&parts.concat()])).collect();
    extension("2.5.29.31", false, &sequence(&[&all.concat()]))
}

pub(super) fn scope(is_critical: bool, parts: &[&[u8]]) -> Vec<u8> {
    extension("2.5.29.28", is_critical, &sequence(parts))
}

fn crl_issuer(of: &Certificate) -> Vec<u8> {
    element(0xa2, &[&element(0xa4, &[&of.subject()])])
}

pub(super) const USERS: &[u8] = &[0x81, 1, 0xff];
const AUTHORITIES: &[u8] = &[0x82, 1, 0xff];
const INDIRECT: &[u8] = &[0x84, 1, 0xff];
const ATTRIBUTES: &[u8] = &[0x85, 1, 0xff];
/// `keyCompromise` and `cACompromise`; all others but `aACompromise`; that one.
const SOME: &[u8] = &[0x83, 2, 5, 0x60];
const OTHERS: &[u8] = &[0x83, 2, 0, 0x1f];
const LAST: &[u8] = &[0x83, 3, 7, 0, 0x80];
const SOME_OF: &[&[u8]] = &[SOME];

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
