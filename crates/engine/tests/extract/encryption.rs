//! Encrypted files: every cipher, either password, and what is permitted.

use engine::{Algorithm, Reason};
use samples::pdf::{Cipher, Pdf, encrypted};

use crate::locked::{Locked, Perms};
use crate::support::{open, open_by, refused, replaced};

const CIPHERS: [(Cipher, Algorithm, u32); 6] = [
    (Cipher::Rc4Of40, Algorithm::Rc4, 40),
    (Cipher::Rc4Of128, Algorithm::Rc4, 128),
    (Cipher::Rc4ByFilter, Algorithm::Rc4, 128),
    (Cipher::Aes128, Algorithm::Aes128, 128),
    (Cipher::Aes256OfR5, Algorithm::Aes256, 256),
    (Cipher::Aes256, Algorithm::Aes256, 256),
];

fn plain() -> Vec<u8> {
    Pdf::new(2).info("/Title (Secret) /Author (Ada)").xmp("<pdf:Producer>Maker</pdf:Producer>").classic()
}

#[test]
fn the_empty_password_opens_without_asking() {
    for (cipher, algorithm, bits) in CIPHERS {
        let metadata = open(&encrypted(&plain(), cipher, "", "owner"));
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{cipher:?}");
        assert_eq!(metadata.document.producer.as_deref(), Some("Maker"), "{cipher:?}");
        assert_eq!(metadata.basic.pages, 2);
        assert!(metadata.security.encrypted);
        assert_eq!(metadata.security.algorithm, Some(algorithm), "{cipher:?}");
        assert_eq!(metadata.security.key_bits, Some(bits), "{cipher:?}");
    }
}

#[test]
fn a_locked_file_opens_by_either_password_only() {
    for (cipher, ..) in CIPHERS {
        let file = encrypted(&plain(), cipher, "user", "owner");
        assert_eq!(refused(&file, None), Reason::PasswordRequired, "{cipher:?}");
        assert_eq!(refused(&file, Some("guess")), Reason::WrongPassword, "{cipher:?}");
        assert_eq!(refused(&file, Some("")), Reason::WrongPassword, "{cipher:?}");
        for password in ["user", "owner"] {
            let metadata = open_by(&file, password);
            assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{cipher:?} {password}");
        }
    }
}

#[test]
fn a_password_does_no_harm_where_none_is_needed() {
    let metadata = open_by(&encrypted(&plain(), Cipher::Aes128, "", "owner"), "whatever");
    assert_eq!(metadata.document.title.as_deref(), Some("Secret"));
    assert!(!open_by(&plain(), "whatever").security.encrypted);
}

#[test]
fn passwords_beyond_ascii_work() {
    for cipher in [Cipher::Rc4Of128, Cipher::Aes256] {
        let file = encrypted(&plain(), cipher, "pässwörd", "owner");
        assert_eq!(open_by(&file, "pässwörd").document.title.as_deref(), Some("Secret"), "{cipher:?}");
    }
}

#[test]
fn an_empty_owner_password_opens_every_revision() {
    for (cipher, ..) in CIPHERS {
        let metadata = open(&encrypted(&plain(), cipher, "user", ""));
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{cipher:?}");
    }
}

#[test]
fn passwords_open_however_they_were_encoded() {
    // the same bytes as UTF-8 in Windows-1252, as Windows-1252, and as PDFDocEncoding
    for (written, typed) in [
        ("M\u{c3}\u{bc}ller", "M\u{fc}ller"),
        ("M\u{c3}\u{bc}ller", "Mu\u{308}ller"),
        ("M\u{fc}ller", "Mu\u{308}ller"),
        ("\u{2022}uro", "\u{20ac}uro"),
        ("\u{20ac}uro", "\u{20ac}uro"),
        ("\u{fb01}x", "\u{fb01}x"),
        ("fix", "\u{fb01}x"),
    ] {
        for (user, owner) in [(written, "owner"), ("user", written)] {
            let file = encrypted(&plain(), Cipher::Rc4Of128, user, owner);
            assert_eq!(open_by(&file, typed).document.title.as_deref(), Some("Secret"), "{written} {typed}");
        }
    }
    // composed, decomposed, as typed, and prepared
    for (written, typed) in [
        ("M\u{fc}ller", "Mu\u{308}ller"),
        ("Mu\u{308}ller", "Mu\u{308}ller"),
        ("Mu\u{308}ller", "M\u{fc}ller"),
        ("\u{fb01}x", "\u{fb01}x"),
        ("fix", "\u{fb01}x"),
        ("a\u{a0}b", "a\u{a0}b"),
        ("a b", "a\u{a0}b"),
        (&"\u{fc}".repeat(70), &"\u{fc}".repeat(70)),
    ] {
        for (user, owner) in [(written, "owner"), ("user", written)] {
            let file = Locked { user, owner, ..Locked::default() }.file();
            assert_eq!(open_by(&file, typed).document.title.as_deref(), Some("Secret"), "{written} {typed}");
            assert_eq!(refused(&file, Some("guess")), Reason::WrongPassword);
        }
    }
    let long = "y".repeat(200);
    let file = Locked { user: &long, is_uncut: true, ..Locked::default() }.file();
    assert_eq!(open_by(&file, &long).document.title.as_deref(), Some("Secret"));
}

