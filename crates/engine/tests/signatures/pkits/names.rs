//! Names: their comparison along a path (4.3) and their constraints (4.13).

use samples::signed::{element, extension, sequence};

use super::{BAD, UNKNOWN, anchor, attribute, ca, check, ee, stack};

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
