//! Policies (4.8), that they are needed (4.9), mapped (4.10, 4.11) or any (4.12).

use samples::signed::{extension, identifier, sequence};

use super::{BAD, UNKNOWN, check, stack};

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