#[test]
fn permissions_that_nothing_confirms_refuse_nobody() {
    let verified = |perms: Perms| {
        let metadata = open(&Locked { perms, ..Locked::default() }.file());
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{perms:?}");
        metadata.security.permissions_verified
    };
    assert_eq!(verified(Perms::Right), Some(true));
    for wrong in [Perms::Missing, Perms::Zero, Perms::Short, Perms::OfOthers, Perms::OfPlainMetadata] {
        assert_eq!(verified(wrong), Some(false), "{wrong:?}");
    }
    // before, the key depends on them
    assert_eq!(open(&encrypted(&plain(), Cipher::Aes128, "", "owner")).security.permissions_verified, None);
    assert_eq!(open(&plain()).security.permissions_verified, None);
}

#[test]
fn no_password_is_asked_for_that_cannot_help() {
    let file = Locked { user: "user", ..Locked::default() }.file();
    assert_eq!(refused(&file, None), Reason::PasswordRequired);
    // without what a password is checked against
    let text = String::from_utf8(file).expect("text");
    let hopeless = text.replace("/U <", "/X <").replace("/O <", "/Y <");
    assert_eq!(refused(hopeless.as_bytes(), None), Reason::Corrupt);
    // nothing that is read here is encrypted
    let identity = text.replace("/StmF /StdCF /StrF /StdCF", "/EFF /StdCF");
    let metadata = open(identity.as_bytes());
    assert!(metadata.security.encrypted && metadata.security.algorithm.is_none());
    assert_eq!((metadata.basic.pages, metadata.security.permissions_verified), (1, None));
}

#[test]
fn a_cipher_that_the_key_does_not_fit_is_damage() {
    let text = String::from_utf8(Locked::default().file()).expect("text");
    for method in ["AESV2", "V2"] {
        let other = text.replace("/CFM /AESV3", &format!("/CFM /{method}"));
        assert_eq!(refused(other.as_bytes(), None), Reason::Corrupt, "{method}");
    }
}

#[test]
fn before_version_4_metadata_are_encrypted_like_everything_else() {
    for cipher in [Cipher::Rc4Of40, Cipher::Rc4Of128] {
        let pdf = Pdf::new(1).info("").xmp("<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>");
        let file = encrypted(&pdf.classic(), cipher, "", "owner");
        let (start, _) = (0..file.len())
            .map(|at| (at, &file[at..]))
            .find(|(_, rest)| rest.starts_with(b"/Filter/Standard"))
            .expect("a handler");
        // rebuilt, since that moves everything behind it
        let file = [&file[..start], b"/EncryptMetadata false", &file[start..]].concat();
        let metadata = open(&file);
        assert_eq!(metadata.conformance.pdf_a.as_deref(), Some("2b"), "{cipher:?}");
    }
}

#[test]
fn metadata_may_be_stored_as_clear_text() {
    let pdf = Pdf::new(1).info("").xmp("<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>");
    for cipher in [Cipher::Aes256, Cipher::Aes256ClearMetadata] {
        let file = encrypted(&pdf.classic(), cipher, "", "owner");
        let is_clear = file.windows(6).any(|window| window == b"pdfaid");
        assert_eq!(is_clear, cipher == Cipher::Aes256ClearMetadata);
        assert_eq!(open(&file).conformance.pdf_a.as_deref(), Some("2b"), "{cipher:?}");
    }
}

