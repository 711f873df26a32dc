//! Whatever is done to a file, the engine answers: with metadata or with a reason.

use engine::{Options, Reason, analyze};
use proptest::collection::vec;
use proptest::prelude::*;
use samples::pdf::{Cipher, Pdf, encrypted};

use crate::support::{Sparse, memory, open};

/// One change to a file.
#[derive(Debug, Clone)]
enum Change {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Cut(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let word = prop::sample::select(vec![
        "obj",
        "endobj",
        "stream",
        "<<",
        ">>",
        "[",
        "]",
        "(",
        ")",
        "/Kids",
        "/Length 1",
        "1 0 R",
        "trailer",
        "xref",
        "-1",
        "99999999999",
        "/Type /ObjStm",
        "/Filter /FlateDecode",
        "/W [8 8 8]",
        "/Encrypt 1 0 R",
    ]);
    prop_oneof![
        3 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (any::<prop::sample::Index>(), word).prop_map(|(at, word)| Change::Insert(at, word.as_bytes().to_vec())),
        2 => (any::<prop::sample::Index>(), 1..40_usize).prop_map(|(at, count)| Change::Remove(at, count)),
        1 => any::<prop::sample::Index>().prop_map(Change::Cut),
    ]
}

fn apply(file: &mut Vec<u8>, change: &Change) {
    if file.is_empty() {
        return;
    }
    match change {
        Change::Set(at, byte) => {
            let at = at.index(file.len());
            file[at] = *byte;
        }
        Change::Insert(at, bytes) => {
            let at = at.index(file.len());
            file.splice(at..at, bytes.iter().copied());
        }
        Change::Remove(at, count) => {
            let at = at.index(file.len());
            file.drain(at..(at + count).min(file.len()));
        }
        Change::Cut(at) => file.truncate(at.index(file.len())),
    }
}

fn file() -> impl Strategy<Value = Vec<u8>> {
    let pdf = Pdf::new(3).xmp("<pdf:Producer>Maker</pdf:Producer>");
    prop::sample::select(vec![
        pdf.classic(),
        pdf.compressed(),
        pdf.hybrid(&[3]),
        pdf.linearized(),
        pdf.update(pdf.classic()),
        encrypted(&pdf.classic(), Cipher::Aes128, "", "owner"),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_are_answered_the_same_from_everywhere(mut file in file(), changes in vec(change(), 1..6)) {
        for change in &changes {
            apply(&mut file, change);
        }
        let in_memory = analyze(&memory(&file), &Options::default());
        let remote = analyze(&Sparse(&file), &Options::default());
        prop_assert_eq!(format!("{in_memory:?}"), format!("{remote:?}"));
    }

    #[test]
    fn arbitrary_bytes_behind_a_header_are_answered(bytes in vec(any::<u8>(), 0..400)) {
        let file = [b"%PDF-1.7\n".as_slice(), &bytes].concat();
        let _ = analyze(&memory(&file), &Options::default());
    }

    #[test]
    fn bytes_without_header_or_objects_are_no_pdf(bytes in vec(128..=255_u8, 1..2000)) {
        let failure = analyze(&memory(&bytes), &Options::default()).expect_err("no PDF");
        prop_assert!(matches!(failure, engine::Failure::Rejected(Reason::NotAPdf)));
    }

    #[test]
    fn titles_come_back_as_they_were(title in "[ -~¡-ÿĀ-ſ☀-⛿😀-🙏]{1,80}") {
        let expected = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        let file = Pdf::new(1).info(format!("/Title {}", samples::pdf::utf16(&title))).classic();
        prop_assert_eq!(open(&file).document.title, expected);
    }

    #[test]
    fn any_text_is_a_date_or_not(text in "[ -'*-~]{0,40}") {
        let date = open(&Pdf::new(1).info(format!("/ModDate ({})", text.replace('\\', ""))).classic()).dates.modified;
        prop_assert_eq!(date.parsed, date.iso8601.is_some());
    }
}
