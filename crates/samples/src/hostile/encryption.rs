//! Encryption dictionaries of garbage, and files that only claim to be encrypted.

use crate::pdf::{Cipher, Pdf, encrypted};

use super::Hostile;

/// A document that says it is encrypted by this dictionary.
fn claimed(dictionary: &str) -> Vec<u8> {
    let id = "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]";
    Pdf::new(1).with(60, dictionary).trailer(&format!("/Encrypt 60 0 R {id}")).classic()
}

pub(super) fn files() -> Vec<Hostile> {
    const OWNER: &str = "/O (01234567890123456789012345678901) /U (01234567890123456789012345678901) /P -4";
    let with = |name: &'static str, entries: &str| {
        let dictionary = format!("<< /Filter /Standard {entries} >>");
        Hostile::new(name, move || claimed(&dictionary))
    };
    let long =
        "/OE (01234567890123456789012345678901) /UE (01234567890123456789012345678901) /Perms (0123456789012345)";
    let mut files = vec![
        with("a version of -1", &format!("/V -1 /R 3 /Length 128 {OWNER}")),
        with("a version of 99", &format!("/V 99 /R 99 /Length 128 {OWNER}")),
        with("a revision of 2^31", &format!("/V 2 /R 2147483648 /Length 128 {OWNER}")),
        with("a revision of 2^63-1", &format!("/V 5 /R 9223372036854775807 {OWNER} {long}")),
        with("a key of 2^31 bits", &format!("/V 2 /R 3 /Length 2147483648 {OWNER}")),
        with("a key of -8 bits", &format!("/V 2 /R 3 /Length -8 {OWNER}")),
        with("a key of 7 bits", &format!("/V 2 /R 3 /Length 7 {OWNER}")),
        with("nothing but the filter", ""),
        with("no passwords", "/V 2 /R 3 /Length 128 /P -4"),
        with("empty passwords", "/V 2 /R 3 /Length 128 /O () /U () /P -4"),
        with("passwords that are numbers", "/V 2 /R 3 /Length 128 /O 5 /U [1] /P (a)"),
        with("passwords that are the dictionary", "/V 2 /R 3 /Length 128 /O 60 0 R /U 60 0 R /P 60 0 R"),
        with("rights of 10^18", &format!("/V 2 /R 3 /Length 128 {} /P 1000000000000000000", &OWNER[..OWNER.len() - 6])),
        with("short strings of revision 6", "/V 5 /R 6 /Length 256 /O (a) /U (b) /OE (c) /UE (d) /Perms (e) /P -4"),
        with("crypt filters that are none", &format!("/V 4 /R 4 /Length 128 /StmF /Nothing /StrF 7 /CF [1] {OWNER}")),
        with(
            "crypt filters in a circle",
            &format!("/V 4 /R 4 /Length 128 /StmF /A /StrF /A /CF << /A 60 0 R >> {OWNER}"),
        ),
        with(
            "a crypt filter of 2^31 bytes",
            &format!("/V 4 /R 4 /StmF /A /StrF /A /CF << /A << /CFM /AESV2 /Length 2147483648 >> >> {OWNER}"),
        ),
        with(
            "metadata encrypted (maybe)",
            &format!("/V 4 /R 4 /EncryptMetadata (maybe) /StmF /Identity /StrF /Identity {OWNER}"),
        ),
        Hostile::new("a filter of another maker", || claimed("<< /Filter /Adobe.PubSec /V 4 /Recipients [(a)] >>")),
        Hostile::new("an encryption that is a number", || claimed("5")),
        Hostile::new("an encryption that is itself", || claimed("60 0 R")),
        Hostile::new("an encryption that is a stream", || {
            claimed("<< /Filter /Standard /V 2 /Length 3 >>\nstream\nabc\nendstream")
        }),
        Hostile::new("an encryption that is not there", || Pdf::new(1).trailer("/Encrypt 99 0 R").classic()),
        Hostile::new("passwords of 10 MB", || {
            let long = "a".repeat(5 << 20);
            claimed(&format!("<< /Filter /Standard /V 2 /R 3 /Length 128 /O ({long}) /U ({long}) /P -4 >>"))
        }),
        Hostile::new("a million crypt filters", || {
            let filters: String = (0..1_000_000).map(|index| format!("/F{index} <<>> ")).collect();
            claimed(&format!("<< /Filter /Standard /V 4 /R 4 /CF << {filters} >> {OWNER} >>"))
        }),
        Hostile::new("encrypted, and 100,000 headers", headers),
        Hostile::new("AES strings that are no blocks", || {
            let file = encrypted(&Pdf::new(1).classic(), Cipher::Aes128, "", "owner");
            let at = file.windows(6).position(|window| window == b"/Title").unwrap();
            [&file[..at], b"/Title (x) /Author <00> /A ", &file[at + 6..]].concat()
        }),
        Hostile::new("a password of a million characters", || {
            encrypted(&Pdf::new(1).classic(), Cipher::Aes256, "secret", "owner")
        })
        .with_password(&*"p".repeat(1_000_000).leak()),
    ];
    for (name, cipher) in [
        ("RC4 with its key cut", Cipher::Rc4Of128),
        ("AES-128 with its key cut", Cipher::Aes128),
        ("AES-256 with its key cut", Cipher::Aes256),
        ("revision 5 with its key cut", Cipher::Aes256OfR5),
    ] {
        files.push(Hostile::new(name, move || {
            let file = encrypted(&Pdf::new(1).classic(), cipher, "", "owner");
            let at = file.windows(2).position(|window| window == b"/U").unwrap();
            [&file[..at + 2], b" <00> /X", &file[at + 2..]].concat()
        }));
    }
    files
}

/// No cross-reference leads anywhere, so all are looked at, and each may be encrypted.
fn headers() -> Vec<u8> {
    let mut file = encrypted(&Pdf::new(1).classic(), Cipher::Aes256, "", "owner");
    let at = file.windows(7).rposition(|window| window == b"trailer").unwrap();
    let trailer = file.split_off(at);
    for number in 0..100_000 {
        file.extend(
            format!("{} 0 obj << /Title (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) >>\n", number % 1_000 + 100).into_bytes(),
        );
    }
    file.extend(&trailer[..trailer.len() - 20]);
    file
}