#[test]
fn a_string_of_an_encrypted_file_has_any_bytes() {
    // whatever the key makes of them, some are line ends
    for number in 0..64 {
        let title = format!("Sample title of the document that says a little more, number {number}");
        for cipher in [Cipher::Rc4Of128, Cipher::Aes128] {
            let file = encrypted(&Pdf::new(1).info(format!("/Title ({title})")).classic(), cipher, "", "owner");
            let raw = unescaped_line_ends(&file);
            assert_eq!(open(&raw).document.title.as_deref(), Some(title.as_str()), "{cipher:?} {number}");
        }
    }
}

/// The file with the line ends in its title as they are, not as escapes.
fn unescaped_line_ends(file: &[u8]) -> Vec<u8> {
    let start = file.windows(7).position(|name| name == b"/Title(").expect("a title") + 7;
    let (mut raw, mut rest) = (file[..start].to_vec(), &file[start..]);
    loop {
        match rest {
            [b'\\', b'r', after @ ..] => {
                raw.push(b'\r');
                rest = after;
            }
            [b'\\', other, after @ ..] => {
                raw.extend([b'\\', *other]);
                rest = after;
            }
            [b')', ..] | [] => return [&raw, rest].concat(),
            [other, after @ ..] => {
                raw.push(*other);
                rest = after;
            }
        }
    }
}

#[test]
fn permissions_are_told() {
    let permissions = open(&encrypted(&plain(), Cipher::Aes128, "", "owner")).security.permissions;
    assert!(permissions.print);
    assert!(!permissions.print_high_quality && !permissions.modify && !permissions.copy && !permissions.annotate);
    assert!(!permissions.fill_forms && !permissions.accessibility && !permissions.assemble);
    // revision 2 has no flag for fine print: whoever may print may print well
    assert!(open(&encrypted(&plain(), Cipher::Rc4Of40, "", "owner")).security.permissions.print_high_quality);
    let all = open(&plain()).security;
    assert!(!all.encrypted && all.algorithm.is_none() && all.key_bits.is_none());
    assert!(all.permissions.modify && all.permissions.assemble && all.permissions.print_high_quality);
}

#[test]
fn an_encrypted_file_can_be_repaired() {
    for (cipher, ..) in CIPHERS {
        let file = replaced(&encrypted(&plain(), cipher, "", "owner"), "startxref", "start....");
        let metadata = open(&file);
        assert!(metadata.structure.repaired);
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{cipher:?}");
    }
}

#[test]
fn crypt_filters_may_stand_elsewhere_and_have_any_name() {
    let file = encrypted(&plain(), Cipher::Aes128, "", "owner");
    let text = String::from_utf8_lossy(&file).into_owned();
    let filters = text.split_once("/CF<<").and_then(|(_, rest)| rest.split_once(">>>>")).expect("crypt filters").0;
    let aside = format!("/CF 99 0 R{}", " ".repeat(filters.len() + 9 - "/CF 99 0 R".len()));
    let file = replaced(&file, &format!("/CF<<{filters}>>>>"), &aside);
    let file = replaced(&replaced(&file, "/StmF/StdCF", "/StmF/Other"), "/StrF/StdCF", "/StrF/Other");
    let object = format!("99 0 obj <<{}>>>> endobj", filters.replace("StdCF", "Other"));
    let file = replaced(&file, "startxref", &format!("{object} start...."));
    let metadata = open(&file);
    assert_eq!(metadata.security.algorithm, Some(Algorithm::Aes128));
    assert_eq!(metadata.document.title.as_deref(), Some("Secret"));
}

#[test]
fn unknown_handlers_are_unsupported() {
    let file = |encrypt: &str| Pdf::new(1).trailer(&format!("/Encrypt << {encrypt} >>")).classic();
    let unsupported = [
        "/Filter /Adobe.PubSec /V 4",
        "/Filter /Standard /V 3 /R 3 /O (o) /U (u) /P -4",
        "/Filter /Standard /V 9 /R 9 /O (o) /U (u) /P -4",
    ];
    for encrypt in unsupported {
        assert_eq!(refused(&file(encrypt), None), Reason::UnsupportedEncryption, "{encrypt}");
    }
}

#[test]
fn an_encryption_dictionary_that_is_not_there_encrypts_nothing() {
    let metadata = open(&Pdf::new(1).trailer("/Encrypt 99 0 R").classic());
    assert!(!metadata.security.encrypted);
    assert_eq!(metadata.document.title.as_deref(), Some("Title"));
}
