//! Encrypted files: every cipher, either password, and what is permitted.

use engine::{Algorithm, Reason};
use samples::pdf::{Cipher, Pdf, encrypted};

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
